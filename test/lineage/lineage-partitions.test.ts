import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { isPartitionOf, listParentTitles } from '../../src/lineage/queries/partition-names.ts'
import { createLineageCatalog, listEdges } from '../support/lineage-catalog.ts'
import { createPostgresSource, createTestIntegration, findByFullTitle, findLineageSources, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const save = async (app: TestApp, text: string, dialect: string) => {
  const { status, body } = await app.call('POST', '/lineage/lineage_from_query', { body: { sql: text, dialect } })
  expect([text, status]).toEqual([text, 200])
  return body
}

for (const [name, parent, partitions, expected] of [
  ['orders_2026_01', 'orders', [], true],
  ['orders_y2026m01', 'orders', [], true],
  ['orders_p20260101', 'orders', [], true],
  ['orders_default', 'orders', [], true],
  ['orders_7', 'orders', [], true],
  ['orders_archive', 'orders', [], false],
  ['orders_2026_backup', 'orders', [], false],
  ['orders_eu', 'orders', ['orders_eu'], true],
  ['orders_eu_2026', 'orders', ['orders_eu'], true],
  ['returns_2026', 'orders', [], false],
] as const)
  test(`${name} is ${expected ? 'a' : 'no'} partition of ${parent}`, () => {
    expect(isPartitionOf(name, { title: parent, partitions })).toBe(expected)
    if (expected) expect(listParentTitles(name)).toContain(parent)
  })

test('a partition of Postgres stands for its table, in lineage and usage', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table orders (id int, day date, price numeric) partition by range (day)',
    "create table orders_2026_01 partition of orders for values from ('2026-01-01') to ('2026-02-01')",
    "create table orders_first partition of orders for values from ('2025-01-01') to ('2026-01-01')",
    'create table daily (day date, total numeric)',
    'create table plain (id int)',
  )
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  const titled = (title: string) => findByFullTitle(app, `${source.name}.public.${title}`)
  const [orders, daily] = [await titled('orders'), await titled('daily')]

  for (const partition of ['orders_2026_01', 'orders_first', 'orders_2026_02']) {
    const query = `insert into daily select day, sum(price) from public.${partition} group by day`
    const { body } = await app.call(
      'GET',
      `/lineage/lineage_from_query?${new URLSearchParams({ sql: query, integration_id: integration })}`,
    )
    expect([partition, body.source_tables.map(({ id }: { id: string }) => id)]).toEqual([partition, [orders.id]])
    expect(body.unresolved).toEqual([])
    expect(body.column_lineages.map(({ from_column }: { from_column: { table_id: string } }) => from_column.table_id)).toEqual([
      orders.id,
      orders.id,
    ])
  }
  await save(app, 'insert into daily select day, sum(price) from orders_2026_01 group by day', 'postgres')
  expect(await findLineageSources(app, daily.id)).toEqual(['daily', 'orders'])
  // Written rows go to the table as well; a table that the script creates, and one like it without partitions, do not.
  const written = await save(app, 'insert into orders_2026_02 select * from plain', 'postgres')
  expect(written.target_table.id).toBe(orders.id)
  const script = await save(
    app,
    'create temp table orders_1 as select id from plain; insert into orders select id from orders_1',
    'postgres',
  )
  expect(script.statements[0].target_table.id).toBeNull()
  expect((await save(app, 'insert into daily select id, 1 from plain_2026_01', 'postgres')).source_tables[0].id).toBeNull()

  const log = await createTestIntegration(app, 'query_log', { dialect: 'postgres', warehouse: integration, database: source.name })
  const csv =
    'sql,user,time\nselect price from public.orders_2026_01,ada,2026-01-01 10:00:00\nselect id from public.plain_2026_01,ada,2026-01-01 10:00:00'
  const form = `--log\r\ncontent-disposition: form-data; name="file"; filename="history"\r\n\r\n${csv}\r\n--log--\r\n`
  const headers = { 'content-type': 'multipart/form-data; boundary=log' }
  expect((await app.call('POST', `/integration/query_log/${log}/upload`, { headers, body: Buffer.from(form) })).status).toBe(200)
  await runSync(app, log)
  expect([(await titled('orders')).external_usage, (await titled('plain')).external_usage]).toEqual([1, 0])
})

