/** Three voices: what a field holds, what the source said of it last time, and what it says now. Pure. */
export type Fields = Readonly<Record<string, unknown>>

/**
 * What the source may write. Where the field still holds what the source said, it is the source's. Anything else a person has said, and it
 * stays; so does what was there before the source first spoke of it.
 */
export const merge = (held: Fields, said: Fields | undefined, says: Fields): Record<string, unknown> => {
  const written: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(says))
    if (!same(held[field], value) && isSources(field, held, said)) written[field] = value ?? null
  return written
}

export const isSources = (field: string, held: Fields, said: Fields | undefined): boolean =>
  said && field in said ? same(held[field], said[field]) : isNothing(held[field])

/** Nothing has several spellings. */
const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

export const same = (one: unknown, other: unknown): boolean =>
  isNothing(one) || isNothing(other) ? isNothing(one) && isNothing(other) : JSON.stringify(one) === JSON.stringify(other)
