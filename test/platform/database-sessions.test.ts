import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type Context, inTransaction } from '../../src/platform/context/context.ts'
import { connect, type Db } from '../../src/platform/db/connect.ts'
import { openDedicatedConnection } from '../../src/platform/db/dedicated-connection.ts'
import { openQueuePool } from '../../src/platform/queue/pool.ts'
import { createDatabaseProxy } from '../faults/database-proxy.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestInstance } from '../support/test-app.ts'

const alterDatabase = (url: string, db: Db, setting: string) =>
  sql.raw(`alter database ${new URL(url).pathname.slice(1)} set ${setting}`).execute(db)

const SETTINGS = sql<Record<string, string>>`
  select current_setting('jit') as jit, current_setting('timezone') as timezone, current_setting('statement_timeout') as statement_timeout,
    current_setting('idle_in_transaction_session_timeout') as idle_in_transaction, current_setting('idle_session_timeout') as idle_session`

test('every connection has its settings, regardless of the database’s defaults', async () => {
  await using app = await createTestApp()
  for (const setting of ['jit = on', "timezone = 'Asia/Kathmandu'", 'statement_timeout = 1234', 'idle_session_timeout = 1234'])
    await alterDatabase(app.url, app.db, setting)
  await using instance = await app.createInstance({ config: { requestTimeoutMs: 20_000 } })
  const { request, background, transfer } = instance.ctx.runtime.databases
  const common = { jit: 'off', timezone: 'UTC', idle_in_transaction: '0', idle_session: '0' }
  for (const [{ db }, statement_timeout] of [
    [request, '20s'],
    [background, '10min'],
    [transfer, '0'],
  ] as const)
    expect((await SETTINGS.execute(db)).rows).toEqual([{ ...common, statement_timeout }])
  const text = SETTINGS.compile(app.db).sql
  await using queue = openQueuePool(app.url, { max: 1, onError: () => {} })
  expect((await queue.pool.query(text)).rows).toEqual([{ ...common, statement_timeout: '0' }])
  await using session = await openDedicatedConnection(app.url, 'test')
  expect(await session.query(text)).toEqual([{ ...common, statement_timeout: '0' }])
})

test('the control connection has the same settings, and no connection sends startup parameters', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  await instance.ctx.runtime.control.start()
  await instance.call('GET', '/resource/catalog')
  await using queue = openQueuePool(proxy.url, { max: 1, onError: () => {} })
  await queue.pool.query('select 1')
  await using _session = await openDedicatedConnection(proxy.url, 'test')
  const control = proxy.statements.filter(({ application }) => application === 'tablinum control')
  expect(control[0]?.text).toContain("set_config('jit', 'off', false)")
  // A pooler rejects all others.
  for (const settings of proxy.startups)
    expect(Object.keys(settings).sort()).toEqual(['application_name', 'client_encoding', 'database', 'user'])
  expect(new Set(proxy.startups.map(({ application_name }) => application_name))).toEqual(
    new Set(['tablinum control', 'tablinum', 'tablinum queue', 'test']),
  )
})

const cacheEntries = async ({ fastify: app }: TestInstance): Promise<number> => {
  const { body } = await app.inject('/metrics')
  return [...body.matchAll(/^tablinum_cache_entries\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0)
}

test('closing an idle connection clears no cache; losing one does', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'cached' })
  await using instance = await app.createInstance({ config: { idleTimeoutMs: 300 } })
  const { pool } = instance.database
  await Promise.all(Array.from({ length: 4 }, (_, i) => instance.call('GET', `/resource/catalog?page_size=${i + 1}`)))
  const filled = await cacheEntries(instance)
  expect(filled).toBeGreaterThan(0)
  await eventually(() => expect(pool.counts().open).toBe(0))
  expect(await cacheEntries(instance)).toBe(filled)

  await using lasting = await app.createInstance()
  await lasting.call('GET', '/resource/catalog')
  expect(await cacheEntries(lasting)).toBeGreaterThan(0)
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(lasting.database.db)
  await sql`select pg_terminate_backend(${rows[0]!.pid})`.execute(app.db)
  await eventually(async () => expect(await cacheEntries(lasting)).toBe(0))
})

test('a write rejected by a read-only transaction clears no cache', async () => {
  await using app = await createTestApp()
  await app.createResource({ title: 'cached' })
  await app.call('GET', '/resource/catalog')
  const filled = await cacheEntries(app)
  expect(filled).toBeGreaterThan(0)
  const rejected = app.db
    .transaction()
    .setAccessMode('read only')
    .execute((db) => sql`delete from resources`.execute(db))
  await expect(rejected).rejects.toMatchObject({ code: '25006' })
  expect(await cacheEntries(app)).toBe(filled)
})

