import type { Condition } from '../monitor-model/condition.ts'
import { type Limits, THRESHOLDS_VERSION } from '../thresholds/thresholds.ts'

/** Checks a value against its limits. Pure. */
export interface Verdict {
  /** `learning`: there are no limits yet. */
  readonly state: 'inside' | 'outside' | 'learning'
  readonly lower: number | null
  readonly upper: number | null
  readonly explanation: string | null
  /** Version of the automatic thresholds that computed the limits; null for manual limits or none. */
  readonly thresholds_version: number | null
}

/** A value equal to a limit is inside. `learned` are the limits of an automatic monitor, once it has any. */
export const judge = (condition: Condition, learned: Limits | undefined, value: number): Verdict => {
  const { condition_auto_sensitivity, condition_manual_min: lower, condition_manual_max: upper } = condition
  if (condition_auto_sensitivity === null)
    return { ...compareToLimits(value, lower, upper), explanation: 'Manual limits.', thresholds_version: null }
  if (!learned) return { state: 'learning', lower: null, upper: null, explanation: null, thresholds_version: null }
  return {
    ...compareToLimits(value, learned.lower, learned.upper),
    explanation: learned.explanation,
    thresholds_version: THRESHOLDS_VERSION,
  }
}

const compareToLimits = (value: number, lower: number | null, upper: number | null) => ({
  state: (lower !== null && value < lower) || (upper !== null && value > upper) ? ('outside' as const) : ('inside' as const),
  lower,
  upper,
})

/** An incident is resolved after this many consecutive measurements inside the limits. */
const RUNS_TO_RESOLVE = 3

export type IncidentTransition = 'nothing' | 'opens' | 'grows' | 'calms' | 'resolves'

/** Decides whether an incident is opened, continued or resolved. */
export const nextIncidentTransition = (
  open: { readonly runs_inside: number } | undefined,
  { state }: Pick<Verdict, 'state'>,
): IncidentTransition => {
  if (state === 'learning') return 'nothing'
  if (state === 'outside') return open ? 'grows' : 'opens'
  if (!open) return 'nothing'
  return open.runs_inside + 1 >= RUNS_TO_RESOLVE ? 'resolves' : 'calms'
}

const HOUR_MS = 3_600_000
const REOPEN_HOURS = 24
const TOLERANCE_HOURS = 1 // a run starts some minutes after its scheduled time

/**
 * Whether an anomaly belongs to the incident that was resolved before it: within a day, or with the next measurement of a monitor that runs less
 * often. See docs/decisions/0024-reopened-incidents.md.
 */
export const comesBack = (frequency: number, resolved_at: Date, at: Date): boolean =>
  at.getTime() - resolved_at.getTime() <= (Math.max(REOPEN_HOURS, frequency) + TOLERANCE_HOURS) * HOUR_MS
