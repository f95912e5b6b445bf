import { isEmpty, isSameValue } from '../../platform/core/same-value.ts'

/** Three-way merge: what a field holds, what the source reported last time, and what it reports now. Pure. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * The fields the source may write: those that still hold what it reported last time. Everything else was edited by a user and stays, as does
 * what existed before the source first reported the field.
 */
export const mergeFields = (current: Fields, base: Fields | undefined, incoming: Fields): Record<string, unknown> => {
  const written: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(incoming))
    if (!isSameValue(current[field], value) && isSourceValue(field, current, base)) written[field] = value ?? null
  return written
}

export const isSourceValue = (field: string, current: Fields, base: Fields | undefined): boolean =>
  base && field in base ? isSameValue(current[field], base[field]) : isEmpty(current[field])
