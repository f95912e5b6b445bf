import { isObject } from '../../platform/core/json-value.ts'
import type { Aspect } from './change.ts'

/**
 * A profile without values of cells: DataHub's have samples, extremes and frequencies, also of columns with personal data. What is counted
 * stays. Pure.
 */
export const withoutValues = (profile: Record<string, Aspect>): Record<string, Aspect> =>
  Array.isArray(profile.fieldProfiles)
    ? {
        ...profile,
        fieldProfiles: profile.fieldProfiles
          .filter(isObject)
          .map((field) => Object.fromEntries(COUNTS.flatMap((name) => (name in field ? [[name, field[name]]] : [])))),
      }
    : profile

const COUNTS = ['fieldPath', 'uniqueCount', 'uniqueProportion', 'nullCount', 'nullProportion']
