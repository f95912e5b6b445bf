import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'
import { discoverOracle, type OracleServer, testOracle } from '../../../src/sources/connectors/oracle/oracle.ts'
import { compilePatterns } from '../../../src/sources/connectors/patterns/name-patterns.ts'
import type { Item } from '../../../src/sources/sync/item.ts'
import { createCertificate } from '../../protocols/certificate.ts'
import { createTcpServer } from '../../protocols/tcp-server.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import { createTestIntegration, getConnectionError } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

type Row = Readonly<Record<string, unknown>>
type Recording = readonly [RegExp, readonly Row[] | Error]

const table = (id: number, name: string, type: string, more: Row = {}): Row => ({
  ...{ id, schema: 'SHOP', name, type, altered: '2026-04-01T08:00:00Z', comment: null },
  ...{ row_count: null, blocks: null, temporary: 'N', partitioned: 'NO' },
  ...more,
})
const column = (tableName: string, name: string, position: number, type: string, more: Row = {}): Row => ({
  ...{ schema: 'SHOP', table: tableName, name, position, type, length: 22, characters: 0, precision: null, scale: null },
  ...{ nullable: 'Y', identity: 'NO', comment: null, default_value: null },
  ...more,
})

/** The results have the columns that the statements select. */
const RECORDED: readonly Recording[] = [
  [/sys_context/, [{ name: 'SHOPPDB', version: '23.0.0.0.0', user: 'TABLINUM' }]],
  [/rownum = 1/, [{ found: 1 }]],
  [/select distinct o\.owner/, [{ name: 'SHOP' }]],
  [
    /as "altered"/,
    [
      table(1, 'CUSTOMERS', 'TABLE', { row_count: 2 }),
      table(2, 'DAILY', 'MATERIALIZED VIEW', { comment: 'snapshot table for snapshot SHOP.DAILY', row_count: 3 }),
      table(3, 'OPEN_ORDERS', 'VIEW', { temporary: null, partitioned: null }),
      table(4, 'ORDERS', 'TABLE', { comment: 'All orders.', row_count: 3_000_000_000, partitioned: 'YES' }),
      table(5, 'SCRATCH', 'TABLE', { temporary: 'Y' }),
    ],
  ],
  [/_views v/, [{ schema: 'SHOP', name: 'OPEN_ORDERS', definition: 'select id, price from orders', comment: null }]],
  [
    /_mviews m left/,
    [{ schema: 'SHOP', name: 'DAILY', definition: 'select day, sum(price) price from orders group by day', comment: 'By day.' }],
  ],
  [
    /as "default_value"/,
    [
      column('CUSTOMERS', 'ID', 1, 'NUMBER', {
        precision: 10,
        scale: 0,
        nullable: 'N',
        identity: 'YES',
        default_value: '"SHOP"."ISEQ$$_1".nextval',
      }),
      column('DAILY', 'DAY', 1, 'DATE'),
      column('OPEN_ORDERS', 'ID', 1, 'NUMBER', { scale: 0 }),
      column('ORDERS', 'ID', 1, 'NUMBER', { precision: 10, scale: 0, nullable: 'N' }),
      column('ORDERS', 'PRICE', 2, 'NUMBER', { precision: 10, scale: 2, comment: 'In euros.', default_value: '0 \n' }),
      column('ORDERS', 'CUSTOMER', 3, 'NUMBER'),
      column('ORDERS', 'NOTE', 4, 'VARCHAR2', { length: 200, characters: 50 }),
      column('ORDERS', 'AT', 5, 'TIMESTAMP(6) WITH TIME ZONE', { length: 13, scale: 6 }),
      column('ORDERS', 'HASH', 6, 'RAW', { length: 16 }),
      column('NEW_TABLE', 'ID', 1, 'NUMBER'),
    ],
  ],
  [
    /_constraints k/,
    [
      {
        schema: 'SHOP',
        table: 'ORDERS',
        name: 'FK_CUSTOMER',
        type: 'R',
        column: 'CUSTOMER',
        to_schema: 'SHOP',
        to_table: 'CUSTOMERS',
        to_column: 'ID',
      },
      { schema: 'SHOP', table: 'ORDERS', name: 'PK_ORDERS', type: 'P', column: 'ID', to_schema: null, to_table: null, to_column: null },
    ],
  ],
]

const createServer = (recorded: readonly Recording[]) => {
  const statements: string[] = []
  const server: OracleServer = {
    async *stream<T extends object>(sql: string): AsyncGenerator<T, void> {
      statements.push(sql)
      const rows = recorded.find(([matches]) => matches.test(sql))?.[1] ?? new Error(`nothing was recorded for ${sql}`)
      if (rows instanceof Error) throw rows
      yield* rows as readonly T[]
    },
  }
  return { server, statements }
}

const context = () => ({ signal: AbortSignal.timeout(PATIENCE_MS), log: async () => {} })
const discover = async (recorded: readonly Recording[], exclude = '') => {
  const { server, statements } = createServer(recorded)
  const items = await Array.fromAsync(discoverOracle(server, compilePatterns('', exclude), context()))
  return { items: new Map(items.map((item): [string, Item] => [item.key, item])), statements }
}

