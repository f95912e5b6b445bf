import { type Alarms, cautionOf, countAlarm, createAlarms, forgive, forgivenOf, toleratedOf } from './alarms.ts'
import { chancePerRun } from './budget.ts'
import type { Moment } from './calendar.ts'
import type { Outlook, Run, Setting, Watcher } from './outlook.ts'
import { medianOf } from './quantile.ts'

const KEPT = 80
const ENOUGH = 8
const TRIM = 4 // times the median: larger values may be undetected incidents
const LEAST_VARIATION = 0.5
const BEYOND_LARGEST = 1.3
const BEYOND_TOLERATED = 1.15
const ACCEPT_AFTER = 3

/**
 * Forecasts values that are mostly zero and occasionally of any size, e.g. errors or rejected rows. There is no level to learn, only the
 * frequency and the typical size of non-zero values, which is about exponentially distributed.
 */
export const createSparseWatcher = ({ rhythm }: Setting): Watcher => {
  const per_run = chancePerRun(rhythm)
  const alarms: Alarms = createAlarms()
  const sizes: number[] = []
  /** First values of recent alarms: if they keep occurring, they are normal. */
  const refused: { hours: number; x: number }[] = []
  let alarming = false
  let on_share = 0.5
  let count = 0

  const largestExpected = (): number => {
    const few = sizes.length < ENOUGH
    const cap = few ? Number.POSITIVE_INFINITY : TRIM * medianOf(sizes)
    const trimmed = sizes.map((x) => Math.min(x, cap))
    const mean = trimmed.reduce((a, b) => a + b, 0) / sizes.length
    const square = trimmed.reduce((a, b) => a + (b - mean) ** 2, 0) / sizes.length
    const sd = Math.max(LEAST_VARIATION * mean, Math.sqrt(square)) * (1 + 1 / Math.sqrt(sizes.length))
    const rarity = Math.log(Math.max(on_share, 0.01) / (per_run / 2))
    const [first = 0, second = first] = sizes.toSorted((a, b) => b - a)
    return Math.max(mean + sd * Math.max(2, rarity), BEYOND_LARGEST * (few ? first : second))
  }

  const foresee = (moment: Moment): Outlook | undefined => {
    if (!sizes.length) return undefined
    const reach = BEYOND_TOLERATED * medianOf(sizes)
    const tolerated = reach * toleratedOf(alarms, moment.hours, rhythm).up
    const core = { lower: 0, upper: reach * forgivenOf(alarms, moment.hours).up }
    const upper = Math.ceil(Math.max(largestExpected() * cautionOf(alarms, moment.hours), tolerated))
    const band = { lower: 0, centre: 0, upper }
    return { usual: band, limits: band, core, reasons: [], follows: { weekday: false, hour: false }, integer: true }
  }

  const absorb = ({ moment, x, normal, suspect }: Run): void => {
    const outlook = foresee(moment)
    const high = outlook !== undefined && !normal && x > outlook.limits.upper
    if (outlook) countAlarm(alarms, high ? 1 : 0, moment.hours, x / medianOf(sizes))
    if (outlook && normal) forgive(alarms, moment.hours, x / medianOf(sizes))
    on_share += ((x !== 0 ? 1 : 0) - on_share) / Math.min(++count + 1, 200)
    if (x !== 0) {
      if (!high && !suspect) sizes.push(x)
      else if (!alarming) refused.push({ hours: moment.hours, x })
    }
    alarming = high
    const since = moment.hours - 24 * (rhythm.daily ? 45 : 10)
    while (refused.length && refused[0]!.hours < since) refused.shift()
    if (refused.length >= ACCEPT_AFTER) sizes.push(...refused.splice(0).map((one) => one.x))
    while (sizes.length > KEPT) sizes.shift()
  }

  return { foresee, absorb }
}
