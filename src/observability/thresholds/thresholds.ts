import { awaitsFirstBatch } from './batch-presence.ts'
import { chancePerRun } from './budget.ts'
import { getRhythm, toMoment } from './calendar.ts'
import { explain } from './explain.ts'
import { createForecaster } from './forecaster.ts'
import { getMetricBounds } from './metric-bounds.ts'
import { type Feedback, type Forecaster, type ForecasterSettings, isEarly, type ObservedRun } from './run-forecast.ts'
import { DEFAULT_SENSITIVITY, getWidth, limitsAt } from './sensitivity.ts'

/** Increased when the same measurements would produce different limits. Stored with the limits to distinguish old and new ones. */
export const THRESHOLDS_VERSION = 3

export type ThresholdsMeta = { readonly metric_type: string; readonly frequency_hours: number; readonly sensitivity?: number }

export type Limits = { readonly lower: number; readonly upper: number; readonly explanation: string }

export type Measurement = {
  readonly at: Date
  readonly value: number
  /** Number of rows a percentage was computed from; few rows mean wide limits. */
  readonly row_count?: number
  /** Feedback: `normal` values are always learned, confirmed `incident` values never. */
  readonly marked?: Feedback
}

export type Thresholds = {
  /**
   * The limits for a run at this time, before its value is known; undefined while learning. They can be computed for another sensitivity than
   * the monitor's, because the learned state does not depend on it.
   */
  readonly predict: (at: Date, run?: Pick<Measurement, 'row_count'> & { readonly sensitivity?: number }) => Limits | undefined
  readonly observe: (at: Date, value: number, run?: Pick<Measurement, 'row_count' | 'marked'>) => void
}

const FIRST_RUNS = 5
const FIRST_HOURS = 22.8 // a day of hourly runs, with a margin for jitter
const MAX_HISTORY = 1500
const MAX_ABS_VALUE = 1e100 // beyond this, squares overflow
const LEARNING_RUNS = 14 // runs: until then every value is learned

/** Automatic thresholds of one monitor. The state depends only on the observed values in their order, so a replay gives the same limits. */
export const createThresholds = (meta: ThresholdsMeta): Thresholds => {
  const rhythm = getRhythm(meta.frequency_hours)
  const settings: ForecasterSettings = { metric: getMetricBounds(meta.metric_type), metric_type: meta.metric_type, rhythm }
  const per_run = chancePerRun(rhythm)
  // At these counts the model is fitted again from the whole history: often at first, when each run matters.
  const refits = new Set(rhythm.daily ? [7, 8, 10, 12, 14, 21, 28, 60, 180] : [3, 7, 14].map((days) => days * rhythm.slots))
  const history: Omit<ObservedRun, 'suspect'>[] = []
  let count = 0
  let nonzero = 0
  const nature = { fractions: false, negative: false }
  let forecaster: Forecaster | undefined

  const learned = () =>
    history.length >= FIRST_RUNS && (rhythm.daily || history.at(-1)!.moment.hours - history[0]!.moment.hours >= FIRST_HOURS)

  const predict: Thresholds['predict'] = (at, { row_count, sensitivity = meta.sensitivity ?? DEFAULT_SENSITIVITY } = {}) => {
    const moment = toMoment(at, rhythm)
    if (!forecaster || !Number.isFinite(moment.hours) || awaitsFirstBatch(settings, history, moment)) return undefined
    const runForecast = forecaster.forecast(moment, per_run, row_count)
    if (!runForecast) return undefined
    const limits = limitsAt(runForecast, settings.metric, getWidth(sensitivity, rhythm))
    if (!Number.isFinite(limits.lower) || !Number.isFinite(limits.upper)) return undefined
    return { lower: limits.lower, upper: limits.upper, explanation: explain({ ...runForecast, limits }, moment, settings.metric) }
  }

  const observe: Thresholds['observe'] = (at, value, { marked, row_count } = {}) => {
    const moment = toMoment(at, rhythm)
    const last = history.at(-1)
    if (!Number.isFinite(value) || !Number.isFinite(moment.hours) || marked === 'incident') return
    if (last && moment.hours <= last.moment.hours) return // of two values for the same time the first counts
    // An extra run shortly after a scheduled one is not learned, because it would distort the rhythm of the values.
    if (last && history.length >= LEARNING_RUNS && marked !== 'normal' && isEarly(settings, moment.hours - last.moment.hours)) return
    const run = { moment, x: Math.min(MAX_ABS_VALUE, Math.max(-MAX_ABS_VALUE, value)), normal: marked === 'normal', row_count }
    history.push(run)
    if (history.length > MAX_HISTORY) history.shift()
    count++
    if (value !== 0) nonzero++
    if (!learned()) return
    if (!forecaster || refits.has(count) || changesNature(run.x)) forecaster = createForecaster(settings, history)
    else forecaster.observe({ ...run, suspect: false })
  }

  /** The first fraction or negative number changes the possible values, and so do the first of rare non-zero values. */
  const changesNature = (x: number): boolean => {
    const { fractions, negative } = nature
    nature.fractions ||= !Number.isInteger(x)
    nature.negative ||= x < 0
    if (nature.fractions !== fractions || nature.negative !== negative) return true
    return x !== 0 && 2 * nonzero < count && (nonzero & (nonzero - 1)) === 0
  }

  return { predict, observe }
}

/** The thresholds after these measurements, identical to observing them one by one. */
export const rebuild = (meta: ThresholdsMeta, measurements: readonly Measurement[]): Thresholds => {
  const thresholds = createThresholds(meta)
  for (const { at, value, ...run } of measurements.toSorted((a, b) => a.at.getTime() - b.at.getTime())) thresholds.observe(at, value, run)
  return thresholds
}
