import type { Moment } from './calendar.ts'
import type { RunForecast } from './run-forecast.ts'
import { computeCalibration, computeSkew, createSpread, type Spread } from './spread.ts'
import type { ValueTransform } from './value-transforms.ts'

/** A calendar effect: for each phase (weekday, hour, …) its offset from the level and the uncertainty of that. */
export type Effect = {
  readonly phase: (moment: Moment) => number
  /** Phase of the next run. */
  at: number
  /** Variance of a phase without values; it makes the limits wide while little is known. */
  readonly prior: number
  readonly fine: boolean
  readonly mean: Float64Array
  /** Negative until the phase has a value. */
  readonly variance: Float64Array
}

/** A level that moves, plus calendar effects: a diagonal Kalman filter with a robust gain. */
export type Filter = {
  readonly transform: ValueTransform
  readonly effects: readonly Effect[]
  readonly weekend_aware: boolean
  readonly follows: RunForecast['follows']
  /** How fast the level may move: variance per run, in units of the noise. */
  readonly speed: number
  readonly complexity: number
  level: number
  doubt: number
  /** Ring buffer of recent levels: returning to one of them raises no alarm. */
  readonly recent_levels: Float64Array
  noise: number
  count: number
  /** Noise by weekday or time of day. */
  readonly phase_noise: Float64Array
  readonly phase_count: Float64Array
  readonly noise_phase: (moment: Moment) => number
  readonly spread: Spread
  loss: number
  loss_weight: number
  /** Mean product of consecutive errors: positive if errors are autocorrelated. */
  echo: number
  last_error: number
  /** How much of an error carries over to the next run, learned from consecutive errors. */
  inherited_product: number
  inherited_square: number
  last_deviation: number
  /** CUSUM: errors on one side are added up, less an allowance per run. It detects small but lasting changes early. */
  sum_up: number
  sum_down: number
  /** Errors since the values left the limits, needed when a new level is accepted. */
  readonly away: number[]
  last_shift: number
  last_shift_at: number
  readonly next: FilterPrediction
}

/** A filter's prediction for the next run; `centre` is NaN if it has none. */
type FilterPrediction = {
  centre: number
  /** The part of the centre carried over from the last error. */
  inherited: number
  noise: number
  doubt: number
  level_doubt: number
  /** Before and after calibration with the filter's past errors. */
  claimed_sd: number
  sd: number
  up_sd: number
  down_sd: number
}

type FilterShape = Pick<Filter, 'transform' | 'effects' | 'weekend_aware' | 'follows' | 'speed' | 'complexity' | 'noise_phase'> & {
  noise_phases: number
}

/** Drift of calendar effects between two runs of a phase, in units of the noise variance. */
export const EFFECT_DRIFT = 0.01
export const RECENT = 6

export const createFilter = ({ noise_phases, ...shape }: FilterShape): Filter => ({
  ...shape,
  level: Number.NaN,
  doubt: 0,
  recent_levels: new Float64Array(RECENT).fill(Number.NaN),
  noise: shape.transform.prior_sd ** 2,
  count: 0,
  phase_noise: new Float64Array(noise_phases),
  phase_count: new Float64Array(noise_phases),
  spread: createSpread(),
  loss: 0,
  loss_weight: 0,
  echo: 0,
  last_error: 0,
  inherited_product: 0,
  inherited_square: 0,
  last_deviation: 0,
  sum_up: 0,
  sum_down: 0,
  away: [],
  last_shift: 0,
  last_shift_at: Number.NEGATIVE_INFINITY,
  next: { centre: Number.NaN, inherited: 0, noise: 0, doubt: 0, level_doubt: 0, claimed_sd: 0, sd: 0, up_sd: 0, down_sd: 0 },
})

const PHASE_SHRINK = 5

export const predictFilter = (filter: Filter, moment: Moment, runs: number, memory: number): void => {
  const { next, transform, spread } = filter
  next.centre = Number.NaN
  if (Number.isNaN(filter.level)) return
  next.level_doubt = filter.doubt + filter.speed * filter.noise * runs
  let centre = filter.level
  let doubt = next.level_doubt
  for (const effect of filter.effects) {
    const phase = effect.phase(moment)
    effect.at = phase
    if (effect.variance[phase]! < 0) doubt += effect.prior
    else {
      centre += effect.mean[phase]!
      doubt += effect.variance[phase]! + EFFECT_DRIFT * filter.noise
    }
  }
  let noise = filter.noise
  if (filter.effects.length) {
    const phase = filter.noise_phase(moment)
    const seen = filter.phase_count[phase]!
    if (seen) noise = (PHASE_SHRINK * noise + seen * filter.phase_noise[phase]!) / (PHASE_SHRINK + seen)
  }
  next.inherited = filter.last_deviation ? filter.last_deviation * computePersistence(filter) ** runs : 0
  centre += next.inherited
  next.centre = centre
  next.noise = Math.max(noise, transform.least_sd(centre) ** 2)
  next.doubt = doubt
  next.claimed_sd = Math.sqrt(next.noise + doubt)
  next.sd = next.claimed_sd * computeCalibration(spread, memory)
  next.up_sd = next.sd * computeSkew(spread, spread.up_square, memory)
  next.down_sd = next.sd * computeSkew(spread, spread.down_square, memory)
}

/** Number of runs the correlation of errors is averaged over, and number of uncorrelated runs it is shrunk with. */
export const INHERIT_MEMORY = 150
const INHERIT_PRIOR = 50
const STILL_SPEED = 0.01 // a faster level already follows the errors

/** The correlation of consecutive errors, shrunk towards zero. */
const computePersistence = (filter: Filter): number => {
  if (filter.speed > STILL_SPEED || filter.transform.stepwise || !(filter.inherited_square > 0)) return 0
  const n = Math.min(filter.count, INHERIT_MEMORY)
  const correlation = (filter.inherited_product / filter.inherited_square) * (n / (n + INHERIT_PRIOR))
  return Math.min(0.95, Math.max(0, correlation))
}

/** Deviation of a (transformed) value from the prediction, in calibrated sd. */
export const computeSurprise = (filter: Filter, z: number): number => Math.abs(z - filter.next.centre) / filter.next.sd

/** Errors up to this size, in sd, do not add to the CUSUM. */
export const CUSUM_ALLOWANCE = 1.8
