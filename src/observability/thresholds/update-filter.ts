import type { Moment } from './calendar.ts'
import { CUSUM_ALLOWANCE, computeSurprise, EFFECT_DRIFT, type Filter, INHERIT_MEMORY, RECENT } from './filter.ts'
import { computeMedian } from './quantile.ts'
import { recordError, recordExtreme } from './spread.ts'
import type { PreviousRun } from './value-transforms.ts'

const NOISE_START = 3 // the prior noise counts as much as three runs
const GAIN_START = 1.5
const HUBER = 3 // sd: the influence of a value does not increase beyond this
const SURPRISE_CAP = 25

/** Discounted mean log loss of this filter's predictions. */
export const computeLoss = (filter: Filter): number =>
  filter.loss_weight ? (filter.loss + filter.complexity) / filter.loss_weight : 1e6 + filter.complexity

/** A value, and what the filter's transform makes of it. */
type FilterValue = { readonly x: number; readonly z: number; readonly before: PreviousRun }

/** Scores the forecast by a Student-5 density in the original units. */
export const scoreForecast = (filter: Filter, { x, z, before }: FilterValue, weight: number, discount: number): void => {
  const { transform, next } = filter
  const impossible = transform.name === 'log_step' && x < before.value
  const u = impossible ? SURPRISE_CAP : Math.min(computeSurprise(filter, z), SURPRISE_CAP)
  const cost = Math.log(next.sd) + 3 * Math.log(1 + (u * u) / 5) - transform.stretch(x, before)
  const keep = 1 - (1 - discount) * weight
  filter.loss = keep * filter.loss + weight * cost
  filter.loss_weight = keep * filter.loss_weight + weight
}

type Observation = FilterValue & {
  readonly moment: Moment
  /** Outside the limits and unexpected by this filter: level and effects are not updated. */
  readonly odd: boolean
  readonly alarming: boolean
  readonly weight: number
  readonly memory: number
  readonly discount: number
}

const clamp = (x: number, low: number, high: number) => Math.min(high, Math.max(low, x))

export const updateFilter = (filter: Filter, observation: Observation): void => {
  const { moment, z, odd, alarming, weight, memory, discount } = observation
  const { next, spread } = filter
  scoreForecast(filter, observation, weight, discount)
  const error = z - next.centre
  const total = next.noise + next.doubt
  const u = error / next.claimed_sd
  const calibrated = error / next.sd

  const clipped = odd ? clamp(u, -1.5, 1.5) : clamp(u, -5, 5)
  recordError(spread, clipped, memory)
  recordExtreme(spread, calibrated, error, odd || alarming)
  filter.echo += (clamp(clipped * filter.last_error, -6, 6) - filter.echo) / Math.min(spread.count, memory)
  filter.last_error = clamp(clipped, -3, 3)
  updateSums(filter, calibrated)

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
    const phase = effect.at
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
    const phase = effect.at
    const variance = effect.variance[phase]!
    effect.mean[phase]! += variance * gain * error
    effect.variance[phase] = variance * Math.max(0.01, 1 - variance * gain)
  }
  filter.away.length = 0
}

const updateSums = (filter: Filter, u: number): void => {
  filter.sum_up = Math.max(0, filter.sum_up + Math.min(4, u) - CUSUM_ALLOWANCE)
  filter.sum_down = Math.max(0, filter.sum_down + Math.min(4, -u) - CUSUM_ALLOWANCE)
}

const learnPhaseNoise = (filter: Filter, moment: Moment, square: number): void => {
  const phase = filter.noise_phase(moment)
  if (!filter.phase_count[phase]) filter.phase_noise[phase] = filter.noise
  filter.phase_count[phase] = Math.min(8, filter.phase_count[phase]! + 1)
  filter.phase_noise[phase]! += (square - filter.phase_noise[phase]!) / (filter.phase_count[phase]! + 1)
}

/** Initializes the filter with its first value. */
export const startFilter = (filter: Filter, moment: Moment, x: number, before: PreviousRun): void => {
  filter.level = filter.transform.into(x, before)
  filter.doubt = filter.noise * (filter.transform.stepwise ? 2 : 1)
  if (!filter.transform.stepwise) for (const effect of filter.effects) effect.variance[effect.phase(moment)] = effect.prior
}

/** The deviation is typical of this phase, so it becomes its calendar effect. */
export const acceptAsCalendarEffect = (filter: Filter, moment: Moment, z: number): void => {
  const error = z - filter.next.centre
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

/** The level has changed permanently. */
export const acceptLevel = (filter: Filter, run: number, at: number): void => {
  if (!filter.away.length) return
  const shift = computeMedian(filter.away.slice(-run))
  if (!filter.transform.stepwise) {
    filter.level += shift
    filter.doubt += filter.noise
    filter.last_shift = shift
    filter.last_shift_at = at
  }
  filter.away.length = 0
}

/** Whether the values are returning to the level before the last accepted shift. */
export const isReturningToLevelBeforeShift = (filter: Filter, at: number, soon: number): boolean =>
  filter.away.length >= 2 &&
  at - filter.last_shift_at < soon &&
  Math.abs(computeMedian(filter.away) + filter.last_shift) < 0.35 * Math.abs(filter.last_shift)
