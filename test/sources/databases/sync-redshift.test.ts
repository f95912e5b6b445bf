import { expect, test } from 'vitest'
import { postgresConnector } from '../../../src/sources/connectors/postgres/postgres.ts'
import { redshiftConnector } from '../../../src/sources/connectors/redshift/redshift.ts'
import { createRedshiftProxy } from '../../protocols/redshift.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, findByFullTitle, runSync, toSource } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

const PATH = '/integration/integrations'

/** What Redshift has in addition to the Postgres catalog, according to its documentation. */
const REDSHIFT_VIEWS = [
  'set allow_system_table_mods = on',
  `create view pg_catalog.svv_table_info as select current_database()::text as "database", 'sales'::text as "schema", 42 as table_id, 'orders'::text as "table",
     7::bigint as size, 50::numeric as tbl_rows, 'KEY(customer)'::text as diststyle, 'placed_at'::text as sortkey1`,
  `create view pg_catalog.svv_mv_info as select current_database()::char(128) as database_name, 'sales'::char(128) as schema_name, 'daily'::char(128) as name`,
  `create view pg_catalog.svv_external_tables as select 'lake'::text as schemaname, 'events'::text as tablename, 's3://lake/events'::text as location`,
  `create view pg_catalog.svv_external_columns as select 'lake'::text as schemaname, 'events'::text as tablename, 'day'::text as columnname, 'date'::text as external_type, 1 as columnnum, 1 as part_key`,
  `create function pg_catalog.getdate() returns timestamptz language sql stable as 'select now()'`,
  `create function pg_catalog.pg_get_late_binding_view_cols() returns setof record language sql as $$ select 'sales'::name, 'late'::name, 'id'::name, 'integer'::varchar, 1 $$`,
  `create view pg_catalog.sys_query_history as select u.usesysid as user_id, current_database()::char(128) as database_name, 'success'::text as status, now() as start_time,
     'SELECT'::text as query_type, q.query_text::char(4000) as query_text from pg_user u, (values ('select id from sales.orders where mail = ''swordfish'''),
     ('select id from sales.orders where mail = ''trout''')) q(query_text) where u.usename = current_user`,
]
const SHOP = [
  'create schema sales',
  "comment on schema sales is 'All we sell.'",
  'create table sales.customers (id bigint primary key, email varchar(200) unique)',
  'create table sales.orders (id int, line int, customer bigint references sales.customers (id), total numeric(10, 2) default 0, placed_at timestamp, primary key (id, line))',
  "comment on table sales.orders is 'One row for each order.'",
  "comment on column sales.orders.total is 'With tax.'",
  'create view sales.big as select id, total from sales.orders where total > 100',
  'create view sales.daily as select sum(total) as total from sales.orders',
  'create table sales.mv_tbl__daily__0 (total numeric)',
  'create view sales.late as select',
  'create schema "o""d\'d.😀"',
  'create table "o""d\'d.😀"."ta.ble" ("co\'l" int not null)',
]

