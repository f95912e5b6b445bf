import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { recordActivities } from '../history/record.ts'
import { versionEntry } from './entry.ts'
import { lockRows, updateRows } from './store.ts'

/**
 * Marks resources as missing from their source, or as found again. Resources that a user marked as not stale stay that way. Returns the IDs
 * of the changed ones.
 */
export const markStale = (ctx: Context, ids: readonly string[], stale: boolean): Promise<string[]> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    const rows = await lockRows(ctx.db, ctx.actor, ids)
    const at = ctx.now.toISOString()
    const after = [...rows.values()]
      .filter((row) => row.stale !== stale && !(stale && row.forced_unstale_by_user))
      .map((row) => ({ ...row, stale, stale_at: stale ? at : null, version: row.version + 1, updated_at: at }))
    if (after.length === 0) return []
    await updateRows(ctx.db, after, ['stale', 'stale_at', 'version', 'updated_at'])
    await recordActivities(
      ctx,
      after.map((row) => versionEntry(row, 'updated', [{ field: 'stale', from: !stale, to: stale }])),
    )
    return after.map(({ id }) => id)
  })
