import fc from 'fast-check'
import { sql } from 'kysely'
import { newId } from '../../src/platform/core/id.ts'
import type { Db } from '../../src/platform/db/connect.ts'

/** Rows of every field type, filters and sorts over them, and a simple in-memory implementation of both. */
const FIELDS = {
  title: 'text',
  title_full: 'text',
  description: 'text',
  native_type: 'text',
  id: 'id',
  parent: 'id',
  base_entity_id: 'id',
  external_usage: 'number',
  internal_usage: 'number',
  row_count: 'number',
  total_usage: 'number',
  published: 'boolean',
  pii: 'boolean',
  created_at: 'timestamp',
  stale_at: 'timestamp',
  owners: 'ids',
  tags: 'ids',
  sources: 'texts',
} as const
type FieldName = keyof typeof FIELDS
type FieldValue = string | number | boolean | string[] | null
export type Row = Record<FieldName, FieldValue> & { id: string }

const NULLABLE: readonly FieldName[] = [
  'description',
  'native_type',
  'base_entity_id',
  'row_count',
  'stale_at',
  'owners',
  'tags',
  'sources',
]

/** Few values, so that they collide, including characters that are special in SQL, LIKE, JSON and arrays. */
const WORDS = ['a', 'B', 'ab', 'Ab', "o'r", '%', '_', '\\', '"', '{', ',', 'é', 'É', 'Ω', 'null', '', ' ', '$1', ';--', '😀']
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 3 }).map((words) => words.join(''))
const IDS = Array.from({ length: 6 }, newId)
const id = fc.constantFrom(...IDS)
const moment = fc.constantFrom(
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2025-12-31T23:59:59.999Z',
  '1999-06-01T12:00:00.000Z',
)
const whole = fc.constantFrom(-1, 0, 1, 2, 7, 1000, 2_000_000_000)

const VALUE = { text, id, number: whole, boolean: fc.boolean(), timestamp: moment, ids: id, texts: text } as const
const ORDER = ['gt', 'gte', 'lt', 'lte'] as const
const OPERATORS = {
  text: ['exact', 'contains', 'starts_with', 'in', 'is_set', 'is_not_set', ...ORDER],
  id: ['exact', 'in', 'is_set', 'is_not_set'],
  number: ['exact', 'in', 'is_set', 'is_not_set', ...ORDER],
  boolean: ['exact', 'in', 'is_set', 'is_not_set'],
  timestamp: ['exact', 'in', 'is_set', 'is_not_set', ...ORDER],
  ids: ['exact', 'contains', 'in', 'is_set', 'is_not_set'],
  texts: ['exact', 'contains', 'in', 'is_set', 'is_not_set'],
} as const

export interface FilterInput {
  operator: string
  operands?: FilterInput[]
  field?: FieldName
  value?: unknown
}

const conditions: fc.Arbitrary<FilterInput> = fc.constantFrom(...(Object.keys(FIELDS) as FieldName[])).chain((field) => {
  const type = FIELDS[field]
  return fc.constantFrom(...OPERATORS[type]).chain((operator): fc.Arbitrary<FilterInput> => {
    if (operator === 'is_set' || operator === 'is_not_set') return fc.constant({ operator, field, operands: [] })
    const value: fc.Arbitrary<unknown> = VALUE[type]
    return (operator === 'in' ? fc.array(value, { maxLength: 4 }) : value).map((value) => ({ operator, field, value }))
  })
})

export const filters: fc.Arbitrary<FilterInput> = fc.letrec<{ filter: FilterInput }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'filter' },
    conditions,
    fc.record({ operator: fc.constantFrom('and', 'or'), operands: fc.array(tie('filter'), { maxLength: 4 }) }),
    fc.record({ operator: fc.constant('not'), operands: fc.tuple(tie('filter')) }),
  ),
})).filter

/** Compares code points, not UTF-16 units: the order of UTF-8 bytes, as in Postgres's "C" collation. */
const compareText = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b))
const compare = (a: FieldValue, b: FieldValue): number =>
  typeof a === 'string' && typeof b === 'string' ? compareText(a, b) : Number(a) - Number(b)

