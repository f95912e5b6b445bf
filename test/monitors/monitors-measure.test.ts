import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, test } from 'vitest'
import { checkCondition, checkSelect } from '../../src/observability/runs/check-sql.ts'
import { buildCombinedStatement, parseCustomResult } from '../../src/observability/runs/metric-sql.ts'
import { runPartition } from '../../src/observability/runs/partitions.ts'
import { getDialectSql } from '../../src/sources/connectors/shared/dialect-sql.ts'
import { createClickhouseSource, skipWithoutClickhouse } from '../servers/clickhouse.ts'
import { createMariadbSource, skipWithoutMariadb } from '../servers/mariadb.ts'
import {
  BOUNDS,
  createTestMonitor,
  findResourcesByTitle,
  getJson,
  type JsonBody,
  measureTogether,
  type TitledResources,
} from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const COLUMNS = 'id bigint, email varchar(100), total decimal(10, 2), score double precision, created_at timestamp'
const ROWS = `(1, 'a', 10.50, 0.5, NOW_MINUS_5), (2, null, 20.25, null, NOW_MINUS_3), (3, 'a', null, 1.5, null), (9007199254740993, 'b', -1, 2, NOW_MINUS_30)`

/** The same table with the same expected values for every dialect. */
const everyMetric = (of: TitledResources, patterns = true) => {
  const { fullTitle } = of
  const table = of('orders')
  const column = (name: string) => of(`orders.${name}`)
  return {
    rows: { target: table, metric_type: 'row_count' },
    some_rows: { target: table, metric_type: 'row_count', metric_config: { where: 'total > 0' } },
    nulls: { target: column('email'), metric_type: 'null_percentage' },
    nulls_of_some: { target: column('total'), metric_type: 'null_percentage', metric_config: { where: 'id < 4' } },
    unique: { target: column('email'), metric_type: 'unique_percentage' },
    different: { target: column('email'), metric_type: 'cardinality' },
    least: { target: column('total'), metric_type: 'min' },
    most: { target: column('total'), metric_type: 'max' },
    mean: { target: column('total'), metric_type: 'mean' },
    big: { target: column('id'), metric_type: 'max' },
    custom: { target: table, metric_type: 'custom_sql', metric_config: { query_select: 'select sum(score) from orders;' } },
    fresh: { target: table, metric_type: 'freshness', metric_config: { timestamp_column: 'created_at' } },
    unexpected: { target: column('email'), metric_type: 'accepted_values', metric_config: { values: ["it's \\", 'b'] } },
    unexpected_numbers: { target: column('total'), metric_type: 'accepted_values', metric_config: { values: ['10.5', '-1'] } },
    out_of_range: { target: column('total'), metric_type: 'range', metric_config: { min_value: 0, max_value: 20 } },
    below: { target: column('total'), metric_type: 'range', metric_config: { min_value: 0, where: 'id < 4' } },
    duplicates: { target: table, metric_type: 'duplicates', metric_config: { columns: ['email'] } },
    no_duplicates: { target: table, metric_type: 'duplicates', metric_config: { columns: ['id', 'EMAIL'], where: 'total > 0' } },
    references: { target: column('email'), metric_type: 'referential', metric_config: { references: fullTitle('empty.email') } },
    own_references: {
      target: column('email'),
      metric_type: 'referential',
      metric_config: { references: fullTitle('orders.email'), where: 'id < 3' },
    },
    changed: { target: table, metric_type: 'row_count_change' },
    partition_age: {
      target: table,
      metric_type: 'partition_freshness',
      metric_config: { timestamp_column: 'created_at', where: 'id < 3' },
    },
    partition_gaps: { target: table, metric_type: 'partition_gaps', metric_config: { timestamp_column: 'created_at', where: 'id < 3' } },
    partition_rows: { target: table, metric_type: 'partition_row_count', metric_config: { timestamp_column: 'created_at' } },
    ...(patterns ? { mismatches: { target: column('email'), metric_type: 'pattern', metric_config: { pattern: "^[ac-z]$|\\d'" } } } : {}),
    empty: { target: of('empty'), metric_type: 'row_count' },
    empty_duplicates: { target: of('empty'), metric_type: 'duplicates', metric_config: { columns: ['id'] } },
    empty_references: { target: of('empty.email'), metric_type: 'referential', metric_config: { references: fullTitle('orders.email') } },
    empty_nulls: { target: of('empty.email'), metric_type: 'null_percentage' },
    empty_unique: { target: of('empty.email'), metric_type: 'unique_percentage' },
    empty_mean: { target: of('empty.total'), metric_type: 'mean' },
    empty_fresh: { target: of('empty'), metric_type: 'freshness' },
  }
}
/** Whether this many hours ago was yesterday, in UTC. */
const isYesterday = (hours: number): boolean => {
  const day = (ms: number) => Math.floor(ms / 86_400_000)
  return day(Date.now() - hours * 3_600_000) === day(Date.now()) - 1
}

