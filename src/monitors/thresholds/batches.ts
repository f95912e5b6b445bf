import type { Moment } from './calendar.ts'
import { createDenseWatcher } from './dense.ts'
import type { Outlook, Setting, Watcher } from './outlook.ts'
import { createPresence, expectPresence, HARDLY, recordPresence } from './presence.ts'
import { medianOf } from './quantile.ts'
import { keepOddity, type Oddity, rhyming } from './recurrence.ts'

const BEYOND_ANY = 4 // times the largest batch so far: on a weekday without earlier batches the size is unknown
const BEYOND_RHYME = 1.25
const BEYOND_CRUMB = 2
const CRUMBS_KEPT = 8

/** Forecasts batches: the calendar predicts whether one is due, and the filters, which never see zeros, predict its size. */
export const createBatchWatcher = (setting: Setting, values: readonly number[]): Watcher => {
  const amounts = values.filter((x) => x !== 0)
  const least = HARDLY * medianOf(amounts)
  const amount = createDenseWatcher(setting, amounts, false, { first_runs: 1, warm: 3 })
  const presence = createPresence(setting.rhythm)
  const oddities: Oddity[] = []
  /** Recent values too small to be a batch, which some days have instead of zero. */
  const crumbs: number[] = []
  let largest = 0
  let on_share = 1
  let count = 0

  const foresee: Watcher['foresee'] = (moment, per_run, row_count) => {
    // Zeros raise no alarm, so the budget of false alarms is shared by fewer runs.
    const share = Math.min(0.2, per_run / Math.max(0.01, on_share))
    const outlook = amount.foresee(moment, share, row_count)
    const expected = expectPresence(presence, moment)
    if (!outlook || expected === 'on') return outlook
    return expected === 'off' ? nothingDue(outlook, moment) : perhapsDue(outlook)
  }

  const nothingDue = (outlook: Outlook, moment: Moment): Outlook => {
    const rhymes = rhyming(oddities, moment, setting.rhythm).map(({ x }) => BEYOND_RHYME * x)
    const [, crumb = 0] = crumbs.toSorted((a, b) => b - a)
    const limits = { lower: 0, centre: 0, upper: Math.max(BEYOND_CRUMB * crumb, ...rhymes) }
    const core = { lower: 0, upper: limits.upper }
    return { ...outlook, usual: { lower: 0, centre: 0, upper: 0 }, limits, core, reasons: rhymes.length ? ['recurring'] : [] }
  }

  const perhapsDue = (outlook: Outlook): Outlook => {
    const { usual, limits } = outlook
    const upper = Math.min(limits.upper, BEYOND_ANY * largest)
    return {
      ...outlook,
      usual: { ...usual, lower: Math.min(0, usual.lower) },
      limits: { ...limits, lower: Math.min(0, limits.lower), upper },
      core: { ...outlook.core, lower: Math.min(0, outlook.core.lower) },
    }
  }

  const absorb: Watcher['absorb'] = (run) => {
    const { moment, x } = run
    const expected = expectPresence(presence, moment)
    recordPresence(presence, moment, x >= least)
    on_share += ((x !== 0 ? 1 : 0) - on_share) / Math.min(++count + 1, 200)
    if (x === 0) return
    if (x < least) {
      crumbs.push(x)
      if (crumbs.length > CRUMBS_KEPT) crumbs.shift()
    }
    if (expected === 'off') keepOddity(oddities, { moment, x, centre: 0 })
    if (expected !== 'off' || run.normal) {
      if (!run.suspect) largest = Math.max(largest, x)
      amount.absorb(run)
    }
  }

  return { foresee, absorb }
}
