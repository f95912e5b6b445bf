import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteOldChanges } from '../../src/catalog/listing/count.ts'
import type { ValueType } from '../../src/catalog/properties/value-types.ts'
import { newId } from '../../src/platform/core/id.ts'
import { waitUntilChangesDeleted } from '../lists/change-log.ts'
import { createTestApp, type TestApp, type TestInstance } from '../support/test-app.ts'

/**
 * Filters with `custom_property:<id or name>` are compared with an in-memory implementation, and counted exactly under concurrent writes.
 */
const SEED = 20_260_301
const ALL = '/resource/all_v2/custom_properties/'
const BULK = '/resource/all_v2/bulk_update/custom_properties/'

const USERS = Array.from({ length: 3 }, newId)
const WORDS = ['a', 'B', 'ab', 'Ab', "o'r", '%', '_', '\\', '"', '{', 'é', 'É', 'null', '😀', '10', '9']
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 2 }).map((words) => words.join(''))
const number = fc.constantFrom('-1', '0', '0.5', '7', '10', '12345678901234567890', '12345678901234567891')
const date = fc.constantFrom('1999-12-31', '2026-01-01', '2026-01-02', '0900-06-01')
const url = fc.constantFrom('https://a.example/', 'https://b.example/x', 'http://a.example/%C3%A9')
const items = fc.uniqueArray(text, { minLength: 1, maxLength: 3 })

/** Stored values and filter values to test. */
const BY_TYPE: Record<
  ValueType,
  { stored: fc.Arbitrary<string | string[]>; searched: fc.Arbitrary<string>; operators: readonly string[] }
> = (() => {
  const order = ['gt', 'gte', 'lt', 'lte']
  const texts = ['exact', 'in', 'contains', 'starts_with', ...order]
  const user = fc.constantFrom(...USERS)
  const flag = fc.constantFrom('true', 'false')
  return {
    string: { stored: text, searched: text, operators: texts },
    select: { stored: text, searched: text, operators: texts },
    url: { stored: url, searched: fc.oneof(url, text), operators: texts },
    number: { stored: number, searched: number, operators: ['exact', 'in', ...order] },
    boolean: { stored: flag, searched: flag, operators: ['exact', 'in'] },
    date: { stored: date, searched: date, operators: ['exact', 'in', ...order] },
    multi_select: { stored: items, searched: text, operators: ['exact', 'in', 'contains'] },
    user: { stored: user, searched: user, operators: ['exact', 'in'] },
    resource: { stored: user, searched: user, operators: ['exact', 'in'] },
    tag: { stored: user, searched: user, operators: ['exact', 'in'] },
  }
})()
const TYPES = Object.keys(BY_TYPE) as ValueType[]

interface FilterInput {
  operator: string
  operands?: FilterInput[]
  field?: string
  value?: string | string[]
}
type Row = { id: string } & Partial<Record<ValueType, string | string[]>>

const leaf: fc.Arbitrary<FilterInput> = fc.constantFrom(...TYPES).chain((type) =>
  fc.constantFrom(...BY_TYPE[type].operators, 'is_set', 'is_not_set').chain((operator) => {
    const field = `custom_property:the ${type}`
    if (operator.startsWith('is_')) return fc.constant({ operator, field })
    return (operator === 'in' ? fc.array(BY_TYPE[type].searched, { maxLength: 3 }) : BY_TYPE[type].searched).map((value) => ({
      operator,
      field,
      value,
    }))
  }),
)
const filters = fc.letrec<{ filter: FilterInput }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'filter' },
    leaf,
    fc.record({ operator: fc.constantFrom('and', 'or'), operands: fc.array(tie('filter'), { maxLength: 3 }) }),
    fc.record({ operator: fc.constant('not'), operands: fc.tuple(tie('filter')) }),
  ),
})).filter