const EXPECTED_VALUES = {
  rows: 4,
  some_rows: 2,
  nulls: 25,
  nulls_of_some: expect.closeTo(100 / 3, 6),
  unique: expect.closeTo(200 / 3, 6),
  different: 2,
  least: -1,
  most: 20.25,
  mean: expect.closeTo(29.75 / 3, 5),
  big: 9007199254740992, // the nearest double
  custom: 4,
  fresh: expect.closeTo(3, 1),
  unexpected: 2,
  unexpected_numbers: 1,
  out_of_range: 2,
  below: 0,
  duplicates: 2,
  no_duplicates: 0,
  references: 3,
  own_references: 0,
  changed: 0,
  partition_age: expect.closeTo(1.5, -1), // the newest of these rows is 3 hours old
  partition_gaps: 0,
  partition_rows: [30, 5, 3].filter(isYesterday).length,
  mismatches: 1,
  empty: 0,
  empty_duplicates: 0,
  empty_references: 0,
  empty_nulls: 0,
  empty_unique: 100,
  empty_mean: expect.stringContaining('no row has a value'),
  empty_fresh: expect.stringContaining('no row has a value'),
}

/** First and last backfilled value of each metric, hour by hour: rows are 30, 5 and 3 hours old, and one has no timestamp. */
const previewBackfill = async (app: TestApp, of: (title: string) => string) => {
  const values: Record<string, unknown> = {}
  for (const [target, metric_type] of [
    ['orders', 'row_count'],
    ['orders.email', 'null_percentage'],
    ['orders.email', 'unique_percentage'],
    ['orders.email', 'cardinality'],
    ['orders.total', 'mean'],
  ] as const) {
    const body = { target: of(target), metric_type, schedule: { cadence: 'hourly', frequency: 1 } }
    const { past, past_problem } = (await app.call('POST', '/monitor/preview', { body })).body
    values[metric_type] = past_problem ?? [past[0].value, past.at(-1).value]
  }
  return values
}
const EXPECTED_BACKFILL = {
  row_count: [2, 4],
  null_percentage: [0, 25],
  unique_percentage: [100, expect.closeTo(200 / 3, 6)],
  cardinality: [2, 2],
  mean: [-1, expect.closeTo(29.75 / 3, 5)],
}

