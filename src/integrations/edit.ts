import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { etagOf } from '../etag.ts'
import { applyEdit, changesOf, tell } from './change.ts'
import type { Credentials, CredentialsIn } from './credentials.ts'
import { mustLeadElsewhere } from './own-database.ts'
import { readIntegration } from './read.ts'
import type { Integration, IntegrationEdit } from './schema.ts'
import { getRow, lockRow, updateRow } from './store.ts'

export const editIntegration = async (ctx: Context, id: string, edit: IntegrationEdit): Promise<Integration> => {
  mustBeAble(ctx.actor, 'integrations.manage')
  const sent = edit.credentials as CredentialsIn | null | undefined
  if (sent) await mustLeadElsewhere(ctx, (await getRow(ctx, id)).connection as Credentials | null, sent)
  return inTransaction(ctx, async (ctx) => {
    const before = await lockRow(ctx, id)
    mustMatch(ctx, etagOf(before))
    const after = await applyEdit(ctx, before, edit)
    const changes = changesOf(before, after, sent)
    if (changes.length > 0) {
      await updateRow(ctx, after)
      await tell(ctx, 'updated', after, changes)
    }
    return readIntegration(ctx, id)
  })
}