const preparedOn = async (db: Db) =>
  (await sql<{ name: string; statement: string }>`select name, statement from pg_prepared_statements`.execute(db)).rows

test('statements in use stay prepared, however many others run; evicted ones are deallocated on the server too', async () => {
  await using app = await createTestApp()
  const database = connect(app.url, { poolSize: 1 })
  const { db } = database
  const run = (column: string) => sql`select ${1}::int as ${sql.ref(column)}`.execute(db)
  const hot = async () => (await preparedOn(db)).find(({ statement }) => statement.includes('"hot"'))?.name
  await run('hot')
  expect(await hot()).toBeUndefined() // a text that is run once is not prepared
  await run('hot')
  const name = await hot()
  expect(name).toBeDefined()
  for (let i = 0; i < 600; i += 1) {
    await run(`n${i}`)
    await run(`n${i}`)
    if (i % 50 === 0) await run('hot')
  }
  await run('n0') // seen long ago and evicted since
  const prepared = await preparedOn(db)
  expect(await hot()).toBe(name)
  expect(prepared.length).toBeGreaterThan(150)
  expect(prepared.length).toBeLessThanOrEqual(200)
  expect(prepared.some(({ statement }) => statement.includes('"n599"'))).toBe(true)
  expect(prepared.some(({ statement }) => statement.includes('"n1"'))).toBe(false)
  await database.close()
})

test('a connection that only runs transactions deallocates evicted statements too', async () => {
  await using app = await createTestApp()
  const database = connect(app.url, { poolSize: 1 })
  const run = (column: string) => database.db.transaction().execute((db) => sql`select ${1}::int as ${sql.ref(column)}`.execute(db))
  for (let i = 0; i < 300; i += 1) for (const column of [`n${i}`, `n${i}`]) await run(column)
  expect((await preparedOn(database.db)).length).toBeLessThanOrEqual(200)
  await database.close()
})

test('statements of a transaction run in the order they were sent; if one fails, none of them counts', async () => {
  await using app = await createTestApp()
  const database = connect(app.url, { poolSize: 1 })
  const { db } = database
  await sql`create table steps (id serial, step int unique)`.execute(db)
  const add = (db: Db, step: number) => sql`insert into steps (step) values (${step})`.execute(db)
  const read = async () => (await sql<{ step: number }>`select step from steps order by id`.execute(db)).rows.map(({ step }) => step)
  await db.transaction().execute((db) => Promise.all([5, 3, 9, 1].map((step) => add(db, step))))
  expect(await read()).toEqual([5, 3, 9, 1])
  const failed = db.transaction().execute((db) => Promise.all([2, 3, 4].map((step) => add(db, step))))
  await expect(failed).rejects.toMatchObject({ code: '23505' })
  expect(await read()).toEqual([5, 3, 9, 1])
  await database.close()
})

test('a transaction that cannot begin fails, and its connection is not used again', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  const database = connect(proxy.url, { poolSize: 1 })
  const { db } = database
  const pid = async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!.pid
  const before = await pid()
  proxy.onStatement = (text) => (text.startsWith('begin') ? { error: '53200' } : 'pass')
  await expect(db.transaction().execute((db) => sql`select ${1}::int`.execute(db))).rejects.toMatchObject({ code: '53200' })
  expect(await db.transaction().execute(async () => 'nothing to write')).toBe('nothing to write') // sends no statement, so none can fail
  proxy.onStatement = () => 'pass'
  expect(await pid()).not.toBe(before)
  await database.close()
})

test('varying page_size does not evict the statement of the default page', async () => {
  await using app = await createTestApp()
  await using instance = await app.createInstance({ config: { pools: { request: 1 } } })
  const { caches, databases } = instance.ctx.runtime
  const list = async (size: number) => {
    caches.results.clear() // otherwise responses come from the cache
    expect((await instance.call('GET', `/resource/catalog?page_size=${size}`)).status).toBe(200)
  }
  const pages = async () =>
    (await preparedOn(databases.request.db))
      .map(({ statement }) => statement)
      .filter((statement) => /order by[\s\S]*limit \d/.test(statement))
  for (let i = 0; i < 4; i += 1) await list(20)
  const [usual, ...others] = await pages()
  expect([usual !== undefined, others]).toEqual([true, []])
  for (let size = 21; size <= 320; size += 1) {
    await list(size)
    await list(size)
    if (size % 20 === 0) await list(20)
  }
  const now = await pages()
  expect(now).toContain(usual)
  expect(now.length).toBeGreaterThan(100)
  expect((await preparedOn(databases.request.db)).length).toBeLessThanOrEqual(200)
})

