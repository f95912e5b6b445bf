import {
  type Alarms,
  acceptDeviation,
  countAlarm,
  createAlarms,
  getAcceptedDeviations,
  getToleratedDeviations,
  getWideningFactor,
} from './alarms.ts'
import { chancePerRun } from './budget.ts'
import type { Moment } from './calendar.ts'
import { computeMedian } from './quantile.ts'
import type { Forecaster, ForecasterSettings, ObservedRun, RunForecast } from './run-forecast.ts'

const MAX_SIZES = 80
const MIN_SIZES = 8
const TRIM = 4 // times the median: larger values may be undetected incidents
const LEAST_VARIATION = 0.5
const BEYOND_LARGEST = 1.3
const TOLERATED_MARGIN = 1.15
const ACCEPT_AFTER = 3

/**
 * Forecasts values that are mostly zero and occasionally of any size, e.g. errors or rejected rows. There is no level to learn, only the
 * frequency and the typical size of non-zero values, which is about exponentially distributed.
 */
export const createSparseForecaster = ({ rhythm }: ForecasterSettings): Forecaster => {
  const per_run = chancePerRun(rhythm)
  const alarms: Alarms = createAlarms()
  const sizes: number[] = []
  /** First values of recent alarms: if they keep occurring, they are normal. */
  const rejected: { hours: number; x: number }[] = []
  let alarming = false
  let on_share = 0.5
  let count = 0

  const largestExpected = (): number => {
    const few = sizes.length < MIN_SIZES
    const cap = few ? Number.POSITIVE_INFINITY : TRIM * computeMedian(sizes)
    const trimmed = sizes.map((x) => Math.min(x, cap))
    const mean = trimmed.reduce((a, b) => a + b, 0) / sizes.length
    const square = trimmed.reduce((a, b) => a + (b - mean) ** 2, 0) / sizes.length
    const sd = Math.max(LEAST_VARIATION * mean, Math.sqrt(square)) * (1 + 1 / Math.sqrt(sizes.length))
    const rarity = Math.log(Math.max(on_share, 0.01) / (per_run / 2))
    const [first = 0, second = first] = sizes.toSorted((a, b) => b - a)
    return Math.max(mean + sd * Math.max(2, rarity), BEYOND_LARGEST * (few ? first : second))
  }

  const forecastRun = (moment: Moment): RunForecast | undefined => {
    if (!sizes.length) return undefined
    const reach = TOLERATED_MARGIN * computeMedian(sizes)
    const tolerated = reach * getToleratedDeviations(alarms, moment.hours, rhythm).up
    const core = { lower: 0, upper: reach * getAcceptedDeviations(alarms, moment.hours).up }
    const upper = Math.ceil(Math.max(largestExpected() * getWideningFactor(alarms, moment.hours), tolerated))
    const band = { lower: 0, centre: 0, upper }
    return { usual: band, limits: band, core, reasons: [], follows: { weekday: false, hour: false }, integer: true }
  }

  const observeRun = ({ moment, x, normal, suspect }: ObservedRun): void => {
    const runForecast = forecastRun(moment)
    const high = runForecast !== undefined && !normal && x > runForecast.limits.upper
    if (runForecast) countAlarm(alarms, high ? 1 : 0, moment.hours, x / computeMedian(sizes))
    if (runForecast && normal) acceptDeviation(alarms, moment.hours, x / computeMedian(sizes))
    on_share += ((x !== 0 ? 1 : 0) - on_share) / Math.min(++count + 1, 200)
    if (x !== 0) {
      if (!high && !suspect) sizes.push(x)
      else if (!alarming) rejected.push({ hours: moment.hours, x })
    }
    alarming = high
    const since = moment.hours - 24 * (rhythm.daily ? 45 : 10)
    while (rejected.length && rejected[0]!.hours < since) rejected.shift()
    if (rejected.length >= ACCEPT_AFTER) sizes.push(...rejected.splice(0).map((one) => one.x))
    while (sizes.length > MAX_SIZES) sizes.shift()
  }

  return { forecast: forecastRun, observe: observeRun }
}
