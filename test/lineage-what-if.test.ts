import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { aHouse, type CallOptions, type House } from './house.ts'
import { aCatalog } from './lineage-catalog.ts'

const UNKNOWN = '018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f'
const SHOP = {
  'shop.public.orders': ['id', 'day', 'price'],
  'shop.public.daily': ['day', 'total'],
  'shop.public.weekly': ['week', 'total'],
}
const DAILY = 'create table daily as select day, sum(price) as total from orders where id > 5 group by day'
const WEEKLY = 'create table weekly as select upper(day) as week, total from daily'

const whatIf = (house: House, body: unknown, options: CallOptions = {}) => house.call('POST', '/lineage/what_if', { body, ...options })

/** A shop with derived lineage and a dashboard on its last table. */
const aShop = async (house: House, more: { published?: boolean } = {}) => {
  const catalog = await aCatalog(house, SHOP, more)
  for (const query of [DAILY, WEEKLY])
    expect((await house.call('POST', '/lineage/lineage_from_query', { body: { sql: query } })).status).toBe(200)
  const board = await house.resource({ title: 'Sales | board', entity_type: 'dashboard', ...more })
  const entry = { from_entity: catalog.get('shop.public.weekly'), to_entity: board.id, direction: 'DOWNSTREAM' }
  await house.call('POST', '/lineage/manual', { body: entry })
  return { board, id: (name: string) => catalog.get(`shop.public.${name}`)! }
}

interface Broken {
  title_full: string
  reason: string
  certain: boolean
  cause: string
}
const named = (breaks: Broken[]) =>
  breaks.map(({ title_full, certain }) => `${title_full.replace('shop.public.', '')}${certain ? '' : ' perhaps'}`)

/** All rows a what-if could change, to check that it changes none. */
const everything = async ({ db }: House) =>
  (
    await sql`select 'edge' as what, to_jsonb(e) as row from lineage_edges e union all select 'query', to_jsonb(q) from lineage_queries q
      union all select 'resource', to_jsonb(r) from resources r union all select 'activity', to_jsonb(a) from activities a order by 1, 2`.execute(
      db,
    )
  ).rows

