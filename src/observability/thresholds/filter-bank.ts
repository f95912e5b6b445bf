import type { Moment, Rhythm } from './calendar.ts'
import { createFilter, type Effect, type Filter } from './filter.ts'
import type { SeriesProfile, ValueTransform } from './value-transforms.ts'

// Prior sd of each effect, in units of the transform's reach (a factor of e in the log transform).
const PRIORS = { weekend: 0.5, weekday: 0.12, hour: 1, weekend_hour: 0.25, week_hour: 0.08, fortnight: 0.5 }
const FREE = { weekday: 4, hour: 2, weekend_hour: 1.5 } // for phases that are independent of each other, e.g. batches
const SPEEDS = { still: 0.001, drifting: 0.03, walking: 2 }

type EffectKind = keyof typeof PRIORS
type EffectSpec = { readonly kind: EffectKind; readonly prior: number }

const shrunk = (kind: EffectKind): EffectSpec => ({ kind, prior: PRIORS[kind] })
const free = (kind: keyof typeof FREE): EffectSpec => ({ kind, prior: FREE[kind] })

/** Candidate sets of calendar effects, from none to all. */
const listEffectSets = (rhythm: Rhythm): { effects: readonly EffectSpec[]; walks: boolean }[] => {
  const none = { effects: [], walks: true }
  if (rhythm.weekly) return [none]
  if (rhythm.daily)
    return [
      none,
      { effects: [shrunk('weekend'), shrunk('weekday')], walks: true },
      { effects: [free('weekday')], walks: false },
      { effects: [shrunk('weekend'), shrunk('weekday'), shrunk('fortnight')], walks: false },
    ]
  return [
    none,
    { effects: [shrunk('hour')], walks: true },
    { effects: [shrunk('hour'), shrunk('weekend'), shrunk('weekday'), shrunk('weekend_hour'), shrunk('week_hour')], walks: true },
    { effects: [free('hour'), free('weekend_hour'), shrunk('week_hour')], walks: false },
  ]
}

const getPhases = (kind: EffectKind, slots: number): { size: number; phase: Effect['phase'] } => {
  switch (kind) {
    case 'weekend':
      return { size: 2, phase: (m) => m.weekend }
    case 'weekday':
      return { size: 7, phase: (m) => m.weekday }
    case 'fortnight':
      return { size: 14, phase: (m) => ((m.day % 14) + 14) % 14 }
    case 'hour':
      return { size: slots, phase: (m) => m.slot }
    case 'weekend_hour':
      return { size: 2 * slots, phase: (m) => m.weekend * slots + m.slot }
    case 'week_hour':
      return { size: 7 * slots, phase: (m) => m.weekday * slots + m.slot }
  }
}

/** The candidate filters of a monitor: each transform with each set of effects at each speed. */
export const createFilterBank = (profile: SeriesProfile, rhythm: Rhythm): Filter[] => {
  const { slots, daily } = rhythm
  const sets = listEffectSets(rhythm)
  const fine: EffectKind = daily ? 'weekday' : 'weekend_hour'
  const make = (transform: ValueTransform, specs: readonly EffectSpec[], speed: number): Filter =>
    createFilter({
      transform,
      speed,
      weekend_aware: specs.some(({ kind }) => kind === 'weekend'),
      follows: {
        weekday: specs.some(({ kind }) => kind !== 'hour'),
        hour: specs.some(({ kind }) => kind.endsWith('hour')),
      },
      effects: specs.map(({ kind, prior }) => {
        const { size, phase } = getPhases(kind, slots)
        return {
          phase,
          at: 0,
          prior: (prior * transform.reach) ** 2,
          fine: kind === fine,
          mean: new Float64Array(size),
          variance: new Float64Array(size).fill(-1),
        }
      }),
      // Penalty for complexity, in nats of the discounted score.
      complexity: 0.4 * (0.5 * specs.length + (transform.stepwise ? 1.5 : 0) + (speed >= 1 ? 0.5 : 0)),
      noise_phases: daily ? 7 : slots,
      noise_phase: daily ? (m: Moment) => m.weekday : (m: Moment) => m.slot,
    })
  return profile.transforms.flatMap((transform) =>
    transform.stepwise
      ? sets.slice(0, 2).map(({ effects }) => make(transform, effects, 3 * SPEEDS.still))
      : sets.flatMap((set) =>
          (set.walks ? [SPEEDS.still, SPEEDS.drifting, SPEEDS.walking] : [SPEEDS.still, SPEEDS.drifting]).map((speed) =>
            make(transform, set.effects, speed),
          ),
        ),
  )
}
