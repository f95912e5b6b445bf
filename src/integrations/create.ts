import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { newId } from '../id.ts'
import { applyEdit, blankRow, changesOf, tell } from './change.ts'
import type { CredentialsIn } from './credentials.ts'
import { mustLeadElsewhere } from './own-database.ts'
import { readIntegration } from './read.ts'
import type { Integration, IntegrationCreate } from './schema.ts'
import { insertRow } from './store.ts'

export const createIntegration = async (ctx: Context, create: IntegrationCreate): Promise<Integration> => {
  mustBeAble(ctx.actor, 'integrations.manage')
  await mustLeadElsewhere(ctx, null, create.credentials as CredentialsIn | null | undefined)
  return inTransaction(ctx, async (ctx) => {
    const row = await applyEdit(ctx, blankRow(newId(), ctx.now), create)
    await insertRow(ctx, row)
    await tell(ctx, 'created', row, changesOf({ preview_enabled: false }, row, undefined))
    return readIntegration(ctx, row.id)
  })
}
