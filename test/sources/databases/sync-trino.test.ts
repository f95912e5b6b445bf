import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { BasicAuth, Trino } from 'trino-client'
import { expect, test } from 'vitest'
import { newId } from '../../../src/platform/core/id.ts'
import type { Source } from '../../../src/sources/connectors/shared/connector.ts'
import { trinoConnector } from '../../../src/sources/connectors/trino/trino.ts'
import { createCertificate } from '../../protocols/certificate.ts'
import type { RecordedStatement } from '../../protocols/loopback.ts'
import { createTrinoServer } from '../../protocols/trino.ts'
import { eventually } from '../../support/eventually.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createTestIntegration, expectNoChanges, findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsLoseNothing } from './warehouse-faults.ts'

const PATH = '/integration/integrations'
const ODD = 'o"d\'d.\n😀'
const TABLE = [
  ['schema', 'varchar'],
  ['name', 'varchar'],
  ['type', 'varchar'],
  ['comment', 'varchar'],
  ['definition', 'varchar'],
  ['materialized', 'boolean'],
] as const
const COLUMN = [
  ['schema', 'varchar'],
  ['table', 'varchar'],
  ['name', 'varchar'],
  ['position', 'bigint'],
  ['type', 'varchar'],
  ['nullable', 'varchar'],
  ['default_value', 'varchar'],
  ['comment', 'varchar'],
] as const
const SHOP: RecordedStatement[] = [
  { matches: /system\.runtime\.nodes/, columns: [['version', 'varchar']], rows: [['476']] },
  { matches: /system\.metadata\.catalogs/, columns: [['name', 'varchar']], rows: [['hive'], ['pg']] },
  { matches: /"hive"\.information_schema\.schemata/, columns: [['name', 'varchar']], rows: [['empty'], ['sales'], [ODD]] },
  { matches: /"pg"\.information_schema\.schemata/, columns: [['name', 'varchar']], rows: [['public']] },
  {
    matches: /"hive"\.information_schema\.tables/,
    columns: TABLE,
    rows: [
      ['sales', 'big', 'VIEW', null, 'SELECT id, total FROM hive.sales.orders WHERE total > 100', false],
      ['sales', 'daily', 'BASE TABLE', null, 'SELECT sum(total) AS total FROM sales.orders', true],
      ['sales', 'orders', 'BASE TABLE', 'One row for each order.', null, false],
      [ODD, ODD, 'BASE TABLE', null, null, false],
    ],
  },
  { matches: /"pg"\.information_schema\.tables t/, error: 'Failed to list comments' },
  { matches: /"pg"\.information_schema\.tables/, columns: TABLE, rows: [['public', 'people', 'BASE TABLE', null, null, false]] },
  {
    matches: /"hive"\.information_schema\.columns/,
    columns: COLUMN,
    rows: [
      ['sales', 'big', 'id', 1, 'bigint', 'YES', null, null],
      ['sales', 'big', 'total', 2, 'decimal(10,2)', 'YES', null, null],
      ['sales', 'came since', 'id', 1, 'bigint', 'YES', null, null],
      ['sales', 'daily', 'total', 1, 'decimal(38,2)', 'YES', null, null],
      ['sales', 'orders', 'id', 1, 'bigint', 'NO', null, null],
      ['sales', 'orders', 'total', 2, 'decimal(10,2)', 'YES', '0', 'With tax.'],
      [ODD, ODD, ODD, 1, 'row(a bigint)', 'YES', null, null],
    ],
  },
  { matches: /"pg"\.information_schema\.columns/, columns: COLUMN, rows: [['public', 'people', 'id', 1, 'integer', 'NO', null, null]] },
  {
    matches: /show stats for "hive"\."sales"\."orders"/,
    columns: [
      ['column_name', 'varchar'],
      ['data_size', 'double'],
      ['row_count', 'double'],
    ],
    rows: [
      ['id', 800.0, null],
      ['total', 400.0, null],
      [null, null, 50.0],
    ],
  },
  { matches: /show stats/, error: 'This connector does not support statistics' },
  {
    matches: /system\.runtime\.queries/,
    columns: [
      ['text', 'varchar'],
      ['user', 'varchar'],
      ['calls', 'bigint'],
    ],
    rows: [
      ["select id from sales.orders where mail = 'a@b.c' -- for Ann", 'ann', 3],
      ["select id from sales.orders where mail = 'x@y.z'", 'bob', 4],
      ['show catalogs', 'ann', 100],
    ],
  },
  {
    matches: /from numbers/,
    columns: [
      ['big', 'bigint'],
      ['price', 'decimal(38,2)'],
      ['ratio', 'double'],
      ['at', 'timestamp(6) with time zone'],
      ['deep', 'array(bigint)'],
      ['yes', 'boolean'],
      ['none', 'unknown'],
    ],
    rows: [
      [9007199254740993n, '12345678901234567890.12', 1.5, '2026-01-01 00:00:00.000000 UTC', [1, 2], true, null],
      [7, '1.50', 'NaN', null, null, false, null],
      [8, '2.00', 0.25, null, null, false, null],
    ],
  },
  { matches: /^select 1$/, columns: [['_col0', 'integer']], rows: [[1]] },
  { matches: /from slow/, hangs: true },
]

