import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { saveFlow } from '../../src/sources/job-flows/save-flow.ts'
import { buildItemKey } from '../../src/sources/sync/item.ts'
import { createLineageCatalog } from '../support/lineage-catalog.ts'
import { type CallOptions, createTestApp, type TestApp } from '../support/test-app.ts'

const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const SHOP = {
  'shop.public.orders': ['id', 'day', 'price'],
  'shop.public.daily': ['day', 'total'],
  'shop.public.weekly': ['week', 'total'],
}
const DAILY = 'create table daily as select day, sum(price) as total from orders where id > 5 group by day'
const WEEKLY = 'create table weekly as select upper(day) as week, total from daily'

const whatIf = (app: TestApp, body: unknown, options: CallOptions = {}) => app.call('POST', '/lineage/what_if', { body, ...options })

/** A shop with derived lineage and a dashboard on its last table. */
const createShop = async (app: TestApp, more: { published?: boolean } = {}) => {
  const catalog = await createLineageCatalog(app, SHOP, more)
  for (const query of [DAILY, WEEKLY])
    expect((await app.call('POST', '/lineage/lineage_from_query', { body: { sql: query } })).status).toBe(200)
  const board = await app.createResource({ title: 'Sales | board', entity_type: 'dashboard', ...more })
  const entry = { from_entity: catalog.get('shop.public.weekly'), to_entity: board.id, direction: 'DOWNSTREAM' }
  await app.call('POST', '/lineage/manual', { body: entry })
  return { board, id: (name: string) => catalog.get(`shop.public.${name}`)! }
}

interface BreakBody {
  title_full: string
  reason: string
  certain: boolean
  cause: string
}
const breakNames = (breaks: BreakBody[]) =>
  breaks.map(({ title_full, certain }) => `${title_full.replace('shop.public.', '')}${certain ? '' : ' perhaps'}`)

/** All rows a what-if could change, to check that it changes none. */
const dumpEverything = async ({ db }: TestApp) =>
  (
    await sql`select 'edge' as what, to_jsonb(e) as row from lineage_edges e union all select 'query', to_jsonb(q) from lineage_queries q
      union all select 'resource', to_jsonb(r) from resources r union all select 'activity', to_jsonb(a) from activities a order by 1, 2`.execute(
      db,
    )
  ).rows

test('a dropped column: lists the resources that lose their source, their owners and a comment, and changes nothing', async () => {
  await using app = await createTestApp()
  const { id, board } = await createShop(app)
  const owner = await app.createUser('editor')
  await app.call('PATCH', `/resource/all/${id('weekly')}`, { body: { owners: [owner.id] } })
  const before = await dumpEverything(app)
  const { status, body } = await whatIf(app, { dropped_columns: [id('orders.price').toUpperCase()] })
  expect(status).toBe(200)
  expect(breakNames(body.breaks)).toEqual(['daily.total', 'weekly.total', 'Sales | board perhaps'])
  expect(body.breaks.map(({ reason }: BreakBody) => reason)).toEqual([
    'Gets its data from shop.public.orders.price, which would be dropped.',
    'Gets its data from shop.public.daily.total, which would lose its own source.',
    'Depends on the table of shop.public.weekly.total, which would lose its own source. It is unknown which columns it uses.',
  ])
  expect(body.breaks[2]).toMatchObject({ id: board.id, cause: id('orders.price'), distance: 3 })
  expect(body.breaks[2].path.map(({ title }: { title: string }) => title)).toEqual(['price', 'total', 'total', 'Sales | board'])
  expect(body.owners).toEqual([{ id: owner.id, type: 'user', name: 'editor Person', email: expect.any(String), count: 1 }])
  expect(body.totals).toEqual({ breaks: 3, certain: 2, by_entity_type: { column: 2, dashboard: 1 }, unowned: 2 })
  expect(body.comment).toBe(`### 3 downstream resources would break

**Changes**

- \`shop.public.orders.price\` would be dropped

| Breaks | Type | Owners | Reason |
| --- | --- | --- | --- |
| \`shop.public.daily.total\` | column | – | Gets its data from shop.public.orders.price, which would be dropped. |
| \`shop.public.weekly.total\` | column | editor Person | Gets its data from shop.public.daily.total, which would lose its own source. |
| \`Sales \\| board\` | dashboard | – | Depends on the table of shop.public.weekly.total, which would lose its own source. It is unknown which columns it uses. |

**Owners to notify:** editor Person (1)

2 of these have no owner.
`)
  expect(await dumpEverything(app)).toEqual(before)
})