describe('measures correct values', () => {
  test('of Postgres, combined into one statement per table', async () => {
    await using app = await createTestApp()
    const rows = ROWS.replace(/NOW_MINUS_(\d+)/g, `now() at time zone 'UTC' - interval '$1 hours'`)
    await using source = await createPostgresSource(
      `create table orders (${COLUMNS})`,
      `create table empty (${COLUMNS})`,
      `insert into orders values ${rows}`,
    )
    const id = await createTestIntegration(app, 'postgres', source.credentials)
    await runSync(app, id)
    const of = await findResourcesByTitle(app)
    // A title changed in the catalog does not affect the query.
    await app.call('PATCH', `/resource/all/${of('orders')}`, { body: { description: 'Bestellungen' } })
    expect(await measureTogether(app, everyMetric(of))).toEqual(EXPECTED_VALUES)
    expect(await previewBackfill(app, of)).toEqual(EXPECTED_BACKFILL)
  })

  test('of SQLite', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'monitors-'))
    const database = new DatabaseSync(join(folder, 'shop.db'))
    database.exec(`create table orders (${COLUMNS}); create table empty (${COLUMNS})`)
    database.exec(`insert into orders values ${ROWS.replace(/NOW_MINUS_(\d+)/g, `datetime('now', '-$1 hours')`)}`)
    database.close()
    await using app = await createTestApp({ filesFolder: folder })
    const id = await createTestIntegration(app, 'sqlite', { path: 'shop.db' })
    await runSync(app, id)
    const of = await findResourcesByTitle(app)
    const { mismatches: _, ...expected } = EXPECTED_VALUES
    expect(await measureTogether(app, everyMetric(of, false))).toEqual(expected)
    const pattern = { target: of('orders.email'), metric_type: 'pattern', metric_config: { pattern: '.' } }
    expect((await app.call('POST', '/monitor/monitors', { body: pattern })).body.errors).toEqual({
      'metric_config.pattern': ['cannot be used because this source has no regular expressions. Use custom_sql.'],
    })
    expect(await previewBackfill(app, of)).toEqual(EXPECTED_BACKFILL)
    await rm(folder, { recursive: true })
  })

  test('of DuckDB', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'monitors-'))
    const instance = await DuckDBInstance.create(join(folder, 'shop.duckdb'))
    const connection = await instance.connect()
    await connection.run(`create table orders (${COLUMNS}); create table empty (${COLUMNS})`)
    const now = `(now() at time zone 'UTC')::timestamp`
    await connection.run(`insert into orders values ${ROWS.replace(/NOW_MINUS_(\d+)/g, `${now} - interval '$1 hours'`)}`)
    connection.closeSync()
    instance.closeSync()
    await using app = await createTestApp({ filesFolder: folder })
    const id = await createTestIntegration(app, 'duckdb', { path: 'shop.duckdb' })
    await runSync(app, id)
    const of = await findResourcesByTitle(app)
    expect(await measureTogether(app, everyMetric(of))).toEqual(EXPECTED_VALUES)
    expect(await previewBackfill(app, of)).toEqual(EXPECTED_BACKFILL)
    await rm(folder, { recursive: true })
  })

  test.skipIf(skipWithoutClickhouse)('of ClickHouse', async () => {
    await using app = await createTestApp()
    const columns = 'id Int64, email Nullable(String), total Nullable(Float64), score Nullable(Float64), created_at Nullable(DateTime)'
    const rows = ROWS.replace(/NOW_MINUS_(\d+)/g, 'now() - 3600 * $1')
    await using source = await createClickhouseSource(
      `create table orders (${columns}) engine = Memory`,
      `create table empty (${columns}) engine = Memory`,
      `insert into orders values ${rows}`,
    )
    const id = await createTestIntegration(app, 'clickhouse', source.credentials)
    await runSync(app, id)
    const of = await findResourcesByTitle(app)
    expect(await measureTogether(app, everyMetric(of))).toEqual(EXPECTED_VALUES)
    expect(await previewBackfill(app, of)).toEqual(EXPECTED_BACKFILL)
  })

  test.skipIf(skipWithoutMariadb)('of MariaDB', async () => {
    await using app = await createTestApp()
    const rows = ROWS.replace(/NOW_MINUS_(\d+)/g, 'utc_timestamp() - interval $1 hour')
    const columns = COLUMNS.replace('created_at timestamp', 'created_at datetime null')
    await using source = await createMariadbSource(
      `create table orders (${columns})`,
      `create table empty (${columns})`,
      `insert into orders values ${rows}`,
    )
    const id = await createTestIntegration(app, 'mysql', source.credentials)
    await runSync(app, id)
    const of = await findResourcesByTitle(app)
    expect(await measureTogether(app, everyMetric(of))).toEqual(EXPECTED_VALUES)
    expect(await previewBackfill(app, of)).toEqual(EXPECTED_BACKFILL)
  })
})

