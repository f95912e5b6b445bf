import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { bigqueryConnector, createBigqueryConnector } from '../../../src/sources/connectors/bigquery/bigquery.ts'
import { CONNECTORS } from '../../../src/sources/connectors/registry/all.ts'
import { createBigQueryServer } from '../../protocols/bigquery.ts'
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
const ODD = 'o"d\'d\n😀'
const strings = (...names: string[]) => names.map((name) => [name, 'STRING'] as const)
const TABLE = [
  ...strings('schema', 'name', 'type', 'comment', 'definition', 'primary_key'),
  ['row_count', 'INTEGER'],
  ['byte_size', 'INTEGER'],
  ['modified', 'TIMESTAMP'],
] as const
const COLUMN = [
  ...strings('schema', 'table', 'name'),
  ['position', 'INTEGER'],
  ...strings('type', 'nullable', 'default_value', 'partitioning'),
  ['clustering', 'INTEGER'],
  ...strings('comment'),
] as const
const SHOP: RecordedStatement[] = [
  {
    matches: /`shop-1`\.`region-eu`\.INFORMATION_SCHEMA\.SCHEMATA/,
    columns: strings('name', 'comment'),
    rows: [
      ['empty', null],
      ['sales', '"All \\"orders\\"."'],
    ],
  },
  { matches: /region-us`\.INFORMATION_SCHEMA\.SCHEMATA/, columns: strings('name', 'comment'), rows: [['stage', null]] },
  {
    matches: /region-eu`\.INFORMATION_SCHEMA\.TABLES/,
    columns: TABLE,
    rows: [
      [
        'sales',
        'big',
        'VIEW',
        null,
        'CREATE VIEW `shop-1.sales.big` AS SELECT id, total FROM `shop-1.sales.orders` WHERE total > 100',
        null,
        null,
        null,
        null,
      ],
      [
        'sales',
        'daily',
        'MATERIALIZED VIEW',
        null,
        'CREATE MATERIALIZED VIEW `shop-1.sales.daily` AS SELECT sum(total) AS total FROM `shop-1.sales.orders`',
        null,
        '3',
        '30',
        null,
      ],
      ['sales', 'orders', 'BASE TABLE', '"One row for each order."', null, 'id, `line`', '50', '1200', '1767225600000001'],
    ],
  },
  { matches: /region-us`\.INFORMATION_SCHEMA\.TABLE_STORAGE/, error: 'Access Denied: TABLE_STORAGE' },
  {
    matches: /region-us`\.INFORMATION_SCHEMA\.TABLES/,
    columns: TABLE,
    rows: [['stage', ODD, 'EXTERNAL', null, null, null, null, null, null]],
  },
  {
    matches: /region-eu`\.INFORMATION_SCHEMA\.COLUMNS/,
    columns: COLUMN,
    rows: [
      ['sales', 'big', 'id', '1', 'INT64', 'YES', null, 'NO', null, null],
      ['sales', 'big', 'total', '2', 'NUMERIC', 'YES', null, 'NO', null, null],
      ['sales', 'daily', 'total', '1', 'NUMERIC', 'YES', null, 'NO', null, null],
      ['sales', 'orders', 'id', '1', 'INT64', 'NO', null, 'NO', '1', null],
      ['sales', 'orders', 'line', '2', 'INT64', 'NO', '0', 'NO', null, null],
      ['sales', 'orders', 'total', '3', 'NUMERIC(10, 2)', 'YES', null, 'NO', null, 'With tax.'],
      ['sales', 'orders', 'day', '4', 'DATE', 'YES', null, 'YES', null, null],
    ],
  },
  {
    matches: /region-us`\.INFORMATION_SCHEMA\.COLUMNS/,
    columns: COLUMN,
    rows: [['stage', ODD, 'x', '1', 'JSON', 'YES', null, 'NO', null, null]],
  },
  {
    matches: /region-eu`\.INFORMATION_SCHEMA\.JOBS/,
    columns: [...strings('text'), ['calls', 'INTEGER'], ['users', 'ARRAY<STRING>']],
    rows: [["select id from sales.orders where mail = 'swordfish'", '12', [{ v: 'ann@example.com' }]]],
  },
  {
    matches: /region-us`\.INFORMATION_SCHEMA\.JOBS/,
    columns: [...strings('text'), ['calls', 'INTEGER'], ['users', 'ARRAY<STRING>']],
    rows: [],
  },
  {
    matches: /from numbers/,
    columns: [
      ['big', 'INTEGER'],
      ['price', 'NUMERIC'],
      ['ratio', 'FLOAT'],
      ['yes', 'BOOLEAN'],
      ['day', 'DATE'],
      ['at', 'TIMESTAMP'],
      ['list', 'ARRAY<INTEGER>'],
      ['deep', 'RECORD(a INTEGER)'],
      ['raw', 'BYTES'],
      ['none', 'STRING'],
    ],
    rows: [
      [
        '9007199254740993',
        '1.50',
        'NaN',
        'true',
        '2026-01-01',
        '1767225600000001',
        [{ v: '1' }, { v: '2' }],
        { f: [{ v: '1' }] },
        'YWI=',
        null,
      ],
      ['1', '2', '0.25', 'false', null, '-1000000', [], null, null, 'x'],
      ['2', '2', '0.25', 'false', null, null, [], null, null, 'y'],
    ],
  },
  { matches: /from sneaky/, columns: strings('x'), rows: [['ran']], kind: 'SCRIPT' },
  { matches: /from slow/, columns: strings('x'), hangs: true },
  { matches: /from nowhere/, error: 'Not found: Table shop-1:sales.nowhere was not found in location EU' },
  { matches: /^(drop|call|insert|with a as \(select 1\) insert|begin)/, columns: [], rows: [] },
]
const DATASETS = [
  ['empty', 'EU'],
  ['sales', 'EU'],
  ['stage', 'US'],
] as const
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const KEY = JSON.stringify({
  type: 'service_account',
  client_email: 'reader@shop-1.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  token_uri: 'http://169.254.169.254/token',
})
const CREDENTIALS = { project: 'shop-1', service_account: KEY }

