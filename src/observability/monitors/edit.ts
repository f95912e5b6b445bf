import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { recordMonitorChange } from '../incidents/monitor-events.ts'
import { resolveIncidentsOfMonitors } from '../incidents/resolve-incidents-of-deleted.ts'
import { deleteMonitorRow, getMonitorRow, lockMonitor, type MonitorWithTarget, updateMonitorRow } from '../monitor-model/monitor-rows.ts'
import { toMonitor } from '../monitor-model/record.ts'
import type { Monitor, MonitorEdit } from '../monitor-model/schema.ts'
import { applyMonitorEdit } from './apply-edit.ts'
import { AUDITED_FIELDS, toAuditFields } from './create.ts'

export const editMonitor = (ctx: Context, id: string, edit: MonitorEdit): Promise<Monitor> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'monitors.write')
    const before = await lockMonitor(ctx, id)
    requireIfMatch(ctx, computeEtag(before))
    assertTargetUnchanged(before, edit)
    const after = await applyMonitorEdit(ctx, before, before.of, edit)
    const changes = diffFields(toAuditFields(before), toAuditFields(after), AUDITED_FIELDS)
    if (changes.length > 0) {
      await updateMonitorRow(ctx, after)
      await recordMonitorChange(ctx, 'updated', before.of, after, changes)
    }
    return toMonitor(ctx, await getMonitorRow(ctx, id))
  })

/** Existing measurements would lose their meaning if the target or the metric changed. */
const assertTargetUnchanged = (before: MonitorWithTarget, { target, metric_type }: MonitorEdit): void => {
  if (target !== undefined && parseId(target ?? '') !== before.target)
    throw invalid({ target: ['The target of a monitor cannot be changed. Create a new monitor instead.'] })
  if (metric_type !== undefined && metric_type !== before.metric_type)
    throw invalid({ metric_type: ['The metric of a monitor cannot be changed. Create a new monitor instead.'] })
}

/** Its measurements and incidents are deleted by the database (foreign keys). */
export const deleteMonitor = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'monitors.write')
    const row = await lockMonitor(ctx, id)
    requireIfMatch(ctx, computeEtag(row))
    await resolveIncidentsOfMonitors(ctx, new Map([[id, row]]))
    await deleteMonitorRow(ctx, id)
    await recordMonitorChange(ctx, 'deleted', row.of, row, diffFields(toAuditFields(row), {}, AUDITED_FIELDS))
  })
