import { ApiError } from '../core/errors.ts'
import { parseId } from '../core/id.ts'
import { parseTimestamp } from '../core/timestamp.ts'
import type { FieldReader, FieldType, FieldValue, ListField, ListFields } from './field.ts'

/** A validated filter: every condition has a known field, a matching operator and values of the field's type. */
export type Filter = FilterGroup | FilterCondition
export interface FilterGroup {
  readonly operator: 'and' | 'or' | 'not'
  readonly operands: readonly Filter[]
}
export interface FilterCondition {
  readonly operator: ConditionOperator
  readonly field: ListField
  /** One value, several for `in`, none for `is_set`. */
  readonly values: readonly FieldValue[]
}

const GROUP_OPERATORS = ['and', 'or', 'not'] as const
const PRESENCE_OPERATORS = ['is_set', 'is_not_set'] as const
const ORDER_OPERATORS = ['gt', 'gte', 'lt', 'lte'] as const
export type ConditionOperator =
  | 'exact'
  | 'contains'
  | 'starts_with'
  | 'in'
  | (typeof PRESENCE_OPERATORS)[number]
  | (typeof ORDER_OPERATORS)[number]

const OPERATORS_BY_TYPE: Record<FieldType, readonly ConditionOperator[]> = {
  text: ['exact', 'contains', 'starts_with', 'in', ...PRESENCE_OPERATORS, ...ORDER_OPERATORS],
  id: ['exact', 'in', ...PRESENCE_OPERATORS],
  number: ['exact', 'in', ...PRESENCE_OPERATORS, ...ORDER_OPERATORS],
  boolean: ['exact', 'in', ...PRESENCE_OPERATORS],
  timestamp: ['exact', 'in', ...PRESENCE_OPERATORS, ...ORDER_OPERATORS],
  ids: ['exact', 'contains', 'in', ...PRESENCE_OPERATORS],
  texts: ['exact', 'contains', 'in', ...PRESENCE_OPERATORS],
}
const OPERATORS = [...GROUP_OPERATORS, ...OPERATORS_BY_TYPE.text]

const MAX_DEPTH = 10
const MAX_CONDITIONS = 100
const MAX_VALUES = 1000

export const parseFilter = (text: string, fields: ListFields): Filter => {
  let conditions = 0
  const read = (node: unknown, path: string, depth: number): Filter => {
    if (depth > MAX_DEPTH) throw invalidFilter(path, `filters can be nested at most ${MAX_DEPTH} levels deep`)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) throw invalidFilter(path, 'must be an object')
    const { operator, operands, field, value } = node as Record<string, unknown>
    if (!OPERATORS.includes(operator as ConditionOperator))
      throw invalidFilter(`${path}.operator`, `must be one of ${OPERATORS.join(', ')}`)
    if (isGroupOperator(operator)) {
      if (!Array.isArray(operands)) throw invalidFilter(`${path}.operands`, 'must be an array')
      if (operator === 'not' && operands.length !== 1) throw invalidFilter(`${path}.operands`, '"not" takes exactly one operand')
      return { operator, operands: operands.map((each, i) => read(each, `${path}.operands[${i}]`, depth + 1)) }
    }
    conditions += 1
    if (conditions > MAX_CONDITIONS) throw invalidFilter(path, `a filter can have at most ${MAX_CONDITIONS} conditions`)
    return parseCondition(operator as ConditionOperator, field, value, path, fields)
  }
  return read(parseJson(text), 'filter', 1)
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new ApiError('invalid_filter', 'filter: must be valid JSON.')
  }
}

/** A cache key: equal filters give equal text. */
export const filterKey = (filter: Filter | undefined): string => JSON.stringify(filter ? toKeyParts(filter) : null)

const toKeyParts = (filter: Filter): unknown =>
  'operands' in filter ? [filter.operator, filter.operands.map(toKeyParts)] : [filter.operator, filter.field.name, filter.values]

/** The field names of a filter before validation, because some fields must be looked up first. */
export const findFieldNames = (text: string): string[] => {
  const names = new Set<string>()
  // An explicit stack: a caller's filter may be nested deeper than the call stack allows.
  const nodes: unknown[] = [parseJson(text)]
  for (let node = nodes.pop(); node !== undefined && names.size < MAX_CONDITIONS; node = nodes.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const { operands, field } = node as Record<string, unknown>
    if (Array.isArray(operands)) nodes.push(...operands.slice(0, MAX_CONDITIONS))
    if (typeof field === 'string') names.add(field)
  }
  return [...names]
}

/** Whether a row can start or stop matching without being written: then cached counts and results cannot be updated. */
export const dependsOnOtherRows = (filter: Filter | undefined): boolean => {
  if (!filter) return false
  return 'operands' in filter ? filter.operands.some(dependsOnOtherRows) : filter.field.from_others === true
}

