import type { Moment } from './calendar.ts'
import type { Before, Channel } from './channel.ts'
import type { Outlook } from './outlook.ts'
import { medianOf } from './quantile.ts'
import { calibration, createSpread, recordError, rememberExtreme, type Spread, skew } from './spread.ts'

/** A calendar effect: for each phase (a weekday, an hour…) how far it lies from the level, and how unsure we are. */
export type Effect = {
  readonly phase: (moment: Moment) => number
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
export type Forecast = {
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

export type Shape = Pick<Filter, 'channel' | 'effects' | 'weekend_aware' | 'follows' | 'speed' | 'complexity' | 'noise_phase'> & {
  noise_phases: number
}

const NOISE_START = 3 // the prior noise counts as much as three runs
const GAIN_START = 1.5
const EFFECT_DRIFT = 0.01
const RECENT = 6
const HUBER = 3
const SURPRISE_CAP = 25

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

const INHERIT_PRIOR = 50
const INHERIT = 0.01

/** The correlation of neighbouring errors, shrunk towards none. */
const persistence = (filter: Filter): number => {
  if (filter.speed > INHERIT || filter.channel.stepwise || !(filter.inherited_square > 0)) return 0
  const n = Math.min(filter.count, INHERIT_MEMORY)
  return clamp((filter.inherited_product / filter.inherited_square) * (n / (n + INHERIT_PRIOR)), 0, 0.95)
}
const INHERIT_MEMORY = 150

/** How badly the filter was surprised, in its own calibrated sd. */
export const surprise = (filter: Filter, x: number, before: Before): number =>
  Math.abs(filter.channel.into(x, before) - filter.next.centre) / filter.next.sd

/** The average cost, in log density, of having believed this filter lately. */
export const lossOf = (filter: Filter): number =>
  filter.loss_weight ? (filter.loss + filter.complexity) / filter.loss_weight : 1e6 + filter.complexity

/** Scores the forecast by a Student-5 density in the original units. */
export const scoreForecast = (filter: Filter, x: number, before: Before, weight: number, patience: number): void => {
  const { channel, next } = filter
  const impossible = channel.name === 'log_step' && x < before.value
  const u = impossible ? SURPRISE_CAP : Math.min(surprise(filter, x, before), SURPRISE_CAP)
  const cost = Math.log(next.sd) + 3 * Math.log(1 + (u * u) / 5) - channel.stretch(x, before)
  const keep = 1 - (1 - patience) * weight
  filter.loss = keep * filter.loss + weight * cost
  filter.loss_weight = keep * filter.loss_weight + weight
}

export type Lesson = {
  readonly moment: Moment
  readonly x: number
  readonly before: Before
  /** Outside the limits and a surprise to this filter: level and effects stay as they are. */
  readonly odd: boolean
  readonly alarming: boolean
  readonly weight: number
  readonly memory: number
  readonly patience: number
}

const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x))

