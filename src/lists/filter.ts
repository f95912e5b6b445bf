import { Refusal } from '../errors.ts'
import { readId } from '../id.ts'
import { readTimestamp } from '../timestamp.ts'
import type { Field, Fields, FieldType, Reader, Value } from './field.ts'

/** A validated filter: every condition has a known field, a matching operator and values of the field's type. */
export type Filter = Branch | Leaf
export interface Branch {
  readonly operator: 'and' | 'or' | 'not'
  readonly operands: readonly Filter[]
}
export interface Leaf {
  readonly operator: LeafOperator
  readonly field: Field
  /** One value, several for `in`, none for `is_set`. */
  readonly values: readonly Value[]
}

const BRANCHES = ['and', 'or', 'not'] as const
const SETNESS = ['is_set', 'is_not_set'] as const
const ORDER = ['gt', 'gte', 'lt', 'lte'] as const
export type LeafOperator = 'exact' | 'contains' | 'starts_with' | 'in' | (typeof SETNESS)[number] | (typeof ORDER)[number]

const FITTING: Record<FieldType, readonly LeafOperator[]> = {
  text: ['exact', 'contains', 'starts_with', 'in', ...SETNESS, ...ORDER],
  id: ['exact', 'in', ...SETNESS],
  number: ['exact', 'in', ...SETNESS, ...ORDER],
  boolean: ['exact', 'in', ...SETNESS],
  timestamp: ['exact', 'in', ...SETNESS, ...ORDER],
  ids: ['exact', 'contains', 'in', ...SETNESS],
  texts: ['exact', 'contains', 'in', ...SETNESS],
}
const OPERATORS = [...BRANCHES, ...FITTING.text]

const DEEPEST = 10
const MOST_LEAVES = 100
const MOST_VALUES = 1000

export const parseFilter = (text: string, fields: Fields): Filter => {
  let leaves = 0
  const read = (node: unknown, spot: string, depth: number): Filter => {
    if (depth > DEEPEST) throw wrong(spot, `filters can be nested at most ${DEEPEST} levels deep`)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) throw wrong(spot, 'must be an object')
    const { operator, operands, field, value } = node as Record<string, unknown>
    if (!OPERATORS.includes(operator as LeafOperator)) throw wrong(`${spot}.operator`, `must be one of ${OPERATORS.join(', ')}`)
    if (isBranch(operator)) {
      if (!Array.isArray(operands)) throw wrong(`${spot}.operands`, 'must be an array')
      if (operator === 'not' && operands.length !== 1) throw wrong(`${spot}.operands`, '"not" takes exactly one operand')
      return { operator, operands: operands.map((each, i) => read(each, `${spot}.operands[${i}]`, depth + 1)) }
    }
    leaves += 1
    if (leaves > MOST_LEAVES) throw wrong(spot, `a filter can have at most ${MOST_LEAVES} conditions`)
    return readLeaf(operator as LeafOperator, field, value, spot, fields)
  }
  return read(parsed(text), 'filter', 1)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal('invalid_filter', 'filter: must be valid JSON.')
  }
}

/** A cache key: equal filters give equal text. */
export const filterKey = (filter: Filter | undefined): string => JSON.stringify(filter ? named(filter) : null)

const named = (filter: Filter): unknown =>
  'operands' in filter ? [filter.operator, filter.operands.map(named)] : [filter.operator, filter.field.name, filter.values]

/** The field names of a filter before validation, because some fields must be looked up first. */
export const namedFields = (text: string): string[] => {
  const names = new Set<string>()
  // An explicit stack: a caller's filter may be nested deeper than the call stack allows.
  const nodes: unknown[] = [parsed(text)]
  for (let node = nodes.pop(); node !== undefined && names.size < MOST_LEAVES; node = nodes.pop()) {
    if (typeof node !== 'object' || node === null) continue
    const { operands, field } = node as Record<string, unknown>
    if (Array.isArray(operands)) nodes.push(...operands.slice(0, MOST_LEAVES))
    if (typeof field === 'string') names.add(field)
  }
  return [...names]
}

/** Whether a row can start or stop matching without being written: then cached counts and results cannot be updated. */
export const looksAtOthers = (filter: Filter | undefined): boolean => {
  if (!filter) return false
  return 'operands' in filter ? filter.operands.some(looksAtOthers) : filter.field.from_others === true
}

/** The related tables a filter uses. */
export const elsewhereIn = (filter: Filter | undefined): string[] => {
  if (!filter) return []
  if ('operands' in filter) return [...new Set(filter.operands.flatMap(elsewhereIn))]
  return filter.field.elsewhere ? [filter.field.elsewhere.id] : []
}

export const isBranch = (operator: unknown): operator is Branch['operator'] => BRANCHES.includes(operator as 'and')

const readLeaf = (operator: LeafOperator, name: unknown, value: unknown, spot: string, fields: Fields): Leaf => {
  const field = typeof name === 'string' ? fields.find(name) : undefined
  if (!field) {
    const problem = typeof name === 'string' ? fields.unknown?.(name) : undefined
    throw wrong(`${spot}.field`, problem ?? `must be one of ${fields.names().join(', ')}`)
  }
  const fitting = FITTING[field.type]
  if (!fitting.includes(operator))
    throw wrong(`${spot}.operator`, `"${operator}" is not supported for ${name}. Supported: ${fitting.join(', ')}`)
  if (operator === 'is_set' || operator === 'is_not_set') return { operator, field, values: [] }
  if (operator !== 'in') return { operator, field, values: [readValue(field, value, `${spot}.value`)] }
  if (!Array.isArray(value)) throw wrong(`${spot}.value`, 'must be an array')
  if (value.length > MOST_VALUES) throw wrong(`${spot}.value`, `"in" accepts at most ${MOST_VALUES} values`)
  return { operator, field, values: value.map((each, i) => readValue(field, each, `${spot}.value[${i}]`)) }
}

const READERS: Record<FieldType, Reader> = {
  text: { expected: 'a string', read: (value) => (typeof value === 'string' && storable(value) ? value : undefined) },
  texts: { expected: 'a string', read: (value) => (typeof value === 'string' && storable(value) ? value : undefined) },
  id: { expected: 'a UUID', read: (value) => (typeof value === 'string' ? readId(value) : undefined) },
  ids: { expected: 'a UUID', read: (value) => (typeof value === 'string' ? readId(value) : undefined) },
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
  timestamp: { expected: 'an ISO 8601 timestamp', read: (value) => (typeof value === 'string' ? readTimestamp(value) : undefined) },
}

const readValue = ({ type, reader = READERS[type] }: Field, value: unknown, spot: string): Value => {
  const { expected, read } = reader
  const found = read(value)
  if (found === undefined) throw wrong(spot, `must be ${expected}`)
  return found
}

const storable = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const wrong = (spot: string, problem: string): Refusal => new Refusal('invalid_filter', `${spot}: ${problem}.`, { [spot]: [`${problem}.`] })