test('statements outdated by a migration are prepared again, inside and outside a transaction', async () => {
  await using app = await createTestApp()
  await using instance = await app.createInstance()
  const { ctx, database } = instance
  await sql`create table upgraded (a int)`.execute(app.db)
  await sql`insert into upgraded values (1)`.execute(app.db)
  const read = async (db: Db) =>
    (await sql<object>`select *, pg_sleep(0.05) is null as slept from upgraded where a = ${1}`.execute(db)).rows
  const everywhere = () => Promise.all(Array.from({ length: database.pool.max }, () => read(database.db)))
  for (let i = 0; i < 3; i += 1) await everywhere() // prepared on every connection

  await sql`alter table upgraded add column b int not null default 2`.execute(app.db)
  for (const rows of await everywhere()) expect(rows).toEqual([{ a: 1, b: 2, slept: false }])

  for (let i = 0; i < 3; i += 1) await everywhere()
  await sql`alter table upgraded add column c int not null default 3`.execute(app.db)
  let attempts = 0
  const inside = () =>
    inTransaction(ctx, (ctx) => {
      attempts += 1
      return read(ctx.db)
    })
  for (let i = 0; i < 2; i += 1)
    for (const rows of await Promise.all(Array.from({ length: database.pool.max }, inside)))
      expect(rows).toEqual([{ a: 1, b: 2, c: 3, slept: false }])
  expect(attempts).toBeGreaterThan(2 * database.pool.max)
})

test('after a failure, no other concurrent statement of the transaction runs', async () => {
  await using app = await createTestApp()
  await sql`create table written (n int)`.execute(app.db)
  const started = (fails: (ctx: Context) => Promise<unknown>, ctx: Context) =>
    inTransaction(ctx, (ctx) =>
      Promise.all([fails(ctx), ...[1, 2, 3].map((n) => sql`insert into written values (${n})`.execute(ctx.db, ctx.limits))]),
    )
  await expect(started((ctx) => sql`select 1 / 0`.execute(ctx.db), app.ctx)).rejects.toThrow('division by zero')
  const gone = new AbortController()
  const slow = (ctx: Context) => sql`select pg_sleep(20)`.execute(ctx.db, ctx.limits)
  setTimeout(() => gone.abort(), 200)
  await expect(started(slow, { ...app.ctx, limits: { signal: gone.signal, inflightQueryAbortStrategy: 'cancel query' } })).rejects.toThrow()
  // Nothing of it is executed later.
  await sql`select pg_sleep(0.3)`.execute(app.db)
  expect((await sql`select n from written`.execute(app.db)).rows).toEqual([])
})

test('statements sent together fail with the error of the first, even if it was to prepare the others', async () => {
  await using app = await createTestApp()
  const database = connect(app.url, { poolSize: 1 })
  const { db } = database
  const missing = (db: Db, n: number) => sql`select ${n}::int from missing`.execute(db)
  await expect(missing(db, 0)).rejects.toMatchObject({ code: '42P01' }) // a text is prepared the second time it is used
  let results: PromiseSettledResult<unknown>[] = []
  const failed = db.transaction().execute(async (db) => {
    await sql`select 1`.execute(db)
    results = await Promise.allSettled([missing(db, 1), missing(db, 2), sql`select 2`.execute(db)])
  })
  await expect(failed).rejects.toThrow('rolled back')
  expect(results).toHaveLength(3)
  for (const result of results) expect(result).toMatchObject({ status: 'rejected', reason: { code: '42P01' } })
  expect((await sql`select 3 as n`.execute(db)).rows).toEqual([{ n: 3 }])
  await database.close()
})

test('a value that cannot be sent is reported as such by the statements that wait for it', async () => {
  await using app = await createTestApp()
  const database = connect(app.url, { poolSize: 1 })
  const { db } = database
  const circular: Record<string, unknown> = {}
  circular.self = circular
  let results: PromiseSettledResult<unknown>[] = []
  const failed = db.transaction().execute(async (db) => {
    results = await Promise.allSettled([sql`select ${circular}::jsonb`.execute(db), sql`select 1`.execute(db)])
  })
  await expect(failed).rejects.toThrow('circular')
  expect(results).toHaveLength(2)
  for (const result of results)
    expect(result).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/^Converting circular/) } })
  expect((await sql`select 3 as n`.execute(db)).rows).toEqual([{ n: 3 }])
  await database.close()
})
