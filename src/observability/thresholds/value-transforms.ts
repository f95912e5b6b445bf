import type { Metric } from './metric-bounds.ts'
import { computeMedian } from './quantile.ts'

/** The previous run, from which steps are measured. */
export type PreviousRun = { value: number; runs: number }

/** A transformation that may make the values easier to model: none, logarithm, or difference between runs. */
export type ValueTransform = {
  readonly name: 'plain' | 'log' | 'step' | 'log_step'
  readonly into: (x: number, before: PreviousRun) => number
  readonly back: (z: number, before: PreviousRun) => number
  /** log |dz/dx|, which makes densities of different transforms comparable. */
  readonly stretch: (x: number, before: PreviousRun) => number
  /** Assumed noise before the first values. */
  readonly prior_sd: number
  /** Smallest plausible noise around a centre, e.g. from rounding or single rows. */
  readonly least_sd: (centre: number) => number
  /** Scale of calendar effects. */
  readonly reach: number
  readonly stepwise: boolean
}

/** Properties of the values observed so far. */
export type SeriesProfile = {
  readonly integer: boolean
  readonly negative: boolean
  /** Typical magnitude, for series whose centre is zero. */
  readonly size: number
  readonly transforms: readonly ValueTransform[]
}

const capExponent = (z: number) => Math.min(60, z)

export const profileSeries = (metric: Metric, values: readonly number[], stepwise: boolean): SeriesProfile => {
  const percentage = metric.kind === 'percentage'
  const integer = values.every(Number.isInteger)
  const negative = values.some((x) => x < 0)
  const middle = computeMedian(values)
  const positive = values.filter((x) => x > 0).sort((a, b) => a - b)
  const nonzero = values.filter((x) => x !== 0).map(Math.abs)
  const typical = nonzero.length ? computeMedian(nonzero) : 1
  const size = percentage
    ? Math.min(middle, 100 - middle) + 1
    : Math.max(Math.abs(middle), integer ? 2 : 1e-9, (typical * nonzero.length * 0.5) / values.length)
  const grain = integer && !percentage ? 0.4 : percentage ? 0.02 : 1e-3 * size

  const plain: ValueTransform = {
    name: 'plain',
    into: (x) => x,
    back: (z) => z,
    stretch: () => 0,
    prior_sd: percentage ? 0.5 : Math.max(0.1 * size, integer ? 0.7 : 0),
    least_sd: () => grain,
    reach: size,
    stepwise: false,
  }

  // The offset limits the logarithm near zero: one row for counts, otherwise a share of the typical value.
  const zeros = values.filter((x) => x === 0 || x < 0.05 * Math.abs(middle)).length > 0.02 * values.length
  const low = positive.length ? positive[Math.floor(positive.length * 0.2)]! : 1
  const offset = percentage
    ? Math.max(0.2, 0.5 * Math.min(middle, 100 - middle))
    : integer
      ? 1
      : zeros && positive.length
        ? 0.5 * computeMedian(positive)
        : 0.1 * low
  const mirrored = percentage && middle > 50 // the difference to 100 % is the small, skewed side
  const flip = mirrored ? (x: number) => 100 - x : (x: number) => x
  const log: ValueTransform = {
    name: 'log',
    into: (x) => Math.log(Math.max(0, flip(x)) + offset),
    back: (z) => flip(Math.exp(capExponent(z)) - offset),
    stretch: (x) => -Math.log(Math.max(0, flip(x)) + offset),
    prior_sd: percentage ? 0.25 : 0.12,
    least_sd: (centre) => grain / Math.max(offset, Math.exp(capExponent(centre))),
    reach: 1,
    stepwise: false,
  }

  const transforms: ValueTransform[] = negative ? [plain] : [plain, log]
  if (stepwise && !percentage && metric.kind !== 'freshness') transforms.push(...stepTransforms(values, size, integer, grain))
  return { integer, negative, size, transforms }
}

const stepTransforms = (values: readonly number[], size: number, integer: boolean, grain: number): ValueTransform[] => {
  const sizes: number[] = []
  for (let k = 1; k < values.length; k++) sizes.push(Math.abs(values[k]! - values[k - 1]!))
  const usual = Math.max(1e-9, 0.2 * (computeMedian(sizes) || (integer ? 5 : 1e-3 * size)))
  const stepOf = (x: number, before: PreviousRun) => (x - before.value) / before.runs
  return [
    {
      name: 'step',
      into: stepOf,
      back: (z, before) => before.value + before.runs * z,
      stretch: () => 0,
      prior_sd: Math.max(0.03 * size, integer ? 0.7 : 0),
      least_sd: () => grain,
      reach: usual * 5,
      stepwise: true,
    },
    {
      // For totals that only grow: the growth is skewed and never negative.
      name: 'log_step',
      into: (x, before) => Math.log1p(Math.max(0, stepOf(x, before)) / usual),
      back: (z, before) => before.value + before.runs * usual * Math.expm1(Math.min(50, Math.max(0, z))),
      stretch: (x, before) => -Math.log(Math.max(0, stepOf(x, before)) + usual),
      prior_sd: 0.4,
      least_sd: () => 0.02,
      reach: 1,
      stepwise: true,
    },
  ]
}