test('accepts columns by title, renamed columns and dropped tables', async () => {
  await using app = await createTestApp()
  const { id } = await createShop(app)
  const renamed = (await whatIf(app, { table_id: id('orders'), renamed_columns: [{ column: 'DAY', to: 'date' }] })).body
  expect(renamed.changes).toEqual([
    {
      id: id('orders.day'),
      title_full: 'shop.public.orders.day',
      entity_type: 'column',
      change: 'column_renamed',
      detail: 'would be renamed to date',
      detail_translatable: { template: 'would be renamed to {name}', values: { name: 'date' } },
    },
  ])
  expect(breakNames(renamed.breaks)).toEqual(['daily', 'daily.day', 'weekly.total', 'weekly.week', 'Sales | board perhaps'])
  const filter = (await whatIf(app, { table_id: id('orders'), dropped_columns: ['id'] })).body
  expect(filter.breaks[0].reason).toBe('Its rows are filtered by shop.public.orders.id, which would be dropped.')
  const table = (await whatIf(app, { dropped_tables: [id('daily')] })).body
  expect(table.changes.map(({ change }: { change: string }) => change)).toEqual(['table_dropped', 'column_dropped', 'column_dropped'])
  expect(breakNames(table.breaks).sort()).toEqual(['Sales | board perhaps', 'weekly.total', 'weekly.week'])
  const leaf = (await whatIf(app, { table_id: id('daily'), dropped_columns: [], dropped_tables: [id('weekly.week')] })).body
  expect(leaf.comment).toContain('### 1 downstream resource would break')
})

test('a job that reports only tables does not hide which columns the query between them reads', async () => {
  await using app = await createTestApp()
  const { id, board } = await createShop(app)
  const { id: job } = await app.createResource({ title: 'nightly', entity_type: 'job' })
  const after = { inputs: [id('orders')], outputs: [id('daily'), board.id], columns: [] }
  await saveFlow(app.ctx, { key: buildItemKey('', 'job', 'shop', 'nightly'), owner: job, job, after })
  const price = (await whatIf(app, { dropped_columns: [id('orders.price')] })).body
  expect(breakNames(price.breaks)).toEqual(['Sales | board perhaps', 'daily.total', 'weekly.total'])
  const filter = (await whatIf(app, { dropped_columns: [id('orders.id')] })).body
  expect(breakNames(filter.breaks).slice(0, 2)).toEqual(['Sales | board perhaps', 'daily'])
  expect(filter.breaks[1].reason).toBe('Its rows are filtered by shop.public.orders.id, which would be dropped.')

  // A second query whose columns are unknown stays: it is not what the first one does.
  const body = { sql: 'insert into daily (total) select count(*) from orders' }
  expect((await app.call('POST', '/lineage/lineage_from_query', { body })).status).toBe(200)
  const unknown = (await whatIf(app, { dropped_columns: [id('orders.price')] })).body
  expect(breakNames(unknown.breaks).slice(0, 3)).toEqual(['Sales | board perhaps', 'daily perhaps', 'daily.total'])
  const both = (await whatIf(app, { dropped_columns: [id('orders.id')] })).body
  expect(both.breaks[1].reason).toBe('Its rows are filtered by shop.public.orders.id, which would be dropped.')
})

