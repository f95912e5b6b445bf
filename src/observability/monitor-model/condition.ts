import { invalid } from '../../platform/core/errors.ts'
import { type Translatable, translatable } from '../../platform/core/translatable.ts'
import { DEFAULT_SENSITIVITY } from '../thresholds/sensitivity.ts'
import type { MetricType } from './metric-types.ts'

/** Whether a monitor uses automatic or manual limits. Pure. */
export interface Condition {
  readonly condition_auto_sensitivity: number | null
  readonly condition_manual_min: number | null
  readonly condition_manual_max: number | null
}

export type ConditionInput = { readonly [field in keyof Condition]?: Condition[field] }

/** The condition of a monitor created without one. */
export const getDefaultCondition = ({ check }: Pick<MetricType, 'check'>): Condition => (check ? NONE_ALLOWED : AUTOMATIC)

const NONE_ALLOWED: Condition = { condition_auto_sensitivity: null, condition_manual_min: null, condition_manual_max: 0 }
export const AUTOMATIC: Condition = {
  condition_auto_sensitivity: DEFAULT_SENSITIVITY,
  condition_manual_min: null,
  condition_manual_max: null,
}

/** A sensitivity selects automatic limits, a minimum or maximum selects manual ones; both together are rejected. */
export const applyCondition = (before: Condition, input: ConditionInput): Condition => {
  const { condition_auto_sensitivity: sensitivity, condition_manual_min: min, condition_manual_max: max } = input
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
  assertValidCondition(after)
  return after
}

const assertValidCondition = ({ condition_auto_sensitivity, condition_manual_min: min, condition_manual_max: max }: Condition): void => {
  if (condition_auto_sensitivity !== null) return
  const errors: Record<string, [Translatable]> = {}
  if (min === null && max === null)
    errors.condition_auto_sensitivity = [translatable('must be 1 to 10 unless condition_manual_min or condition_manual_max is set.')]
  if (min !== null && max !== null && min > max)
    errors.condition_manual_min = [translatable('must not be greater than condition_manual_max.')]
  if (Object.keys(errors).length > 0) throw invalid(errors)
}
