import type { Rhythm } from './calendar.ts'
import { clampToMetric, type Metric } from './metric-bounds.ts'
import type { Band, RunForecast } from './run-forecast.ts'

export const DEFAULT_SENSITIVITY = 5

/**
 * Width of the limits relative to sensitivity 5, chosen so that each step doubles the false alarms: measured, not derived
 * (`node bench/thresholds.ts --steps`). Close to the limits errors decrease like noise, faster with many runs. Far outside they decrease
 * slowly, so halving the alarms takes much wider limits.
 */
const WIDER = [5.8, 3.4, 2.05, 1.35]
const NARROWER = { daily: [0.84, 0.71, 0.6, 0.48, 0.35], hourly: [0.87, 0.76, 0.66, 0.57, 0.48] }
const WIDTHS = { daily: [...WIDER, 1, ...NARROWER.daily], hourly: [...WIDER, 1, ...NARROWER.hourly] }

export const getWidth = (sensitivity: number, { daily }: Rhythm): number => {
  const step = Number.isFinite(sensitivity) ? Math.min(10, Math.max(1, Math.round(sensitivity))) : DEFAULT_SENSITIVITY
  return (daily ? WIDTHS.daily : WIDTHS.hourly)[step - 1]!
}

/** Negligible differences, as a share of the value or in percentage points, are tolerated the more the wider the limits. */
const NEGLIGIBLE = { share: 0.01, points: 0.25 }

/** Widens or narrows the limits of sensitivity 5 around the core. A value accepted at one sensitivity is accepted at all lower ones. */
export const limitsAt = ({ limits, core, integer }: RunForecast, metric: Metric, width: number): Band => {
  if (width === 1) return limits
  const percentage = metric.kind === 'percentage'
  const inside = (x: number) => Math.min(limits.upper, Math.max(limits.lower, x))
  const [from, to] = [inside(core.lower), inside(core.upper)]
  const more = Math.max(0, width - 1)
  const trifle = (base: number) => more * (percentage ? NEGLIGIBLE.points : NEGLIGIBLE.share * Math.abs(base))

  let { lower, upper } = limits
  // A limit at the bound of the metric stays. A positive lower limit never reaches zero, so missing data is detected at every sensitivity.
  if (lower > metric.lowest)
    lower =
      lower > 0 && !percentage
        ? from * Math.exp(width * Math.log(lower / from) - more * NEGLIGIBLE.share)
        : from - width * (from - lower) - trifle(from)
  if (upper < metric.highest) upper = to + width * (upper - to) + trifle(to)
  if (integer) {
    lower = Math.floor(lower + 1e-9)
    upper = Math.ceil(upper - 1e-9)
  }
  lower = clampToMetric(metric, lower)
  upper = clampToMetric(metric, upper)
  // Rounding must not reverse the order.
  const [farther, nearer] = width > 1 ? [Math.min, Math.max] : [Math.max, Math.min]
  return { lower: farther(lower, limits.lower), centre: limits.centre, upper: nearer(upper, limits.upper) }
}
