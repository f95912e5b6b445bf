import type { Moment } from './calendar.ts'
import type { ForecasterSettings } from './run-forecast.ts'

// In the first days every value is learned because there is nothing to compare it with. When the history is fitted again, early values
// far from all others are treated as incidents and not learned.

const OUTLIER_WIDTHS = 3

type PastRun = { readonly moment: Moment; readonly x: number }

const MIN_RUNS = 5

/** The outliers among the first runs, judged by the whole history. */
export const findInitialOutliers = <R extends PastRun>(
  { metric, rhythm }: ForecasterSettings,
  runs: readonly R[],
  early: number,
): Set<R> => {
  if (runs.length <= MIN_RUNS) return new Set()
  const logarithmic = metric.kind !== 'percentage' && runs.every(({ x }) => x >= 0)
  const seen = runs.map(({ x }) => (logarithmic ? Math.log1p(x) : x))
  const sorted = Float64Array.from(seen).sort()
  const at = (share: number) => sorted[Math.round(share * (sorted.length - 1))]!
  const low = at(0.25)
  const high = at(0.75)
  const least = logarithmic ? 0.15 : metric.kind === 'percentage' ? 0.5 : 0.1 * Math.abs(at(0.5))
  const width = Math.max(high - low, least)
  const outside = runs.filter((_, k) => seen[k]! > high + OUTLIER_WIDTHS * width || seen[k]! < low - OUTLIER_WIDTHS * width)

  // Values that recur at the same hour or weekday are a seasonal pattern, not outliers.
  const phaseOf = ({ moment }: PastRun) => (rhythm.daily ? moment.weekday : moment.slot)
  const count = (some: readonly R[], run: R) => some.filter((other) => phaseOf(other) === phaseOf(run)).length
  const first = new Set(runs.slice(0, early))
  return new Set(
    outside.filter((run) => {
      if (!first.has(run)) return false
      const odd = count(outside, run)
      const visits = count(runs, run)
      return odd === 1 ? rhythm.daily || visits > 1 : odd < 0.4 * visits
    }),
  )
}