test('a dropped column: lists the resources that lose their source, their owners and a comment, and changes nothing', async () => {
  await using house = await aHouse()
  const { id, board } = await aShop(house)
  const owner = await house.someone('editor')
  await house.call('PATCH', `/resource/all/${id('weekly')}`, { body: { owners: [owner.id] } })
  const before = await everything(house)
  const { status, body } = await whatIf(house, { dropped_columns: [id('orders.price').toUpperCase()] })
  expect(status).toBe(200)
  expect(named(body.breaks)).toEqual(['daily.total', 'weekly.total', 'Sales | board perhaps'])
  expect(body.breaks.map(({ reason }: Broken) => reason)).toEqual([
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
  expect(await everything(house)).toEqual(before)
})

test('accepts columns by title, renamed columns and dropped tables', async () => {
  await using house = await aHouse()
  const { id } = await aShop(house)
  const renamed = (await whatIf(house, { table_id: id('orders'), renamed_columns: [{ column: 'DAY', to: 'date' }] })).body
  expect(renamed.changes).toEqual([
    {
      id: id('orders.day'),
      title_full: 'shop.public.orders.day',
      entity_type: 'column',
      change: 'column_renamed',
      detail: 'would be renamed to date',
    },
  ])
  expect(named(renamed.breaks)).toEqual(['daily', 'daily.day', 'weekly.total', 'weekly.week', 'Sales | board perhaps'])
  const filter = (await whatIf(house, { table_id: id('orders'), dropped_columns: ['id'] })).body
  expect(filter.breaks[0].reason).toBe('Its rows are filtered by shop.public.orders.id, which would be dropped.')
  const table = (await whatIf(house, { dropped_tables: [id('daily')] })).body
  expect(table.changes.map(({ change }: { change: string }) => change)).toEqual(['table_dropped', 'column_dropped', 'column_dropped'])
  expect(named(table.breaks).sort()).toEqual(['Sales | board perhaps', 'weekly.total', 'weekly.week'])
  const leaf = (await whatIf(house, { table_id: id('daily'), dropped_columns: [], dropped_tables: [id('weekly.week')] })).body
  expect(leaf.comment).toContain('### 1 downstream resource would break')
})

test('a changed query: lists the columns it no longer returns and the columns with other sources', async () => {
  await using house = await aHouse()
  const { id } = await aShop(house)
  const before = await everything(house)
  const lost = (await whatIf(house, { sql: 'select day, sum(price) as amount from orders group by day', table_id: id('daily') })).body
  expect(lost.changes).toEqual([
    expect.objectContaining({ id: id('daily.total'), change: 'column_lost', detail: 'is no longer returned by the changed query' }),
  ])
  expect(named(lost.breaks)).toEqual(['weekly.total', 'Sales | board perhaps'])
  expect(lost.unresolved).toEqual([{ table: 'public.daily', name: 'shop.public.daily.amount', reason: 'not_in_catalog' }])
  const same = (await whatIf(house, { sql: DAILY })).body
  expect([same.changes, same.breaks, same.comment]).toEqual([[], [], '### No changes to resources in the catalog\n'])
  const elsewhere = (await whatIf(house, { sql: 'create table daily as select day, count(id) as total from orders group by day' })).body
  expect(elsewhere.changes).toEqual([
    expect.objectContaining({
      change: 'column_rewired',
      detail: 'gets its values from shop.public.orders.id instead of shop.public.orders.price',
    }),
  ])
  expect(elsewhere.breaks).toEqual([])
  const open = (await whatIf(house, { sql: 'create table daily as select * from nowhere' })).body
  expect([open.changes.filter(({ change }: { change: string }) => change === 'column_lost'), open.notes.length]).toEqual([[], 1])
  // Columns an INSERT omits are not lost, unless it filled them before.
  await house.call('POST', '/lineage/lineage_from_query', { body: { sql: 'insert into orders (id) select total from weekly' } })
  const insert = (await whatIf(house, { sql: 'insert into orders (day) select week from weekly' })).body
  expect(insert.changes.map(({ title_full, change }: { title_full: string; change: string }) => `${title_full} ${change}`)).toEqual([
    'shop.public.orders.id column_lost',
  ])
  expect((await everything(house)).length).toBeGreaterThan(before.length) // by that insert alone
})

const manifest = (models: Record<string, string | undefined>, more: object = {}) => ({
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
  await using house = await aHouse()
  const { id } = await aShop(house)
  const untouched = (await whatIf(house, { manifest: manifest({ daily: DAILY, weekly: WEEKLY }) })).body
  expect([untouched.changes, untouched.notes]).toEqual([[], []])
  const alone = (await whatIf(house, { manifest: manifest({ daily: 'select day from orders', weekly: WEEKLY }) })).body
  expect(named(alone.breaks)).toEqual(['weekly.total', 'Sales | board perhaps'])
  // The model that used the column was changed too: it no longer breaks.
  const both = (
    await whatIf(house, { manifest: manifest({ daily: 'select day from orders', weekly: 'select day as week, 1 as total from daily' }) })
  ).body
  expect(both.changes.map(({ title_full, change }: { title_full: string; change: string }) => `${title_full} ${change}`)).toEqual([
    'shop.public.daily.total column_lost',
    'shop.public.weekly.total column_rewired',
  ])
  expect(named(both.breaks)).toEqual([])
  const odd = (await whatIf(house, { manifest: manifest({ daily: undefined, fresh: 'select 1 as x', weekly: 'selekt' }) })).body
  expect(odd.notes).toEqual([
    'daily: the model is not compiled. Run dbt compile first.',
    'fresh: the table is not in the catalog yet.',
    'weekly: Line 1, column 1: No SQL statement begins with `selekt`. Did you mean SELECT?',
  ])
  expect(id('daily')).toBeDefined()
})

test('neither lists nor names resources the caller may not see', async () => {
  await using house = await aHouse()
  const { id, board } = await aShop(house, { published: true })
  const team = await house.team(true)
  const secret = await house.resource({ title: 'vault', entity_type: 'chart', teams: [team], published: true })
  const seen = await house.resource({ title: 'seen', entity_type: 'chart', published: true })
  for (const [from_entity, to_entity] of [
    [board.id, secret.id],
    [secret.id, seen.id],
  ])
    await house.call('POST', '/lineage/manual', { body: { from_entity, to_entity, direction: 'DOWNSTREAM' } })
  const { token } = await house.someone('viewer', { scope: 'read' })
  const { status, body, text } = await whatIf(house, { dropped_columns: [id('weekly.total')] }, { token })
  expect([status, named(body.breaks)]).toEqual([200, ['Sales | board perhaps', 'seen perhaps']])
  expect(body.breaks[1].reason).toBe('Gets its data from a resource you cannot see, which would lose its own source.')
  for (const word of ['vault', secret.id]) expect(text).not.toContain(word)
  const refused = await whatIf(house, { dropped_tables: [secret.id] }, { token })
  expect([refused.status, refused.body.detail]).toEqual([404, `There is no resource ${secret.id}, or you may not see it.`])
})

test('escapes titles in the Markdown comment', async () => {
  await using house = await aHouse()
  const ids: string[] = []
  for (const title of ['a', '`x` | @everyone\n# <img src=x>']) ids.push((await house.resource({ title, owners: [UNKNOWN] })).id)
  await house.call('POST', '/lineage/manual', { body: { from_entity: ids[0], to_entity: ids[1], direction: 'DOWNSTREAM' } })
  const { comment } = (await whatIf(house, { dropped_tables: [ids[0]] })).body
  expect(comment).toContain(`| \`\` \`x\` \\| @everyone # <img src=x> \`\` | table | ${UNKNOWN} |`)
})

test('rejects invalid input', async () => {
  await using house = await aHouse()
  const { id } = await aShop(house)
  const before = await everything(house)
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
    [400, { manifest: manifest({}, { nodes: 5 }) }],
  ] as const) {
    const answer = await whatIf(house, body)
    expect([JSON.stringify(body), answer.status]).toEqual([JSON.stringify(body), status])
  }
  // Nodes with unexpected shapes are skipped.
  const odd = { nodes: { a: null, b: 5, c: { resource_type: 'model' }, d: { resource_type: 'model', name: 5, compiled_code: {} } } }
  expect((await whatIf(house, { manifest: manifest({}, odd) })).status).toBe(200)
  expect(await everything(house)).toEqual(before)
})
