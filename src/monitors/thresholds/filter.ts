import type { Moment } from './calendar.ts'
import type { Channel } from './channel.ts'
import type { Outlook } from './outlook.ts'
import { calibration, createSpread, type Spread, skew } from './spread.ts'

/** A calendar effect: for each phase (a weekday, an hour…) how far it lies from the level, and how unsure we are. */
export type Effect = {
  readonly phase: (moment: Moment) => number
  /** The phase of the coming run. */
  at: number
  /** The variance before a phase was seen: what is unknown makes the limits wide by itself. */
  readonly prior: number
  readonly fine: boolean
  readonly mean: Float64Array
  /** Negative until the phase was seen. */
  readonly variance: Float64Array
}

/** A level that moves, plus calendar effects: a diagonal Kalman filter with a robust gain. */
export type Filter = {
  readonly channel: Channel
  readonly effects: readonly Effect[]
  readonly weekend_aware: boolean
  readonly follows: Outlook['follows']
  /** How fast the level may move: variance per run, in units of the noise. */
  readonly speed: number
  readonly complexity: number
  level: number
  doubt: number
  /** Where the level was in the last runs, the newest anywhere: a way back that needs no alarm. */
  readonly recent_levels: Float64Array
  noise: number
  count: number
  /** Noise per weekday or time of day: nights are not days. */
  readonly phase_noise: Float64Array
  readonly phase_count: Float64Array
  readonly noise_phase: (moment: Moment) => number
  readonly spread: Spread
  loss: number
  loss_weight: number
  /** Product of two neighbouring errors, on average: positive when errors come in runs. */
  echo: number
  last_error: number
  /** How much of an error the next run inherits, learned from neighbouring errors. */
  inherited_product: number
  inherited_square: number
  last_deviation: number
  /** Errors on one side add up, less an allowance per run (a CUSUM): small but lasting changes show here first. */
  sum_up: number
  sum_down: number
  /** Errors since the values left the limits, for the day we accept a new level. */
  readonly away: number[]
  last_shift: number
  last_shift_at: number
  readonly next: Forecast
}

/** What a filter expects of the coming run; `centre` is NaN when it has no opinion. */
type Forecast = {
  centre: number
  /** The part of the centre inherited from the last error. */
  inherited: number
  noise: number
  doubt: number
  level_doubt: number
  /** Before and after calibration by the filter's own record. */
  claimed_sd: number
  sd: number
  up_sd: number
  down_sd: number
}

type Shape = Pick<Filter, 'channel' | 'effects' | 'weekend_aware' | 'follows' | 'speed' | 'complexity' | 'noise_phase'> & {
  noise_phases: number
}

/** How much calendar effects may drift between two visits, in units of the noise variance. */
export const EFFECT_DRIFT = 0.01
export const RECENT = 6

export const createFilter = ({ noise_phases, ...shape }: Shape): Filter => ({
  ...shape,
  level: Number.NaN,
  doubt: 0,
  recent_levels: new Float64Array(RECENT).fill(Number.NaN),
  noise: shape.channel.prior_sd ** 2,
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

export const forecast = (filter: Filter, moment: Moment, runs: number, memory: number): void => {
  const { next, channel, spread } = filter
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
  next.inherited = filter.last_deviation ? filter.last_deviation * persistence(filter) ** runs : 0
  centre += next.inherited
  next.centre = centre
  next.noise = Math.max(noise, channel.least_sd(centre) ** 2)
  next.doubt = doubt
  next.claimed_sd = Math.sqrt(next.noise + doubt)
  next.sd = next.claimed_sd * calibration(spread, memory)
  next.up_sd = next.sd * skew(spread, spread.up_square, memory)
  next.down_sd = next.sd * skew(spread, spread.down_square, memory)
}

/** How many runs the correlation of errors is averaged over, and how many of none it is shrunk with. */
export const INHERIT_MEMORY = 150
const INHERIT_PRIOR = 50
const STILL = 0.01 // a faster level follows the errors itself

/** The correlation of neighbouring errors, shrunk towards none. */
const persistence = (filter: Filter): number => {
  if (filter.speed > STILL || filter.channel.stepwise || !(filter.inherited_square > 0)) return 0
  const n = Math.min(filter.count, INHERIT_MEMORY)
  const correlation = (filter.inherited_product / filter.inherited_square) * (n / (n + INHERIT_PRIOR))
  return Math.min(0.95, Math.max(0, correlation))
}

/** How badly the filter is surprised by a value of its channel, in its own calibrated sd. */
export const surprise = (filter: Filter, z: number): number => Math.abs(z - filter.next.centre) / filter.next.sd

/** What an error may be without adding to the sums, in sd. */
export const ALLOWANCE = 1.8
