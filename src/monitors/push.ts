import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { type FieldErrors, invalid } from '../errors.ts'
import { readId } from '../id.ts'
import { readTimestamp } from '../timestamp.ts'
import { keepResults } from './keep.ts'
import type { Result } from './keeping.ts'
import type { Measurement, MeasurementPush } from './measurement-schema.ts'
import { findSeen } from './measurement-store.ts'
import { toMeasurement } from './measurements.ts'
import { findMonitors } from './store.ts'

const AHEAD_MS = 5 * 60_000 // clocks may differ

/** Saves values measured elsewhere, e.g. by a script or a dbt test. They are checked like any other. */
export const pushMeasurements = (ctx: Context, { measurements }: MeasurementPush): Promise<{ results: Measurement[] }> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'monitors.write')
    const kept = await recordMeasurements(ctx, measurements)
    return { results: kept }
  })

export type Pushed = MeasurementPush['measurements'][number]

/** For callers that have already checked permissions. Saves all values or none; returns the measurements in order of time. */
export const recordMeasurements = async (ctx: Context, pushed: readonly Pushed[]): Promise<Measurement[]> => {
  const byKey = await findKeys(ctx, pushed)
  const ids = pushed.map(({ monitor, key }) => (monitor ? readId(monitor) : key === undefined ? undefined : byKey.get(key)))
  const known = await findMonitors(
    ctx,
    ids.flatMap((id) => (id ? [id] : [])),
  )
  const errors: FieldErrors = {}
  const results = pushed.map(({ value, measured_at, row_count = null }, i): Result => {
    const at = measured_at === undefined ? ctx.now : new Date(readTimestamp(measured_at) ?? Number.NaN)
    const monitor = ids[i] ?? ''
    const where = `measurements[${i}]`
    if (!known.has(monitor)) errors[`${where}.monitor`] = ['Monitor not found.']
    if (Number.isNaN(at.getTime())) errors[`${where}.measured_at`] = ['must be an ISO 8601 timestamp.']
    else if (at.getTime() > ctx.now.getTime() + AHEAD_MS) errors[`${where}.measured_at`] = ['must not be in the future.']
    return { monitor, at, outcome: { value, row_count }, origin: 'pushed' }
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const kept = await keepResults(ctx, results)
  const seen = await findSeen(
    ctx,
    kept.map(({ id }) => id),
  )
  return kept.flatMap(({ id }) => {
    const row = seen.get(id)
    return row ? [toMeasurement(row)] : []
  })
}

const findKeys = async (ctx: Context, pushed: readonly Pushed[]): Promise<Map<string, string>> => {
  const keys = [...new Set(pushed.flatMap(({ monitor, key }) => (monitor === undefined && key !== undefined ? [key] : [])))]
  if (keys.length === 0) return new Map()
  const rows = await ctx.db.selectFrom('monitors').select(['id', 'key']).where('key', 'in', keys).execute()
  return new Map(rows.map(({ id, key }) => [key!, id]))
}
