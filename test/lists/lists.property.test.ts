import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getFieldsFor } from '../../src/catalog/records/fields.ts'
import { parseFilter } from '../../src/platform/lists/filter.ts'
import { filterSql } from '../../src/platform/lists/filter-sql.ts'
import { parseSort } from '../../src/platform/lists/sort.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { type FilterInput, filters, insertRandomRows, matchesFilter, type Row, type SortInput, sortRows, sorts } from './rows.ts'

/** For any query: the list selects and orders like a plain in-memory implementation, and no value becomes SQL. */
const RUNS = 100
const SEED = 20_260_301

let app: TestApp
let rows: Row[]
beforeAll(async () => {
  app = await createTestApp()
  rows = await insertRandomRows(app.db, 80, SEED)
})
afterAll(() => app[Symbol.asyncDispose]())

const queryOf = (parts: Record<string, unknown>): string =>
  Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(typeof value === 'object' ? JSON.stringify(value) : String(value))}`)
    .join('&')

const list = async (parts: { filter?: FilterInput; sort?: SortInput; page?: number; page_size?: number; cursor?: string }) => {
  const { status, body } = await app.call('GET', `/resource/catalog?${queryOf(parts)}`)
  expect([status, body.code]).toEqual([200, undefined])
  return { ids: body.results.map(({ id }: { id: string }) => id) as string[], count: body.count as number, meta: body.meta }
}

test('a filter becomes parameters: none of its values is in the SQL text', () => {
  const values = ({ operands = [], value }: FilterInput): unknown[] => [
    ...(value === undefined ? [] : [value].flat()),
    ...operands.flatMap(values),
  ]
  fc.assert(
    fc.property(filters, (filter) => {
      const compiled = sql`${filterSql(parseFilter(JSON.stringify(filter), getFieldsFor(SYSTEM)))}`.compile(app.db)
      // The SQL text without the keywords written by the compiler.
      const text = compiled.sql.replace(
        /r\.id in \(select f\.resource_id from resource_refs f where f\.target = any\(\$\d+::uuid\[\]\) and f\.field = '\w+'\)|"r"\."\w+"|"C"|\$\d+|\b(and|or|is|not|null|true|false|ilike|like|any|array|lower|collate|text|uuid|numeric|boolean|timestamptz)\b/g,
        '',
      )
      expect(text).toMatch(/^[\s()<>=+:&@[\],']*$/)
      expect(text.replaceAll("''", '')).not.toContain("'")
      const parameters = compiled.parameters.flat(2).map((each) => String(each).replace(/\\([\\%_])/g, '$1'))
      for (const value of values(filter)) expect(parameters.some((each) => each.includes(String(value)))).toBe(true)
    }),
    { numRuns: 500, seed: SEED },
  )
})

test('a filter selects the matching rows and counts them exactly', async () => {
  await fc.assert(
    fc.asyncProperty(filters, async (filter) => {
      const expected = rows.filter((row) => matchesFilter(row, filter)).map(({ id }) => id)
      const { ids, count } = await list({ filter, page_size: 1000 })
      expect([...ids].sort()).toEqual([...expected].sort())
      expect(count).toBe(expected.length)
    }),
    { numRuns: RUNS, seed: SEED },
  )
})

test('a sort orders text in lower case, nulls last and ties by ID', async () => {
  await fc.assert(
    fc.asyncProperty(sorts, async (sort) => {
      expect((await list({ sort, page_size: 1000 })).ids).toEqual(sortRows(rows, sort))
    }),
    { numRuns: RUNS, seed: SEED },
  )
})

test('all pages together are the whole list, and so is reading by cursor', async () => {
  await fc.assert(
    fc.asyncProperty(sorts, filters, fc.integer({ min: 15, max: 80 }), async (sort, filter, page_size) => {
      const expected = sortRows(
        rows.filter((row) => matchesFilter(row, filter)),
        sort,
      )
      const paged: string[] = []
      for (let page: number | null = 1; page !== null; ) {
        const { ids, meta } = await list({ sort, filter, page, page_size })
        paged.push(...ids)
        page = meta.next_page
      }
      expect(paged).toEqual(expected)
      const walked: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { ids, meta, count } = await list({ sort, filter, page_size, cursor })
        expect(count).toBe(expected.length)
        walked.push(...ids)
        expect(walked).toEqual(expected.slice(0, walked.length))
        cursor = meta.next_cursor
      }
      expect(walked).toEqual(expected)
    }),
    { numRuns: RUNS / 4, seed: SEED },
  )
})

test('numbers and booleans may be sent as text, and aliases equal their fields', async () => {
  for (const [one, other] of [
    [
      { operator: 'gte', field: 'external_usage', value: '1' },
      { operator: 'gte', field: 'external_usage', value: 1 },
    ],
    [
      { operator: 'exact', field: 'pii', value: 'true' },
      { operator: 'exact', field: 'pii', value: true },
    ],
    [
      { operator: 'exact', field: 'type', value: 'table' },
      { operator: 'exact', field: 'entity_type', value: 'table' },
    ],
    [
      { operator: 'is_set', field: 'parent_id' },
      { operator: 'is_set', field: 'parent' },
    ],
  ] as [FilterInput, FilterInput][])
    expect(await list({ filter: one })).toEqual(await list({ filter: other }))
})

test('every field can be filtered and every single-valued field sorted', async () => {
  const { count } = await list({ page_size: 1 })
  for (const name of getFieldsFor(SYSTEM).names()) {
    const isSet: FilterInput = { operator: 'is_set', field: name as 'id' }
    const [set, unset] = await Promise.all(
      [isSet, { operator: 'not' as const, operands: [isSet] }].map((filter) => list({ filter, page_size: 1 })),
    )
    expect(set!.count + unset!.count, name).toBe(count)
    const { type } = getFieldsFor(SYSTEM).find(name)!
    if (type === 'ids' || type === 'texts') continue
    expect(parseSort(JSON.stringify({ field: name }), getFieldsFor(SYSTEM))).toBeTruthy()
    expect((await list({ sort: { field: name as 'id', order: 'desc' }, page_size: 1 })).ids, name).toHaveLength(1)
    expect((await list({ sort: { field: name as 'id' }, page_size: 1, cursor: '' })).meta.next_cursor, name).toBeTruthy()
  }
})
