import { type Context, inTransaction } from '../../platform/context/context.ts'
import { type FieldErrors, invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { parseTimestamp } from '../../platform/core/timestamp.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findMeasurementRows } from '../measurements/measurement-rows.ts'
import type { Measurement, MeasurementPush } from '../measurements/measurement-schema.ts'
import { findMonitorRows } from '../monitor-model/monitor-rows.ts'
import { toMeasurement } from './measurements.ts'
import { recordResults } from './record-results.ts'
import type { MeasurementResult } from './result-writer.ts'

const MAX_CLOCK_SKEW_MS = 5 * 60_000 // clocks may differ

/** Saves values measured elsewhere, e.g. by a script or a dbt test. They are checked like any other. */
export const pushMeasurements = (ctx: Context, { measurements }: MeasurementPush): Promise<{ results: Measurement[] }> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'monitors.write')
    const saved = await recordMeasurements(ctx, measurements)
    return { results: saved }
  })

export type PushedMeasurement = MeasurementPush['measurements'][number]

/** For callers that have already checked permissions. Saves all values or none; returns the measurements in order of time. */
export const recordMeasurements = async (ctx: Context, pushed: readonly PushedMeasurement[]): Promise<Measurement[]> => {
  const byKey = await findKeys(ctx, pushed)
  const ids = pushed.map(({ monitor, key }) => (monitor ? parseId(monitor) : key === undefined ? undefined : byKey.get(key)))
  const monitors = await findMonitorRows(
    ctx,
    ids.flatMap((id) => (id ? [id] : [])),
  )
  const errors: FieldErrors = {}
  const results = pushed.map(({ value, measured_at, row_count = null }, i): MeasurementResult => {
    const at = measured_at === undefined ? ctx.now : new Date(parseTimestamp(measured_at) ?? Number.NaN)
    const monitor = ids[i] ?? ''
    const where = `measurements[${i}]`
    if (!monitors.has(monitor)) errors[`${where}.monitor`] = ['Monitor not found.']
    if (Number.isNaN(at.getTime())) errors[`${where}.measured_at`] = ['must be an ISO 8601 timestamp.']
    else if (at.getTime() > ctx.now.getTime() + MAX_CLOCK_SKEW_MS) errors[`${where}.measured_at`] = ['must not be in the future.']
    return { monitor, at, outcome: { value, row_count }, origin: 'pushed' }
  })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const saved = await recordResults(ctx, results)
  const rows = await findMeasurementRows(
    ctx,
    saved.map(({ id }) => id),
  )
  return saved.flatMap(({ id }) => {
    const row = rows.get(id)
    return row ? [toMeasurement(row)] : []
  })
}

const findKeys = async (ctx: Context, pushed: readonly PushedMeasurement[]): Promise<Map<string, string>> => {
  const keys = [...new Set(pushed.flatMap(({ monitor, key }) => (monitor === undefined && key !== undefined ? [key] : [])))]
  if (keys.length === 0) return new Map()
  const rows = await ctx.db.selectFrom('monitors').select(['id', 'key']).where('key', 'in', keys).execute()
  return new Map(rows.map(({ id, key }) => [key!, id]))
}