test('a partition is itself where the catalog has it, and a hidden table is not found through it', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, {
    'shop.public.orders': ['id'],
    'shop.public.orders_2026': ['id'],
    'shop.public.daily': ['id'],
  })
  await sql`update resources set display_metadata = '{"partition_key": "RANGE (day)"}' where id = ${catalog.get('shop.public.orders')}`.execute(
    app.db,
  )
  await save(app, 'insert into daily select id from orders_2026', 'postgres')
  expect(await listEdges(app, catalog)).toEqual([
    'shop.public.orders_2026 > shop.public.daily table',
    'shop.public.orders_2026.id > shop.public.daily.id identity',
  ])
  const find = async (token?: string) => {
    const { body } = await app.call(
      'GET',
      `/lineage/lineage_from_query?${new URLSearchParams({ sql: 'select id from orders_2027' })}`,
      token ? { token } : {},
    )
    return body.source_tables.map(({ title, id }: { title: string; id: string | null }) => [title, id])
  }
  expect(await find()).toEqual([['orders', catalog.get('shop.public.orders')]])
  expect(await find((await app.createUser('viewer')).token)).toEqual([['orders_2027', null]])
})

test('decorators and wildcards of BigQuery', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, {
    'p.sales.orders': ['id'],
    'p.web.events_20260101': ['id'],
    'p.web.events_20260102': ['id', 'page'],
    'p.web.events_archive': ['id'],
    'p.other.events_20270101': ['id'],
    'p.app.taps': ['id'],
    'p.app.clicks_*': ['id'],
    'p.sales.daily': ['id'],
  })
  const names = new Map([...catalog].map(([name, id]) => [id, name]))
  for (const [table, expected] of [
    ['`p.sales.orders$20260101`', 'p.sales.orders'],
    ['sales.orders$20260101', 'p.sales.orders'],
    ['`p.web.events_*`', 'p.web.events_20260102'],
    ['`p.web.events_202601*`', 'p.web.events_20260102'],
    ['`p.web.events_20260101`', 'p.web.events_20260101'],
    ['`p.web.events_20250101`', undefined],
    ['`p.app.taps_*`', 'p.app.taps'],
    ['`p.app.taps_20260101`', 'p.app.taps'],
    ['`p.app.clicks_*`', 'p.app.clicks_*'],
    ['`p.app.clicks_20260101`', 'p.app.clicks_*'],
    ['`p.app.nothing_*`', undefined],
  ] as const) {
    const { source_tables } = await save(app, `insert into \`p.sales.daily\` select id from ${table}`, 'bigquery')
    expect([table, source_tables.map(({ id }: { id: string }) => names.get(id))]).toEqual([table, [expected]])
  }
  const { source_tables, target_table } = await save(app, 'insert into `p.sales.orders$20260101` select id from `p.app.taps`', 'bigquery')
  expect([source_tables[0].id, target_table.id]).toEqual([catalog.get('p.app.taps'), catalog.get('p.sales.orders')])
})

test('a partition behind the name of a table is ignored', async () => {
  await using app = await createTestApp()
  const catalog = await createLineageCatalog(app, { 'shop.sales.orders': ['id', 'ds'], 'shop.sales.daily': ['id', 'ds'] })
  await save(
    app,
    "insert overwrite table sales.daily partition (ds='2026-01-01') select id from sales.orders where ds = '2026-01-01'",
    'hive',
  )
  expect(await listEdges(app, catalog)).toEqual([
    'shop.sales.orders > shop.sales.daily table',
    'shop.sales.orders.ds > shop.sales.daily filter',
    'shop.sales.orders.id > shop.sales.daily.id identity',
  ])
})
