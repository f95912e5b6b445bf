import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { Cache, type CacheCounts } from '../../platform/core/cache.ts'
import type { MonitorRow } from '../monitor-model/monitor-rows.ts'
import { explainRange } from '../thresholds/explain.ts'
import { clampToMetric, getMetricBounds, type Metric } from '../thresholds/metric-bounds.ts'
import { createThresholds, type Limits, type Measurement, rebuild, type Thresholds } from '../thresholds/thresholds.ts'

declare module '../../platform/context/runtime.ts' {
  interface RuntimeCaches {
    readonly models: ModelCache
  }
}

/**
 * Trained models of automatic monitors. A model can be rebuilt from the measurements at any time with the same result. Each process caches
 * its models and updates them with measurements other processes have saved since.
 */
export interface TrainedModel {
  readonly thresholds: Thresholds
  /** ID of the last observed measurement, and the last value that was not an anomaly. */
  last: string | null
  last_value: number | null
  readonly model_key: string
  readonly metric: Metric
  /** Number of observed measurements, and how many of them were backfilled. */
  size: number
  readonly backfilled: number
  /** How many of the first own runs the backfilled history did not predict. */
  mispredicted: number
}

const MAX_MEASUREMENTS = 1500 // the thresholds keep no more than that
const MEASUREMENT_BYTES = 150
const MONITORS_PER_STATEMENT = 50 // monitors loaded with one statement

/** Trained models, by monitor. */
export class ModelCache {
  readonly #models: Cache<TrainedModel>

  constructor(maxBytes: number) {
    this.#models = new Cache(maxBytes, ({ size }) => (size + 20) * MEASUREMENT_BYTES)
  }

  get(id: string): TrainedModel | undefined {
    return this.#models.get(id)
  }

  set(id: string, model: TrainedModel): void {
    this.#models.set(id, model)
  }

  delete(ids: readonly string[]): void {
    for (const id of ids) this.#models.delete(id)
  }

  clear(): void {
    this.#models.clear()
  }

  counts(): CacheCounts {
    return this.#models.counts()
  }
}

const getModelKey = ({ metric_type, frequency, condition_auto_sensitivity, model_generation }: MonitorRow): string =>
  `${metric_type} ${frequency} ${condition_auto_sensitivity} ${model_generation}`

export const toThresholdsMeta = ({ metric_type, frequency, condition_auto_sensitivity }: MonitorRow) => ({
  metric_type,
  frequency_hours: frequency,
  sensitivity: condition_auto_sensitivity ?? undefined,
})

/** The models of these monitors, up to date with their last measurement. Monitors with manual limits have none. */
export const loadModels = async (ctx: Context, monitors: readonly MonitorRow[]): Promise<Map<string, TrainedModel>> => {
  const cache = ctx.runtime.caches.models
  const found = new Map<string, TrainedModel>()
  const outdated: MonitorRow[] = []
  for (const monitor of monitors) {
    if (monitor.condition_auto_sensitivity === null) continue
    const model = cache.get(monitor.id)
    if (model && model.model_key === getModelKey(monitor) && model.last === monitor.last_measurement && !isMisledByBackfill(model))
      found.set(monitor.id, model)
    else outdated.push(monitor)
  }
  for (let at = 0; at < outdated.length; at += MONITORS_PER_STATEMENT) {
    const some = outdated.slice(at, at + MONITORS_PER_STATEMENT)
    const measured = await readHistory(ctx, some)
    for (const monitor of some) {
      const model =
        continueModel(cache.get(monitor.id), monitor, measured.get(monitor.id) ?? []) ?? trainModel(monitor, measured.get(monitor.id) ?? [])
      found.set(monitor.id, model)
      cache.set(monitor.id, model)
      await setImmediate() // a long history takes about 60 ms, so the event loop is released in between
    }
  }
  return found
}

interface HistoricMeasurement extends Measurement {
  readonly id: string
  readonly backfilled?: true
}

const trainModel = (monitor: MonitorRow, measured: readonly HistoricMeasurement[]): TrainedModel => {
  const backfilled = measured.filter(({ backfilled }) => backfilled).length
  const model = createModel(monitor, backfilled)
  for (const each of measured) observe(model, each)
  return isMisledByBackfill(model)
    ? {
        ...model,
        thresholds: rebuild(
          toThresholdsMeta(monitor),
          measured.filter(({ backfilled }) => !backfilled),
        ),
        backfilled: 0,
      }
    : model
}

const createModel = (monitor: MonitorRow, backfilled: number): TrainedModel => ({
  thresholds: createThresholds(toThresholdsMeta(monitor)),
  last: null,
  last_value: null,
  model_key: getModelKey(monitor),
  metric: getMetricBounds(monitor.metric_type),
  size: 0,
  backfilled,
  mispredicted: 0,
})