export const learn = (filter: Filter, { moment, x, before, odd, alarming, weight, memory, patience }: Lesson): void => {
  const { channel, next, spread } = filter
  scoreForecast(filter, x, before, weight, patience)
  const error = channel.into(x, before) - next.centre
  const total = next.noise + next.doubt
  const u = error / next.claimed_sd
  const calibrated = error / next.sd

  const clipped = odd ? clamp(u, -1.5, 1.5) : clamp(u, -5, 5)
  recordError(spread, clipped, memory)
  rememberExtreme(spread, calibrated, error, odd || alarming)
  filter.echo += (clamp(clipped * filter.last_error, -6, 6) - filter.echo) / Math.min(spread.count, memory)
  filter.last_error = clamp(clipped, -3, 3)
  addUp(filter, calibrated)

  const deviation = clamp((error + next.inherited) / next.claimed_sd, -4, 4)
  if (odd) filter.last_deviation = next.inherited
  else {
    const pace = 1 / Math.min(filter.count + 1, INHERIT_MEMORY)
    filter.inherited_product += ((deviation * filter.last_deviation) / next.claimed_sd - filter.inherited_product) * pace
    filter.inherited_square += (deviation * deviation - filter.inherited_square) * pace
    filter.last_deviation = deviation * next.claimed_sd
  }

  const cap = odd ? 1.5 : 4
  const square = Math.min(u * u, cap * cap) * next.noise
  filter.noise += (square - filter.noise) * Math.max(1 / memory, GAIN_START / (filter.count + NOISE_START + GAIN_START))
  filter.count++
  if (filter.effects.length) learnPhaseNoise(filter, moment, Math.min(u * u, odd ? 1 : 16) * next.noise)

  filter.recent_levels[filter.count % RECENT] = filter.level
  filter.doubt = next.level_doubt
  for (const effect of filter.effects) {
    const phase = effect.phase(moment)
    if (effect.variance[phase]! < 0) effect.variance[phase] = effect.prior
    else effect.variance[phase]! += EFFECT_DRIFT * filter.noise
  }
  if (odd) {
    filter.away.push(error)
    return
  }
  const gain = (Math.abs(u) > HUBER ? HUBER / Math.abs(u) : 1) / total
  filter.level += filter.doubt * gain * error
  filter.doubt *= Math.max(0.01, 1 - filter.doubt * gain)
  for (const effect of filter.effects) {
    const phase = effect.phase(moment)
    const variance = effect.variance[phase]!
    effect.mean[phase]! += variance * gain * error
    effect.variance[phase] = variance * Math.max(0.01, 1 - variance * gain)
  }
  filter.away.length = 0
}

/** What an error may be without adding to the sums, in sd. */
export const ALLOWANCE = 1.8

const addUp = (filter: Filter, u: number): void => {
  filter.sum_up = Math.max(0, filter.sum_up + Math.min(4, u) - ALLOWANCE)
  filter.sum_down = Math.max(0, filter.sum_down + Math.min(4, -u) - ALLOWANCE)
}

const learnPhaseNoise = (filter: Filter, moment: Moment, square: number): void => {
  const phase = filter.noise_phase(moment)
  if (!filter.phase_count[phase]) filter.phase_noise[phase] = filter.noise
  filter.phase_count[phase] = Math.min(8, filter.phase_count[phase]! + 1)
  filter.phase_noise[phase]! += (square - filter.phase_noise[phase]!) / (filter.phase_count[phase]! + 1)
}

/** Starts the filter at its first value. */
export const start = (filter: Filter, moment: Moment, x: number, before: Before): void => {
  filter.level = filter.channel.into(x, before)
  filter.doubt = filter.noise * (filter.channel.stepwise ? 2 : 1)
  if (!filter.channel.stepwise) for (const effect of filter.effects) effect.variance[effect.phase(moment)] = effect.prior
}

/** This phase is always so: the surprise becomes its calendar effect. */
export const acceptPhase = (filter: Filter, moment: Moment, x: number, before: Before): void => {
  const error = filter.channel.into(x, before) - filter.next.centre
  for (const effect of filter.effects) {
    if (!effect.fine) continue
    const phase = effect.phase(moment)
    effect.mean[phase]! += error
    effect.variance[phase] = Math.max(filter.noise, (0.1 * error) ** 2)
  }
  const phase = filter.noise_phase(moment)
  filter.phase_noise[phase] = Math.max(filter.noise, (0.05 * error) ** 2)
  filter.phase_count[phase] = 2
}

/** The values have moved for good: so does the level. */
export const acceptLevel = (filter: Filter, run: number, at: number): void => {
  if (!filter.away.length) return
  const shift = medianOf(filter.away.slice(-run))
  if (!filter.channel.stepwise) {
    filter.level += shift
    filter.doubt += filter.noise
    filter.last_shift = shift
    filter.last_shift_at = at
  }
  filter.away.length = 0
}

/** Whether the values are on their way back from the last accepted level. */
export const returning = (filter: Filter, at: number, soon: number): boolean =>
  filter.away.length >= 2 &&
  at - filter.last_shift_at < soon &&
  Math.abs(medianOf(filter.away) + filter.last_shift) < 0.35 * Math.abs(filter.last_shift)