test('rows of the catalog become schemas, tables, views and columns with keys and lineage', async () => {
  const { items, statements } = await discover(RECORDED, 'SCRATCH')
  expect([...items.keys()]).toEqual([
    ...['SHOPPDB', 'SHOPPDB.SHOP'],
    ...['CUSTOMERS', 'DAILY', 'OPEN_ORDERS', 'ORDERS'].map((name) => `SHOPPDB.SHOP.${name}`),
    ...['CUSTOMERS.ID', 'DAILY.DAY', 'OPEN_ORDERS.ID', 'ORDERS.ID', 'ORDERS.PRICE'].map((name) => `SHOPPDB.SHOP.${name}`),
    ...['ORDERS.CUSTOMER', 'ORDERS.NOTE', 'ORDERS.AT', 'ORDERS.HASH'].map((name) => `SHOPPDB.SHOP.${name}`),
  ])
  expect(items.get('SHOPPDB.SHOP.ORDERS')).toMatchObject({
    stable_id: 'SHOPPDB.4',
    fields: { title: 'ORDERS', native_type: 'table', description: 'All orders.' },
    reported: { row_count: 3_000_000_000, external_updated_at: '2026-04-01T08:00:00Z' },
    facts: { partitioned: true, foreign_keys: [{ name: 'FK_CUSTOMER', columns: ['CUSTOMER'], table: 'SHOP.CUSTOMERS', to: ['ID'] }] },
  })
  expect(items.get('SHOPPDB.SHOP.OPEN_ORDERS')).toMatchObject({
    fields: { native_type: 'view' },
    made_by: { sql: 'select id, price from orders', dialect: 'oracle', database: 'SHOPPDB', schema: 'SHOP' },
  })
  expect(items.get('SHOPPDB.SHOP.DAILY')).toMatchObject({
    fields: { native_type: 'materialized view', description: 'By day.' },
    made_by: { sql: expect.stringContaining('group by day') },
  })
  const types = ['CUSTOMERS.ID', 'OPEN_ORDERS.ID', 'ORDERS.PRICE', 'ORDERS.CUSTOMER', 'ORDERS.NOTE', 'ORDERS.AT', 'ORDERS.HASH']
  expect(types.map((name) => items.get(`SHOPPDB.SHOP.${name}`)!.fields.native_type)).toEqual([
    ...['NUMBER(10)', 'INTEGER', 'NUMBER(10,2)', 'NUMBER', 'VARCHAR2(50)', 'TIMESTAMP(6) WITH TIME ZONE', 'RAW(16)'],
  ])
  expect(items.get('SHOPPDB.SHOP.ORDERS.ID')).toMatchObject({ own: { sort_order: 1, is_pk: true }, facts: { nullable: false } })
  expect(items.get('SHOPPDB.SHOP.ORDERS.PRICE')).toMatchObject({
    ...{ fields: { description: 'In euros.' }, own: { is_pk: false }, facts: { nullable: true, default: '0' } },
  })
  expect(items.get('SHOPPDB.SHOP.CUSTOMERS.ID')!.facts).toEqual({ nullable: false, identity: 'by default' })
  expect(statements.every((sql) => /^\s*select /.test(sql) && !/\ball_(tables|objects)/.test(sql))).toBe(true)
})

test('without the right to read the dictionary, what the user may read itself; other errors end the sync', async () => {
  const replace = (matches: RegExp, error: string) =>
    RECORDED.map((each): Recording => (each[0].source === matches.source ? [each[0], new Error(error)] : each))
  const denied = replace(/rownum = 1/, 'ORA-00942: table or view does not exist')
  const { statements } = await discover(denied)
  expect(statements.filter((sql) => /\bdba_/.test(sql))).toHaveLength(1)
  const limits = { signal: AbortSignal.timeout(PATIENCE_MS), timeout_ms: 1_000 }
  const start = 'Oracle 23.0.0.0.0, database SHOPPDB: 1 schemas with tables and views, from'
  expect(await testOracle(createServer(RECORDED).server, limits)).toBe(`${start} the whole dictionary.`)
  expect(await testOracle(createServer(denied).server, limits)).toBe(`${start} what this user may read itself.`)
  await expect(discover(replace(/rownum = 1/, 'ORA-03113: end-of-file on communication channel'))).rejects.toThrow('ORA-03113')
  await expect(discover(replace(/_constraints k/, 'ORA-00904: "R_OWNER": invalid identifier'))).rejects.toThrow('"R_OWNER"')
})

test('the driver explains a server that is none, without the password', async () => {
  await using app = await createTestApp()
  using server = await createTcpServer((socket) => socket.end())
  const id = await createTestIntegration(app, 'oracle', { ...server.credentials, service: 'SHOPPDB' })
  expect(await getConnectionError(app, id, 'correct horse')).toMatch(/NJS-|closed the connection/)
  const wrong = await createTestIntegration(app, 'oracle', { ...server.credentials, service: 'x)(y' }, { name: 'Other' })
  expect(await getConnectionError(app, wrong, 'correct horse')).toContain('The service must be a name such as')
})

test('with TLS, only a server of a trusted authority is sent anything', async () => {
  await using app = await createTestApp()
  const certificate = createCertificate()
  let received = 0
  const server = createTlsServer(certificate, (socket) => {
    socket.on('error', () => {})
    socket.on('data', (data) => {
      received += data.length
      socket.end()
    })
  }).on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const credentials = { host: '127.0.0.1', port, user: 'reader', password: 'correct horse', service: 'SHOPPDB', ssl: true }
  const unknown = await createTestIntegration(app, 'oracle', credentials)
  expect(await getConnectionError(app, unknown, 'correct horse')).toMatch(/certificate/i)
  expect(received).toBe(0)
  const trusted = await createTestIntegration(app, 'oracle', { ...credentials, ca: certificate.cert }, { name: 'Other' })
  expect(await getConnectionError(app, trusted, 'correct horse')).not.toMatch(/certificate/i)
  expect(received).toBeGreaterThan(0)
  server.close()
})