test('a changed query: lists the columns it no longer returns and the columns with other sources', async () => {
  await using app = await createTestApp()
  const { id } = await createShop(app)
  const before = await dumpEverything(app)
  const lost = (await whatIf(app, { sql: 'select day, sum(price) as amount from orders group by day', table_id: id('daily') })).body
  expect(lost.changes).toEqual([
    expect.objectContaining({ id: id('daily.total'), change: 'column_lost', detail: 'is no longer returned by the changed query' }),
  ])
  expect(breakNames(lost.breaks)).toEqual(['weekly.total', 'Sales | board perhaps'])
  expect(lost.unresolved).toEqual([{ table: 'public.daily', name: 'shop.public.daily.amount', reason: 'not_in_catalog' }])
  const same = (await whatIf(app, { sql: DAILY })).body
  expect([same.changes, same.breaks, same.comment]).toEqual([[], [], '### No changes to resources in the catalog\n'])
  const elsewhere = (await whatIf(app, { sql: 'create table daily as select day, count(id) as total from orders group by day' })).body
  expect(elsewhere.changes).toEqual([
    expect.objectContaining({
      change: 'column_rewired',
      detail: 'gets its values from shop.public.orders.id instead of shop.public.orders.price',
    }),
  ])
  expect(elsewhere.breaks).toEqual([])
  const open = (await whatIf(app, { sql: 'create table daily as select * from nowhere' })).body
  expect([open.changes.filter(({ change }: { change: string }) => change === 'column_lost'), open.notes.length]).toEqual([[], 1])
  // Columns an INSERT omits are not lost, unless it filled them before.
  await app.call('POST', '/lineage/lineage_from_query', { body: { sql: 'insert into orders (id) select total from weekly' } })
  const insert = (await whatIf(app, { sql: 'insert into orders (day) select week from weekly' })).body
  expect(insert.changes.map(({ title_full, change }: { title_full: string; change: string }) => `${title_full} ${change}`)).toEqual([
    'shop.public.orders.id column_lost',
  ])
  expect((await dumpEverything(app)).length).toBeGreaterThan(before.length) // by that insert alone
})

const createManifest = (models: Record<string, string | undefined>, more: object = {}) => ({
  metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json', adapter_type: 'postgres' },
  nodes: Object.fromEntries(
    Object.entries(models).map(([name, compiled_code]) => [
      `model.shop.${name}`,
      { resource_type: 'model', name, alias: name, database: 'shop', schema: 'public', compiled_code, config: { materialized: 'table' } },
    ]),
  ),
  ...more,
})

test('a dbt manifest: compares only models whose SQL changed, together with each other', async () => {
  await using app = await createTestApp()
  await createShop(app)
  const untouched = (await whatIf(app, { manifest: createManifest({ daily: DAILY, weekly: WEEKLY }) })).body
  expect([untouched.changes, untouched.notes]).toEqual([[], []])
  const alone = (await whatIf(app, { manifest: createManifest({ daily: 'select day from orders', weekly: WEEKLY }) })).body
  expect(breakNames(alone.breaks)).toEqual(['weekly.total', 'Sales | board perhaps'])
  // The model that used the column was changed too: it no longer breaks.
  const both = (
    await whatIf(app, {
      manifest: createManifest({ daily: 'select day from orders', weekly: 'select day as week, 1 as total from daily' }),
    })
  ).body
  expect(both.changes.map(({ title_full, change }: { title_full: string; change: string }) => `${title_full} ${change}`)).toEqual([
    'shop.public.daily.total column_lost',
    'shop.public.weekly.total column_rewired',
  ])
  expect(breakNames(both.breaks)).toEqual([])
  // A large manifest is parsed in a thread, with the same result.
  const large = await whatIf(app, {
    manifest: createManifest({ daily: 'select day from orders', weekly: WEEKLY }, { macros: { a: { macro_sql: 'x'.repeat(3_000_000) } } }),
  })
  expect(large.body).toEqual(alone)
  const broken = await app.fastify.inject({
    method: 'POST',
    url: '/api/v1/lineage/what_if',
    headers: { authorization: `Bearer ${app.token}`, 'content-type': 'application/json' },
    payload: `{"manifest": "${'x'.repeat(3_000_000)}`,
  })
  expect([broken.statusCode, broken.json().code]).toEqual([400, 'malformed_json'])
  const odd = (await whatIf(app, { manifest: createManifest({ daily: undefined, fresh: 'select 1 as x', weekly: 'selekt' }) })).body
  expect(odd.notes).toEqual([
    'daily: the model is not compiled. Run dbt compile first.',
    'fresh: the table is not in the catalog yet.',
    'weekly: Line 1, column 1: No SQL statement begins with `selekt`. Did you mean SELECT?',
  ])
})