export const matchesFilter = (row: Row, { operator, operands = [], field, value }: FilterInput): boolean => {
  if (operator === 'and') return operands.every((each) => matchesFilter(row, each))
  if (operator === 'or') return operands.some((each) => matchesFilter(row, each))
  if (operator === 'not') return !matchesFilter(row, operands[0]!)
  const actual = row[field!]
  const set = actual !== null && actual !== ''
  if (operator === 'is_set') return set
  if (operator === 'is_not_set') return !set
  if (actual === null) return false
  const expected = value as FieldValue
  if (Array.isArray(actual))
    return operator === 'in' ? actual.some((each) => (value as FieldValue[]).includes(each)) : actual.includes(value as string)
  if (operator === 'exact') return actual === expected
  if (operator === 'in') return (value as FieldValue[]).includes(actual)
  if (operator === 'contains') return String(actual).toLowerCase().includes(String(expected).toLowerCase())
  if (operator === 'starts_with') return String(actual).startsWith(String(expected))
  const order = compare(actual, expected)
  return operator === 'gt' ? order > 0 : operator === 'gte' ? order >= 0 : operator === 'lt' ? order < 0 : order <= 0
}

export interface SortInput {
  field: FieldName
  order?: 'asc' | 'desc'
  tie_breaker?: { field: FieldName; order?: 'asc' | 'desc' }
}
const key = fc.record(
  {
    field: fc.constantFrom(...(Object.keys(FIELDS) as FieldName[]).filter((field) => !FIELDS[field].endsWith('s'))),
    order: fc.constantFrom('asc' as const, 'desc' as const),
  },
  { requiredKeys: ['field'] },
)
export const sorts: fc.Arbitrary<SortInput> = fc
  .record({ field: fc.constant('title' as FieldName), tie_breaker: key }, { requiredKeys: ['field'] })
  .chain(({ tie_breaker }) => key.map((first) => ({ ...first, ...(tie_breaker ? { tie_breaker } : {}) })))

/** Sorts in memory: text case-insensitively, nulls last in both directions, ties by ID. */
export const sortRows = (rows: readonly Row[], { tie_breaker, ...first }: SortInput): string[] => {
  const keys: Omit<SortInput, 'tie_breaker'>[] = [first, ...(tie_breaker ? [tie_breaker] : []), { field: 'id', order: 'asc' }]
  const folded = (value: FieldValue) => (typeof value === 'string' ? value.toLowerCase() : value)
  const order = (a: Row, b: Row): number => {
    for (const { field, order = 'asc' } of keys) {
      const [left, right] = [a[field], b[field]]
      if (left === null && right === null) continue
      if (left === null || right === null) return left === null ? 1 : -1
      const by = FIELDS[field] === 'text' ? compare(folded(left), folded(right)) : compare(left, right)
      if (by !== 0) return order === 'desc' ? -by : by
    }
    return 0
  }
  return [...rows].sort(order).map(({ id }) => id)
}

const rowOf = fc.record(
  Object.fromEntries(
    (Object.keys(FIELDS) as FieldName[]).map((field) => {
      const type = FIELDS[field]
      const one: fc.Arbitrary<FieldValue> =
        type === 'ids' || type === 'texts' ? fc.uniqueArray(VALUE[type], { minLength: 1, maxLength: 3 }) : VALUE[type]
      return [field, NULLABLE.includes(field) ? fc.option(one, { freq: 2 }) : one]
    }),
  ) as Record<FieldName, fc.Arbitrary<FieldValue>>,
)

/** The same random rows in the database and in memory. */
export const insertRandomRows = async (db: Db, n: number, seed: number): Promise<Row[]> => {
  const created = fc.sample(rowOf, { numRuns: n, seed })
  const rows = created.map((row, i): Row => {
    const external_usage = Number(row.external_usage) % 1000
    const internal_usage = Number(row.internal_usage) % 1000
    return {
      ...row,
      id: i < IDS.length ? IDS[i]! : newId(),
      parent: i % 3 === 0 ? null : IDS[i % IDS.length]!,
      title: String(row.title),
      external_usage,
      internal_usage,
      total_usage: external_usage + internal_usage,
    }
  })
  for (const some of [rows.slice(0, IDS.length), rows.slice(IDS.length)])
    await sql`
      insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full, description, native_type, parent,
        base_entity_id, external_usage, internal_usage, row_count, published, pii, stale_at, owners, tags, sources)
      select id, created_at, created_at, 1, 'table', title, title, title_full, description, native_type, null, base_entity_id, external_usage,
        internal_usage, row_count, published, pii, stale_at, owners, tags, sources
      from json_to_recordset(${JSON.stringify(some)}::text::json) as x(id uuid, created_at timestamptz, title text, title_full text, description text,
        native_type text, base_entity_id uuid, external_usage int, internal_usage int, row_count bigint, published boolean,
        pii boolean, stale_at timestamptz, owners uuid[], tags uuid[], sources text[])
    `.execute(db)
  const parents = rows.map(({ id, parent }) => ({ id, parent }))
  await sql`update resources r set parent = p.parent from json_to_recordset(${JSON.stringify(parents)}::text::json) as p(id uuid, parent uuid)
    where p.id = r.id`.execute(db)
  return rows
}