/** Compares numbers exactly, beyond float precision; everything else by its bytes. */
const compare = (type: ValueType, a: string, b: string): number => {
  if (type !== 'number') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  const scaled = (text: string) =>
    BigInt(Math.round(Number(text) * 10) === Number(text) * 10 && text.length < 10 ? Number(text) * 10 : `${text}0`)
  const [left, right] = [scaled(a), scaled(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

const matches = (row: Row, { operator, operands = [], field = '', value }: FilterInput): boolean => {
  if (operator === 'and') return operands.every((each) => matches(row, each))
  if (operator === 'or') return operands.some((each) => matches(row, each))
  if (operator === 'not') return !matches(row, operands[0]!)
  const type = field.slice('custom_property:the '.length) as ValueType
  const actual = row[type]
  if (operator === 'is_set') return actual !== undefined
  if (operator === 'is_not_set') return actual === undefined
  if (actual === undefined) return false
  if (Array.isArray(actual)) return operator === 'in' ? actual.some((each) => value!.includes(each)) : actual.includes(value as string)
  if (operator === 'exact') return actual === value
  if (operator === 'in') return (value as string[]).includes(actual)
  if (operator === 'contains') return actual.toLowerCase().includes((value as string).toLowerCase())
  if (operator === 'starts_with') return actual.startsWith(value as string)
  const order = compare(type, actual, value as string)
  return operator === 'gt' ? order > 0 : operator === 'gte' ? order >= 0 : operator === 'lt' ? order < 0 : order <= 0
}

const query = (filter: unknown) => `filter=${encodeURIComponent(JSON.stringify(filter))}`
const list = async ({ call }: Pick<TestInstance, 'call'>, filter: unknown, more = '') => {
  const { status, body } = await call('GET', `/resource/catalog?page_size=1000&${query(filter)}${more}`)
  expect([status, body.detail]).toEqual([200, undefined])
  return { ids: body.results.map(({ id }: { id: string }) => id).sort() as string[], count: body.count as number }
}

const fill = async (app: TestApp, n: number): Promise<Row[]> => {
  await sql`insert into users (id, email, role, created_at, updated_at) select u, u::text, 'viewer', now(), now() from unnest(${USERS}::uuid[]) u`.execute(
    app.db,
  )
  await sql`
    insert into resources (id, created_at, updated_at, version, entity_type, title, title_cased, title_full)
    select u, now(), now(), 1, 'table', 't', 't', 't' from unnest(${USERS}::uuid[]) u
  `.execute(app.db)
  for (const value_type of TYPES) await app.call('POST', ALL, { body: { name: `the ${value_type}`, value_type } })
  const samples = fc.sample(fc.record(Object.fromEntries(TYPES.map((type) => [type, BY_TYPE[type].stored])), { requiredKeys: [] }), {
    numRuns: n,
    seed: SEED,
  })
  const rows: Row[] = USERS.map((id) => ({ id }))
  for (const values of samples) {
    const { id } = await app.createResource()
    rows.push({ id, ...values })
    const properties = Object.fromEntries(
      Object.entries(values).map(([type, value]) => [`the ${type}`, typeof value === 'string' ? value : JSON.stringify(value)]),
    )
    const { status, text } = await app.call('PUT', BULK, { body: { entity_ids: [id], properties } })
    expect(status, text).toBe(200)
  }
  return rows
}

describe('any filter', () => {
  let app: TestApp
  let rows: Row[]
  beforeAll(async () => {
    app = await createTestApp()
    rows = await fill(app, 60)
  })
  afterAll(() => app[Symbol.asyncDispose]())

  test('returns and counts exactly the matching resources', async () => {
    await fc.assert(
      fc.asyncProperty(filters, async (filter) => {
        const expected = rows.filter((row) => matches(row, filter)).map(({ id }) => id)
        expect(await list(app, filter)).toEqual({ ids: expected.sort(), count: expected.length })
      }),
      { numRuns: 150, seed: SEED },
    )
  })

  test('can be combined with record fields, search and cursor pagination', async () => {
    const tier = { operator: 'is_set', field: 'custom_property:the string' }
    const expected = rows.filter((row) => row.string !== undefined)
    const both = { operator: 'and', operands: [tier, { operator: 'exact', field: 'type', value: 'table' }] }
    expect((await list(app, both)).count).toBe(expected.length)
    expect((await app.call('GET', `/search?${query(tier)}&page_size=1`)).body.count).toBe(expected.length)
    const walked: string[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await app.call('GET', `/resource/catalog?page_size=7&cursor=${cursor}&${query(tier)}`)
      walked.push(...body.results.map(({ id }: { id: string }) => id))
      cursor = body.meta.next_cursor
    }
    expect(walked.sort()).toEqual(expected.map(({ id }) => id).sort())
  })

  test('accepts the ID or the case-insensitive name of a property, and typed JSON values', async () => {
    const { body } = await app.call('GET', `${ALL}the%20number`)
    const all = await list(app, { operator: 'gte', field: 'custom_property:the number', value: '7' })
    expect(all.count).toBeGreaterThan(0)
    for (const key of [body.id, body.id.replaceAll('-', '').toUpperCase(), 'THE Number'])
      for (const value of [7, ' 7.00 ', '07'])
        expect(await list(app, { operator: 'gte', field: `custom_property:${key}`, value })).toEqual(all)
    const escaped = '{"operator":"gte","field":"\\u0063ustom_property:the number","value":7}'
    expect((await app.call('GET', `/resource/catalog?filter=${encodeURIComponent(escaped)}`)).body.count).toBe(all.count)
    const flagged = await list(app, { operator: 'exact', field: 'custom_property:the boolean', value: true })
    expect(flagged).toEqual(await list(app, { operator: 'exact', field: 'custom_property:the boolean', value: 'TRUE' }))
  })

  test('rejects invalid conditions and names their position', async () => {
    for (const [field, operator, value, spot, message] of [
      ['custom_property:nothing', 'exact', 'x', 'filter.operands[0].field', 'custom property "nothing" does not exist'],
      [`custom_property:${newId()}`, 'is_set', undefined, 'filter.operands[0].field', 'does not exist'],
      ['custom_property:', 'is_set', undefined, 'filter.operands[0].field', 'custom property "" does not exist'],
      ['custom_property:a\0b', 'is_set', undefined, 'filter.operands[0].field', 'does not exist'],
      ['custom_property:\ud800', 'is_set', undefined, 'filter.operands[0].field', 'does not exist'],
      ['custom_property', 'is_set', undefined, 'filter.operands[0].field', 'must be one of'],
      [
        'custom_property:the number',
        'contains',
        '7',
        'filter.operands[0].operator',
        '"contains" is not supported for custom_property:the number',
      ],
      ['custom_property:the number', 'gt', 'seven', 'filter.operands[0].value', 'must be a number'],
      ['custom_property:the number', 'gt', ['7'], 'filter.operands[0].value', 'must be a number'],
      ['custom_property:the number', 'in', [7, null], 'filter.operands[0].value[1]', 'must be a number'],
      ['custom_property:the date', 'gt', '2026-02-30', 'filter.operands[0].value', 'a date'],
      ['custom_property:the boolean', 'exact', 'yes', 'filter.operands[0].value', 'true or false'],
      ['custom_property:the user', 'exact', 'ada', 'filter.operands[0].value', 'a UUID'],
      ['custom_property:the user', 'gt', USERS[0], 'filter.operands[0].operator', 'is not supported for'],
      ['custom_property:the multi_select', 'starts_with', 'a', 'filter.operands[0].operator', 'is not supported for'],
      ['custom_property:the string', 'exact', 'a\0b', 'filter.operands[0].value', 'a string'],
    ] as const) {
      const { status, body } = await app.call(
        'GET',
        `/resource/catalog?${query({ operator: 'and', operands: [{ field, operator, value }] })}`,
      )
      expect([status, body.code, Object.keys(body.errors)[0]], JSON.stringify([field, operator, value])).toEqual([
        400,
        'invalid_filter',
        spot,
      ])
      expect(body.detail).toContain(message)
    }
    const deep = `${'{"operator":"not","operands":['.repeat(500)}{"field":"custom_property:x"}${']}'.repeat(500)}`
    expect((await app.call('GET', `/resource/catalog?filter=${encodeURIComponent(deep)}`)).body.code).toBe('invalid_filter')
    const sort = encodeURIComponent('{"field":"custom_property:the number"}')
    expect((await app.call('GET', `/resource/catalog?sort=${sort}`)).body.code).toBe('invalid_sort')
  })
})

test('counts exactly on two instances after random writes', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  for (const [name, value_type] of [
    ['Tier', 'string'],
    ['Rows', 'number'],
  ])
    await app.call('POST', ALL, { body: { name, value_type } })
  const ids = await Promise.all(Array.from({ length: 30 }, async () => (await app.createResource({ verified: true })).id))
  const leafs = {
    gold: { operator: 'exact', field: 'custom_property:Tier', value: 'gold' },
    many: { operator: 'gt', field: 'custom_property:Rows', value: '5' },
    unset: { operator: 'is_not_set', field: 'custom_property:Tier' },
    verified: { operator: 'exact', field: 'verified', value: true },
  }
  const LISTS = [
    leafs.gold,
    leafs.many,
    leafs.unset,
    { operator: 'and', operands: [leafs.gold, leafs.verified] },
    { operator: 'or', operands: [leafs.many, { operator: 'not', operands: [leafs.verified] }] },
  ]
  const has = (property: string, condition: string) =>
    `exists (select from property_values v join custom_properties p on p.id = v.property_id where v.resource_id = r.id and p.name = '${property}' and ${condition})`
  const [gold, many, set] = [
    has('Tier', "v.value = 'gold'"),
    has('Rows', "case when p.name = 'Rows' then v.value::numeric > 5 end"),
    has('Tier', 'true'),
  ]
  const truth = async (): Promise<number[]> => {
    const conditions = [gold, many, `not ${set}`, `${gold} and r.verified`, `(${many} or not r.verified)`]
    const columns = conditions.map((condition) => `(count(*) filter (where ${condition}))::int`)
    const { rows } = await sql.raw<{ counts: number[] }>(`select array[${columns.join()}] as counts from resources r`).execute(app.db)
    return rows[0]!.counts
  }
  const counts = ({ call }: Pick<TestInstance, 'call'>) =>
    Promise.all(LISTS.map(async (filter) => (await call('GET', `/resource/catalog?page_size=1&${query(filter)}`)).body.count as number))
  const some = (i: number) => ids.filter((_, k) => (k * 7 + i) % 4 === 0)
  const set_ = (i: number, properties: object) => app.call('PUT', BULK, { body: { entity_ids: some(i), properties } })
  const STEPS: readonly ((i: number) => Promise<unknown>)[] = [
    (i) => set_(i, { Tier: i % 2 ? 'gold' : 'silver' }),
    (i) => set_(i, { Tier: '', Rows: String(i % 11) }),
    (i) => set_(i, { Rows: i % 3 ? '6' : '' }),
    (i) => app.call('PATCH', `/resource/all/${ids[i % ids.length]}`, { body: { verified: i % 2 === 0 } }),
    async (i) => {
      const [gone] = ids.splice(i % ids.length, 1)
      await app.call('DELETE', `/resource/all/${gone}`)
      if (i % 2 === 0) {
        await counts(app)
        await app.call('POST', `/resource/all/${gone}/restore`, { body: { version: 1 } })
        ids.push(gone!)
      }
    },
    async () => ids.push((await app.createResource()).id),
    (i) =>
      app.db
        .transaction()
        .execute(async (db) => {
          await sql`delete from property_values where resource_id = any(${some(i)}::uuid[])`.execute(db)
          throw new Error('rolled back')
        })
        .catch(() => {}),
    (i) => sql`delete from property_values where resource_id = any(${some(i)}::uuid[])`.execute(app.db),
    () => deleteOldChanges(app.ctx),
    async (i) => {
      await app.call('PATCH', `${ALL}Rows`, { body: { value_type: i % 2 ? 'number' : 'string' } })
      expect((await counts(app))[1]).toBeGreaterThanOrEqual(0)
      await app.call('PATCH', `${ALL}Rows`, { body: { value_type: 'number' } })
    },
  ]
  const order = fc.sample(fc.nat(STEPS.length - 1), { numRuns: 60, seed: SEED })
  for (const [i, step] of order.entries()) {
    await STEPS[step]!(i)
    const expected = await truth()
    expect(await counts(app), `after step ${i}: ${step}`).toEqual(expected)
    if (i % 3 === 2) expect(await counts(other), `elsewhere, after step ${i}`).toEqual(expected)
  }
})

test('counts a value of a long transaction after its commit', async () => {
  await using app = await createTestApp()
  await using other = await app.createInstance()
  const { id } = await app.createResource()
  const property = (await app.call('POST', ALL, { body: { name: 'Tier', value_type: 'string' } })).body.id
  const filter = { operator: 'exact', field: 'custom_property:Tier', value: 'gold' }
  const [started, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const long = other.database.db.transaction().execute(async (db) => {
    await sql`insert into property_values (resource_id, property_id, updated_at, value) values (${id}, ${property}, now(), 'gold')`.execute(
      db,
    )
    started.resolve()
    await gate.promise
  })
  await started.promise
  for (let i = 0; i < 3; i += 1) {
    expect((await list(app, filter)).count).toBe(0)
    await app.createResource()
    await deleteOldChanges(app.ctx)
    await sql`update resource_change_horizons set at = at - interval '11 minutes'`.execute(app.db)
    await deleteOldChanges(app.ctx)
  }
  gate.resolve()
  await long
  expect((await list(app, filter)).count).toBe(1)
  await waitUntilChangesDeleted(app)
  expect(await app.db.selectFrom('property_changes').selectAll().execute()).toEqual([])
})

test('a changed value invalidates cached results of the catalog and the search', async () => {
  await using app = await createTestApp()
  const { id } = await app.createResource({ title: 'orders' })
  await app.call('POST', ALL, { body: { name: 'Tier', value_type: 'string' } })
  const sendRequest = async (value: string) => {
    const filter = query({ operator: 'contains', field: 'custom_property:Tier', value })
    const [catalog, search] = [await app.call('GET', `/resource/catalog?${filter}`), await app.call('GET', `/search?q=orders&${filter}`)]
    return [catalog.body.count, search.body.count]
  }
  expect(await sendRequest('CAFÉ')).toEqual([0, 0])
  await app.call('PUT', `${ALL}Tier/${id}`, { body: { value: 'in the café' } })
  expect(await sendRequest('CAFÉ')).toEqual([1, 1])
  expect(await sendRequest('tea')).toEqual([0, 0])
  await app.call('DELETE', `${ALL}Tier/${id}`)
  expect(await sendRequest('CAFÉ')).toEqual([0, 0])
})

test('neither finds nor counts hidden resources', async () => {
  await using app = await createTestApp()
  const viewer = await app.createUser('viewer')
  const [shown, draft] = [await app.createResource({ published: true }), await app.createResource()]
  await app.call('POST', ALL, { body: { name: 'Tier', value_type: 'string' } })
  await app.call('PUT', BULK, { body: { entity_ids: [shown.id, draft.id], properties: { Tier: 'gold' } } })
  const filter = query({ operator: 'exact', field: 'custom_property:Tier', value: 'gold' })
  const { body } = await app.call('GET', `/resource/catalog?${filter}`, { token: viewer.token })
  expect([body.count, body.results.map(({ id }: { id: string }) => id)]).toEqual([1, [shown.id]])
})
