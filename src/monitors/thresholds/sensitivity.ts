import type { Rhythm } from './calendar.ts'
import { type Metric, within } from './metric.ts'
import type { Band, Outlook } from './outlook.ts'

export const DEFAULT_SENSITIVITY = 5

/**
 * How far the limits lie from what is expected, against sensitivity 5, so that each step doubles the false alarms: measured, not derived
 * (`node bench/thresholds.ts --steps`). Within the limits errors thin out as noise does, faster where runs are many. Far outside are the
 * surprises no model foresees, and they thin out slowly: to be told of half as many takes much wider limits.
 */
const WIDER = [5.8, 3.4, 2.05, 1.35]
const NARROWER = { daily: [0.84, 0.71, 0.6, 0.48, 0.35], hourly: [0.87, 0.76, 0.66, 0.57, 0.48] }
const WIDTHS = { daily: [...WIDER, 1, ...NARROWER.daily], hourly: [...WIDER, 1, ...NARROWER.hourly] }

export const widthOf = (sensitivity: number, { daily }: Rhythm): number => {
  const step = Number.isFinite(sensitivity) ? Math.min(10, Math.max(1, Math.round(sensitivity))) : DEFAULT_SENSITIVITY
  return (daily ? WIDTHS.daily : WIDTHS.hourly)[step - 1]!
}

/** Trifles, as a share of the value or in points of a percentage, matter the less the wider the limits. */
const TRIFLE = { share: 0.01, points: 0.25 }

/** The limits of sensitivity 5, opened or closed around the core of what is expected. What one sensitivity lets pass, all lower ones do. */
export const limitsAt = ({ limits, core, integer }: Outlook, metric: Metric, width: number): Band => {
  if (width === 1) return limits
  const percentage = metric.kind === 'percentage'
  const inside = (x: number) => Math.min(limits.upper, Math.max(limits.lower, x))
  const [from, to] = [inside(core.lower), inside(core.upper)]
  const more = Math.max(0, width - 1)
  const trifle = (base: number) => more * (percentage ? TRIFLE.points : TRIFLE.share * Math.abs(base))

  let { lower, upper } = limits
  // A limit where the metric ends is none, and stays. One above nought shrinks towards it: that nothing came is seen at every sensitivity.
  if (lower > metric.lowest)
    lower =
      lower > 0 && !percentage
        ? from * Math.exp(width * Math.log(lower / from) - more * TRIFLE.share)
        : from - width * (from - lower) - trifle(from)
  if (upper < metric.highest) upper = to + width * (upper - to) + trifle(to)
  if (integer) {
    lower = Math.floor(lower + 1e-9)
    upper = Math.ceil(upper - 1e-9)
  }
  lower = within(metric, lower)
  upper = within(metric, upper)
  // Rounding must not turn the order round.
  const [farther, nearer] = width > 1 ? [Math.min, Math.max] : [Math.max, Math.min]
  return { lower: farther(lower, limits.lower), centre: limits.centre, upper: nearer(upper, limits.upper) }
}
