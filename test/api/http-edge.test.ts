import { Agent, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { findIgnoredFields } from '../../src/platform/http/validate.ts'
import { createInterruptibleProxy } from '../support/interruptible-proxy.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** What the HTTP layer does for every route: unread bodies, warnings, time limits, and error mapping. */
const listening = async ({ fastify: app }: Pick<TestApp, 'fastify'>): Promise<string> => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
}

const FORM = 'form'
const formOf = (text: string) =>
  `--${FORM}\r\nContent-Disposition: form-data; name="file"; filename="manifest.json"\r\nContent-Type: text/csv\r\n\r\n${text}\r\n--${FORM}--\r\n`

/** 4 MB, more than the buffers of a connection hold. */
const LONG_JSONL = `not json${' '.repeat(71)}\n`.repeat(50_000)
const LONG_CSV = `no,such\n${`${'a'.repeat(73)},b,c,d\n`.repeat(50_000)}`

for (const [what, path, type, bodyOf] of [
  ['JSONL', `/integration/integrations/${newId()}/import_jsonl_metadata/`, 'application/x-ndjson', () => LONG_JSONL],
  ['CSV', `/integration/integrations/${newId()}/import_metadata/`, 'text/csv', () => LONG_CSV],
  ['a form', `/integration/integrations/${newId()}/import_metadata/`, `multipart/form-data; boundary=${FORM}`, () => formOf(LONG_CSV)],
  [
    'dbt artifacts',
    `/integration/dbt/${newId()}/upload_artifacts/`,
    `multipart/form-data; boundary=${FORM}`,
    () => formOf('x'.repeat(4_000_000)),
  ],
] as const)
  test(`a rejected upload (${what}) leaves its keep-alive connection usable for the next request`, async () => {
    await using app = await createTestApp()
    const address = await listening(app)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const sockets = new Set<unknown>()
    const sendRequest = (method: string, path: string, body?: string, type = '') =>
      new Promise<{ status: number; text: string }>((resolve, reject) => {
        const headers = {
          authorization: `Bearer ${app.token}`,
          ...(body ? { 'content-type': type, 'content-length': Buffer.byteLength(body) } : {}),
        }
        const clientRequest = request(`${address}/api/v1${path}`, { method, agent, headers, timeout: 15_000 }, (response) =>
          readText(response).then((text) => resolve({ status: response.statusCode!, text }), reject),
        )
        clientRequest
          .on('socket', (socket) => sockets.add(socket))
          .on('error', reject)
          .on('timeout', () => clientRequest.destroy(new Error('no answer')))
        clientRequest.end(body)
      })
    try {
      for (let i = 0; i < 3; i += 1) {
        const { status, text } = await sendRequest('POST', path, bodyOf(), type)
        expect([status, text]).toEqual([expect.toSatisfy((status) => status === 400 || status === 404), expect.stringContaining('"code"')])
        expect((await sendRequest('GET', '/user/me')).status).toBe(200)
      }
      expect(sockets.size).toBe(1)
    } finally {
      agent.destroy()
    }
  })

test('300,000 unknown fields in a body give a short warning, and few of them are visited', async () => {
  await using app = await createTestApp()
  const fields = Object.fromEntries(Array.from({ length: 300_000 }, (_, i) => [`field_${i}`, 1]))
  const { status, headers } = await app.call('POST', '/resource/catalog', { body: { title: 'orders', ...fields } })
  expect(status).toBe(201)
  expect(headers.warning).toMatch(/^199 - "ignored fields: field_0, .* and more"$/)
  expect(headers.warning!.length).toBeLessThan(2000)
})

test('the search for unknown fields is bounded', () => {
  const shape = { properties: { known: {}, items: { items: { properties: { known: {} } } } } }
  const none = new Set<string>()
  const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`f${i}`, 1]))
  expect(findIgnoredFields(shape, wide, none)).toMatchObject({ more: true, visited: 21 })
  expect(findIgnoredFields(shape, wide, none).names).toHaveLength(20)
  const knownFields = { items: Array.from({ length: 100_000 }, () => ({ known: 1 })) }
  expect(findIgnoredFields(shape, knownFields, none)).toEqual({ names: [], more: true, visited: 10_000 })
  const mixed = { items: Array.from({ length: 100_000 }, (_, i) => ({ known: 1, [`f${i % 30}`]: 1 })) }
  expect(findIgnoredFields(shape, mixed, none)).toMatchObject({ more: true, names: expect.objectContaining({ length: 20 }) })
  expect(findIgnoredFields(shape, { known: 1, other: 2, items: [{ other: 1 }] }, none)).toEqual({
    names: ['other', 'items.other'],
    more: false,
    visited: 5,
  })
  const long = { ['x'.repeat(100_000)]: 1 }
  expect(findIgnoredFields(shape, long, none).names).toHaveLength(1)
})

const raising = async (app: TestApp, errcode: string): Promise<void> => {
  await sql
    .raw(`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no' using errcode = '${errcode}'; end $$;`)
    .execute(app.db)
  await sql.raw('create trigger refuse before insert on resources for each row execute function refuse()').execute(app.db)
}

