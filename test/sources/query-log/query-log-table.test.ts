import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getDialectSql } from '../../../src/sources/connectors/shared/dialect-sql.ts'
import { findLogTable, goBack, pageSql, toPosition } from '../../../src/sources/query-log/log-table.ts'
import { createPostgresSource, createTestIntegration, findByFullTitle, findLineageSources, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** Query logs that are tables of another integration. */

const TABLES = ['create table raw (id int)', 'create table orders (id int)', 'create schema history']
const LOG = 'create table history.queries (stmt text, who text, ended timestamptz, took int, db text, "odd ""name" int)'
const add = (statement: string, ended: string, who = 'etl') =>
  `insert into history.queries values ('${statement.replaceAll("'", "''")}', '${who}', '${ended}', 7, current_database())`

const setUp = async (app: TestApp, source: Awaited<ReturnType<typeof createPostgresSource>>, more: object = {}) => {
  const warehouse = await createTestIntegration(app, 'postgres', { ...source.credentials, exclude: 'history.*' })
  await runSync(app, warehouse)
  const credentials = { warehouse, log_integration: warehouse, log_table: 'history.queries', ...COLUMNS, ...more }
  return { warehouse, log: await createTestIntegration(app, 'query_log', credentials, { name: 'Log' }) }
}
const COLUMNS = { sql_column: 'stmt', time_column: 'ENDED', user_column: 'who', duration_column: 'took' }

const countExecutions = async (app: TestApp) =>
  (await sql<{ n: number }>`select count(*)::int as n from query_log_executions`.execute(app.db)).rows[0]!.n

test('a table is read as a query log, each time from where the last sync stopped', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    ...[...TABLES, LOG],
    ...[
      add('insert into orders select * from raw', '2026-01-02 10:00:00.123456+00'),
      add('select count(*) from orders', '2026-01-02 11:00:00+00', 'ada'),
    ],
    ...[add('commit', '2026-01-02 11:00:00+00'), add('select 1 from raw', '2020-01-01 00:00:00+00')], // long before: not read
  )
  const { log } = await setUp(app, source)
  const tested = await app.call('POST', `/integration/integrations/${log}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, expect.stringContaining('sql = stmt, user = who, time = ended')])
  expect(tested.body.detail).toContain('2026-01-02 11:00:00')
  expect(await countExecutions(app)).toBe(0)

  const first = await runSync(app, log)
  expect(first).toMatchObject({ status: 'COMPLETED', report: { new: { query: 2 }, lineage: { read: 2 } } })
  const { body: job } = await app.call('GET', `/background_jobs/${first.id}`)
  expect(job.logs).toContain('Read 3 rows of history.queries: 2 new executions of 2 new statements.')
  expect(job.logs).toContain('Skipped 1 row: reads and writes no table')
  const orders = await findByFullTitle(app, `${source.name}.public.orders`)
  expect(await findLineageSources(app, orders.id)).toEqual(['orders', 'raw'])
  expect([orders.external_usage, orders.external_users]).toEqual([1, ['ada']])

  // One is late, one is new, one of the same second; the others are not counted again.
  await source.run(
    add('select count(*) from orders', '2026-01-02 09:30:00+00', 'late'),
    add('select count(*) from orders', '2026-01-02 11:00:00+00', 'grace'),
    add('select count(*) from orders', '2026-01-02 12:00:00+00', 'ada'),
  )
  await runSync(app, log)
  expect(await countExecutions(app)).toBe(5)
  expect((await findByFullTitle(app, `${source.name}.public.orders`)).external_usage).toBe(4)
  await runSync(app, log)
  expect(await countExecutions(app)).toBe(5)
  const { rows } = await sql<{ position: string }>`select position from query_log_positions`.execute(app.db)
  expect(rows).toEqual([{ position: '2026-01-02 12:00:00' }])

  // Long before the newest one: what is older is forgotten, with its statements.
  await source.run(add('select max(id) from orders', '2026-06-01 00:00:00+00'))
  await runSync(app, log)
  expect(await countExecutions(app)).toBe(1)
  expect((await app.call('DELETE', `/integration/integrations/${log}`)).status).toBeLessThan(300)
})

test('more rows than a page, and many of the same second, are read once', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...TABLES, LOG)
  await source.run(
    `insert into history.queries select 'select ' || n || ' from raw', 'u' || n, timestamptz '2026-01-02 00:00:00+00' + (n / 12000) * interval '1 minute', 1, '' from generate_series(1, 26000) n`,
  )
  const { log } = await setUp(app, source)
  await runSync(app, log)
  expect(await countExecutions(app)).toBe(26_000)
  await runSync(app, log)
  expect(await countExecutions(app)).toBe(26_000)
})

test('errors say what to change', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...TABLES, LOG)
  const { warehouse } = await setUp(app, source)
  const check = async (credentials: object) => {
    const body = {
      name: 'Log',
      type: 'query_log',
      credentials: { log_integration: warehouse, log_table: 'history.queries', ...COLUMNS, ...credentials },
    }
    const response = await app.call('POST', '/integration/integrations/test', { body })
    return [response.status, `${response.body.detail} ${JSON.stringify(response.body.errors ?? {})}`] as const
  }
  expect(await check({})).toEqual([200, expect.stringContaining('It has no entries yet.')])
  for (const [credentials, problem] of [
    [{ log_table: null }, 'is required'],
    [{ log_integration: null }, 'is required'],
    [{ log_integration: 'x' }, 'is not the ID of an integration'],
    [{ log_table: 'history.missing' }, 'could not be queried'],
    [{ sql_column: 'missing' }, 'There is no column'],
    [{ time_column: null }, 'without a time'],
    [{ time_column: 'stmt', sql_column: 'who' }, 'It has no entries yet.'],
  ] as const) {
    const [status, text] = await check(credentials)
    expect([credentials, text.includes(problem), status === 200]).toEqual([credentials, true, problem.startsWith('It has')])
  }
  await source.run(add('select 1 from raw', '2026-01-01'))
  expect((await check({ time_column: 'stmt', sql_column: 'who' }))[1]).toContain('does not contain timestamps')
  const custom = (await app.call('POST', '/integration/integrations', { body: { name: 'Custom', type: 'custom' } })).body.id
  expect((await check({ log_integration: custom }))[0]).toBe(409)
})

test.each([
  ['2026-01-02 03:04:05.123456+02', '2026-01-02 03:04:05', '2026-01-02 01:04:05'],
  ['2026-01-01T00:30:00Z', '2026-01-01 00:30:00', '2025-12-31 22:30:00'],
  ['2026-01-02', '2026-01-02', '2026-01-01'],
  ['1767322800', '1767322800', '1767315600'],
  ['1767322800123', '1767322800123', '1767315600123'],
  ['1767322800123456789', '1767322800123456789', '1767315600123456789'],
])('the position of %s is %s, and two hours before it %s', (text, position, earlier) => {
  expect(toPosition(text)).toBe(position)
  expect(goBack(position, 2)).toBe(earlier)
})

test('names are quoted', () => {
  const source = { id: 'x', name: 'x', credentials: { log_integration: 'i', log_table: 'a."b.c""; drop"', time_column: 't"' } }
  const table = findLogTable(source)!
  expect(table.path).toEqual(['a', 'b.c"; drop'])
  expect(pageSql(getDialectSql('postgres'), table, { sql: 'q', time: 't"' }, '2026-01-02 00:00:00', 5)).toBe(
    `select "q", cast("t""" as text) from "a"."b.c""; drop" where "t""" >= '2026-01-02 00:00:00' order by "t""" limit 5`,
  )
  expect(toPosition('soon')).toBeUndefined()
})
