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

/** Empty values in all their forms count as equal. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === '' || (Array.isArray(value) && value.length === 0)

export const isSameValue = (one: unknown, other: unknown): boolean => {
  if (isEmpty(one) || isEmpty(other)) return isEmpty(one) && isEmpty(other)
  return typeof one === 'object' && typeof other === 'object' ? toComparable(one) === toComparable(other) : one === other
}

/** As JSON. The database returns the keys of an object in its own order. */
const toComparable = (value: unknown): string =>
  JSON.stringify(value, (_, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  )
