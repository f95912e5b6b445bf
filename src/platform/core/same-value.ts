/** Empty values in all their forms count as equal. */
export const isEmpty = (value: unknown): boolean =>
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
