import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockRoots } from '../../src/catalog/records/tree.ts'
import type { Db } from '../../src/platform/db/connect.ts'
import { countLockWaiters } from '../support/concurrency.ts'
import { eventually } from '../support/eventually.ts'
import { createInterruptibleProxy } from '../support/interruptible-proxy.ts'
import { createTestApp } from '../support/test-app.ts'

/** Headers of every response, limits, and an unreachable database. */
test('healthcheck, readycheck, metrics, OpenAPI document and docs need no token', async () => {
  await using app = await createTestApp()
  const open = (path: string) => app.call('GET', path, { token: null })
  for (const path of ['healthcheck', 'readycheck']) expect((await open(path)).body).toEqual({ status: 'OK' })
  await app.call('GET', '/resource/all/018f3d1c-4b5a-7c3e-9d2f-0a1b2c3d4e5f')
  const metrics = await open('metrics')
  expect(metrics.headers['content-type']).toMatch(/^text\/plain/)
  expect(metrics.text).toContain('route="/api/v1/resource/all/:resource_id",status="404"')
  expect(metrics.text).toMatch(/^process_resident_memory_bytes \d+/m)
  expect(metrics.text).not.toContain('018f3d1c')
  const docs = await open('docs/')
  expect(docs).toMatchObject({ status: 200, headers: { 'content-type': expect.stringMatching(/^text\/html/) } })
  expect(docs.text).toContain('/api/v1/openapi.json')
  expect((await open('docs/js/scalar.js')).status).toBe(200)
})

test('with a metrics token configured, /metrics requires it', async () => {
  await using app = await createTestApp()
  await using closed = await app.createInstance({ config: { metricsToken: 'a token for metrics' } })
  const sendRequest = async (token: string | null) => (await closed.call('GET', 'metrics', { token })).status
  expect([await sendRequest(null), await sendRequest(app.token), await sendRequest('a'), await sendRequest('a token for metrics')]).toEqual(
    [401, 401, 401, 200],
  )
})

test('sends HSTS if the public URL is https', async () => {
  await using app = await createTestApp()
  await using secure = await app.createInstance({ config: { publicUrl: 'https://catalog.example.com' } })
  for (const path of ['healthcheck', '/resource/catalog', '/nothing'])
    expect((await secure.call('GET', path)).headers['strict-transport-security']).toBe('max-age=31536000')
  expect((await app.call('GET', 'healthcheck')).headers['strict-transport-security']).toBeUndefined()
})

test('every response has a request ID and the security headers', async () => {
  await using app = await createTestApp()
  const seen = new Set<string>()
  for (const [path, token] of [
    ['/resource/catalog', undefined],
    ['/resource/catalog', null],
    ['/nothing', undefined],
    ['healthcheck', null],
    ['docs/', null],
  ] as const) {
    const { headers } = await app.call('GET', path, { token, headers: { 'x-request-id': 'chosen by the caller' } })
    expect(headers['x-request-id'], path).toMatch(/^[\w-]{12}-[0-9a-z]+$/)
    seen.add(headers['x-request-id']!)
    expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': expect.any(String) })
    expect(headers['content-security-policy']).toContain(path === 'docs/' ? "default-src 'self'" : "default-src 'none'")
    expect(headers['x-powered-by']).toBeUndefined()
  }
  expect(seen.size).toBe(5)
})

test('requests over the rate limit are 429 with Retry-After; the next minute starts fresh', async () => {
  let now = new Date('2026-03-01T12:00:40Z')
  await using app = await createTestApp({ rateLimit: 5, now: () => now })
  const other = await app.createUser('editor')
  const sendRequest = (token = app.token) => app.call('GET', '/user/me', { token })
  for (let i = 0; i < 5; i += 1)
    expect(await sendRequest()).toMatchObject({ status: 200, headers: { 'ratelimit-limit': '5', 'ratelimit-remaining': `${4 - i}` } })
  expect(await sendRequest()).toMatchObject({ status: 429, headers: { 'retry-after': '20' }, body: { code: 'rate_limited' } })
  expect((await sendRequest(other.token)).status).toBe(200)
  expect((await app.call('GET', 'healthcheck', { token: null })).status).toBe(200)
  now = new Date('2026-03-01T12:01:00Z')
  expect((await sendRequest()).status).toBe(200)
})

test('two instances share the rate limit', async () => {
  const now = () => new Date('2026-03-01T12:00:00Z')
  await using app = await createTestApp({ rateLimit: 20, now })
  await using other = await app.createInstance()
  for (let i = 0; i < 15; i += 1) await app.call('GET', '/user/me')
  expect((await other.call('GET', '/user/me')).status).toBe(200)
  await eventually(async () => expect((await other.call('GET', '/user/me')).status).toBe(429), 300)
})

