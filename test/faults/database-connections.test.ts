import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createJob } from '../../src/platform/jobs/jobs.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { createDatabaseProxy, type Fault } from './database-proxy.ts'
import { startTestServer } from './server.ts'

/** The first statement of every connection. */
const isSetUp = (text: string) => text.includes("set_config('jit'")

const isHistory = (text: string) => text.includes('insert into activities')

/** Applies a fault to the first matching statement only. */
const once =
  (matches: (text: string, application: string) => boolean, fault: Fault) =>
  (text: string, application: string): Fault => {
    if (!matches(text, application)) return 'pass'
    matches = () => false
    return fault
  }

const written = async ({ db }: TestApp, title: string) => {
  const { id } = (await db.selectFrom('resources').select('id').where('title', '=', title).executeTakeFirst()) ?? {}
  const { n } = await db
    .selectFrom('activities')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('activity_type', 'like', 'resource%')
    .executeTakeFirstOrThrow()
  return { resource: id !== undefined, history: n }
}

test.each(['57014', 'cut', 'hang'] as const)('a new connection whose first statement fails (%s) fails only its own caller', async (how) => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  expect((await instance.call('GET', '/resource/catalog')).status).toBe(200)
  // All connections are in use, so the next caller needs a new one; only that one fails.
  const { db, pool } = instance.database
  const holders = Array.from({ length: pool.counts().open }, () => sql`select pg_sleep(1)`.execute(db))
  proxy.onStatement = once(isSetUp, how === '57014' ? { error: how } : how)
  const failed = instance.call('GET', '/resource/catalog')
  expect((await failed).status).toBe(503)
  expect((await instance.call('GET', '/resource/catalog')).status).toBe(200)
  await Promise.all(holders)
  expect(pool.counts()).toMatchObject({ waiting: 0 })
})

test('connections that keep failing at their first statement do not stop the process', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using server = await startTestServer({ DATABASE_URL: proxy.url })
  let opened = 0
  proxy.onStatement = (text) => {
    if (!isSetUp(text)) return 'pass'
    opened += 1
    return opened % 3 === 0 ? 'pass' : opened % 3 === 1 ? 'cut' : { error: '57014' }
  }
  const statuses = new Set<number>()
  for (let round = 0; round < 12; round += 1) {
    proxy.cut()
    const responses = await Promise.all(Array.from({ length: 8 }, () => server.call('GET', '/resource/catalog')))
    for (const { status } of responses) statuses.add(status)
  }
  expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
  expect(opened).toBeGreaterThan(12)
  proxy.onStatement = () => 'pass'
  await eventually(async () => expect((await server.call('GET', '/resource/catalog')).status).toBe(200))
})

test('if `begin` fails nothing is written, with or without a lost connection', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  await instance.call('GET', '/resource/catalog')
  for (const [i, fault] of ([{ error: '57014' }, { error: '53300' }, 'cut'] as const).entries()) {
    const title = `begin ${i}`
    proxy.onStatement = once((text) => text.startsWith('begin'), fault)
    expect((await instance.call('POST', '/resource/catalog', { body: { title } })).status).toBe(503)
    expect(await written(app, title)).toEqual({ resource: false, history: 0 })
  }
  expect((await instance.call('POST', '/resource/catalog', { body: { title: 'written' } })).status).toBe(201)
  expect(await written(app, 'written')).toEqual({ resource: true, history: 1 })
})

test('a write that is the first statement of its transaction, or sent together with it, is not committed if `begin` fails', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  const { db } = instance.database
  await sql`create table written (id int primary key)`.execute(app.db)
  const insert = (id: number) => sql`insert into written values (${id})`
  const insertBoth = () => db.transaction().execute((db) => Promise.all([insert(1).execute(db), insert(2).execute(db)]))
  const insertText = () => db.transaction().execute((db) => sql.raw('insert into written values (3)').execute(db))
  const ids = async () => (await sql<{ id: number }>`select id from written order by id`.execute(app.db)).rows.map(({ id }) => id)
  // The second time a text is used it is prepared, the third time it is known by its name.
  for (let i = 0; i < 3; i += 1) {
    for (const write of [insertBoth, insertText]) {
      proxy.onStatement = once((text) => text.startsWith('begin'), { error: '57014' })
      await expect(write()).rejects.toThrow('fault of a test')
      expect(await ids()).toEqual([])
    }
    await Promise.all([insertBoth(), insertText()])
    expect(await ids()).toEqual([1, 2, 3])
    await sql`delete from written`.execute(app.db)
  }
  expect(await db.transaction().execute(async () => 'nothing')).toBe('nothing')
})

