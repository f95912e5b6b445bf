import { expect, test } from 'vitest'
import { createClickhouseSource, skipWithoutClickhouse } from '../servers/clickhouse.ts'
import { createMariadbSource, skipWithoutMariadb } from '../servers/mariadb.ts'
import { findResourcesByTitle, measureTogether } from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp } from '../support/test-app.ts'

test('rejects statements that would read more rows than allowed, by row count and by query plan', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table small (id int)',
    'create table big (id int primary key, state text, created_at timestamptz)',
    `insert into big select i, 'new', now() - make_interval(mins => i) from generate_series(1, 20) i`,
    'create index on big (created_at)',
    'create view of_big as select * from big',
    `update pg_class set reltuples = 1.2e9, relpages = 1 where relname = 'big'`,
  )
  const id = await createTestIntegration(app, 'postgres', { ...source.credentials, max_million_rows: 2 })
  await runSync(app, id)
  const of = await findResourcesByTitle(app)
  const custom = (query_select: string) => ({ target: of('big'), metric_type: 'custom_sql', metric_config: { query_select } })
  const values = await measureTogether(app, {
    small: { target: of('small'), metric_type: 'row_count' },
    big: { target: of('big'), metric_type: 'row_count' },
    column: { target: of('big.state'), metric_type: 'cardinality' },
    view: { target: of('of_big'), metric_type: 'row_count' },
    newest: { target: of('big'), metric_type: 'freshness', metric_config: { timestamp_column: 'created_at' } },
    one: { target: of('big.id'), metric_type: 'max', metric_config: { where: 'id = 7' } },
    custom: custom(`select count(*) from big where state = 'old'`),
    by_index: custom('select count(*) from big where id = 0'),
  })
  const much =
    'This query would scan about 1.2 billion rows; the limit of this source is 2 million. Add a filter, measure a sample with custom SQL, or raise max_million_rows of the integration.'
  const fine = { small: 0, newest: expect.any(Number), one: 7, by_index: 0 }
  expect(values).toEqual({ ...fine, big: much, column: much, view: much, custom: much })
  const preview = (body: object) => app.call('POST', '/monitor/preview', { body })
  expect((await preview({ target: of('big'), metric_type: 'freshness' })).body).toMatchObject({ past: [], past_problem: much })
  expect((await preview(custom('select 1'))).body).toMatchObject({ value: 1, past: [], past_problem: expect.stringContaining('Push') })
  expect((await preview({ target: of('small') })).body).toMatchObject({ past_problem: expect.stringContaining('No timestamp column') })
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { max_million_rows: 2000 } } })
  expect(await measureTogether(app, { big: { target: of('big'), metric_type: 'row_count' } })).toEqual({ big: 20 })
})

test.skipIf(skipWithoutMariadb)('the query plan of MariaDB limits the rows', async () => {
  await using app = await createTestApp()
  await using source = await createMariadbSource(
    'create table t (id int)',
    'create view thousand as select seq from seq_1_to_1000',
    'create view millions as select seq from seq_1_to_9000000',
    'create view `some` as select seq from seq_1_to_30000',
  )
  await runSync(app, await createTestIntegration(app, 'mysql', { ...source.credentials, max_million_rows: 2 }))
  const of = await findResourcesByTitle(app)
  const custom = (query_select: string) => ({ target: of('t'), metric_type: 'custom_sql', metric_config: { query_select } })
  expect(
    await measureTogether(app, {
      few: custom('select count(*) from thousand'),
      many: custom('select count(*) from millions where seq % 7 = 0'),
      joined: custom('select count(*) from `some` a join `some` b on a.seq + b.seq = 7'),
    }),
  ).toEqual({ few: 1000, many: expect.stringContaining('about 9 million rows'), joined: expect.stringContaining('about 900 million rows') })
})

test.skipIf(skipWithoutClickhouse)('a ClickHouse without query plans is limited by row counts, and a plain count is free', async () => {
  await using app = await createTestApp()
  await using source = await createClickhouseSource(
    'create table t (id UInt64, kind UInt8) engine = MergeTree order by id',
    'insert into t select number, number % 7 from numbers(3000000)',
  )
  await runSync(app, await createTestIntegration(app, 'clickhouse', { ...source.credentials, max_million_rows: 2 }))
  const of = await findResourcesByTitle(app)
  expect(
    await measureTogether(app, {
      rows: { target: of('t'), metric_type: 'row_count' },
      column: { target: of('t.kind'), metric_type: 'cardinality' },
      custom: { target: of('t'), metric_type: 'custom_sql', metric_config: { query_select: 'select count() from t where id = 5' } },
    }),
  ).toEqual({ rows: 3_000_000, column: expect.stringContaining('about 3 million rows'), custom: 1 })
})
