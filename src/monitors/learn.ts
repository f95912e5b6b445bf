import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { Cache, type CacheCounts } from '../cache.ts'
import type { Context } from '../context.ts'
import type { MonitorRow } from './store.ts'
import { explainRange } from './thresholds/explain.ts'
import { type Metric, metricOf, within } from './thresholds/metric.ts'
import { createThresholds, type Limits, type Measurement, rebuild, type Thresholds } from './thresholds.ts'

/**
 * Trained models of automatic monitors. A model can be rebuilt from the measurements at any time with the same result. Each process caches
 * its models and updates them with measurements other processes have saved since.
 */
export interface Lesson {
  readonly thresholds: Thresholds
  /** ID of the last observed measurement, and the last value that was not an anomaly. */
  last: string | null
  last_value: number | null
  readonly made_for: string
  readonly metric: Metric
  /** Number of observed measurements, and how many of them were backfilled. */
  size: number
  readonly counted: number
  /** How many of the first own runs the backfilled history did not predict. */
  missed: number
}

const MOST_READ = 1500 // the thresholds keep no more than that
const MEASUREMENT_BYTES = 150
const TOGETHER = 50 // monitors loaded with one statement

/** Trained models, by monitor. */
export class ModelCache {
  readonly #models: Cache<Lesson>

  constructor(maxBytes: number) {
    this.#models = new Cache(maxBytes, ({ size }) => (size + 20) * MEASUREMENT_BYTES)
  }

  get(id: string): Lesson | undefined {
    return this.#models.get(id)
  }

