import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { parseTimestamp } from '../../platform/core/timestamp.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { Replay, ReplayRequest } from '../measurements/measurement-schema.ts'
import { AUTOMATIC, applyCondition, type Condition } from '../monitor-model/condition.ts'
import { getMonitorRow } from '../monitor-model/monitor-rows.ts'
import { createThresholds, type Measurement, type ThresholdsMeta } from '../thresholds/thresholds.ts'
import { judge, nextIncidentTransition } from './judge.ts'
import { loadPast, toThresholdsMeta } from './models.ts'

const MAX_RESULTS = 2000

/** Checks past measurements against other limits, each only with the knowledge available before it. Pure. */
export const replayMeasurements = (condition: Condition, meta: ThresholdsMeta, past: readonly Measurement[]): Replay => {
  const thresholds = createThresholds({ ...meta, sensitivity: condition.condition_auto_sensitivity ?? undefined })
  const results: Replay['results'] = []
  const incidents: Replay['incidents'] = []
  let open: (Replay['incidents'][number] & { runs_inside: number }) | undefined
  let learning = 0
  for (const { at, value, ...run } of past.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const created_at = at.toISOString()
    const { state, lower, upper } = judge(condition, thresholds.predict(at, run), value)
    thresholds.observe(at, value, run)
    if (state === 'learning') learning += 1
    results.push({ created_at, value, lower_threshold: lower, upper_threshold: upper, outside: state === 'outside' })
    const transition = nextIncidentTransition(open, { state })
    if (transition === 'opens') {
      open = { first_seen_at: created_at, last_seen_at: created_at, resolved_at: null, value, runs_outside: 1, runs_inside: 0 }
      incidents.push(open)
    } else if (open && transition === 'grows')
      Object.assign(open, { last_seen_at: created_at, runs_outside: open.runs_outside + 1, runs_inside: 0 })
    else if (open && transition === 'calms') open.runs_inside += 1
    else if (open && transition === 'resolves') {
      open.resolved_at = created_at
      open = undefined
    }
  }
  return {
    measurements: results.length,
    learning,
    outside: results.filter(({ outside }) => outside).length,
    incidents: incidents.map(({ first_seen_at, last_seen_at, resolved_at, value, runs_outside }) => ({
      first_seen_at,
      last_seen_at,
      resolved_at,
      value,
      runs_outside,
    })),
    results: results.slice(-MAX_RESULTS),
  }
}

/** Replays the measurements of a monitor or those in the request. */
export const replayMonitor = async (ctx: Context, request: ReplayRequest): Promise<Replay> => {
  requirePermission(ctx.actor, 'monitors.read')
  const { monitor, measurements, metric_type, frequency } = request
  if (Boolean(monitor) === Boolean(measurements)) throw invalid({ monitor: ['Provide either monitor or measurements.'] })
  if (!monitor) {
    const meta = { metric_type: metric_type ?? 'row_count', frequency_hours: frequency ?? 24 }
    return replayMeasurements(applyCondition(AUTOMATIC, request), meta, measurements!.map(parseMeasurement))
  }
  const row = await getMonitorRow(ctx, parseId(monitor)!)
  const past = await loadPast(ctx, row)
  return replayMeasurements(
    applyCondition(row, request),
    { ...toThresholdsMeta(row), ...(frequency ? { frequency_hours: frequency } : {}) },
    past,
  )
}

const parseMeasurement = ({ measured_at, value }: { measured_at: string; value: number }, i: number): Measurement => {
  const at = parseTimestamp(measured_at)
  if (!at) throw invalid({ [`measurements[${i}].measured_at`]: ['must be an ISO 8601 timestamp.'] })
  return { at: new Date(at), value }
}
