import { mustBeAble } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import { readId } from '../id.ts'
import { readTimestamp } from '../timestamp.ts'
import { AUTOMATIC, applyCondition, type Condition } from './condition.ts'
import { courseOf, judge } from './judge.ts'
import { metaOf, pastOf } from './learn.ts'
import type { Replay, ReplayRequest } from './measurement-schema.ts'
import { getMonitor } from './store.ts'
import { createThresholds, type Measurement, type ThresholdsMeta } from './thresholds.ts'

const MOST_TOLD = 2000

/** Checks past measurements against other limits, each only with the knowledge available before it. Pure. */
export const replayPast = (condition: Condition, meta: ThresholdsMeta, past: readonly Measurement[]): Replay => {
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
    const course = courseOf(open, { state })
    if (course === 'opens') {
      open = { first_seen_at: created_at, last_seen_at: created_at, resolved_at: null, value, runs_outside: 1, runs_inside: 0 }
      incidents.push(open)
    } else if (open && course === 'grows')
      Object.assign(open, { last_seen_at: created_at, runs_outside: open.runs_outside + 1, runs_inside: 0 })
    else if (open && course === 'calms') open.runs_inside += 1
    else if (open && course === 'resolves') {
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
    results: results.slice(-MOST_TOLD),
  }
}

/** Replays the measurements of a monitor or those in the request. */
export const replay = async (ctx: Context, request: ReplayRequest): Promise<Replay> => {
  mustBeAble(ctx.actor, 'monitors.read')
  const { monitor, measurements, metric_type, frequency } = request
  if (Boolean(monitor) === Boolean(measurements)) throw invalid({ monitor: ['Provide either monitor or measurements.'] })
  if (!monitor) {
    const meta = { metric_type: metric_type ?? 'row_count', frequency_hours: frequency ?? 24 }
    return replayPast(applyCondition(AUTOMATIC, request), meta, measurements!.map(readMeasurement))
  }
  const row = await getMonitor(ctx, readId(monitor)!)
  const past = await pastOf(ctx, row)
  return replayPast(applyCondition(row, request), { ...metaOf(row), ...(frequency ? { frequency_hours: frequency } : {}) }, past)
}

const readMeasurement = ({ measured_at, value }: { measured_at: string; value: number }, i: number): Measurement => {
  const at = readTimestamp(measured_at)
  if (!at) throw invalid({ [`measurements[${i}].measured_at`]: ['must be an ISO 8601 timestamp.'] })
  return { at: new Date(at), value }
}
