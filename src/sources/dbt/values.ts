import { isObject, type Json, omitEmpty } from '../../platform/core/json-value.ts'

/** Values of artifacts, which may contain anything: values of another type are treated as absent. Pure. */
export const toObject = (value: unknown): Json | undefined => (isObject(value) ? value : undefined)
export const toText = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value : null)
export const toNumber = (value: unknown): number | null => (typeof value === 'number' && Number.isFinite(value) ? value : null)
export const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const toTexts = (value: unknown): string[] =>
  (typeof value === 'string' ? [value] : toList(value)).flatMap((each) => toText(each) ?? [])
export const toObjects = (values: readonly unknown[]): Json[] => values.map(toObject).filter((each) => each !== undefined)
export const toObjectValues = (value: unknown): Json[] => toObjects(Object.values(toObject(value) ?? {}))

/** The SQL of a node as written and as compiled. Manifests up to version 6 (dbt 1.2) use other field names. */
export const getRawSql = (node: Json): string | null => toText(node.raw_code) ?? toText(node.raw_sql)
export const getCompiledSql = (node: Json): string | null => toText(node.compiled_code) ?? toText(node.compiled_sql)

/** Without empty values at any depth: metrics come with a dozen null fields. */
export const omitEmptyDeep = (value: unknown): unknown => {
  const object = toObject(value)
  if (!object) return Array.isArray(value) ? value.map(omitEmptyDeep) : value
  return omitEmpty(Object.fromEntries(Object.entries(object).map(([name, each]) => [name, omitEmptyDeep(each)])))
}
