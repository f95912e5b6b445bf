import type { Moment, Rhythm } from './calendar.ts'
import type { Metric } from './metric.ts'

export type Span = { lower: number; upper: number }
export type Band = Span & { centre: number }

/** Why limits are wider than the values alone would have them. */
export type Reason = 'holiday' | 'recurring' | 'small_sample'

/** What we expect of one run. `usual` is what the filters say; `limits` adds what the past teaches about exceptions. */
export type Outlook = {
  readonly usual: Band
  readonly limits: Band
  /** What limits are limits around: the centre, and what else is certainly no surprise. */
  readonly core: Span
  readonly reasons: readonly Reason[]
  /** The calendar the limits follow. */
  readonly follows: { readonly weekday: boolean; readonly hour: boolean }
  readonly integer: boolean
}

/** What people said of a measurement. */
export type Mark = 'normal' | 'incident'

/** One past run, as the watchers learn it. */
export type Run = {
  readonly moment: Moment
  readonly x: number
  readonly normal: boolean
  readonly row_count: number | undefined
  /** Known in hindsight to be an outlier of the first days. */
  readonly suspect: boolean
}

export type Setting = { readonly metric: Metric; readonly metric_type: string; readonly rhythm: Rhythm }

/** A run so soon after the last that it is none of the schedule. Pushed values have no schedule. */
export const isEarly = ({ metric_type, rhythm }: Setting, hours: number): boolean =>
  metric_type !== 'pushed' && hours < rhythm.frequency_hours / 2

/** Follows one monitor, run by run. It knows nothing of the sensitivity, which only names other limits: see sensitivity.ts. */
export type Watcher = {
  readonly foresee: (moment: Moment, per_run: number, row_count: number | undefined) => Outlook | undefined
  readonly absorb: (run: Run) => void
}

/** Opens a band so that it holds another. */
export const stretchOver = (band: Span, other: Span): void => {
  band.lower = Math.min(band.lower, other.lower)
  band.upper = Math.max(band.upper, other.upper)
}

export const sideOf = (x: number, band: Band): -1 | 0 | 1 => (x > band.upper ? 1 : x < band.lower ? -1 : 0)
