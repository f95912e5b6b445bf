import { addUserRelation, SUBSCRIPTION } from '../../catalog/engagement/user-relations.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { DEFAULT_SEVERITY } from '../../platform/core/severity.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { recordMonitorChange } from '../incidents/monitor-events.ts'
import { getDefaultCondition } from '../monitor-model/condition.ts'
import { getDefaultMetric, getMetricType } from '../monitor-model/metric-types.ts'
import { findTarget, getMonitorRow, insertMonitorRow, type MonitorRow, type TargetRow } from '../monitor-model/monitor-rows.ts'
import { toMonitor } from '../monitor-model/record.ts'
import { formatSchedule, parseSchedule, type Schedule } from '../monitor-model/schedule.ts'
import { CONFIG_NAMES, type Monitor, type MonitorCreate } from '../monitor-model/schema.ts'
import { queueBackfill } from '../runs/backfill.ts'
import { createRun, isMeasuredHere, queueRuns } from '../runs/queue-runs.ts'
import { applyMonitorEdit, defaultMonitorName } from './apply-edit.ts'

export const createMonitor = (ctx: Context, create: MonitorCreate): Promise<Monitor> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'monitors.write')
    const { of, row } = await buildUnsavedMonitor(ctx, create)
    await insertMonitorRow(ctx, row)
    await recordMonitorChange(ctx, 'created', of, row, diffFields({}, toAuditFields(row), AUDITED_FIELDS))
    if (create.subscribe !== false && ctx.actor.user_id) await addUserRelation(ctx, SUBSCRIPTION, of.id)
    if (create.back_fill !== false) await queueBackfill(ctx, row, of)
    if (row.is_enabled && isMeasuredHere(row, of)) await queueRuns(ctx, [createRun(ctx, { ...row, of })])
    return toMonitor(ctx, await getMonitorRow(ctx, row.id))
  })

/** Builds and validates the monitor without saving it. */
export const buildUnsavedMonitor = async (ctx: Context, create: MonitorCreate): Promise<{ of: TargetRow; row: MonitorRow }> => {
  const of = await getTarget(ctx, create.target)
  const { back_fill: _, target: __, subscribe: ___, ...edit } = create
  const blank = blankMonitor(newId(), of, create.metric_type ?? getDefaultMetric(of.entity_type, create.metric_config), ctx.now)
  // A sensitivity of null selects manual limits; only an absent one gets the default.
  return { of, row: await applyMonitorEdit(ctx, blank, of, { ...edit, schedule: edit.schedule ?? {} }) }
}

const getTarget = async (ctx: Context, target: string | null | undefined): Promise<TargetRow> => {
  if (!target) throw invalid({ target: ['is required. It must be the ID of a table or column.'] })
  const of = await findTarget(ctx, parseId(target)!)
  if (!of) throw invalid({ target: ['Resource not found.'] })
  return of
}

/** A monitor with all defaults. */
const blankMonitor = (id: string, of: TargetRow, metric_type: string, now: Date): MonitorRow => ({
  id,
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
  created_by: null,
  target: of.id,
  key: null,
  name: defaultMonitorName(getMetricType(metric_type), of),
  metric_type,
  metric_config: {},
  schedule: parseSchedule({}),
  frequency: 24,
  is_enabled: true,
  ...getDefaultCondition(getMetricType(metric_type)),
  severity: DEFAULT_SEVERITY,
  notify_slack_channel: null,
  status: 'pending',
  last_attempted_at: null,
  last_success_at: null,
  last_error_at: null,
  last_error_message: null,
  last_measurement: null,
  last_measurement_value: null,
  last_measured_at: null,
  last_incident: null,
  next_run_at: null,
  model_generation: 0,
  target_gone_at: null,
  statement_by: null,
  file: null,
})

/** The fields whose changes are recorded in the activity log. */
export const AUDITED_FIELDS = [
  ...['name', 'key', 'metric_type', ...CONFIG_NAMES, 'schedule', 'is_enabled'],
  ...['condition_auto_sensitivity', 'condition_manual_min', 'condition_manual_max', 'severity', 'notify_slack_channel'],
]
export const toAuditFields = (row: MonitorRow): Record<string, unknown> => ({
  ...row,
  ...(row.metric_config as object),
  schedule: formatSchedule(row.schedule as Schedule),
})
