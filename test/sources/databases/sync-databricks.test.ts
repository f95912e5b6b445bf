import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createDatabricksConnector, databricksConnector } from '../../../src/sources/connectors/databricks/databricks.ts'
import { CONNECTORS } from '../../../src/sources/connectors/registry/all.ts'
import { createDatabricksServer } from '../../protocols/databricks.ts'
import type { RecordedStatement } from '../../protocols/loopback.ts'
import { eventually } from '../../support/eventually.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import {
  createTestIntegration,
  expectNoChanges,
  findByFullTitle,
  findLineageSources,
  queryLimits,
  runSync,
  toSource,
} from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsLoseNothing } from './warehouse-faults.ts'

const PATH = '/integration/integrations'
const ODD = 'o"d\'d.`\n😀'
const strings = (...names: string[]) => names.map((name) => [name, 'STRING'] as const)
const SHOP: RecordedStatement[] = [
  {
    matches: /current_version/,
    columns: strings('version', 'user', 'metastore'),
    rows: [['2026.30', 'reader@example.com', 'aws:eu-central-1:1']],
  },
  { matches: /^show catalogs/, columns: strings('catalog'), rows: [['hive_metastore'], ['samples'], ['shop'], ['system']] },
  {
    matches: /`shop`\.information_schema\.schemata/,
    columns: strings('name', 'comment'),
    rows: [
      ['sales', 'All orders.'],
      [ODD, null],
    ],
  },
  {
    matches: /`shop`\.information_schema\.tables/,
    columns: strings('schema', 'name', 'type', 'format', 'comment', 'altered', 'definition'),
    rows: [
      ['sales', 'big', 'VIEW', null, null, null, 'SELECT id, total FROM shop.sales.orders WHERE total > 100'],
      ['sales', 'daily', 'MATERIALIZED_VIEW', 'DELTA', null, null, 'SELECT sum(total) AS total FROM shop.sales.orders'],
      ['sales', 'orders', 'MANAGED', 'DELTA', 'One row for each order.', '2026-01-02T03:04:05Z', null],
      [ODD, ODD, 'EXTERNAL', 'PARQUET', null, null, null],
    ],
  },
  {
    matches: /`shop`\.information_schema\.columns/,
    columns: [
      ...strings('schema', 'table', 'name'),
      ['position', 'INT'],
      ...strings('type', 'nullable', 'default_value', 'comment'),
      ['is_pk', 'BOOLEAN'],
    ],
    rows: [
      ['sales', 'big', 'id', 1, 'bigint', 'YES', null, null, false],
      ['sales', 'big', 'total', 2, 'decimal(10,2)', 'YES', null, null, false],
      ['sales', 'daily', 'total', 1, 'decimal(20,2)', 'YES', null, null, false],
      ['sales', 'orders', 'id', 1, 'bigint', 'NO', null, null, true],
      ['sales', 'orders', 'total', 2, 'decimal(10,2)', 'YES', '0', 'With tax.', false],
      [ODD, ODD, ODD, 1, 'struct<a:int>', 'YES', null, null, false],
    ],
  },
  {
    matches: /system\.query\.history/,
    columns: [...strings('text'), ['calls', 'BIGINT'], ...strings('users')],
    rows: [
      ["select id from sales.orders where mail = 'swordfish'", 5n, '["ann@example.com"]'],
      ["select id from sales.orders where mail = 'trout'", 7n, '["bob@example.com"]'],
    ],
  },
  {
    matches: /system\.access\.column_lineage/,
    columns: strings(
      ...['source_catalog', 'source_schema', 'source_table', 'source_column'],
      ...['target_catalog', 'target_schema', 'target_table', 'target_column'],
    ),
    rows: [
      ['shop', 'sales', 'orders', 'total', 'shop', ODD, ODD, ODD],
      ['other', 'sales', 'orders', 'total', 'shop', 'sales', 'orders', 'total'],
    ],
  },
  {
    matches: /from numbers/,
    columns: [
      ['big', 'BIGINT'],
      ['price', 'DECIMAL'],
      ['ratio', 'DOUBLE'],
      ['yes', 'BOOLEAN'],
      ['day', 'DATE'],
      ['at', 'TIMESTAMP'],
      ['deep', 'STRUCT'],
      ['none', 'STRING'],
    ],
    rows: [
      [9007199254740993n, '12345678901234567890.12', 0.25, true, '2026-01-01', '2026-01-01 00:00:00.000001', '{"a":1}', null],
      [1n, '1.50', 2, false, null, null, null, 'x'],
      [2n, '1.50', 2, false, null, null, null, 'y'],
    ],
  },
  { matches: /from slow/, columns: strings('x'), hangs: true },
  { matches: /from nowhere/, error: '[TABLE_OR_VIEW_NOT_FOUND] The table or view `nowhere` cannot be found.' },
]
const CREDENTIALS = { host: '127.0.0.1', http_path: '/sql/1.0/warehouses/abc', token: 'dapi-correct-horse' }

afterEach(() => void CONNECTORS.set('databricks', databricksConnector))

const source = (more: object = {}) => toSource({ ...CREDENTIALS, ...more })

