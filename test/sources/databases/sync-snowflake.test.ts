import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { CONNECTORS } from '../../../src/sources/connectors/registry/all.ts'
import { createSnowflakeConnector, snowflakeConnector } from '../../../src/sources/connectors/snowflake/snowflake.ts'
import type { RecordedStatement } from '../../protocols/loopback.ts'
import { createSnowflakeServer } from '../../protocols/snowflake.ts'
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
const ODD = 'o"d\'d.\n😀'
const textColumn = (...names: string[]) => names.map((name) => [name, 'text'] as const)
const SHOP: RecordedStatement[] = [
  {
    matches: /current_version/,
    columns: textColumn('version', 'account', 'role', 'warehouse'),
    rows: [['9.30.0', 'XY12345', 'READER', 'WH']],
  },
  {
    matches: /^show databases/,
    columns: textColumn('created_on', 'name', 'is_default', 'comment'),
    rows: [
      ['1763200000.000', 'SHOP', 'N', 'All we sell.'],
      ['1763200000.000', 'SNOWFLAKE', 'N', ''],
    ],
  },
  {
    matches: /"SHOP"\.information_schema\.schemata/,
    columns: textColumn('name', 'comment'),
    rows: [
      ['EMPTY', null],
      ['SALES', 'Orders.'],
      [ODD, null],
    ],
  },
  {
    matches: /"SHOP"\.information_schema\.tables/,
    columns: [
      ...textColumn('schema', 'name', 'type', 'comment'),
      ['row_count', 'fixed(38,0)'],
      ['byte_size', 'fixed(38,0)'],
      ...textColumn('altered', 'clustering_key', 'definition'),
    ],
    rows: [
      [
        'SALES',
        'BIG',
        'VIEW',
        null,
        null,
        null,
        '2026-01-01T00:00:00Z',
        null,
        'create view SALES.BIG as select ID, TOTAL from ORDERS where TOTAL > 100',
      ],
      ['SALES', 'DAILY', 'MATERIALIZED VIEW', null, 3, 10, '2026-01-01T00:00:00Z', null, null],
      ['SALES', 'ORDERS', 'BASE TABLE', 'One row for each order.', 50, 1200, '2026-01-02T03:04:05Z', 'LINEAR(ID)', null],
      [ODD, ODD, 'EXTERNAL TABLE', null, null, null, null, null, null],
    ],
  },
  {
    matches: /"SHOP"\.information_schema\.columns/,
    columns: [
      ...textColumn('schema', 'table', 'name'),
      ['position', 'fixed(38,0)'],
      ...textColumn('type'),
      ['length', 'fixed(38,0)'],
      ['precision', 'fixed(38,0)'],
      ['scale', 'fixed(38,0)'],
      ...textColumn('nullable', 'default_value', 'identity', 'comment'),
    ],
    rows: [
      ['SALES', 'BIG', 'ID', 1, 'NUMBER', null, 38, 0, 'YES', null, 'NO', null],
      ['SALES', 'BIG', 'TOTAL', 2, 'NUMBER', null, 10, 2, 'YES', null, 'NO', null],
      ['SALES', 'DAILY', 'TOTAL', 1, 'NUMBER', null, 38, 2, 'YES', null, 'NO', null],
      ['SALES', 'ORDERS', 'ID', 1, 'NUMBER', null, 38, 0, 'NO', null, 'YES', null],
      ['SALES', 'ORDERS', 'CUSTOMER', 2, 'TEXT', 20, null, null, 'YES', "'nobody'", 'NO', null],
      ['SALES', 'ORDERS', 'TOTAL', 3, 'NUMBER', null, 10, 2, 'YES', null, 'NO', 'With tax.'],
      [ODD, ODD, ODD, 1, 'VARIANT', null, null, null, 'YES', null, 'NO', null],
    ],
  },
  { matches: /^show primary keys/, columns: textColumn('schema_name', 'table_name', 'column_name'), rows: [['SALES', 'ORDERS', 'ID']] },
  {
    matches: /^show imported keys/,
    columns: [
      ...textColumn('pk_schema_name', 'pk_table_name', 'pk_column_name', 'fk_schema_name', 'fk_table_name', 'fk_column_name'),
      ['key_sequence', 'fixed(38,0)'],
      ...textColumn('fk_name'),
    ],
    rows: [['SALES', 'CUSTOMERS', 'ID', 'SALES', 'ORDERS', 'CUSTOMER', 1, 'FK']],
  },
  {
    matches: /^show materialized views/,
    columns: textColumn('schema_name', 'name', 'text'),
    rows: [['SALES', 'DAILY', 'create materialized view DAILY as select sum(TOTAL) as TOTAL from ORDERS']],
  },
  {
    matches: /account_usage\.query_history/,
    columns: [...textColumn('database', 'text'), ['calls', 'fixed(18,0)'], ...textColumn('users')],
    rows: [
      ['SHOP', "select id from sales.orders where customer = 'swordfish'", 12, '["ANN","BOB"]'],
      ['OTHER', 'select 1', 100, '["ANN"]'],
    ],
  },
  {
    matches: /account_usage\.access_history/,
    columns: textColumn('source', 'source_column', 'target', 'target_column'),
    rows: [
      [`SHOP.SALES.ORDERS`, 'CUSTOMER', `SHOP."${ODD.replaceAll('"', '""')}"."${ODD.replaceAll('"', '""')}"`, ODD],
      ['SHOP.SALES.NOT_SYNCED', 'ID', 'SHOP.SALES.ORDERS', 'ID'],
    ],
  },
  {
    matches: /account_usage\.tag_references/,
    columns: textColumn('database', 'schema', 'table', 'column', 'name', 'value'),
    rows: [
      ['SHOP', 'SALES', 'ORDERS', null, 'COST_CENTER', 'sales'],
      ['SHOP', 'SALES', 'ORDERS', 'CUSTOMER', 'PII', null],
    ],
  },
  {
    matches: /from numbers/,
    columns: [
      ['BIG', 'fixed(38,0)'],
      ['PRICE', 'fixed(10,2)'],
      ['RATIO', 'real'],
      ['YES', 'boolean'],
      ['DAY', 'date'],
      ['AT', 'timestamp_ntz'],
      ['DEEP', 'variant'],
      ['RAW', 'binary'],
      ['NONE', 'text'],
    ],
    rows: [
      ['9007199254740993', '1.50', '0.25', 'true', '20454', '1767225600.000000000', '(globalThis.ran = 1)', '6162', null],
      ['1', '2.00', '3', 'false', null, null, '{"a":1}', null, 'x'],
      ['2', '2.00', '3', 'false', null, null, null, null, 'y'],
    ],
  },
  { matches: /from slow/, hangs: true },
  { matches: /from nowhere/, error: "SQL compilation error: Object 'NOWHERE' does not exist or not authorized." },
]
const CREDENTIALS = { account: 'xy12345.eu-central-1', user: 'reader', password: 'correct horse', warehouse: 'WH' }