/** Another process has saved measurements: continues the cached model if its last measurement is still in the history. */
const continueModel = (
  model: TrainedModel | undefined,
  monitor: MonitorRow,
  measured: readonly HistoricMeasurement[],
): TrainedModel | undefined => {
  const at = model && model.model_key === getModelKey(monitor) && model.last ? measured.findIndex(({ id }) => id === model.last) : -1
  if (!model || at < 0 || isMisledByBackfill(model)) return undefined
  for (const each of measured.slice(at + 1)) observe(model, each)
  return isMisledByBackfill(model) ? undefined : model
}

export const observe = (model: TrainedModel, { id, at, value, backfilled, ...run }: HistoricMeasurement): void => {
  const outside = (limits: Limits | undefined) => limits !== undefined && (value < limits.lower || value > limits.upper)
  let isExpected = true
  if (!backfilled && isInFirstRuns(model)) {
    if (outside(model.thresholds.predict(at, run))) model.mispredicted += 1
    isExpected = !outside(limitsFor(model, at, run))
  }
  model.thresholds.observe(at, value, run)
  model.last = id
  if (isExpected) model.last_value = value
  model.size += 1
}

/**
 * A backfill cannot see deleted rows: a table that keeps 30 days of rows seems to grow although it does not. So during the first own runs
 * a value close to the last one is not an anomaly, and if the backfilled history predicted most of these runs wrongly, it is discarded.
 */
const OWN_RUNS = 5
const MAX_MISPREDICTED = 2
const isInFirstRuns = ({ size, backfilled }: TrainedModel): boolean => backfilled > 0 && size >= backfilled && size - backfilled < OWN_RUNS
const isMisledByBackfill = ({ size, backfilled, mispredicted }: TrainedModel): boolean =>
  backfilled > 0 && size - backfilled >= OWN_RUNS && mispredicted > MAX_MISPREDICTED

export const limitsFor = (model: TrainedModel, at: Date, run: { row_count?: number }): Limits | undefined => {
  const limits = model.thresholds.predict(at, run)
  const { last_value, metric } = model
  if (!limits || !isInFirstRuns(model) || last_value === null) return limits
  const width = limits.upper - limits.lower
  const half = Number.isInteger(width) && Number.isInteger(last_value) ? Math.ceil(width / 2) : width / 2
  const lower = Math.min(limits.lower, clampToMetric(metric, last_value - half))
  const upper = Math.max(limits.upper, clampToMetric(metric, last_value + half))
  if (lower === limits.lower && upper === limits.upper) return limits
  const whole = [lower, upper].every((limit) => Number.isInteger(limit))
  return { lower, upper, explanation: `${explainRange({ lower, upper }, whole, metric)}, still learning` }
}

interface MeasuredRow {
  readonly monitor: string
  readonly points: readonly (readonly [
    id: string,
    at: number,
    value: number,
    row_count: number | null,
    marked: 'normal' | 'incident' | null,
    backfilled: boolean,
  ])[]
}

/** The latest measurements of each monitor, oldest first. They are sent as one JSON text per monitor: one row each costs more than the training. */
const readHistory = async (ctx: Context, monitors: readonly MonitorRow[]): Promise<Map<string, HistoricMeasurement[]>> => {
  const { rows } = await sql<MeasuredRow>`
    select w.monitor, json_agg(json_build_array(m.id, (extract(epoch from m.measured_at) * 1000)::bigint, m.value, m.row_count, m.marked, m.origin = 'history')
      order by m.measured_at) as points
    from unnest(${monitors.map(({ id }) => id)}::uuid[]) w(monitor) cross join lateral (
      select m.id, m.measured_at, m.value, m.row_count, m.marked, m.origin from monitor_measurements m
      where m.monitor = w.monitor order by m.measured_at desc limit ${sql.lit(MAX_MEASUREMENTS)}
    ) m group by 1
  `.execute(ctx.db)
  return new Map(
    rows.map(({ monitor, points }) => [
      monitor,
      points.map(([id, at, value, row_count, marked, backfilled]) => ({
        id,
        at: new Date(at),
        value,
        ...(row_count === null ? {} : { row_count }),
        ...(marked === null ? {} : { marked }),
        ...(backfilled ? { backfilled } : {}),
      })),
    ]),
  )
}

/** The measurements of one monitor, for a replay. */
export const loadPast = async (ctx: Context, monitor: MonitorRow): Promise<Measurement[]> =>
  (await readHistory(ctx, [monitor])).get(monitor.id) ?? []