afterEach(() => void CONNECTORS.set('bigquery', bigqueryConnector))

const source = (more: object = {}) => toSource({ ...CREDENTIALS, ...more })

test('discovers a BigQuery project through its SDK, region by region', async () => {
  await using app = await createTestApp()
  await using server = await createBigQueryServer({ project: 'shop-1', datasets: DATASETS, recorded: SHOP })
  CONNECTORS.set('bigquery', createBigqueryConnector(server.origin))
  const id = await createTestIntegration(app, 'bigquery', { ...CREDENTIALS, query_history: true })
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, 'BigQuery, project shop-1: 3 datasets in EU, US.'])
  const first = await runSync(app, id)
  expect(first).toMatchObject({
    error: null,
    report: { new: { database: 1, schema: 3, table: 4, column: 8, query: 1 }, lineage: { unreadable: 0 } },
  })
  const { body: job } = await app.call('GET', `/background_jobs/${first.id}`)
  expect(job.logs).toContain('Could not read row counts and sizes in US: Access Denied: TABLE_STORAGE')
  expect(await findByFullTitle(app, 'shop-1.sales')).toMatchObject({ description: 'All "orders".' })
  expect(await findByFullTitle(app, 'shop-1.sales.orders')).toMatchObject({
    native_type: 'table',
    description: 'One row for each order.',
    row_count: 50,
    byte_size: 1200,
    display_metadata: { location: 'EU' },
  })
  expect(await findByFullTitle(app, 'shop-1.sales.orders.line')).toMatchObject({
    is_pk: true,
    display_metadata: { nullable: false, default: '0' },
  })
  expect(await findByFullTitle(app, 'shop-1.sales.orders.day')).toMatchObject({ is_pk: false, display_metadata: { partitioning: true } })
  expect(await findByFullTitle(app, 'shop-1.sales.orders.total')).toMatchObject({ native_type: 'NUMERIC(10, 2)', description: 'With tax.' })
  expect(await findByFullTitle(app, `shop-1.stage.${ODD}`)).toMatchObject({ native_type: 'external' })
  for (const name of ['big', 'daily']) {
    const { id, native_type } = await findByFullTitle(app, `shop-1.sales.${name}`)
    expect(native_type).toBe(name === 'big' ? 'view' : 'materialized view')
    expect(await findLineageSources(app, id)).toEqual([name, 'orders'])
  }
  const { body: queries, text } = await app.call('GET', '/query/queries')
  expect(queries.results).toMatchObject([
    { title: 'select id from sales.orders where mail = ?', freq: 12, external_users: ['ann@example.com'] },
  ])
  expect(text).not.toContain('swordfish')
  await expectNoChanges(app, id, { table: 4, column: 8 })
  await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { location: 'eu', exclude: 'daily' } } })
  expect((await runSync(app, id)).report).toMatchObject({ stale: { schema: 2, table: 2 } })
})