afterEach(() => void CONNECTORS.set('snowflake', snowflakeConnector))

const source = (more: object = {}) => toSource({ ...CREDENTIALS, ...more })

test('discovers Snowflake through its SDK, with keys, sizes, lineage and query history', async () => {
  await using app = await createTestApp()
  await using server = await createSnowflakeServer({ recorded: SHOP })
  CONNECTORS.set('snowflake', createSnowflakeConnector(server.origin))
  const id = await createTestIntegration(app, 'snowflake', { ...CREDENTIALS, query_history: true })
  const tested = await app.call('POST', `${PATH}/${id}/test`)
  expect([tested.status, tested.body.detail]).toEqual([200, 'Snowflake 9.30.0, account XY12345: role READER, warehouse WH.'])
  const first = await runSync(app, id)
  expect(first).toMatchObject({
    error: null,
    report: { new: { database: 1, schema: 3, table: 4, column: 7, query: 1 }, lineage: { unreadable: 0 } },
  })
  expect(await findByFullTitle(app, 'SHOP')).toMatchObject({ description: 'All we sell.' })
  expect(await findByFullTitle(app, 'SHOP.SALES.ORDERS')).toMatchObject({
    native_type: 'table',
    description: 'One row for each order.',
    row_count: 50,
    byte_size: 1200,
    display_metadata: {
      clustering_key: 'LINEAR(ID)',
      foreign_keys: [{ name: 'FK', columns: ['CUSTOMER'], table: 'SALES.CUSTOMERS', to: ['ID'] }],
    },
  })
  expect(await findByFullTitle(app, 'SHOP.SALES.ORDERS.ID')).toMatchObject({
    is_pk: true,
    native_type: 'NUMBER(38,0)',
    display_metadata: { nullable: false, identity: 'by default' },
  })
  expect(await findByFullTitle(app, 'SHOP.SALES.ORDERS.CUSTOMER')).toMatchObject({
    native_type: 'VARCHAR(20)',
    sort_order: 2,
    display_metadata: { nullable: true, default: "'nobody'" },
  })
  expect(await findByFullTitle(app, `SHOP.${ODD}.${ODD}.${ODD}`)).toMatchObject({ native_type: 'VARIANT' })
  const odd = await findByFullTitle(app, `SHOP.${ODD}.${ODD}`)
  expect(await findLineageSources(app, odd.id)).toEqual(['ORDERS', ODD])
  const nameTags = async (title: string) =>
    Promise.all((await findByFullTitle(app, title)).tags.map(async (id: string) => (await app.call('GET', `/tag/${id}`)).body.name))
  expect([await nameTags('SHOP.SALES.ORDERS'), await nameTags('SHOP.SALES.ORDERS.CUSTOMER')]).toEqual([['COST_CENTER:sales'], ['PII']])
  for (const name of ['BIG', 'DAILY']) {
    const { id, native_type } = await findByFullTitle(app, `SHOP.SALES.${name}`)
    expect(native_type).toBe(name === 'BIG' ? 'view' : 'materialized view')
    expect(await findLineageSources(app, id)).toEqual([name, 'ORDERS'])
  }
  const { body: queries, text } = await app.call('GET', '/query/queries')
  expect(queries.results).toMatchObject([
    { title: 'select id from sales.orders where customer = ?', freq: 12, external_users: ['ANN', 'BOB'] },
  ])
  expect(text).not.toContain('swordfish')
  await expectNoChanges(app, id, { table: 4, column: 7 })
  expect(server.ended()).toBe(5)
  // Nothing about this machine is sent beyond what the protocol needs, and nothing to any other host.
  expect(server.recordedRequests.filter(({ path }) => path.includes('telemetry'))).toEqual([])
  expect(server.logins[0]).toMatchObject({ CLIENT_ENVIRONMENT: { PLATFORM: ['disabled'], CORE_VERSION: null } })
})