test('while the database is unreachable, requests are 503 with Retry-After and recover afterwards', async () => {
  await using app = await createTestApp()
  await using proxy = await createInterruptibleProxy(app.url)
  await using far = await app.createInstance({ url: proxy.url })
  const { id } = (await far.call('POST', '/resource/catalog', { body: { title: 'before' } })).body
  await proxy.cut()
  for (const [method, path, body] of [
    ['GET', '/resource/catalog', undefined],
    ['GET', `/resource/all/${id}`, undefined],
    ['PATCH', `/resource/all/${id}`, { title: 'lost' }],
    ['POST', '/resource/catalog', {}],
    ['GET', 'readycheck', undefined],
  ] as const) {
    const response = await far.call(method, path, { body })
    expect([path, response.status, response.headers['retry-after'], response.body.code]).toEqual([path, 503, '1', 'unavailable'])
    expect(response.text).not.toMatch(/ECONN|127\.0\.0\.1|postgres/i)
  }
  expect((await far.call('GET', 'healthcheck')).status).toBe(200)
  await proxy.restore()
  await eventually(async () => expect((await far.call('GET', 'readycheck')).status).toBe(200))
  expect((await far.call('GET', `/resource/all/${id}`)).body.title).toBe('before')
  expect((await far.call('GET', '/resource/catalog')).body.count).toBe(1)
  expect((await far.call('PATCH', `/resource/all/${id}`, { body: { title: 'after' } })).body.title).toBe('after')
})

test('terminated connections are replaced', async () => {
  await using app = await createTestApp()
  await app.call('GET', '/resource/catalog')
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
  await using second = await app.createInstance()
  await end.execute(second.database.db)
  const statuses: number[] = []
  for (let i = 0; i < 8; i += 1) statuses.push((await app.call('GET', '/resource/catalog')).status)
  expect(statuses.every((status) => status === 200 || status === 503)).toBe(true)
  expect(statuses.at(-1)).toBe(200)
})

test('a transaction whose connection is terminated fails; process and pool keep working', async () => {
  await using app = await createTestApp()
  await using second = await app.createInstance()
  const inTheMiddle = app.db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(second.database.db)
    await eventually(async () => {
      const alive = await sql`select from pg_stat_activity where pid = ${rows[0]!.pid}`.execute(second.database.db)
      expect(alive.rows).toEqual([])
    })
    await sql`select 1`.execute(trx)
  })
  await expect(inTheMiddle).rejects.toMatchObject({ code: expect.stringContaining('CONNECTION_') })
  expect((await app.call('GET', '/resource/catalog')).status).toBe(200)
})

test('a request that times out is cancelled with its SQL, and nothing is saved', async () => {
  await using app = await createTestApp()
  await using shortTimeout = await app.createInstance({ requestTimeoutMs: 700 })
  const { id } = await app.createResource({ title: 'locked' })
  await app.db.transaction().execute(async (holder) => {
    await sql`lock table resources in access exclusive mode`.execute(holder)
    const responses = await Promise.all([
      shortTimeout.call('PATCH', `/resource/all/${id}`, { body: { description: 'never' } }),
      shortTimeout.call('GET', '/resource/catalog'),
      shortTimeout.call('POST', '/resource/catalog', { body: {} }),
    ])
    for (const response of responses)
      expect(response).toMatchObject({ status: 503, headers: { 'retry-after': '1' }, body: { code: 'unavailable' } })
    await eventually(async () => {
      const { rows } = await sql<{ query: string }>`
        select query from pg_stat_activity
        where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid() and query ilike '%resources%' and wait_event_type = 'Lock'
      `.execute(app.db)
      expect(rows).toEqual([])
    })
  })
  expect((await app.call('GET', `/resource/all/${id}`)).body).toMatchObject({ description: null, version: 1 })
  expect((await app.call('GET', '/resource/catalog')).body.count).toBe(1)
})

test('several short waits that together exceed the limit also time out, and nothing is saved', async () => {
  await using app = await createTestApp()
  await using shortTimeout = await app.createInstance({ requestTimeoutMs: 2_000 })
  const { id } = await app.createResource({ title: 'locked' })
  const hold = (lock: (db: Db) => Promise<unknown>) => {
    const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const done = app.db.transaction().execute(async (db) => {
      await lock(db)
      held.resolve()
      await release.promise
    })
    return { held: held.promise, release: release.resolve, done }
  }
  const parent = await app.createResource({ title: 'parent' })
  const root = hold((db) => lockRoots(db, [id]))
  const row = hold((db) => sql`select from resources where id = ${id} for update`.execute(db))
  await Promise.all([root.held, row.held])
  const response = shortTimeout.call('PATCH', `/resource/all/${id}`, { body: { title: 'never', parent: parent.id } })
  await eventually(async () => expect(await countLockWaiters(app.db)).toBe(1))
  // Each wait is shorter than the limit; both together are nearly twice as long.
  await sleep(1_600)
  row.release()
  await sleep(1_600)
  root.release()
  expect((await response).status).toBe(503)
  await Promise.all([root.done, row.done])
  expect((await app.call('GET', `/resource/all/${id}`)).body).toMatchObject({ title: 'locked', version: 1 })
})