for (const [errcode, status, code] of [
  ['25006', 503, 'unavailable'], // read-only
  ['53100', 503, 'unavailable'], // disk full
  ['53200', 503, 'unavailable'], // out of memory
  ['53300', 503, 'unavailable'], // too many connections
  ['57P03', 503, 'unavailable'], // starting up
  ['40P01', 503, 'unavailable'], // a deadlock in every attempt
  ['40001', 503, 'unavailable'], // the same for another order of transactions
  ['08006', 503, 'unavailable'], // connection failure
  ['22P02', 500, 'internal_error'], // a cast in our own SQL, not a value of the caller
  ['22003', 500, 'internal_error'],
  ['42883', 500, 'internal_error'],
] as const)
  test(`SQLSTATE ${errcode} in a write is ${status}${status === 503 ? ' with Retry-After' : ''}`, async () => {
    await using app = await createTestApp()
    await raising(app, errcode)
    const response = await app.call('POST', '/resource/catalog', { body: { title: 'orders' } })
    expect([response.status, response.body.code, response.headers['retry-after']]).toEqual([status, code, status === 503 ? '1' : undefined])
  })

test('a read-only database gives 503 for writes and still serves reads', async () => {
  await using app = await createTestApp()
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(app.db)
  await sql.raw(`alter database ${rows[0]!.name} set default_transaction_read_only = on`).execute(app.db)
  await using other = await app.createInstance()
  expect((await other.call('GET', '/resource/catalog')).status).toBe(200)
  const response = await other.call('POST', '/resource/catalog', { body: { title: 'orders' } })
  expect([response.status, response.headers['retry-after'], response.body.detail]).toEqual([503, '1', expect.stringContaining('read-only')])
})

for (const code of ['ENOENT', 'ECONNREFUSED', 'ETIMEDOUT', '57P01', '22P02'])
  test(`${code} from elsewhere than the database is not reported as a database error`, async () => {
    await using app = await createTestApp({ newApp: true })
    app.fastify.get('/fails', { config: { permission: 'public' } }, async () => {
      throw Object.assign(new Error('of a file or a source'), { code })
    })
    expect(await app.call('GET', 'fails')).toMatchObject({ status: 500, body: { code: 'internal_error' } })
  })

test('column details of the wrong type do not break reads', async () => {
  await using app = await createTestApp()
  const table = await app.createResource({ entity_type: 'table', title: 'orders' })
  const column = await app.createResource({ entity_type: 'column', title: 'id', parent: table.id })
  await sql`update resources set details = '{"sort_order": "first", "is_pk": "maybe"}' where id = ${column.id}`.execute(app.db)
  expect((await app.call('GET', `/monitor/suggestions?resource_id=${table.id}`)).status).toBe(200)
  // The error is that there is no source to read from.
  expect((await app.call('POST', `/resource/all/${table.id}/profile`, { body: {} })).body.code).toBe('conflict')
  await sql`update resources set details = '{"sort_order": 1e30, "is_pk": 1}' where id = ${column.id}`.execute(app.db)
  expect((await app.call('GET', `/monitor/suggestions?resource_id=${table.id}`)).status).toBe(200)
  expect((await app.call('POST', `/resource/all/${table.id}/profile`, { body: {} })).body.code).toBe('conflict')
})

test('while the database hangs, every request is answered within its time limit', async () => {
  await using app = await createTestApp()
  await using proxy = await createInterruptibleProxy(app.url)
  await using other = await app.createInstance({ url: proxy.url, requestTimeoutMs: 1000 })
  expect((await other.call('GET', '/user/me')).status).toBe(200)
  proxy.hang()
  const responses = await Promise.all([
    other.call('GET', '/resource/catalog'),
    other.call('POST', '/resource/catalog', { body: { title: 'late' } }),
    other.call('GET', '/auth/setup', { token: null }),
    other.call('GET', 'readycheck', { token: null }),
  ])
  expect(responses.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(responses.map(() => [503, '1']))
  proxy.resume()
  await expect.poll(async () => (await other.call('GET', '/user/me')).status).toBe(200)
  expect((await other.call('GET', '/resource/catalog?title=late')).body.count).toBe(0)
})

test('a user can have at most fifty event streams of all kinds; closing one frees a slot', async () => {
  await using app = await createTestApp()
  const address = await listening(app)
  const { body: job } = await app.call('POST', '/demo')
  const leave: (() => void)[] = []
  const open = async (path: string, token = app.token) => {
    const leaving = new AbortController()
    leave.push(() => leaving.abort())
    return fetch(`${address}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` }, signal: leaving.signal })
  }
  try {
    const streams = await Promise.all(
      Array.from({ length: 50 }, (_, i) => open(i % 2 ? '/ui/stream' : `/background_jobs/${job.id}/events`)),
    )
    expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
    for (const path of ['/ui/stream', `/background_jobs/${job.id}/events`]) {
      const over = await open(path)
      expect([over.status, await over.json()]).toMatchObject([
        429,
        { code: 'rate_limited', detail: expect.stringContaining('50 open event streams') },
      ])
    }
    const { token } = await app.createUser('viewer')
    expect((await open('/ui/stream', token)).status).toBe(200)
    leave[0]!()
    await expect.poll(async () => (await open('/ui/stream')).status).toBe(200)
  } finally {
    for (const each of leave) each()
  }
})
