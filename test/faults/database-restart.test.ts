import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { connect, type Database } from '../../src/platform/db/connect.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/platform/db/embedded/embedded.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Restarts Postgres under a server with constant load. */
let folder: string
let postgres: EmbeddedPostgres
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablinum-restart-'))
  postgres = await startEmbeddedPostgres({ dataFolder: folder, settings: { fsync: 'off', max_connections: '60' } })
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const MAX_RECOVERY_MS = 5_000

/** The limit on this machine now: on an idle one, these requests take a tenth of a second. */
const measureRecoveryLimit = async (server: TestServer): Promise<number> => {
  const startedAt = performance.now()
  for (let i = 0; i < 20; i += 1) await server.call('GET', '/resource/catalog?page_size=1')
  return MAX_RECOVERY_MS + 20 * (performance.now() - startedAt)
}

interface LoadResponse {
  readonly at: number
  readonly ms: number
  readonly status: number
}

/** Reads and writes continuously until stopped. */
const load = (server: TestServer) => {
  const responses: LoadResponse[] = []
  let stopped = false
  const sendRequest = async (n: number) => {
    for (let i = 0; !stopped; i += 1) {
      const startedAt = performance.now()
      const { status } =
        n % 2
          ? await server.call('GET', '/resource/catalog?page_size=1')
          : await server.call('POST', '/resource/catalog', { title: `${n} ${i}` })
      responses.push({ at: performance.now(), ms: performance.now() - startedAt, status })
      await sleep(20)
    }
  }
  const all = Promise.all(Array.from({ length: 6 }, (_, n) => sendRequest(n)))
  return {
    answers: responses,
    stop: async () => {
      stopped = true
      await all
    },
  }
}

const onlyExpected = (server: TestServer, responses: readonly LoadResponse[]): void => {
  const unexpected = new Set(responses.map(({ status }) => status).filter((status) => ![200, 201, 503].includes(status)))
  const why = server
    .output()
    .split('\n')
    .filter((line) => line.includes('internal_error'))
  expect([...unexpected], why[0]).toEqual([])
}

/** Fails if the server does not recover in time. */
const waitUntilServing = async (server: TestServer, limit: number): Promise<void> => {
  const ready = performance.now()
  await vi.waitFor(
    async () => {
      expect((await server.call('GET', '/resource/catalog')).status).toBe(200)
      expect((await server.call('POST', '/resource/catalog', { title: 'again' })).status).toBe(201)
    },
    { timeout: limit, interval: 20 },
  )
  expect(performance.now() - ready).toBeLessThan(limit)
}

test('a restart of Postgres under load: immediate 503 meanwhile, and recovery soon after', async () => {
  await using server = await startTestServer({ DATABASE_URL: postgres.url })
  const limit = await measureRecoveryLimit(server)
  for (let round = 0; round < 2; round += 1) {
    const running = load(server)
    await sleep(500)
    await postgres.stop()
    await sleep(1_000)
    const down = performance.now()
    await sleep(300)
    postgres = await startEmbeddedPostgres({ dataFolder: folder, settings: { fsync: 'off', max_connections: '60' } })
    await waitUntilServing(server, limit)
    await running.stop()
    const { answers: responses } = running
    onlyExpected(server, responses)
    expect(responses.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
    expect(Math.max(...responses.map(({ ms }) => ms))).toBeLessThan(limit)
    const away = responses.filter(({ at }) => at > down && at < down + 300)
    expect(away.length).toBeGreaterThan(0)
    expect(away.every(({ status }) => status === 503)).toBe(true)
  }
})

test('killing the postmaster or single processes: the server keeps running, recovers and receives job notifications', async () => {
  await using server = await startTestServer({ DATABASE_URL: postgres.url })
  const limit = await measureRecoveryLimit(server)
  const admin = connect(postgres.url, { poolSize: 1 })
  for (const how of ['postmaster', 'backends', 'postmaster', 'backends'] as const) {
    const running = load(server)
    await sleep(300)
    if (how === 'postmaster') {
      const pid = Number((await readFile(join(postgres.folder, 'data/postmaster.pid'), 'utf8')).split('\n')[0])
      process.kill(pid, 'SIGKILL')
      await sleep(100)
    } else
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'tablinum%' and pid <> pg_backend_pid()`.execute(
        admin.db,
      )
    await eventually(() => sql`select 1`.execute(admin.db))
    await waitUntilServing(server, limit)
    await running.stop()
    onlyExpected(server, running.answers)
    await expectJobNotifications(server, admin)
  }
  await admin.close()
})

/** Job steps arrive by notification, before the stream checks by itself, which it marks with a comment. */
const expectJobNotifications = async ({ address }: TestServer, { db }: Database): Promise<void> => {
  const id = newId()
  const now = new Date()
  await db
    .insertInto('background_jobs')
    .values({ id, kind: 'test', title: 'test', status: 'RUNNING', created_at: now, updated_at: now })
    .execute()
  const response = await fetch(`${address}/api/v1/background_jobs/${id}/events`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (!text.includes('RUNNING') || text.includes('COMPLETED')) continue
    const over = { status: 'COMPLETED', completed: new Date(), updated_at: new Date() }
    await db.updateTable('background_jobs').set(over).where('id', '=', id).execute()
    await sql`select pg_notify('background_jobs', ${id})`.execute(db)
  }
  expect(text).toContain('COMPLETED')
  expect(text.split('COMPLETED')[0]).not.toContain('still here')
}