  set(id: string, model: Lesson): void {
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

const madeFor = ({ metric_type, frequency, condition_auto_sensitivity, lesson }: MonitorRow): string =>
  `${metric_type} ${frequency} ${condition_auto_sensitivity} ${lesson}`

export const metaOf = ({ metric_type, frequency, condition_auto_sensitivity }: MonitorRow) => ({
  metric_type,
  frequency_hours: frequency,
  sensitivity: condition_auto_sensitivity ?? undefined,
})

/** The models of these monitors, up to date with their last measurement. Monitors with manual limits have none. */
export const lessonsOf = async (ctx: Context, monitors: readonly MonitorRow[]): Promise<Map<string, Lesson>> => {
  const known = ctx.runtime.caches.models
  const found = new Map<string, Lesson>()
  const behind: MonitorRow[] = []
  for (const monitor of monitors) {
    if (monitor.condition_auto_sensitivity === null) continue
    const lesson = known.get(monitor.id)
    if (lesson && lesson.made_for === madeFor(monitor) && lesson.last === monitor.last_measurement && !isMisled(lesson))
      found.set(monitor.id, lesson)
    else behind.push(monitor)
  }
  for (let at = 0; at < behind.length; at += TOGETHER) {
    const some = behind.slice(at, at + TOGETHER)
    const measured = await readMeasured(ctx, some)
    for (const monitor of some) {
      const lesson = goOn(known.get(monitor.id), monitor, measured.get(monitor.id) ?? []) ?? begin(monitor, measured.get(monitor.id) ?? [])
      found.set(monitor.id, lesson)
      known.set(monitor.id, lesson)
      await setImmediate() // a long history takes about 60 ms, so the event loop is released in between
    }
  }
  return found
}

interface Measured extends Measurement {
  readonly id: string
  readonly counted?: true
}

const begin = (monitor: MonitorRow, measured: readonly Measured[]): Lesson => {
  const counted = measured.filter(({ counted }) => counted).length
  const lesson = blank(monitor, counted)
  for (const each of measured) take(lesson, each)
  return isMisled(lesson)
    ? {
        ...lesson,
        thresholds: rebuild(
          metaOf(monitor),
          measured.filter(({ counted }) => !counted),
        ),
        counted: 0,
      }
    : lesson
}

const blank = (monitor: MonitorRow, counted: number): Lesson => ({
  thresholds: createThresholds(metaOf(monitor)),
  last: null,
  last_value: null,
  made_for: madeFor(monitor),
  metric: metricOf(monitor.metric_type),
  size: 0,
  counted,
  missed: 0,
})

/** Another process has saved measurements: continues the cached model if its last measurement is still in the history. */
const goOn = (lesson: Lesson | undefined, monitor: MonitorRow, measured: readonly Measured[]): Lesson | undefined => {
  const at = lesson && lesson.made_for === madeFor(monitor) && lesson.last ? measured.findIndex(({ id }) => id === lesson.last) : -1
  if (!lesson || at < 0 || isMisled(lesson)) return undefined
  for (const each of measured.slice(at + 1)) take(lesson, each)
  return isMisled(lesson) ? undefined : lesson
}

export const take = (lesson: Lesson, { id, at, value, counted, ...run }: Measured): void => {
  const outside = (limits: Limits | undefined) => limits !== undefined && (value < limits.lower || value > limits.upper)
  let usual = true
  if (!counted && isNew(lesson)) {
    if (outside(lesson.thresholds.predict(at, run))) lesson.missed += 1
    usual = !outside(limitsFor(lesson, at, run))
  }
  lesson.thresholds.observe(at, value, run)
  lesson.last = id
  if (usual) lesson.last_value = value
  lesson.size += 1
}

/**
 * A backfill cannot see deleted rows: a table that keeps 30 days of rows seems to grow although it does not. So during the first own runs
 * a value close to the last one is not an anomaly, and if the backfilled history predicted most of these runs wrongly, it is discarded.
 */
const OWN_RUNS = 5
const MOST_MISSED = 2
const isNew = ({ size, counted }: Lesson): boolean => counted > 0 && size >= counted && size - counted < OWN_RUNS
const isMisled = ({ size, counted, missed }: Lesson): boolean => counted > 0 && size - counted >= OWN_RUNS && missed > MOST_MISSED

export const limitsFor = (lesson: Lesson, at: Date, run: { row_count?: number }): Limits | undefined => {
  const limits = lesson.thresholds.predict(at, run)
  const { last_value, metric } = lesson
  if (!limits || !isNew(lesson) || last_value === null) return limits
  const width = limits.upper - limits.lower
  const half = Number.isInteger(width) && Number.isInteger(last_value) ? Math.ceil(width / 2) : width / 2
  const lower = Math.min(limits.lower, within(metric, last_value - half))
  const upper = Math.max(limits.upper, within(metric, last_value + half))
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
    counted: boolean,
  ])[]
}

/** The latest measurements of each monitor, oldest first. They are sent as one JSON text per monitor: one row each costs more than the training. */
const readMeasured = async (ctx: Context, monitors: readonly MonitorRow[]): Promise<Map<string, Measured[]>> => {
  const { rows } = await sql<MeasuredRow>`
    select w.monitor, json_agg(json_build_array(m.id, (extract(epoch from m.measured_at) * 1000)::bigint, m.value, m.row_count, m.marked, m.origin = 'history')
      order by m.measured_at) as points
    from unnest(${monitors.map(({ id }) => id)}::uuid[]) w(monitor) cross join lateral (
      select m.id, m.measured_at, m.value, m.row_count, m.marked, m.origin from monitor_measurements m
      where m.monitor = w.monitor order by m.measured_at desc limit ${sql.lit(MOST_READ)}
    ) m group by 1
  `.execute(ctx.db)
  return new Map(
    rows.map(({ monitor, points }) => [
      monitor,
      points.map(([id, at, value, row_count, marked, counted]) => ({
        id,
        at: new Date(at),
        value,
        ...(row_count === null ? {} : { row_count }),
        ...(marked === null ? {} : { marked }),
        ...(counted ? { counted } : {}),
      })),
    ]),
  )
}

/** The measurements of one monitor, for a replay. */
export const pastOf = async (ctx: Context, monitor: MonitorRow): Promise<Measurement[]> =>
  (await readMeasured(ctx, [monitor])).get(monitor.id) ?? []
