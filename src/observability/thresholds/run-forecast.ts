import type { Moment, Rhythm } from './calendar.ts'
import type { Metric } from './metric-bounds.ts'

export type Span = { lower: number; upper: number }
export type Band = Span & { centre: number }

/** Why limits are wider than the values alone require. */
export type WideningReason = 'holiday' | 'recurring' | 'small_sample'

/** The forecast of one run. `usual` comes from the filters; `limits` also includes exceptions learned from the history. */
export type RunForecast = {
  readonly usual: Band
  readonly limits: Band
  /** The range that is expected at every sensitivity: the centre and known exceptions. */
  readonly core: Span
  readonly reasons: readonly WideningReason[]
  /** Calendar phases the limits depend on. */
  readonly follows: { readonly weekday: boolean; readonly hour: boolean }
  readonly integer: boolean
}

/** Feedback of users on a measurement. */
export type Feedback = 'normal' | 'incident'

/** A past run. */
export type ObservedRun = {
  readonly moment: Moment
  readonly x: number
  readonly normal: boolean
  readonly row_count: number | undefined
  /** Found to be an early outlier when the history was fitted again. */
  readonly suspect: boolean
}

export type ForecasterSettings = { readonly metric: Metric; readonly metric_type: string; readonly rhythm: Rhythm }

/** An extra run shortly after the previous one. Pushed values have no schedule, so they are never early. */
export const isEarly = ({ metric_type, rhythm }: ForecasterSettings, hours: number): boolean =>
  metric_type !== 'pushed' && hours < rhythm.frequency_hours / 2

/** Learns the values of one monitor run by run. The sensitivity is applied afterwards, see sensitivity.ts. */
export type Forecaster = {
  readonly forecast: (moment: Moment, per_run: number, row_count: number | undefined) => RunForecast | undefined
  readonly observe: (run: ObservedRun) => void
}

/** Widens a band so that it includes another. */
export const widenOver = (band: Span, other: Span): void => {
  band.lower = Math.min(band.lower, other.lower)
  band.upper = Math.max(band.upper, other.upper)
}

export const getSide = (x: number, band: Band): -1 | 0 | 1 => (x > band.upper ? 1 : x < band.lower ? -1 : 0)
