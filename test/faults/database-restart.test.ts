import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { connect, type Database } from '../../src/db/connect.ts'
import { type Embedded, startEmbedded } from '../../src/db/embedded.ts'
import { newId } from '../../src/id.ts'
import { ADMIN_TOKEN } from '../database.ts'
import { aServer, type Server } from './server.ts'

/** Restarts Postgres under a server with constant load. */
let folder: string
let postgres: Embedded
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablinum-restart-'))
  postgres = await startEmbedded({ dataFolder: folder, settings: { fsync: 'off', max_connections: '60' } })
})
afterAll(async () => {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
})

const MOST_MS = 5_000

interface Answer {
  readonly at: number
  readonly ms: number
  readonly status: number
}

/** Reads and writes continuously until stopped. */
const load = (server: Server) => {
  const answers: Answer[] = []
  let stopped = false
  const ask = async (n: number) => {
    for (let i = 0; !stopped; i += 1) {
      const begun = performance.now()
      const { status } =
        n % 2
          ? await server.call('GET', '/resource/catalog?page_size=1')
          : await server.call('POST', '/resource/catalog', { title: `${n} ${i}` })
      answers.push({ at: performance.now(), ms: performance.now() - begun, status })
      await sleep(20)
    }
  }
  const all = Promise.all(Array.from({ length: 6 }, (_, n) => ask(n)))
  return {
    answers,
    stop: async () => {
      stopped = true
      await all
    },
  }
}

const onlyExpected = (server: Server, answers: readonly Answer[]): void => {
  const unexpected = new Set(answers.map(({ status }) => status).filter((status) => ![200, 201, 503].includes(status)))
  const why = server
    .said()
    .split('\n')
    .filter((line) => line.includes('internal_error'))
  expect([...unexpected], why[0]).toEqual([])
}

/** Fails if the server does not recover in time. */
const servedAgain = async (server: Server): Promise<void> => {
  const ready = performance.now()
  await vi.waitFor(
    async () => {
      expect((await server.call('GET', '/resource/catalog')).status).toBe(200)
      expect((await server.call('POST', '/resource/catalog', { title: 'again' })).status).toBe(201)
    },
    { timeout: MOST_MS, interval: 20 },
  )
  expect(performance.now() - ready).toBeLessThan(MOST_MS)
}

test('a restart of Postgres under load: immediate 503 meanwhile, and recovery soon after', { timeout: 180_000 }, async () => {
  await using server = await aServer({ DATABASE_URL: postgres.url })
  for (let round = 0; round < 2; round += 1) {
    const running = load(server)
    await sleep(500)
    await postgres.stop()
    await sleep(1_000)
    const down = performance.now()
    await sleep(300)
    postgres = await startEmbedded({ dataFolder: folder, settings: { fsync: 'off', max_connections: '60' } })
    await servedAgain(server)
    await running.stop()
    const { answers } = running
    onlyExpected(server, answers)
    expect(answers.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
    expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(MOST_MS)
    const away = answers.filter(({ at }) => at > down && at < down + 300)
    expect(away.length).toBeGreaterThan(0)
    expect(away.every(({ status }) => status === 503)).toBe(true)
  }
})

test('killing the postmaster or single processes: the server keeps running, recovers and receives job notifications', {
  timeout: 180_000,
}, async () => {
  await using server = await aServer({ DATABASE_URL: postgres.url })
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
    await vi.waitFor(() => sql`select 1`.execute(admin.db), { timeout: 30_000, interval: 20 })
    await servedAgain(server)
    await running.stop()
    onlyExpected(server, running.answers)
    await hearsOfJobs(server, admin)
  }
  await admin.close()
})

/** Job steps arrive by notification, before the stream checks by itself, which it marks with a comment. */
const hearsOfJobs = async ({ address }: Server, { db }: Database): Promise<void> => {
  const id = newId()
  const now = new Date()
  await db
    .insertInto('background_jobs')
    .values({ id, kind: 'test', title: 'test', status: 'RUNNING', created_at: now, updated_at: now })
    .execute()
  const answer = await fetch(`${address}/api/v1/background_jobs/${id}/events`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } })
  let text = ''
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (!text.includes('RUNNING') || text.includes('COMPLETED')) continue
    const over = { status: 'COMPLETED', completed: new Date(), updated_at: new Date() }
    await db.updateTable('background_jobs').set(over).where('id', '=', id).execute()
    await sql`select pg_notify('background_jobs', ${id})`.execute(db)
  }
  expect(text).toContain('COMPLETED')
  expect(text.split('COMPLETED')[0]).not.toContain('still here')
}