test('discovers Redshift with supported syntax only, and a second sync writes nothing', async () => {
  await using app = await createTestApp()
  await using server = await createPostgresSource(...REDSHIFT_VIEWS, ...SHOP)
  await using proxy = await createRedshiftProxy(server.credentials.port)
  const credentials = { ...server.credentials, port: proxy.port, query_history: true }
  const id = await createTestIntegration(app, 'redshift', credentials)
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, expect.stringContaining(`database ${server.name}: 3 schemas.`)])
  const first = await runSync(app, id)
  expect(first).toMatchObject({
    error: null,
    report: { new: { database: 1, schema: 4, table: 7, column: 13, query: 1 } },
  })
  const at = (name: string) => `${server.name}.${name}`
  expect(await findByFullTitle(app, at('sales'))).toMatchObject({ description: 'All we sell.' })
  expect(await findByFullTitle(app, at('sales.orders'))).toMatchObject({
    native_type: 'table',
    description: 'One row for each order.',
    row_count: 50,
    byte_size: 7 * 1024 * 1024,
    display_metadata: {
      distribution: 'KEY(customer)',
      sort_key: 'placed_at',
      foreign_keys: [{ name: 'orders_customer_fkey', columns: ['customer'], table: 'sales.customers', to: ['id'] }],
      constraints: [{ name: 'orders_pkey', type: 'primary key', definition: 'PRIMARY KEY (id, line)' }],
    },
  })
  expect(await findByFullTitle(app, at('sales.orders.line'))).toMatchObject({ is_pk: true, display_metadata: { nullable: false } })
  expect(await findByFullTitle(app, at('sales.orders.total'))).toMatchObject({
    is_pk: false,
    native_type: 'numeric(10,2)',
    description: 'With tax.',
    sort_order: 4,
    display_metadata: { nullable: true, default: '0' },
  })
  expect(await findByFullTitle(app, at('sales.daily'))).toMatchObject({ native_type: 'materialized view' })
  expect(await findByFullTitle(app, at('sales.late.id'))).toMatchObject({ native_type: 'integer' })
  expect(await findByFullTitle(app, at('lake.events'))).toMatchObject({
    native_type: 'external table',
    display_metadata: { location: 's3://lake/events' },
  })
  expect(await findByFullTitle(app, at('lake.events.day'))).toMatchObject({ display_metadata: { partition_key: 1 } })
  expect(await findByFullTitle(app, at("o\"d'd.😀.ta.ble.co'l"))).toMatchObject({ native_type: 'integer' })
  const view = await findByFullTitle(app, at('sales.big'))
  const { body: lineage } = await app.call('GET', `/lineage/graph?resource_id=${view.id}&direction=UPSTREAM&depth=1&level=table`)
  expect(lineage.nodes.map(({ title }: { title: string }) => title).sort()).toEqual(['big', 'orders'])
  const { body: queries } = await app.call('GET', '/query/queries')
  expect(queries.results).toMatchObject([{ title: 'select id from sales.orders where mail = ?', freq: 2 }])
  await expectNoChanges(app, id, { table: 7, column: 13 })
  const orders = await findByFullTitle(app, at('sales.orders'))
  await server.run('alter table sales.orders rename to purchases')
  await runSync(app, id)
  expect(await findByFullTitle(app, at('sales.purchases'))).toMatchObject({ id: orders.id })
  // Only the server identifier was requested, and is optional.
  expect(new Set(proxy.rejected)).toEqual(new Set(['pg_control_system']))
})

test('discovers the catalog without further privileges', async () => {
  await using app = await createTestApp()
  await using server = await createPostgresSource(...SHOP)
  await using proxy = await createRedshiftProxy(server.credentials.port)
  const id = await createTestIntegration(app, 'redshift', { ...server.credentials, port: proxy.port, query_history: true, exclude: 'o*.*' })
  const first = await runSync(app, id)
  expect(first).toMatchObject({ error: null, report: { new: { schema: 1, table: 5, column: 10 } } })
  const { body } = await app.call('GET', `/background_jobs/${first.id}`)
  for (const what of [
    'row counts and sizes',
    'materialized views',
    'external tables',
    'columns of late-binding views',
    'the query history',
  ])
    expect(body.logs).toContain(`Could not read ${what}: `)
})

test('queries in a read-only transaction with supported syntax only', async () => {
  await using server = await createPostgresSource(...SHOP, "insert into sales.customers select n, 'c' || n from generate_series(1, 5) n")
  await using proxy = await createRedshiftProxy(server.credentials.port)
  const source = toSource({ ...server.credentials, port: proxy.port })
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const limits = { signal, timeout_ms: 20_000, max_rows: 2 }
  await using connection = await redshiftConnector.sql!.open(source, signal)
  expect(await connection.query('select id, email from sales.customers order by id', limits)).toEqual({
    columns: [
      { name: 'id', type: 'bigint' },
      { name: 'email', type: 'character varying' },
    ],
    rows: [
      [1, 'c1'],
      [2, 'c2'],
    ],
    truncated: true,
  })
  for (const sql of ['drop table sales.orders', 'select 1; drop table sales.orders', "insert into sales.customers values (9, 'x')"])
    await expect(connection.query(sql, limits), sql).rejects.toThrow()
  expect((await connection.query('select count(*) from sales.customers', limits)).rows).toEqual([[5]])
  expect(proxy.rejected).toEqual([])
  const discovered = Array.fromAsync(postgresConnector.discover(source, { signal, log: async () => {} }))
  await expect(discovered).rejects.toThrow(/redshift_has_no_/)
})