const sourceAt = (port: number, more: object = {}): Source => ({
  id: newId(),
  name: 'lake',
  credentials: { host: '127.0.0.1', port, user: 'reader', ...more },
})
const queryLimits = () => ({ signal: AbortSignal.timeout(PATIENCE_MS), timeout_ms: 10_000, max_rows: 100 })

test('the recorded server works with the official client', async () => {
  await using server = await createTrinoServer({ recorded: SHOP })
  const client = Trino.create({ server: server.origin, auth: new BasicAuth('reader') })
  const rows = []
  for await (const { data } of await client.query(`select * from "hive".information_schema.schemata`)) rows.push(...(data ?? []))
  expect(rows).toEqual([['empty'], ['sales'], [ODD]])
})

test('discovers Trino catalogs, views with their definitions, and available statistics', async () => {
  await using app = await createTestApp()
  await using server = await createTrinoServer({ recorded: SHOP, busy: 2 })
  const id = await createTestIntegration(app, 'trino', { host: '127.0.0.1', port: server.port, user: 'reader', query_history: true })
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, 'Trino 476: 2 catalogs.'])
  const first = await runSync(app, id)
  expect(first).toMatchObject({
    error: null,
    report: { new: { database: 2, schema: 4, table: 5, column: 7, query: 1 }, lineage: { unreadable: 0 } },
  })
  const { body: job } = await app.call('GET', `/background_jobs/${first.id}`)
  expect(job.logs).toContain('Could not read comments and definitions in pg: Failed to list comments')
  expect(await findByFullTitle(app, 'hive.sales.orders')).toMatchObject({
    native_type: 'table',
    description: 'One row for each order.',
    row_count: 50,
    byte_size: 1200,
  })
  expect(await findByFullTitle(app, 'hive.sales.orders.total')).toMatchObject({
    native_type: 'decimal(10,2)',
    description: 'With tax.',
    sort_order: 2,
    display_metadata: { nullable: true, default: '0' },
  })
  expect(await findByFullTitle(app, 'hive.sales.daily')).toMatchObject({ native_type: 'materialized view' })
  expect(await findByFullTitle(app, `hive.${ODD}.${ODD}.${ODD}`)).toMatchObject({ native_type: 'row(a bigint)' })
  const view = await findByFullTitle(app, 'hive.sales.big')
  const { body: lineage } = await app.call('GET', `/lineage/graph?resource_id=${view.id}&direction=UPSTREAM&depth=1&level=table`)
  expect(lineage.nodes.map(({ title }: { title: string }) => title).sort()).toEqual(['big', 'orders'])
  const { body: queries } = await app.call('GET', '/query/queries')
  expect(queries.results).toMatchObject([{ title: 'select id from sales.orders where mail = ?', freq: 7, external_users: ['ann', 'bob'] }])
  await expectNoChanges(app, id, { table: 5, column: 7 })
  await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { catalog: 'hive', exclude: 'big' } } })
  expect((await runSync(app, id)).report).toMatchObject({ stale: { database: 1, schema: 2, table: 2 } })
})

test('queries in a read-only transaction, with the requested rows and all digits', async () => {
  await using server = await createTrinoServer({ recorded: SHOP })
  await using connection = await trinoConnector.sql!.open(sourceAt(server.port), AbortSignal.timeout(PATIENCE_MS))
  const result = await connection.query('select * from numbers;', { ...queryLimits(), max_rows: 1 })
  expect(result).toEqual({
    columns: expect.arrayContaining([{ name: 'big', type: 'bigint' }]),
    rows: [['9007199254740993', '12345678901234567890.12', 1.5, '2026-01-01 00:00:00.000000 UTC', '[1,2]', true, null]],
    truncated: true,
  })
  expect(server.cancelled).toEqual(['select * from numbers'])
  expect((await connection.query('select * from numbers', queryLimits())).rows.slice(1)).toEqual([
    [7, 1.5, 'NaN', null, null, false, null],
    [8, 2, 0.25, null, null, false, null],
  ])
  const statement = server.recordedRequests.find(({ body }) => body.toString().includes('from numbers'))!
  expect(statement.headers).toMatchObject({
    'x-trino-transaction-id': expect.stringMatching(/^transaction-/),
    'x-trino-session': 'query_max_run_time=10s',
  })
  for (const sql of [
    'drop table t',
    'insert into t values (1)',
    'with a as (select 1) delete from t',
    'select 1; drop table t',
    '',
    'call x()',
  ])
    await expect(connection.query(sql, queryLimits()), sql).rejects.toThrow(/queries|statement/)
  await expect(connection.query('select nothing', queryLimits())).rejects.toThrow('nothing was recorded')
  expect([...server.open]).toEqual([])
  expect(server.statements.filter((sql) => /drop|insert|delete|call/.test(sql))).toEqual([])
})

