import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** What the tabs of a table show: facts about its columns, its code and its relationships. All tests share one synced file. */
const VIEW = `create view spend as
  select c.name, sum(o.total) as spent from orders o join customers c on o.customer = c.id group by c.name`

let app: TestApp
let folder: string
let resources: Map<string, string>
const idOf = (title_full: string): string => resources.get(title_full)!
const get = async (path: string, token = app.token) => (await app.call('GET', path, { token })).body

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablinum-screens-'))
  app = await createTestApp({ filesFolder: folder })
  const file = new DatabaseSync(join(folder, 'shop.db'))
  for (const statement of [
    'create table customers (id integer primary key, name text)',
    'create table orders (id integer primary key, customer int references customers (id), total real, coupon text)',
    'create table coupons (code text primary key, percent int)',
    VIEW,
    'create view discounted as select o.id, k.percent from orders o join coupons k on k.code = o.coupon',
  ])
    file.exec(statement)
  file.close()
  await runSync(app, await createTestIntegration(app, 'sqlite', { path: 'shop.db' }))
  const { results } = await get('/resource/catalog?page_size=100')
  resources = new Map(results.map(({ id, title_full }: { id: string; title_full: string }) => [title_full, id]))
  for (const id of resources.values()) await app.call('PATCH', `/resource/all/${id}`, { body: { published: true } })
})
afterAll(async () => {
  await app?.[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

test('facts about columns: keys, statistics, suspicion of PII, lineage counts, and who described them', async () => {
  const [orders, customer, name] = [idOf('shop.orders'), idOf('shop.orders.customer'), idOf('shop.customers.name')]
  await sql`
    insert into column_profiles (resource_id, table_id, profiled_at, sampled, rows_read, nulls, distinct_values, distinct_approximate)
    values (${customer}, ${orders}, now(), 'all', 3, 1, 2, true)
  `.execute(app.db)
  await sql`
    insert into pii_suggestions (id, resource_id, integration, class, confidence, evidence, status, created_at, updated_at)
    select gen_random_uuid(), r.id, r.integration, 'person_name', 0.8, '{}', 'open', now(), now() from resources r where r.id = ${name}
  `.execute(app.db)
  await app.call('PATCH', `/resource/all/${customer}`, { body: { description: 'Who ordered it.' } })

  const facts = await get(`/ui/columns/${orders}`)
  expect(Object.keys(facts)).toHaveLength(4)
  expect(facts[customer]).toEqual({
    health: 'unknown',
    references: { table_id: idOf('shop.customers'), table: 'customers', column: 'id' },
    null_percentage: 33.33,
    distinct_values: 2,
    distinct_approximate: true,
    suspected_pii: null,
    upstream: 0,
    downstream: 0,
    discussions: 0,
    described_by: 'person',
  })
  expect(facts[idOf('shop.orders.total')]).toMatchObject({ references: null, null_percentage: null, downstream: 1, described_by: null })

  const { results: first } = await get(`/table/columns?parent_id=${orders}&page_size=2`)
  const ids = (first as { id: string }[]).map(({ id }) => id)
  expect(await get(`/ui/columns/${orders}?limit=2`)).toEqual(Object.fromEntries(ids.map((id) => [id, facts[id]])))

  const viewer = await app.createUser('viewer')
  const suspected = async (token: string) => (await get(`/ui/columns/${idOf('shop.customers')}`, token))[name].suspected_pii
  expect(await suspected(app.token)).toEqual({ class: 'person_name', confidence: 0.8 })
  expect(await suspected(viewer.token)).toBe(null)
  // A hidden column is not listed, counted or referred to.
  await app.call('PATCH', `/resource/all/${idOf('shop.spend.spent')}`, { body: { published: false } })
  await app.call('PATCH', `/resource/all/${idOf('shop.customers')}`, { body: { published: false } })
  const seen = await get(`/ui/columns/${orders}`, viewer.token)
  expect([seen[idOf('shop.orders.total')].downstream, seen[customer].references]).toEqual([0, null])
  expect((await app.call('GET', `/ui/columns/${idOf('shop.customers')}`, { token: viewer.token })).status).toBe(404)
  for (const hidden of ['shop.spend.spent', 'shop.customers'])
    await app.call('PATCH', `/resource/all/${idOf(hidden)}`, { body: { published: true } })
})

test('code: the definition of a view with the expressions of its columns, and queries that fill a table', async () => {
  const { blocks } = await get(`/resource/all/${idOf('shop.spend')}/code`)
  expect(blocks).toHaveLength(1)
  const [{ kind, language, code, columns }] = blocks
  expect([kind, language, code]).toEqual(['view', 'sqlite', expect.stringContaining('sum(o.total) as spent')])
  const spent = columns.find(({ title }: { title: string }) => title === 'spent')
  expect(spent.spans).toMatchObject([{ from: idOf('shop.orders.total'), from_title: 'orders.total' }])
  expect(code.slice(spent.spans[0].start, spent.spans[0].end)).toBe('sum(o.total)')

  const totals = await app.createResource({ title: 'totals', published: true })
  const query = 'insert into totals select total from shop.orders'
  await app.call('POST', '/lineage/lineage_from_query', { body: { sql: query, table_id: totals.id } })
  const viewer = await app.createUser('viewer')
  const derived = async (token: string) => (await get(`/resource/all/${totals.id}/code`, token)).blocks
  expect(await derived(viewer.token)).toMatchObject([{ kind: 'derived', code: query }])
  expect((await get(`/ui/resource/${totals.id}`)).tabs.code).toBe(1)
  // The text of a query names everything it reads.
  await app.call('PATCH', `/resource/all/${idOf('shop.orders')}`, { body: { published: false } })
  expect(await derived(viewer.token)).toEqual([])
  expect((await derived(app.token)).length).toBe(1)
  expect((await app.call('GET', `/resource/all/${idOf('shop.orders')}/code`, { token: viewer.token })).status).toBe(404)
  await app.call('PATCH', `/resource/all/${idOf('shop.orders')}`, { body: { published: true } })
})

test('relationships: foreign keys, and joins of queries, of a table and of everything beside it', async () => {
  const [orders, customers, coupons] = ['orders', 'customers', 'coupons'].map((title) => idOf(`shop.${title}`))
  const key = {
    kind: 'foreign_key',
    name: null,
    from: orders,
    to: customers,
    columns: [{ from: { id: idOf('shop.orders.customer'), title: 'customer' }, to: { id: idOf('shop.customers.id'), title: 'id' } }],
    queries: null,
  }
  const ends = [
    { id: idOf('shop.coupons.code'), title: 'code' },
    { id: idOf('shop.orders.coupon'), title: 'coupon' },
  ]
  const read = async (id: string | undefined, token = app.token) => get(`/resource/all/${id}/relationships`, token)
  const of = async (id: string | undefined, token?: string) => (await read(id, token)).relationships
  // The join on the columns of the foreign key is not listed twice.
  const [first, join, ...more] = await of(orders)
  expect([first, more]).toEqual([key, []])
  expect(join).toMatchObject({ kind: 'join', queries: 1 })
  expect([join.from, join.to].sort()).toEqual([orders, coupons].sort())
  expect([join.columns[0].from, join.columns[0].to].sort((a, b) => (a.title < b.title ? -1 : 1))).toEqual(ends)
  expect(await of(customers)).toEqual([key])
  expect(await of(idOf('shop'))).toEqual([key, join])
  const { tables } = await read(customers)
  expect(tables).toMatchObject([
    { id: customers, health: 'unknown', columns: [{ title: 'id', is_pk: true }] },
    {
      id: orders,
      columns: [
        { title: 'id', is_pk: true },
        { title: 'customer', is_pk: false },
      ],
    },
  ])
  // Nothing about tables and queries that the caller cannot see.
  const viewer = await app.createUser('viewer')
  await app.call('PATCH', `/resource/all/${idOf('shop.discounted')}`, { body: { published: false } })
  expect(await of(orders, viewer.token)).toEqual([key])
  await app.call('PATCH', `/resource/all/${customers}`, { body: { published: false } })
  expect(await of(orders, viewer.token)).toEqual([])
  expect((await app.call('GET', `/resource/all/${customers}/relationships`, { token: viewer.token })).status).toBe(404)
})