test('neither lists nor names resources the caller may not see', async () => {
  await using app = await createTestApp()
  const { id, board } = await createShop(app, { published: true })
  const team = await app.createTeam(true)
  const secret = await app.createResource({ title: 'vault', entity_type: 'chart', teams: [team], published: true })
  const seen = await app.createResource({ title: 'seen', entity_type: 'chart', published: true })
  for (const [from_entity, to_entity] of [
    [board.id, secret.id],
    [secret.id, seen.id],
  ])
    await app.call('POST', '/lineage/manual', { body: { from_entity, to_entity, direction: 'DOWNSTREAM' } })
  const { token } = await app.createUser('viewer', { scope: 'read' })
  const { status, body, text } = await whatIf(app, { dropped_columns: [id('weekly.total')] }, { token })
  expect([status, breakNames(body.breaks)]).toEqual([200, ['Sales | board perhaps', 'seen perhaps']])
  expect(body.breaks[1].reason).toBe('Gets its data from a resource you cannot see, which would lose its own source.')
  for (const word of ['vault', secret.id]) expect(text).not.toContain(word)
  const rejected = await whatIf(app, { dropped_tables: [secret.id] }, { token })
  expect([rejected.status, rejected.body.detail]).toEqual([404, `Resource ${secret.id} was not found, or you do not have access to it.`])
})

test('escapes titles in the Markdown comment', async () => {
  await using app = await createTestApp()
  const ids: string[] = []
  for (const title of ['a', '`x` | @everyone\n# <img src=x>']) ids.push((await app.createResource({ title, owners: [UNKNOWN] })).id)
  await app.call('POST', '/lineage/manual', { body: { from_entity: ids[0], to_entity: ids[1], direction: 'DOWNSTREAM' } })
  const { comment } = (await whatIf(app, { dropped_tables: [ids[0]] })).body
  expect(comment).toContain(`| \`\` \`x\` \\| @everyone # <img src=x> \`\` | table | ${UNKNOWN} |`)
})

test('rejects invalid input', async () => {
  await using app = await createTestApp()
  const { id } = await createShop(app)
  const before = await dumpEverything(app)
  for (const [status, body] of [
    [400, {}],
    [400, { dropped_columns: [] }],
    [400, { dropped_columns: ['price'] }],
    [400, { dropped_columns: ['nobody'], table_id: id('orders') }],
    [400, { dropped_columns: 'price' }],
    [400, { dropped_columns: [5] }],
    [400, { dropped_columns: ['\0'], table_id: id('orders') }],
    [404, { dropped_columns: [UNKNOWN] }],
    [404, { dropped_columns: ['price'], table_id: UNKNOWN }],
    [400, { dropped_columns: ['price'], table_id: 'orders' }],
    [404, { dropped_tables: [UNKNOWN] }],
    [400, { dropped_tables: ['orders'] }],
    [400, { renamed_columns: [{ column: 'day' }], table_id: id('orders') }],
    [400, { sql: 'select 1' }],
    [400, { sql: 'selekt 1', table_id: id('daily') }],
    [400, { sql: 'create table nobody as select day from orders' }],
    [400, { sql: 'select 1', table_id: id('daily'), dialect: 'klingon' }],
    [404, { sql: 'select 1', table_id: UNKNOWN }],
    [400, { manifest: [] }],
    [400, { manifest: {} }],
    [400, { manifest: { metadata: { dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v0.json' }, nodes: {} } }],
    [400, { manifest: createManifest({}, { nodes: 5 }) }],
    [400, { manifest: { metadata: { dbt_schema_version: { toString: 1 } }, nodes: {} } }],
  ] as const) {
    const response = await whatIf(app, body)
    expect([JSON.stringify(body), response.status]).toEqual([JSON.stringify(body), status])
  }
  // Nodes with unexpected shapes are skipped.
  const odd = { nodes: { a: null, b: 5, c: { resource_type: 'model' }, d: { resource_type: 'model', name: 5, compiled_code: {} } } }
  expect((await whatIf(app, { manifest: createManifest({}, odd) })).status).toBe(200)
  const { metadata } = createManifest({})
  for (const adapter_type of [{ toString: 1 }, 'constructor', null])
    expect((await whatIf(app, { manifest: createManifest({}, { metadata: { ...metadata, adapter_type } }) })).status).toBe(200)
  expect(await dumpEverything(app)).toEqual(before)
})