test('cancels a hanging query on the server', async () => {
  await using server = await createTrinoServer({ recorded: SHOP })
  await using connection = await trinoConnector.sql!.open(sourceAt(server.port), AbortSignal.timeout(PATIENCE_MS))
  const stop = new AbortController()
  const running = connection.query('select * from slow', { ...queryLimits(), signal: stop.signal })
  await eventually(() =>
    expect([server.statements.at(-1), server.recordedRequests.at(-1)!.path]).toEqual([
      'select * from slow',
      expect.stringContaining('/executing/'),
    ]),
  )
  stop.abort()
  await expect(running).rejects.toThrow('The operation was cancelled.')
  await eventually(() => expect(server.cancelled).toEqual(['select * from slow']))
  await eventually(() => expect([...server.open]).toEqual([]))
})

test('sends requests to the configured host only, whatever URL the server returns', async () => {
  await using elsewhere = await createTrinoServer({ recorded: SHOP })
  await using server = await createTrinoServer({ recorded: SHOP, address: elsewhere.origin })
  expect(await trinoConnector.test(sourceAt(server.port), AbortSignal.timeout(PATIENCE_MS))).toBe('Trino 476: 2 catalogs.')
  expect(elsewhere.recordedRequests).toEqual([])
  await using lost = await createTrinoServer({ recorded: SHOP, address: 'http://127.0.0.1/internal?' })
  await expect(trinoConnector.test(sourceAt(lost.port), AbortSignal.timeout(PATIENCE_MS))).rejects.toThrow('does not appear to be Trino')
})

test('sends a password only over TLS to a server with a trusted certificate', async () => {
  const tls = createCertificate()
  await using server = await createTrinoServer({ recorded: SHOP, tls })
  const source = (more: object) => sourceAt(server.port, { password: 'swordfish', ssl: true, ...more })
  await expect(trinoConnector.test(source({}), AbortSignal.timeout(PATIENCE_MS))).rejects.toThrow(/self-signed/)
  expect(server.recordedRequests).toEqual([])
  expect(await trinoConnector.test(source({ ca: tls.cert }), AbortSignal.timeout(PATIENCE_MS))).toBe('Trino 476: 2 catalogs.')
  expect(server.recordedRequests[0]!.headers.authorization).toBe(`Basic ${Buffer.from('reader:swordfish').toString('base64')}`)
})

test('explains rejected logins, failed connections and timeouts without secrets', async () => {
  await using app = await createTestApp()
  await using server = await createTrinoServer({ recorded: SHOP })
  const detail = async (credentials: object) => {
    const id = await createTestIntegration(app, 'trino', { host: '127.0.0.1', port: server.port, user: 'reader', ...credentials })
    const { status, body, text } = await app.call('POST', `${PATH}/${id}/test`)
    expect(text).not.toContain('swordfish')
    return [status, body.detail.replace('Could not connect to the source: ', '')]
  }
  expect(await detail({ user: 'nobody' })).toEqual([400, 'The server rejected this user: Access Denied: Invalid credentials'])
  expect(await detail({ password: 'swordfish' })).toEqual([400, 'A password requires TLS. Turn on ssl.'])
  expect(server.recordedRequests.some(({ headers }) => headers.authorization)).toBe(false)
  expect(await detail({ password: 'swordfish', ssl: true })).toEqual([400, expect.stringMatching(/SSL|TLS|EPROTO|wrong version/i)])
  expect(await detail({ port: 1 })).toEqual([400, expect.stringContaining('ECONNREFUSED')])
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await expect(trinoConnector.test(sourceAt(port), AbortSignal.timeout(300))).rejects.toThrow('The operation timed out.')
  silent.close()
})

test('a request that fails is repeated, and a login that ends half-way loses nothing', async () => {
  await using app = await createTestApp()
  await using server = await createTrinoServer({ recorded: SHOP })
  const id = await createTestIntegration(app, 'trino', { host: '127.0.0.1', port: server.port, user: 'reader' })
  expect((await runSync(app, id)).error).toBeNull()
  await expectFaultsLoseNothing(app, id, server)
})
