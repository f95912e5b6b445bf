import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { newId } from '../id.ts'
import { applyEdit, blankRow, changesOf, tell } from './change.ts'
import { readIntegration } from './read.ts'
import type { Integration, IntegrationCreate } from './schema.ts'
import { insertRow } from './store.ts'

export const createIntegration = (ctx: Context, create: IntegrationCreate): Promise<Integration> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'integrations.manage')
    const row = await applyEdit(ctx, blankRow(newId(), ctx.now), create)
    await insertRow(ctx, row)
    await tell(ctx, 'created', row, changesOf({}, row, undefined))
    return readIntegration(ctx, row.id)
  })
