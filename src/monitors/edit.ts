import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { invalid } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { diff } from '../history/diff.ts'
import { readId } from '../id.ts'
import { applyEdit } from './check.ts'
import { TOLD, toldOf } from './create.ts'
import { toMonitor } from './record.ts'
import type { Monitor, MonitorEdit } from './schema.ts'
import { deleteMonitor, getMonitor, lockMonitor, type SeenMonitor, updateMonitor } from './store.ts'
import { tellMonitor } from './tell.ts'

export const editMonitor = (ctx: Context, id: string, edit: MonitorEdit): Promise<Monitor> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'monitors.write')
    const before = await lockMonitor(ctx, id)
    mustMatch(ctx, etagOf(before))
    mustStay(before, edit)
    const after = await applyEdit(ctx, before, before.of, edit)
    const changes = diff(toldOf(before), toldOf(after), TOLD)
    if (changes.length > 0) {
      await updateMonitor(ctx, after)
      await tellMonitor(ctx, 'updated', before.of, after, changes)
    }
    return toMonitor(ctx, await getMonitor(ctx, id))
  })

/** Existing measurements would lose their meaning if the target or the metric changed. */
const mustStay = (before: SeenMonitor, { target, metric_type }: MonitorEdit): void => {
  if (target !== undefined && readId(target ?? '') !== before.target)
    throw invalid({ target: ['The target of a monitor cannot be changed. Create a new monitor instead.'] })
  if (metric_type !== undefined && metric_type !== before.metric_type)
    throw invalid({ metric_type: ['The metric of a monitor cannot be changed. Create a new monitor instead.'] })
}

/** Its measurements and incidents are deleted by the database (foreign keys). */
export const removeMonitor = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'monitors.write')
    const row = await lockMonitor(ctx, id)
    mustMatch(ctx, etagOf(row))
    await deleteMonitor(ctx, id)
    await tellMonitor(ctx, 'deleted', row.of, row, diff(toldOf(row), {}, TOLD))
  })
