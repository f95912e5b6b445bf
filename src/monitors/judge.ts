import type { Condition } from './condition.ts'
import { type Limits, THRESHOLDS_VERSION } from './thresholds.ts'

/** What a measurement means. Pure: numbers in, verdict out. */
export interface Verdict {
  /** `learning`: there are no limits yet, so it says nothing. */
  readonly state: 'inside' | 'outside' | 'learning'
  readonly lower: number | null
  readonly upper: number | null
  readonly explanation: string | null
  /** Which automatic thresholds named the limits; null where none did. */
  readonly thresholds_version: number | null
}

/** On the limit is inside. `learned` are the limits of an automatic monitor, as far as it knows them. */
export const judge = (condition: Condition, learned: Limits | undefined, value: number): Verdict => {
  const { condition_auto_sensitivity, condition_manual_min: lower, condition_manual_max: upper } = condition
  if (condition_auto_sensitivity === null)
    return { ...inOrOut(value, lower, upper), explanation: 'Limits set by hand.', thresholds_version: null }
  if (!learned) return { state: 'learning', lower: null, upper: null, explanation: null, thresholds_version: null }
  return { ...inOrOut(value, learned.lower, learned.upper), explanation: learned.explanation, thresholds_version: THRESHOLDS_VERSION }
}

const inOrOut = (value: number, lower: number | null, upper: number | null) => ({
  state: (lower !== null && value < lower) || (upper !== null && value > upper) ? ('outside' as const) : ('inside' as const),
  lower,
  upper,
})

/** So many measurements inside in a row, and an incident is over. */
const RUNS_TO_RESOLVE = 3

export type Course = 'nothing' | 'opens' | 'grows' | 'calms' | 'resolves'

/** What becomes of a monitor's incident, and whether one begins. */
export const courseOf = (open: { readonly runs_inside: number } | undefined, { state }: Pick<Verdict, 'state'>): Course => {
  if (state === 'learning') return 'nothing'
  if (state === 'outside') return open ? 'grows' : 'opens'
  if (!open) return 'nothing'
  return open.runs_inside + 1 >= RUNS_TO_RESOLVE ? 'resolves' : 'calms'
}
