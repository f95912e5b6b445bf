import { CUSUM_ALLOWANCE, type Filter } from './filter.ts'
import { clampToMetric, type Metric } from './metric-bounds.ts'
import { studentQuantile } from './quantile.ts'
import type { Band } from './run-forecast.ts'
import { estimateTailFreedom } from './spread.ts'
import type { PreviousRun } from './value-transforms.ts'

const ENOUGH_ERRORS = 10 // with fewer, the largest error is not significant
const MAX_REACH_SD = 6 // sd: the tails beyond are unknown without far more runs, and real incidents are there
const BEYOND_EXTREME = 0.8 // sd between the largest harmless error and the limit
const SUM_MARGIN = 1.3 // the errors are not quite normally distributed
const ECHO_MAX = 0.35
const MIN_PULL_SD = 2.2 // sd: cumulative evidence never narrows a limit below this

type Circumstances = {
  readonly wideningFactor: number
  /** Enough history that small evidence counts. */
  readonly settled: boolean
  /** Above 1 if the next run comes soon enough to confirm a suspicion. */
  readonly trust: number
}

/** The limits of one filter: its forecast, widened until the budget of false alarms is met. */
export const computeBand = (
  filter: Filter,
  before: PreviousRun,
  metric: Metric,
  per_run: number,
  { wideningFactor, settled, trust }: Circumstances,
): Band => {
  const { next, spread, transform } = filter
  const tail = estimateTailFreedom(spread)
  const freedom = Math.max(2.5, Math.min(60, tail, filter.count + 3))
  const heavy = tail < 60 && freedom === tail
  // A Student distribution is wider than its scale parameter; the measured sd already includes that.
  const quantile = studentQuantile(1 - per_run / 2, freedom) * (heavy ? Math.sqrt((freedom - 2) / freedom) : 1)
  const reach = Math.min(quantile, MAX_REACH_SD)
  let up = reach * next.up_sd
  let down = reach * next.down_sd
  if (filter.count >= ENOUGH_ERRORS) {
    up = Math.max(up, (spread.highest + BEYOND_EXTREME) * next.sd)
    down = Math.max(down, (BEYOND_EXTREME - spread.lowest) * next.sd)
    if (!filter.effects.length) {
      up = Math.max(up, spread.highest_error + BEYOND_EXTREME * next.sd)
      down = Math.max(down, BEYOND_EXTREME * next.sd - spread.lowest_error)
    }
  }
  up *= wideningFactor * (settled ? trust : 1)
  down *= wideningFactor * (settled ? trust : 1)
  // Errors that accumulate on one side are evidence too: they narrow the limit on that side unless errors are autocorrelated.
  if (settled && filter.echo < ECHO_MAX) {
    const reserve = sumLimit(per_run) * wideningFactor * (1 + Math.max(0, filter.echo))
    if (filter.sum_up > 0) up = Math.min(up, Math.max(MIN_PULL_SD, reserve + CUSUM_ALLOWANCE - filter.sum_up) * next.sd)
    if (filter.sum_down > 0) down = Math.min(down, Math.max(MIN_PULL_SD, reserve + CUSUM_ALLOWANCE - filter.sum_down) * next.sd)
  }
  // Values that jumped within the limits may return to their previous level.
  let fall = Math.max(0, next.inherited)
  let rise = Math.max(0, -next.inherited)
  if (!transform.stepwise)
    for (const level of filter.recent_levels) {
      if (filter.level - level > fall) fall = filter.level - level
      if (level - filter.level > rise) rise = level - filter.level
    }
  const a = clampToMetric(metric, transform.back(next.centre - down - fall, before))
  const b = clampToMetric(metric, transform.back(next.centre + up + rise, before))
  return { lower: Math.min(a, b), centre: clampToMetric(metric, transform.back(next.centre, before)), upper: Math.max(a, b) }
}

/** The cumulative sum that chance exceeds as rarely as the budget allows (Siegmund's approximation for a CUSUM of normal errors). */
const sumLimit = (per_run: number): number =>
  SUM_MARGIN * (Math.log((2 * CUSUM_ALLOWANCE * CUSUM_ALLOWANCE) / (per_run / 2)) / (2 * CUSUM_ALLOWANCE) - 1.166)
