import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SQL_DIALECTS } from '../../../connector/src/protocol.ts'
import { DIALECT_DIFFERENCES } from '../../../src/sources/connectors/shared/dialect-differences.ts'
import { findByKey } from '../../support/connectors.ts'
import { measureTogether } from '../../support/monitors.ts'
import { findByTitle, profile } from '../../support/profiles.ts'
import { createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** Connectors of operators that run queries: the template for SQL, and one in plain JavaScript that misbehaves. */
let folder = ''
let template = ''
let faulty = ''

const FAULTY = `
import { createInterface } from 'node:readline'
const send = (message) => console.log(JSON.stringify(message))
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { command, settings } = JSON.parse((await lines.next()).value)
const end = (message) => { send(message); process.exit() }
if (command === 'describe') {
  send({ type: 'describe', protocol: 1, name: 'faulty', label: 'Faulty', version: '1', settings: { type: 'object', properties: {} }, query: { dialect: 'postgres' } })
  end({ type: 'done' })
}
if (command === 'discover') {
  send({ type: 'item', key: 'shop', entity_type: 'database', title: 'shop' })
  send({ type: 'item', key: 'shop.public', parent: 'shop', entity_type: 'schema', title: 'public' })
  send({ type: 'item', key: 'shop.public.orders', parent: 'shop.public', entity_type: 'table', title: 'orders' })
  send({ type: 'item', key: 'shop.public.orders.id', parent: 'shop.public.orders', entity_type: 'column', title: 'id', native_type: 'integer' })
  end({ type: 'done', items: 4 })
}
if (settings.refuse) end({ type: 'error', message: 'The token ' + settings.token + ' has expired.' })
send({ type: 'ready' })
for await (const line of lines) {
  const { statement } = JSON.parse(line)
  if (!statement) continue
  const { id } = statement
  if (settings.failure) send({ type: 'failed', id, ...settings.failure })
  else if (settings.garbage) console.log('alice@example.com')
  else if (settings.crash) process.exit(3)
  else if (settings.hang) await new Promise(() => setInterval(() => {}, 1000))
  else if (settings.endless) {
    send({ type: 'columns', id, columns: [{ name: 'id', type: 'integer' }] })
    for (;;) send({ type: 'rows', id, rows: Array.from({ length: 100 }, () => [1]) })
  }
}
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'connector-queries-'))
  template = join(folder, 'template')
  await cp('connector/template-sql', template, { recursive: true })
  const file = join(template, 'connector.ts')
  await writeFile(file, (await readFile(file, 'utf8')).replace('@tablinum/connector', resolve('connector/src/index.ts')))
  faulty = join(folder, 'faulty.mjs')
  await writeFile(faulty, FAULTY)
  const shop = new DatabaseSync(join(folder, 'shop.db'))
  shop.exec(`
    create table orders (id integer primary key, total real, status text);
    insert into orders values (1, 10.5, 'open'), (2, 20, 'paid'), (3, null, 'paid'), (9007199254740993, 1, 'open');
    create table "odd.name" (id integer); insert into "odd.name" values (7);
    create view paid as select id from orders where status = 'paid'`)
  shop.close()
})
afterAll(() => rm(folder, { recursive: true }))

const createApp = () =>
  createTestApp({
    connectorPrograms: new Map([
      ['sqlite', ['node', join(template, 'connector.ts')]],
      ['faulty', ['node', faulty]],
    ]),
  })
const connect = async (app: TestApp, connector: string, settings: object, secrets: object = {}): Promise<string> => {
  const id = await createTestIntegration(
    app,
    'connector',
    { connector, settings: JSON.stringify(settings), secrets: JSON.stringify(secrets) },
    { name: `Shop ${Math.random()}` },
  )
  const { status, error } = await runSync(app, id)
  expect([status, error]).toEqual(['COMPLETED', null])
  return id
}
const preview = (app: TestApp, table: string) => app.call('GET', `/resource/preview_v2/table/${table}/`)

test('the dialects of the protocol are those that Tablinum writes', () => {
  expect([...SQL_DIALECTS].sort()).toEqual(Object.keys(DIALECT_DIFFERENCES).sort())
})

test('tables of a connector that runs queries have previews, profiles, monitors and custom SQL', async () => {
  await using app = await createApp()
  await connect(app, 'sqlite', { path: join(folder, 'shop.db') })
  const orders = await findByTitle(app, 'orders')
  expect((await preview(app, orders.id)).body).toMatchObject({
    columns: [{ name: 'id' }, { name: 'total' }, { name: 'status' }],
    rows: [
      [1, 10.5, 'open'],
      [2, 20, 'paid'],
      [3, null, 'paid'],
      ['9007199254740993', 1, 'open'],
    ],
  })
  expect((await preview(app, (await findByTitle(app, 'odd.name')).id)).body).toMatchObject({ rows: [[7]] })
  const { job, columns } = await profile(app, orders.id)
  expect(job.status).toBe('COMPLETED')
  expect(columns.total).toMatchObject({ nulls: 1, distinct_values: 3 })

  expect(
    await measureTogether(app, {
      custom: { target: orders.id, metric_type: 'custom_sql', metric_config: { query_select: 'select sum(total) from orders' } },
      paid: { target: orders.id, metric_type: 'row_count', metric_config: { where: "status = 'paid'" } },
      nulls: { target: (await findByTitle(app, 'total', 'column')).id, metric_type: 'null_percentage' },
    }),
  ).toEqual({ custom: 31.5, paid: 2, nulls: 25 })
  const query = (sql: string) => app.call('POST', `/resource/all/${orders.id}/query`, { body: { sql } })
  expect((await query('select status, count(*) as n from orders group by status order by status')).body).toMatchObject({
    rows: [
      ['open', 2],
      ['paid', 2],
    ],
  })
  expect((await query('delete from orders')).status).toBe(400)
  expect((await query('select * from sqlite_schema')).status).toBe(400)
})

test('a failed statement says why only as far as no cell can be in it', async () => {
  await using app = await createApp()
  for (const [settings, expected] of [
    [{ failure: { message: 'No column "idd".', about: 'query' } }, 'No column "idd".'],
    [
      { failure: { message: 'alice@example.com is no number.', code: '22P02' } },
      'The source could not run the query (22P02). A value could not',
    ],
    [
      { failure: { message: 'invalid regular expression', code: '2201B' } },
      'The source could not run the query (2201B). The regular expression is not valid.',
    ],
    [{ failure: { message: 'alice@example.com is no number.', about: 'data' } }, 'The source could not run the query.'],
    [{ failure: { message: 'No route to secret-host.', about: 'connection' } }, 'No route to •••.'],
    [{ crash: true }, 'The connector stopped unexpectedly'],
    [{ garbage: true }, 'is not valid JSON'],
    [{ refuse: true }, 'The token ••• has expired.'],
  ] as const) {
    const id = await connect(app, 'faulty', settings, { token: 'secret-host' })
    const { status, body, text } = await preview(app, (await findByKey(app, id, 'shop.public.orders')).id)
    expect([status, body.detail]).toEqual([409, expect.stringContaining(expected)])
    expect(text).not.toContain('alice@example.com')
    expect(text).not.toContain('secret-host')
  }
})

test('a connector that goes on forever is cut off at the rows of the preview', async () => {
  await using app = await createApp()
  await connect(app, 'faulty', { endless: true })
  const { body } = await preview(app, (await findByTitle(app, 'orders')).id)
  expect(body.rows).toHaveLength(50)
})

test('a connector without queries says so', async () => {
  await using app = await createTestApp({ connectorPrograms: new Map([['none', ['node', join(folder, 'none.mjs')]]]) })
  await writeFile(join(folder, 'none.mjs'), FAULTY.replace(", query: { dialect: 'postgres' }", ''))
  await connect(app, 'none', {})
  const { status, body } = await preview(app, (await findByTitle(app, 'orders')).id)
  expect([status, body.detail]).toEqual([409, expect.stringContaining('Its connector runs no queries')])
})
