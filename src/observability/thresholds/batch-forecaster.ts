import { createBatchPresence, MIN_BATCH_SHARE, predictBatchPresence, recordBatchPresence } from './batch-presence.ts'
import type { Moment } from './calendar.ts'
import { createDenseForecaster } from './dense-forecaster.ts'
import { computeMedian } from './quantile.ts'
import { type Anomaly, findRecurring, recordAnomaly } from './recurrence.ts'
import type { Forecaster, ForecasterSettings, RunForecast } from './run-forecast.ts'

const LARGEST_MARGIN = 4 // times the largest batch so far: on a weekday without earlier batches the size is unknown
const RECURRING_MARGIN = 1.25
const RESIDUE_MARGIN = 2
const MAX_RESIDUES = 8

/** Forecasts batches: the calendar predicts whether one is due, and the filters, which never see zeros, predict its size. */
export const createBatchForecaster = (settings: ForecasterSettings, values: readonly number[]): Forecaster => {
  const amounts = values.filter((x) => x !== 0)
  const least = MIN_BATCH_SHARE * computeMedian(amounts)
  const amount = createDenseForecaster(settings, amounts, false, { first_runs: 1, warm: 3 })
  const presence = createBatchPresence(settings.rhythm)
  const anomalies: Anomaly[] = []
  /** Recent values too small to be a batch, which some days have instead of zero. */
  const residues: number[] = []
  let largest = 0
  let on_share = 1
  let count = 0

  const forecastRun: Forecaster['forecast'] = (moment, per_run, row_count) => {
    // Zeros raise no alarm, so the budget of false alarms is shared by fewer runs.
    const share = Math.min(0.2, per_run / Math.max(0.01, on_share))
    const runForecast = amount.forecast(moment, share, row_count)
    const expected = predictBatchPresence(presence, moment)
    if (!runForecast || expected === 'on') return runForecast
    return expected === 'off' ? nothingDue(runForecast, moment) : perhapsDue(runForecast)
  }

  const nothingDue = (runForecast: RunForecast, moment: Moment): RunForecast => {
    const recurring = findRecurring(anomalies, moment, settings.rhythm).map(({ x }) => RECURRING_MARGIN * x)
    const [, residue = 0] = residues.toSorted((a, b) => b - a)
    const limits = { lower: 0, centre: 0, upper: Math.max(RESIDUE_MARGIN * residue, ...recurring) }
    const core = { lower: 0, upper: limits.upper }
    return { ...runForecast, usual: { lower: 0, centre: 0, upper: 0 }, limits, core, reasons: recurring.length ? ['recurring'] : [] }
  }

  const perhapsDue = (runForecast: RunForecast): RunForecast => {
    const { usual, limits } = runForecast
    const upper = Math.min(limits.upper, LARGEST_MARGIN * largest)
    return {
      ...runForecast,
      usual: { ...usual, lower: Math.min(0, usual.lower) },
      limits: { ...limits, lower: Math.min(0, limits.lower), upper },
      core: { ...runForecast.core, lower: Math.min(0, runForecast.core.lower) },
    }
  }

  const observeRun: Forecaster['observe'] = (run) => {
    const { moment, x } = run
    const expected = predictBatchPresence(presence, moment)
    recordBatchPresence(presence, moment, x >= least)
    on_share += ((x !== 0 ? 1 : 0) - on_share) / Math.min(++count + 1, 200)
    if (x === 0) return
    if (x < least) {
      residues.push(x)
      if (residues.length > MAX_RESIDUES) residues.shift()
    }
    if (expected === 'off') recordAnomaly(anomalies, { moment, x, centre: 0 })
    if (expected !== 'off' || run.normal) {
      if (!run.suspect) largest = Math.max(largest, x)
      amount.observe(run)
    }
  }

  return { forecast: forecastRun, observe: observeRun }
}
