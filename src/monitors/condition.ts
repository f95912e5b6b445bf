import { type FieldErrors, invalid } from '../errors.ts'
import { DEFAULT_SENSITIVITY } from './thresholds/sensitivity.ts'

/** How a monitor judges: by limits it learns, or by limits set by hand. Pure. */
export interface Condition {
  readonly condition_auto_sensitivity: number | null
  readonly condition_manual_min: number | null
  readonly condition_manual_max: number | null
}

export type ConditionIn = { readonly [field in keyof Condition]?: Condition[field] }

export const AUTOMATIC: Condition = {
  condition_auto_sensitivity: DEFAULT_SENSITIVITY,
  condition_manual_min: null,
  condition_manual_max: null,
}

/** What is said decides: a sensitivity means automatic limits, a bound means manual ones. Both at once cannot be meant. */
export const applyCondition = (before: Condition, said: ConditionIn): Condition => {
  const { condition_auto_sensitivity: sensitivity, condition_manual_min: min, condition_manual_max: max } = said
  const bounded = (min ?? null) !== null || (max ?? null) !== null
  if (sensitivity && bounded)
    throw invalid({ condition_auto_sensitivity: ['must be null when condition_manual_min or condition_manual_max is set.'] })
  if (sensitivity) return { ...AUTOMATIC, condition_auto_sensitivity: sensitivity }
  const manual = bounded || sensitivity === null
  const after: Condition = {
    condition_auto_sensitivity: manual ? null : before.condition_auto_sensitivity,
    condition_manual_min: min === undefined ? before.condition_manual_min : min,
    condition_manual_max: max === undefined ? before.condition_manual_max : max,
  }
  mustHold(after)
  return after
}

const mustHold = ({ condition_auto_sensitivity, condition_manual_min: min, condition_manual_max: max }: Condition): void => {
  if (condition_auto_sensitivity !== null) return
  const errors: FieldErrors = {}
  if (min === null && max === null)
    errors.condition_auto_sensitivity = ['needs a value of 1..10, or condition_manual_min or condition_manual_max must be set.']
  if (min !== null && max !== null && min > max) errors.condition_manual_min = ['must not be above condition_manual_max.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