test('a connection lost between a write and its history leaves neither', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  const before = proxy.statements.length
  expect((await instance.call('POST', '/resource/catalog', { body: { title: 'first' } })).status).toBe(201)
  const inserts = proxy.statements.slice(before).filter(({ text }) => isHistory(text))
  expect(inserts).toHaveLength(1)
  for (const fault of ['cut', 'cut-answer'] as const) {
    proxy.onStatement = once(isHistory, fault)
    expect((await instance.call('POST', '/resource/catalog', { body: { title: fault } })).status).toBe(503)
    expect(await written(app, fault)).toEqual({ resource: false, history: 1 })
  }
})

test.each([
  ['before the server has it', 'cut', false],
  ['before its answer arrives', 'cut-answer', true],
] as const)('a commit lost %s is 503, and a retry with the same key returns the outcome', async (_, fault, committed) => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  await instance.call('GET', '/resource/catalog')
  const create = () => instance.call('POST', '/resource/catalog', { body: { title: 'in doubt' }, headers: { 'idempotency-key': 'a key' } })
  proxy.onStatement = once((text) => text === 'commit', fault)
  expect((await create()).status).toBe(503)
  expect((await written(app, 'in doubt')).resource).toBe(committed)
  const again = await create()
  expect(again.status).toBe(201)
  expect(again.headers['idempotent-replayed']).toBe(committed ? 'true' : undefined)
  expect(await written(app, 'in doubt')).toEqual({ resource: true, history: 1 })
})

test('an export that loses its connection before it starts is 503', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  for (const matches of [(text: string) => text.includes('jsonb_array_elements'), (text: string) => text === 'begin']) {
    proxy.onStatement = once((text, application) => application === 'tablinum transfer' && matches(text), 'cut')
    expect((await instance.call('GET', '/resource/export')).status).toBe(503)
  }
  expect((await instance.call('GET', '/resource/export')).status).toBe(200)
})

test('while the control connection cannot be opened, streaming a job is 503', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url })
  const job = await createJob(app.ctx, { kind: 'test', title: 'watched' })
  proxy.onStatement = (_, application) => (application === 'tablinum control' ? 'cut' : 'pass')
  expect((await instance.call('GET', `/background_jobs/${job.id}/events`)).status).toBe(503)
})

test('a statement on an unresponsive server is 503 soon after its time limit', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url, requestTimeoutMs: 500 })
  await instance.call('GET', '/resource/catalog')
  proxy.hang()
  expect((await instance.call('GET', '/tag')).status).toBe(503)
  await eventually(async () => expect((await instance.call('GET', '/tag')).status).toBe(200))
})

test('while every connection is busy, a caller waits no longer than the time limit', async () => {
  await using app = await createTestApp()
  await using instance = await app.createInstance({ requestTimeoutMs: 300, config: { pools: { request: 2 } } })
  const { db } = instance.database
  const slow = Array.from({ length: 2 }, () =>
    db.transaction().execute(async (db) => {
      await sql`set local statement_timeout = 0`.execute(db)
      await sql`select pg_sleep(3)`.execute(db)
    }),
  )
  await sleep(50)
  expect((await instance.call('GET', '/resource/catalog')).status).toBe(503)
  await Promise.all(slow)
  expect((await instance.call('GET', '/resource/catalog')).status).toBe(200)
  expect(instance.database.pool.counts()).toMatchObject({ waiting: 0, idle: 2 })
})

test('the control connection detects an unresponsive server, listens again after every loss, and renews the pools', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({
    url: proxy.url,
    config: { controlTiming: { checkEveryMs: 100, answerWithinMs: 1_500 } },
  })
  const { control } = instance.ctx.runtime
  await control.start()
  const received: string[] = []
  let resumed = 0
  await control.listen(
    'test',
    (payload) => received.push(payload),
    () => {
      resumed += 1
    },
  )
  await instance.call('GET', '/resource/catalog')
  for (const [i, lose] of [proxy.hang, proxy.cut, proxy.hang, proxy.cut].entries()) {
    lose()
    await eventually(() => expect(resumed).toBe(i + 1), 10)
    await sql`select pg_notify('test', ${`after ${i}`})`.execute(app.db)
    await eventually(() => expect(received.at(-1)).toBe(`after ${i}`), 10)
    // No statement is sent on a connection to the unresponsive server.
    await eventually(async () => expect((await instance.call('GET', '/resource/catalog')).status).toBe(200))
  }
  expect(received).toEqual(['after 0', 'after 1', 'after 2', 'after 3'])
})

