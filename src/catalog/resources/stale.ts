import { type Context, inTransaction } from '../../platform/context/context.ts'
import { recordActivities } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { lockResourceRows, updateResourceRows } from '../records/resource-rows.ts'
import { toVersionActivity } from '../records/version-activity.ts'

/**
 * Marks resources as missing from their source, or as found again. Resources that a user marked as not stale stay that way. Returns the IDs
 * of the changed ones.
 */
export const markStale = (ctx: Context, ids: readonly string[], stale: boolean): Promise<string[]> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const rows = await lockResourceRows(ctx.db, ctx.actor, ids)
    const at = ctx.now.toISOString()
    const after = [...rows.values()]
      .filter((row) => row.stale !== stale && !(stale && row.forced_unstale_by_user))
      .map((row) => ({ ...row, stale, stale_at: stale ? at : null, version: row.version + 1, updated_at: at }))
    if (after.length === 0) return []
    await updateResourceRows(ctx.db, after, ['stale', 'stale_at', 'version', 'updated_at'])
    await recordActivities(
      ctx,
      after.map((row) => toVersionActivity(row, 'updated', [{ field: 'stale', from: !stale, to: stale }])),
    )
    return after.map(({ id }) => id)
  })