test('queries with limits of time, rows and cost; a dry run decides whether it is a query', async () => {
  await using server = await createBigQueryServer({ project: 'shop-1', datasets: DATASETS, recorded: SHOP })
  await using connection = await createBigqueryConnector(server.origin).sql!.open(
    source({ max_gigabytes: 7 }),
    AbortSignal.timeout(PATIENCE_MS),
  )
  const result = await connection.query('select * from numbers', { ...queryLimits(), max_rows: 2 })
  expect(result.columns).toContainEqual({ name: 'list', type: 'ARRAY<INTEGER>' })
  expect(result.truncated).toBe(true)
  expect(result.rows).toEqual([
    ['9007199254740993', 1.5, 'NaN', true, '2026-01-01', '2026-01-01T00:00:00.000001Z', '[1,2]', '{"a":1}', '\\x6162', null],
    [1, 2, 0.25, false, null, '1969-12-31T23:59:59.000Z', '[]', null, null, 'x'],
  ])
  expect(server.jobs.at(-1)).toMatchObject({ jobTimeoutMs: '20000', query: { maximumBytesBilled: '7000000000', useLegacySql: false } })
  const before = server.statements.length
  for (const sql of [
    'drop table t',
    'call x()',
    'select 1; drop table t',
    'with a as (select 1) insert into t select * from a',
    'begin select 1; end',
    '',
  ])
    await expect(connection.query(sql, queryLimits()), sql).rejects.toThrow(/queries|statement/)
  await expect(connection.query('select * from sneaky', queryLimits())).rejects.toThrow('Only queries are allowed.')
  expect(server.statements).toHaveLength(before)
  await expect(connection.query('select * from nowhere', queryLimits())).rejects.toThrow('Not found: Table shop-1:sales.nowhere')
  const stop = new AbortController()
  const running = connection.query('select * from slow', { ...queryLimits(), signal: stop.signal })
  await eventually(() => expect(server.recordedRequests.at(-1)!.path).toContain('/queries/'))
  stop.abort()
  await expect(running).rejects.toThrow('The operation was cancelled.')
  await eventually(() => expect(server.cancelled).toEqual(['select * from slow']))
})

test('reports an invalid key and denied access without the key, and times out without a response', async () => {
  await using app = await createTestApp()
  await using server = await createBigQueryServer({
    project: 'shop-1',
    datasets: DATASETS,
    recorded: SHOP,
    rejects: 'Access Denied: Project shop-1',
  })
  CONNECTORS.set('bigquery', createBigqueryConnector(server.origin))
  const detail = async (credentials: object) => {
    const id = await createTestIntegration(app, 'bigquery', { ...CREDENTIALS, ...credentials })
    const { status, body, text } = await app.call('POST', `${PATH}/${id}/test`)
    expect(text).not.toContain('swordfish')
    return [status, body.detail.replace('Could not connect to the source: ', '')]
  }
  expect(await detail({})).toEqual([400, 'Access Denied: Project shop-1'])
  expect(server.recordedRequests.at(-1)!.headers.authorization).toMatch(/^Bearer ey/)
  for (const service_account of ['swordfish', '{"client_email": "swordfish', '{}', 'null', '[1]'])
    expect(await detail({ service_account })).toEqual([400, expect.stringContaining('the complete JSON key file')])
  expect(await detail({ project: 'x` y' })).toEqual([400, 'The project must be a project ID.'])
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await expect(createBigqueryConnector(`http://127.0.0.1:${port}`).test(source(), AbortSignal.timeout(2_000))).rejects.toThrow(
    'The operation timed out.',
  )
  silent.close()
})

test('requests tokens from Google only, whatever the key file says', async () => {
  // The key is invalid, so nothing is sent: neither to Google nor to the URL in the file.
  const service_account = JSON.stringify({
    ...JSON.parse(KEY),
    private_key: '-----BEGIN PRIVATE KEY-----\nnone\n-----END PRIVATE KEY-----',
  })
  await expect(bigqueryConnector.test(source({ service_account }), AbortSignal.timeout(PATIENCE_MS))).rejects.toThrow(
    /DECODER|PEM|key|unsupported/i,
  )
})

test('a request that fails is repeated, and a login that ends half-way loses nothing', async () => {
  await using app = await createTestApp()
  await using server = await createBigQueryServer({ project: 'shop-1', datasets: DATASETS, recorded: SHOP })
  CONNECTORS.set('bigquery', createBigqueryConnector(server.origin))
  const id = await createTestIntegration(app, 'bigquery', CREDENTIALS)
  expect((await runSync(app, id)).error).toBeNull()
  await expectFaultsLoseNothing(app, id, server)
})