test('a database that becomes writable again accepts writes at once', async () => {
  await using app = await createTestApp()
  const name = new URL(app.url).pathname.slice(1)
  const readOnly = (value: string) => sql.raw(`alter database ${name} set default_transaction_read_only = ${value}`).execute(app.db)
  await using instance = await app.createInstance()
  await app.createResource() // its own connections stay writable
  await readOnly('on')
  const create = () => instance.call('POST', '/resource/catalog', { body: { title: newId() } })
  const statuses = new Set<number>()
  // Every connection of the pool is opened in this time.
  for (let i = 0; i < 3; i += 1)
    await Promise.all([
      ...Array.from({ length: 8 }, () => instance.call('GET', '/resource/catalog')),
      ...Array.from({ length: 2 }, async () => statuses.add((await create()).status)),
    ])
  expect(statuses.has(201)).toBe(false)
  await sleep(1_100)
  await Promise.all(Array.from({ length: 8 }, (_, i) => instance.call('GET', `/resource/catalog?page_size=${i + 1}`)))
  await readOnly('off')
  for (let i = 0; i < 8; i += 1) expect((await create()).status).toBe(201)
})

test('when all connections run abandoned statements the next caller is served soon', async () => {
  await using app = await createTestApp()
  await using instance = await app.createInstance()
  const { database, ctx } = instance
  await ctx.runtime.control.start()
  const leaving = new AbortController()
  const abandoned = Array.from({ length: database.pool.max }, () =>
    sql`select pg_sleep(600)`
      .execute(database.db, { signal: leaving.signal, inflightQueryAbortStrategy: 'cancel query' })
      .catch((error) => error),
  )
  await eventually(() => expect(database.pool.counts()).toMatchObject({ open: database.pool.max, idle: 0 }))
  await sleep(100)
  leaving.abort(new Error('gone'))
  expect((await instance.call('GET', '/resource/catalog')).status).toBe(200) // 503 after its time limit if it had to wait for them
  await Promise.all(abandoned)
})

test('a late cancel request does not cancel the statement of the next caller', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url, config: { pools: { request: 1 } } })
  const { db } = instance.database
  await instance.ctx.runtime.control.start()
  proxy.onStatement = (text) => (text.includes('pg_cancel_backend') ? { delayMs: 600 } : 'pass')
  const leaving = new AbortController()
  const abandoned = db.transaction().execute(async (db) => {
    // Finished before the cancel request arrives.
    await sql`select pg_sleep(0.4)`.execute(db, { signal: leaving.signal, inflightQueryAbortStrategy: 'cancel query' })
  })
  const ended = expect(abandoned).rejects.toThrow('gone')
  await sleep(150)
  leaving.abort(new Error('gone'))
  await ended
  const { rows } = await sql<{ done: boolean }>`select pg_sleep(1) is not null as done`.execute(db)
  expect(rows).toEqual([{ done: true }])
})

test('concurrent statements that are abandoned together do not cancel the statement of the next caller', async () => {
  await using app = await createTestApp()
  await using proxy = await createDatabaseProxy(app.url)
  await using instance = await app.createInstance({ url: proxy.url, config: { pools: { request: 1 } } })
  const { db } = instance.database
  await instance.ctx.runtime.control.start()
  let requests = 0
  proxy.onStatement = (text) => {
    if (!text.includes('pg_cancel_backend')) return 'pass'
    requests += 1
    return { delayMs: 300 }
  }
  const leaving = new AbortController()
  const limits = { signal: leaving.signal, inflightQueryAbortStrategy: 'cancel query' } as const
  const abandoned = db.transaction().execute(async (db) => {
    await sql`select 1`.execute(db)
    await Promise.all([1, 2, 3].map(() => sql`select pg_sleep(20)`.execute(db, limits)))
  })
  const ended = expect(abandoned).rejects.toThrow('gone')
  await sleep(150)
  leaving.abort(new Error('gone'))
  await ended
  const { rows } = await sql<{ done: boolean }>`select pg_sleep(1) is not null as done`.execute(db)
  expect(rows).toEqual([{ done: true }])
  expect(requests).toBe(1)
})