test('discovers the Unity Catalog of Databricks through its SDK', async () => {
  await using app = await createTestApp()
  await using server = await createDatabricksServer({ recorded: SHOP })
  CONNECTORS.set('databricks', createDatabricksConnector(server))
  const id = await createTestIntegration(app, 'databricks', { ...CREDENTIALS, query_history: true })
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, 'Databricks 2026.30, metastore aws:eu-central-1:1: user reader@example.com.'])
  const first = await runSync(app, id)
  expect(first).toMatchObject({
    error: null,
    report: { new: { database: 1, schema: 2, table: 4, column: 6, query: 1 }, lineage: { unreadable: 0 } },
  })
  const { body: job } = await app.call('GET', `/background_jobs/${first.id}`)
  expect(job.logs).toContain('hive_metastore')
  expect(await findByFullTitle(app, 'shop.sales')).toMatchObject({ description: 'All orders.' })
  expect(await findByFullTitle(app, 'shop.sales.orders')).toMatchObject({
    native_type: 'table',
    description: 'One row for each order.',
    display_metadata: { format: 'delta' },
  })
  expect(await findByFullTitle(app, 'shop.sales.orders.id')).toMatchObject({
    is_pk: true,
    native_type: 'bigint',
    display_metadata: { nullable: false },
  })
  expect(await findByFullTitle(app, 'shop.sales.orders.total')).toMatchObject({
    description: 'With tax.',
    sort_order: 2,
    display_metadata: { default: '0' },
  })
  expect(await findByFullTitle(app, `shop.${ODD}.${ODD}.${ODD}`)).toMatchObject({ native_type: 'struct<a:int>' })
  const written = await findByFullTitle(app, `shop.${ODD}.${ODD}`)
  expect(await findLineageSources(app, written.id)).toEqual([ODD, 'orders'].toSorted())
  for (const name of ['big', 'daily']) {
    const { id, native_type } = await findByFullTitle(app, `shop.sales.${name}`)
    expect(native_type).toBe(name === 'big' ? 'view' : 'materialized view')
    expect(await findLineageSources(app, id)).toEqual([name, 'orders'])
  }
  const { body: queries } = await app.call('GET', '/query/queries')
  expect(queries.results).toMatchObject([
    { title: 'select id from sales.orders where mail = ?', freq: 12, external_users: ['ann@example.com', 'bob@example.com'] },
  ])
  await expectNoChanges(app, id, { table: 4, column: 6 })
  expect(server.sessions.size).toBe(0)
  expect(server.recordedRequests.filter(({ path }) => path !== '/sql/1.0/warehouses/abc')).toEqual([])
})

test('queries with limits of time and rows, with all digits, and cancels on the server', async () => {
  await using server = await createDatabricksServer({ recorded: SHOP })
  await using connection = await createDatabricksConnector(server).sql!.open(source(), AbortSignal.timeout(PATIENCE_MS))
  const result = await connection.query('select * from numbers', { ...queryLimits(), max_rows: 2 })
  expect(result.columns.slice(0, 2)).toEqual([
    { name: 'big', type: 'bigint' },
    { name: 'price', type: 'decimal' },
  ])
  expect(result.truncated).toBe(true)
  expect(result.rows).toEqual([
    ['9007199254740993', '12345678901234567890.12', 0.25, true, '2026-01-01', '2026-01-01 00:00:00.000001', '{"a":1}', null],
    [1, 1.5, 2, false, null, null, null, 'x'],
  ])
  expect(server.statements).toEqual(['set statement_timeout = 20', 'select * from numbers'])
  expect(server.requests.at(-1)).toMatchObject({ canDownloadResult: false, canDecompressLZ4Result: false })
  const before = server.statements.length
  for (const sql of [
    'drop table t',
    "put '/etc/passwd' into '/Volumes/a'",
    'with a as (select 1) insert into t select * from a',
    'select 1; drop table t',
    '',
  ])
    await expect(connection.query(sql, queryLimits()), sql).rejects.toThrow(/queries|statement/)
  expect(server.statements).toHaveLength(before)
  await expect(connection.query('select * from nowhere', queryLimits())).rejects.toThrow('TABLE_OR_VIEW_NOT_FOUND')
  const stop = new AbortController()
  const pending = connection.query('select * from slow', { ...queryLimits(), signal: stop.signal })
  await eventually(() => expect(server.statements.at(-1)).toBe('select * from slow'))
  stop.abort()
  await expect(pending).rejects.toThrow('The operation was cancelled.')
  await eventually(() => expect(server.cancelled).toContain('select * from slow'))
})

test('reports a rejected token without it, checks certificates, and times out without a response', async () => {
  await using app = await createTestApp()
  await using server = await createDatabricksServer({ recorded: SHOP })
  CONNECTORS.set('databricks', createDatabricksConnector(server))
  const detail = async (credentials: object) => {
    const id = await createTestIntegration(app, 'databricks', { ...CREDENTIALS, ...credentials })
    const { status, body, text } = await app.call('POST', `${PATH}/${id}/test`)
    expect(text).not.toContain('swordfish')
    return [status, body.detail.replace('Could not connect to the source: ', '')]
  }
  expect(await detail({ token: 'swordfish' })).toEqual([400, 'The server rejected this token.'])
  expect(await detail({ http_path: '/sql?x=y#z' })).toEqual([400, 'The HTTP path must look like /sql/1.0/warehouses/….'])
  CONNECTORS.set('databricks', createDatabricksConnector({ port: server.port }))
  expect(await detail({})).toEqual([400, expect.stringMatching(/self-signed certificate/)])
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await expect(createDatabricksConnector({ port }).test(source(), AbortSignal.timeout(2_000))).rejects.toThrow('The operation timed out.')
  silent.close()
})

test('a request that fails is repeated, and a login that ends half-way loses nothing', async () => {
  await using app = await createTestApp()
  await using server = await createDatabricksServer({ recorded: SHOP })
  CONNECTORS.set('databricks', createDatabricksConnector(server))
  const id = await createTestIntegration(app, 'databricks', CREDENTIALS)
  expect((await runSync(app, id)).error).toBeNull()
  await expectFaultsLoseNothing(app, id, server)
})
