/** Three-way merge: what a field holds, what the source reported last time, and what it reports now. Pure. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * The fields the source may write: those that still hold what it reported last time. Everything else was edited by a user and stays, as does
 * what existed before the source first reported the field.
 */
export const merge = (held: Fields, said: Fields | undefined, says: Fields): Record<string, unknown> => {
  const written: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(says))
    if (!same(held[field], value) && isSources(field, held, said)) written[field] = value ?? null
  return written
}

export const isSources = (field: string, held: Fields, said: Fields | undefined): boolean =>
  said && field in said ? same(held[field], said[field]) : isNothing(held[field])

/** Empty values in all their forms count as equal. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

export const same = (one: unknown, other: unknown): boolean =>
  isNothing(one) || isNothing(other) ? isNothing(one) && isNothing(other) : JSON.stringify(one) === JSON.stringify(other)