test('queries with limits of time and rows, and returns values without evaluating them', async () => {
  await using server = await createSnowflakeServer({ recorded: SHOP })
  await using connection = await createSnowflakeConnector(server.origin).sql!.open(source(), AbortSignal.timeout(PATIENCE_MS))
  const result = await connection.query('select * from numbers', { ...queryLimits(), max_rows: 2 })
  expect(result.columns.slice(0, 3)).toEqual([
    { name: 'BIG', type: 'NUMBER(38,0)' },
    { name: 'PRICE', type: 'NUMBER(10,2)' },
    { name: 'RATIO', type: 'REAL' },
  ])
  expect(result.truncated).toBe(true)
  expect(result.rows).toEqual([
    ['9007199254740993', 1.5, 0.25, true, '2026-01-01', '2026-01-01 00:00:00.000', '(globalThis.ran = 1)', '6162', null],
    [1, 2, 3, false, null, null, '{"a":1}', null, 'x'],
  ])
  expect(server.parameters.at(-1)).toMatchObject({ STATEMENT_TIMEOUT_IN_SECONDS: 20 })
  const before = server.statements.length
  for (const sql of ['drop table t', 'put file:///etc/passwd @stage', 'get @stage file:///tmp', 'select 1; drop table t', 'call x()', ''])
    await expect(connection.query(sql, queryLimits()), sql).rejects.toThrow(/queries|statement/)
  expect(server.statements).toHaveLength(before)
  await expect(connection.query('select * from nowhere', queryLimits())).rejects.toThrow("Object 'NOWHERE' does not exist")
  const stop = new AbortController()
  const running = connection.query('select * from slow', { ...queryLimits(), signal: stop.signal })
  await eventually(() => expect(server.statements.at(-1)).toBe('select * from slow'))
  stop.abort()
  await expect(running).rejects.toThrow('The operation was cancelled.')
  await eventually(() => expect(server.aborted).toEqual(['select * from slow']))
})

test('explains a rejected login without the secret, accepts private keys, and times out without a response', async () => {
  await using app = await createTestApp()
  await using server = await createSnowflakeServer({ recorded: SHOP })
  CONNECTORS.set('snowflake', createSnowflakeConnector(server.origin))
  const detail = async (credentials: object) => {
    const id = await createTestIntegration(app, 'snowflake', { ...CREDENTIALS, ...credentials })
    const { status, body, text } = await app.call('POST', `${PATH}/${id}/test`)
    expect(text).not.toContain('swordfish')
    return [status, body.detail.replace('Could not connect to the source: ', '')]
  }
  expect(await detail({ password: 'swordfish' })).toEqual([400, 'Incorrect username or password was specified.'])
  expect(await detail({ account: 'evil.example.com/x?' })).toEqual([400, expect.stringContaining('The account must be')])
  expect(await detail({ password: null })).toEqual([400, 'A password or private_key is required.'])
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const private_key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  expect(await detail({ password: null, private_key })).toEqual([200, expect.stringContaining('account XY12345')])
  expect(server.logins.at(-1)).toMatchObject({ AUTHENTICATOR: 'SNOWFLAKE_JWT', TOKEN: expect.stringMatching(/^ey/) })
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  await expect(createSnowflakeConnector(`http://127.0.0.1:${port}`).test(source(), AbortSignal.timeout(2_000))).rejects.toThrow(
    'The operation timed out.',
  )
  silent.close()
})

test('a request that fails is repeated, and a login that ends half-way loses nothing', async () => {
  await using app = await createTestApp()
  await using server = await createSnowflakeServer({ recorded: SHOP })
  CONNECTORS.set('snowflake', createSnowflakeConnector(server.origin))
  const id = await createTestIntegration(app, 'snowflake', CREDENTIALS)
  expect((await runSync(app, id)).error).toBeNull()
  await expectFaultsLoseNothing(app, id, server)
})
