/** Values of artifacts, which may contain anything: values of another type are treated as absent. Pure. */
export type Json = Readonly<Record<string, unknown>>

export const objectOf = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)
export const numberOf = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const textsOf = (value: unknown): string[] =>
  (typeof value === 'string' ? [value] : listOf(value)).flatMap((each) => textOf(each) ?? [])
export const objectsOf = (values: readonly unknown[]): Json[] => values.map(objectOf).filter((each) => each !== undefined)
export const valuesOf = (value: unknown): Json[] => objectsOf(Object.values(objectOf(value) ?? {}))

/** The SQL of a node as written and as compiled. Manifests up to version 6 (dbt 1.2) use other field names. */
export const rawOf = (node: Json): string | null => textOf(node.raw_code) ?? textOf(node.raw_sql)
export const compiledSqlOf = (node: Json): string | null => textOf(node.compiled_code) ?? textOf(node.compiled_sql)

/** Without empty values. */
export const given = (facts: Json): Json =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null && value !== undefined && value !== '' && !isEmpty(value)))
const isEmpty = (value: unknown): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** The same recursively: metrics come with a dozen null fields. */
export const givenWithin = (value: unknown): unknown => {
  const object = objectOf(value)
  if (!object) return Array.isArray(value) ? value.map(givenWithin) : value
  return given(Object.fromEntries(Object.entries(object).map(([name, each]) => [name, givenWithin(each)])))
}
