import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { etagOf } from '../etag.ts'
import { applyEdit, changesOf, tell } from './change.ts'
import type { CredentialsIn } from './credentials.ts'
import { readIntegration } from './read.ts'
import type { Integration, IntegrationEdit } from './schema.ts'
import { lockRow, updateRow } from './store.ts'

export const editIntegration = (ctx: Context, id: string, edit: IntegrationEdit): Promise<Integration> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'integrations.manage')
    const before = await lockRow(ctx, id)
    mustMatch(ctx, etagOf(before))
    const after = await applyEdit(ctx, before, edit)
    const changes = changesOf(before, after, edit.credentials as CredentialsIn | null | undefined)
    if (changes.length > 0) {
      await updateRow(ctx, after)
      await tell(ctx, 'updated', after, changes)
    }
    return readIntegration(ctx, id)
  })
