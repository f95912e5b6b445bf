import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { invalid } from '../errors.ts'
import { diff } from '../history/diff.ts'
import { newId, readId } from '../id.ts'
import { addMark, SUBSCRIPTION } from '../resources/marks.ts'
import { applyEdit, usualName } from './check.ts'
import { AUTOMATIC } from './condition.ts'
import { addRuns, isRun, runOf } from './due.ts'
import { queueBackFill } from './history.ts'
import { metricTypeOf, usualMetric } from './metric-types.ts'
import { toMonitor } from './record.ts'
import { inWords, readSchedule, type Schedule } from './schedule.ts'
import type { Monitor, MonitorCreate } from './schema.ts'
import { findTarget, getMonitor, insertMonitor, type MonitorRow, type TargetRow } from './store.ts'
import { tellMonitor } from './tell.ts'

export const createMonitor = (ctx: Context, create: MonitorCreate): Promise<Monitor> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'monitors.write')
    const { of, row } = await draftMonitor(ctx, create)
    await insertMonitor(ctx, row)
    await tellMonitor(ctx, 'created', of, row, diff({}, toldOf(row), TOLD))
    if (create.subscribe !== false && ctx.actor.user_id) await addMark(ctx, SUBSCRIPTION, of.id)
    if (create.back_fill !== false) await queueBackFill(ctx, row, of)
    if (row.is_enabled && isRun(row, of)) await addRuns(ctx, [runOf(ctx, { ...row, of })])
    return toMonitor(ctx, await getMonitor(ctx, row.id))
  })

/** Builds and validates the monitor without saving it. */
export const draftMonitor = async (ctx: Context, create: MonitorCreate): Promise<{ of: TargetRow; row: MonitorRow }> => {
  const of = await getTarget(ctx, create.target)
  const { back_fill: _, target: __, subscribe: ___, ...edit } = create
  const blank = blankMonitor(newId(), of, create.metric_type ?? usualMetric(of.entity_type, create.metric_config), ctx.now)
  // A sensitivity of null selects manual limits; only an absent one gets the default.
  return { of, row: await applyEdit(ctx, blank, of, { ...edit, schedule: edit.schedule ?? {} }) }
}

const getTarget = async (ctx: Context, target: string | null | undefined): Promise<TargetRow> => {
  if (!target) throw invalid({ target: ['is required. It must be the ID of a table or column.'] })
  const of = await findTarget(ctx, readId(target)!)
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
  name: usualName(metricTypeOf(metric_type), of),
  metric_type,
  metric_config: {},
  schedule: readSchedule({}),
  frequency: 24,
  is_enabled: true,
  ...AUTOMATIC,
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
  lesson: 0,
  target_gone_at: null,
  statement_by: null,
  file: null,
})

/** The fields whose changes are recorded in the activity log. */
export const TOLD = [
  ...['name', 'key', 'metric_type', 'query_select', 'where', 'timestamp_column', 'schedule', 'is_enabled'],
  ...['condition_auto_sensitivity', 'condition_manual_min', 'condition_manual_max', 'notify_slack_channel'],
]
export const toldOf = (row: MonitorRow): Record<string, unknown> => ({
  ...row,
  ...(row.metric_config as object),
  schedule: inWords(row.schedule as Schedule),
})