test('a result that is not a number is an error without an incident, and other monitors of the table are not affected', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table t (id int, score double precision, label text, at timestamptz)',
    `insert into t values (1, 'NaN', 'x', now() + interval '2 hours'), (2, 'Infinity', 'y', null)`,
  )
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, id)
  const of = await findResourcesByTitle(app)
  const custom = (query_select: string) => ({ target: of('t'), metric_type: 'custom_sql', metric_config: { query_select } })
  const results = await measureTogether(app, {
    nan: { target: of('t.score'), metric_type: 'max' },
    infinite: { target: of('t.score'), metric_type: 'max', metric_config: { where: 'id = 2' } },
    ahead: { target: of('t'), metric_type: 'freshness', metric_config: { timestamp_column: 'at' } },
    fine: { target: of('t'), metric_type: 'row_count' },
    unknown_column: { target: of('t'), metric_type: 'row_count', metric_config: { where: 'nothing = 1' } },
    two_rows: custom('select id from t'),
    two_columns: custom('select 1, 2'),
    no_row: custom('select id from t where false'),
    nothing: custom('select null::int'),
    text: custom(`select 'a lot'`),
    decimal: custom('select 12.50::numeric'),
    huge: custom(`select 1e30::numeric`),
    slow_function: custom('select count(*) from t'),
  })
  expect(results).toEqual({
    nan: expect.stringContaining('not a number'),
    infinite: expect.stringContaining('infinite'),
    ahead: expect.stringContaining('The newest row is dated 2 hours in the future.'),
    fine: 2,
    unknown_column: expect.stringContaining('nothing'),
    two_rows: expect.stringContaining('more than one row'),
    two_columns: expect.stringContaining('2 columns'),
    no_row: expect.stringContaining('no row'),
    nothing: expect.stringContaining('NULL'),
    text: expect.stringContaining('not a number'),
    decimal: 12.5,
    huge: 1e30,
    slow_function: 2,
  })
  expect((await getJson(app, '/monitor/incidents')).count).toBe(0)
})

test('an unavailable source sets an error with advice on each monitor', async () => {
  await using app = await createTestApp()
  const { id: target } = await app.createResource({
    entity_type: 'table',
    title: 'orders',
    integration: '0197a8c2-5e0f-7f43-9d2a-1b8c3e4f5a60',
  })
  expect(await measureTogether(app, { a: { target, metric_type: 'row_count' } })).toEqual({
    a: expect.stringContaining('is a push integration'),
  })
  const { id: loose } = await app.createResource({ entity_type: 'table', title: 'loose' })
  expect(await measureTogether(app, { a: { target: loose, metric_type: 'row_count' } })).toEqual({
    a: expect.stringContaining('does not belong to an integration'),
  })
})

test('rejects SQL that could do more than read before it is sent to a source', async () => {
  await using app = await createTestApp()
  const { id: target } = await app.createResource({ entity_type: 'table', title: 'orders' })
  const rejected = async (metric_type: string, metric_config: object): Promise<JsonBody> => {
    const { status, body } = await app.call('POST', '/monitor/monitors', { body: { target, metric_type, metric_config } })
    expect([status, body.code]).toEqual([400, 'validation_failed'])
    return Object.keys(body.errors)[0]
  }
  for (const query_select of [
    '',
    'drop table t',
    'select 1; select 2',
    'with x as (delete from t returning 1) select * from x',
    'select 1 into t2',
    `copy t to 'x'`,
  ])
    expect(await rejected('custom_sql', { query_select })).toBe('metric_config.query_select')
  for (const where of ['1 = 1; drop table t', '1 = 1) or (1 = 1', 'a = 1 -- b', 'a = 1 /* b', `a = 'b`, 'select 1', 'where a = 1'])
    expect(await rejected('row_count', { where })).toBe('metric_config.where')
  expect(await rejected('freshness', {})).toBe('metric_config.timestamp_column')
})

test.each([
  ['select count(*) from t', true],
  ['with a as (select 1) select count(*) from a', true],
  ['(select 1) union all (select 2)', true],
  [`select replace(a, 'drop', '') from t`, true],
  [`select 'delete from t; --' from t`, true],
  ['select 1;', true],
  ['select * from t for update', false],
  ['select pg_sleep(10)', false],
  ['select "pg_terminate_backend"(1)', false],
  [`select * from dblink('x', 'y') t(a int)`, false],
  [`select * from read_csv('/etc/passwd')`, false],
  [`select load_file('/etc/passwd')`, false],
  ['select $1', false],
  ['explain analyze delete from t', false],
])('custom SQL is allowed: %s is %s', (text, allowed) => expect(!('problem' in checkSelect(text, 'postgres'))).toBe(allowed))