/** The IDs in `property_changes` of the values in other tables that a filter uses. */
export const findChangeLogs = (filter: Filter | undefined): string[] => {
  if (!filter) return []
  if ('operands' in filter) return [...new Set(filter.operands.flatMap(findChangeLogs))]
  return getChangeLogs(filter.field)
}

export const getChangeLogs = ({ relatedTable, logged_as }: ListField): string[] => {
  const id = relatedTable?.id ?? logged_as
  return id === undefined ? [] : [id]
}

export const isGroupOperator = (operator: unknown): operator is FilterGroup['operator'] => GROUP_OPERATORS.includes(operator as 'and')

const parseCondition = (operator: ConditionOperator, name: unknown, value: unknown, path: string, fields: ListFields): FilterCondition => {
  const field = typeof name === 'string' ? fields.find(name) : undefined
  if (!field) {
    const problem = typeof name === 'string' ? fields.unknown?.(name) : undefined
    throw invalidFilter(`${path}.field`, problem ?? `must be one of ${fields.names().join(', ')}`)
  }
  const supported = OPERATORS_BY_TYPE[field.type]
  if (!supported.includes(operator))
    throw invalidFilter(`${path}.operator`, `"${operator}" is not supported for ${name}. Supported: ${supported.join(', ')}`)
  if (operator === 'is_set' || operator === 'is_not_set') return { operator, field, values: [] }
  if (operator !== 'in') return { operator, field, values: [parseFieldValue(field, value, `${path}.value`)] }
  if (!Array.isArray(value)) throw invalidFilter(`${path}.value`, 'must be an array')
  if (value.length > MAX_VALUES) throw invalidFilter(`${path}.value`, `"in" accepts at most ${MAX_VALUES} values`)
  return { operator, field, values: value.map((each, i) => parseFieldValue(field, each, `${path}.value[${i}]`)) }
}

const READERS: Record<FieldType, FieldReader> = {
  text: { expected: 'a string', read: (value) => (typeof value === 'string' && isStorable(value) ? value : undefined) },
  texts: { expected: 'a string', read: (value) => (typeof value === 'string' && isStorable(value) ? value : undefined) },
  id: { expected: 'a UUID', read: (value) => (typeof value === 'string' ? parseId(value) : undefined) },
  ids: { expected: 'a UUID', read: (value) => (typeof value === 'string' ? parseId(value) : undefined) },
  number: {
    expected: 'a number',
    // The API contract shows string values everywhere, so a number or boolean may be sent as text.
    read: (value) => {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
      return typeof number === 'number' && Number.isFinite(number) ? number : undefined
    },
  },
  boolean: {
    expected: 'true or false',
    read: (value) => (value === true || value === 'true' ? true : value === false || value === 'false' ? false : undefined),
  },
  timestamp: { expected: 'an ISO 8601 timestamp', read: (value) => (typeof value === 'string' ? parseTimestamp(value) : undefined) },
}

/** Parses a caller's value for this field; `path` names it in errors. */
export const parseFieldValue = ({ type, reader = READERS[type] }: ListField, value: unknown, path: string): FieldValue => {
  const { expected, read } = reader
  const found = read(value)
  if (found === undefined) throw invalidFilter(path, `must be ${expected}`)
  return found
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const invalidFilter = (path: string, problem: string): ApiError =>
  new ApiError('invalid_filter', `${path}: ${problem}.`, { [path]: [`${problem}.`] })

export interface SplitFilter {
  /** The filter without its condition on a usual value. */
  readonly all: Filter
  /** The rows of `all` that do not match the filter. */
  readonly others: Filter
}

/** Splits a filter that accepts the usual value of a field, in one condition or among several that must all hold. */
export const splitUsualValues = (filter: Filter | undefined): SplitFilter | undefined => {
  if (!filter) return undefined
  const conditions = filter.operator === 'and' ? (filter as FilterGroup).operands : [filter]
  const index = conditions.findIndex(acceptsUsualValue)
  if (index < 0) return undefined
  const { field, values } = conditions[index] as FilterCondition
  const other = field.few_values!.values.filter((value) => !values.includes(value))
  const all = conditions.filter((_, i) => i !== index)
  return {
    all: { operator: 'and', operands: all },
    others: { operator: 'and', operands: [...all, { operator: 'in', field, values: other }] },
  }
}

const acceptsUsualValue = (filter: Filter): boolean =>
  'values' in filter &&
  (filter.operator === 'exact' || filter.operator === 'in') &&
  filter.field.few_values !== undefined &&
  filter.values.includes(filter.field.few_values.usual)