test.each([
  [`state = 'a;b' and x in (select id from t)`, true],
  [`created_at > now() - interval '1 day'`, true],
  ['a is distinct from b', true],
  [`a = 'it''s'`, true],
  ['a = 1 # b', false],
])('condition is allowed: %s is %s', (text, allowed) => expect(!('problem' in checkCondition(text, 'mysql'))).toBe(allowed))

test('monitors of one table share one statement and equal expressions', () => {
  const { sql, read } = buildCombinedStatement(
    getDialectSql('mysql'),
    ['shop', 'or`ders'],
    [
      { id: 'a', metric_type: 'row_count' },
      { id: 'b', metric_type: 'null_percentage', column: 'e`mail' },
      { id: 'c', metric_type: 'unique_percentage', column: 'e`mail' },
    ],
  )
  expect(sql).toBe('select count(*) as m0, count(`e``mail`) as m1, count(distinct `e``mail`) as m2 from `shop`.`or``ders`')
  expect(read([10, '8', 4])).toEqual(
    new Map([
      ['a', { value: 10 }],
      ['b', { value: 20, row_count: 10 }],
      ['c', { value: 50, row_count: 8 }],
    ]),
  )
  const large = buildCombinedStatement(
    getDialectSql('bigquery'),
    ['p', 'd', 't'],
    [{ id: 'c', metric_type: 'unique_percentage', column: 'a', where: 'b > 0', large: true }],
  )
  expect(large.sql).toBe('select count(`a`) as m0, approx_count_distinct(`a`) as m1 from `p`.`d`.`t` where (b > 0)')
  expect(large.read([90, 92])).toEqual(new Map([['c', { value: 100, row_count: 90 }]])) // an estimate may exceed the actual number
  const aged = buildCombinedStatement(getDialectSql('postgres'), ['t'], [{ id: 'a', metric_type: 'freshness', timestamp_column: 'at' }])
  expect(aged.read([-0.05]).get('a')).toEqual({ value: 0 }) // clocks may differ slightly
  expect(aged.read([-0.2]).get('a')).toEqual({ error: expect.stringContaining('0.2 hours in the future') })
  const fresh = buildCombinedStatement(getDialectSql('sqlite'), ['t'], [{ id: 'd', metric_type: 'freshness', timestamp_column: 'at' }])
  expect(fresh.sql).not.toContain('count')
  expect(parseCustomResult([['0.10']], false)).toEqual({ value: 0.1 })
})

test('concurrent workers of one partition save each run once', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table t (id int)',
    'create view slow as select t.id from t, (select pg_sleep(0.2)) s',
  )
  const id = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, id)
  const of = await findResourcesByTitle(app)
  const monitors: JsonBody[] = []
  for (const target of [of('t'), of('t'), of('slow')])
    monitors.push(await createTestMonitor(app, { target, metric_type: 'row_count', ...BOUNDS }))
  const { body: job } = await app.call('POST', '/monitor/monitors/run', { body: { monitors: monitors.map((each) => each.id) } })
  const partitions = await app.db.selectFrom('monitor_runs').select('partition').distinct().execute()
  await Promise.all(partitions.flatMap(({ partition }) => [1, 2, 3].map(() => runPartition(app.ctx, { lane: partition }))))
  for (const monitor of monitors) expect((await getJson(app, `/monitor/measurements?monitor=${monitor.id}`)).count).toBe(1)
  expect(await getJson(app, `/background_jobs/${job.id}`)).toMatchObject({ status: 'COMPLETED' })
})

test('timestamps of SQLite are text, seconds, milliseconds, microseconds or nanoseconds', async () => {
  const { DatabaseSync } = await import('node:sqlite')
  using database = new DatabaseSync(':memory:')
  const hours = (moment: string) => (database.prepare(`select ${getDialectSql('sqlite').hoursSince(moment)} as h`).get() as { h: number }).h
  const at = Math.floor(Date.now() / 1000) - 3 * 3600
  for (const moment of [`${at}`, `${at}.5`, `${at}000`, `${at}000000`, `${at}000000000`, `datetime(${at}, 'unixepoch')`])
    expect([moment, Math.abs(hours(moment) - 3) < 0.01]).toEqual([moment, true])
  expect(hours('-86400')).toBeGreaterThan(50 * 365 * 24)
  expect(hours('-86400000000')).toBeCloseTo(hours('-86400000000.0'), 1)
})
