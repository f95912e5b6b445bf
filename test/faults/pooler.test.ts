import { sql } from 'kysely'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { type RunningServer, startServer } from '../../src/app/start.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { newId } from '../../src/platform/core/id.ts'
import { rejectTransactionPooling, ServerLimitError } from '../../src/platform/db/server-limits.ts'
import { createPgbouncerServer, skipWithoutPgbouncer } from '../servers/pgbouncer.ts'
import { ADMIN_TOKEN } from '../support/database.ts'
import { createTestApp } from '../support/test-app.ts'
import { CSV, JSONL, jsonl, SHOP } from '../support/transfer.ts'

const SENTENCE =
  'DATABASE_URL points to a connection pooler in transaction mode, which Tablinum does not support. Set pool_mode = session for this database, or connect to Postgres directly.'

const startOn = (url: string, log: (line: string) => void = () => {}, settings: Record<string, string> = {}): Promise<RunningServer> =>
  startServer(
    readConfig(
      {
        DATABASE_URL: url,
        PORT: '0',
        TABLINUM_ADMIN_TOKEN: ADMIN_TOKEN,
        LOG_LEVEL: 'silent',
        TABLINUM_SECRET_KEY: 'a key for tests',
        ...settings,
      },
      [],
    ),
    log,
  )

const callOf =
  ({ address }: RunningServer) =>
  async (method: string, path: string, body?: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${address}/api/v1${path}`, {
      method,
      body,
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
    })
    return { status: response.status, text: await response.text() }
  }

describe.skipIf(skipWithoutPgbouncer)('behind PgBouncer', () => {
  test('session mode needs no settings: start, requests, tasks, notifications, export and import', async () => {
    await using app = await createTestApp()
    const url = await createPgbouncerServer(app.url, { pool_mode: 'session' })
    const lines: string[] = []
    const running = await startOn(url, (line) => lines.push(line))
    try {
      expect(lines.join('\n')).toContain('a connection pooler with 20 connections, so Tablinum opens at most 19:')
      await occupyAllConnections(running)
      const call = callOf(running)
      const json = { 'content-type': 'application/json' }
      for (let i = 0; i < 20; i += 1)
        expect((await call('POST', '/resource/catalog', JSON.stringify({ title: `n${i}` }), json)).status).toBe(201)
      const lists = await Promise.all(Array.from({ length: 12 }, (_, i) => call('GET', `/resource/catalog?page_size=${i + 1}`)))
      expect(lists.map(({ status, text }) => [status, JSON.parse(text).count])).toEqual(Array.from({ length: 12 }, () => [200, 20]))
      const imports = `/integration/integrations/${newId()}/import_jsonl_metadata/`
      expect((await call('POST', imports, jsonl(SHOP), JSONL)).status).toBe(200)
      // In the background: the queue runs it, and every step arrives by notification.
      const job = await call('POST', `${imports}?background=true`, jsonl(SHOP), JSONL)
      expect(job.status).toBe(200)
      const events = await call('GET', `/background_jobs/${JSON.parse(job.text).id}/events`)
      expect(events.text).toContain('"COMPLETED"')
      const file = await call('GET', '/resource/export?format=csv', undefined, CSV)
      expect(file.text.trim().split('\r\n')).toHaveLength(1 + 20 + 5)
    } finally {
      await running.stop()
    }
  })

  test('a pooler with enough connections is used like Postgres itself', async () => {
    await using app = await createTestApp()
    const lines: string[] = []
    const running = await startOn(await createPgbouncerServer(app.url, { pool_mode: 'session', default_pool_size: '30' }), (line) =>
      lines.push(line),
    )
    try {
      expect(lines).toEqual([])
      expect(sizesOf(running)).toEqual([10, 8, 4])
      await occupyAllConnections(running)
    } finally {
      await running.stop()
    }
  })

  test('explicit pool sizes are kept, and a start that does not fit logs a warning', async () => {
    await using app = await createTestApp()
    const lines: string[] = []
    const running = await startOn(await createPgbouncerServer(app.url, { pool_mode: 'session' }), (line) => lines.push(line), {
      TABLINUM_POOL: '12',
    })
    try {
      expect(lines.join('\n')).toMatch(
        /^Warning: .* with 20 connections, but Tablinum may open 27\. Raise default_pool_size in PgBouncer to 32/,
      )
      expect(sizesOf(running)).toEqual([12, 6, 1])
    } finally {
      await running.stop()
    }
  })

  test.each([
    ['transaction mode', { pool_mode: 'transaction' }, 0],
    ['transaction mode with idle servers', { pool_mode: 'transaction' }, 6],
    ['transaction mode with idle servers that take turns', { pool_mode: 'transaction', server_round_robin: '1' }, 2],
    ['transaction mode with many idle servers that take turns', { pool_mode: 'transaction', server_round_robin: '1' }, 12],
    ['statement mode', { pool_mode: 'statement' }, 0],
  ] as const)('%s is rejected with a readable message', async (_, settings, idle) => {
    await using app = await createTestApp()
    const url = await createPgbouncerServer(app.url, settings)
    await openServers(url, idle)
    const rejected = startOn(url)
    await expect(rejected).rejects.toThrow(SENTENCE)
    await expect(rejected).rejects.toBeInstanceOf(ServerLimitError)
  })

  test('transaction mode is rejected while others use the same pooler', async () => {
    await using app = await createTestApp()
    const url = await createPgbouncerServer(app.url, { pool_mode: 'transaction' })
    let stopped = false
    const others = Array.from({ length: 5 }, async (_, i) => {
      while (!stopped) await runOnce(url, `select pg_sleep(${0.002 * (i + 1)})`)
    })
    try {
      for (let i = 0; i < 5; i += 1) await expect(startOn(url)).rejects.toThrow(SENTENCE)
    } finally {
      stopped = true
      await Promise.all(others)
    }
  })

  test('session mode is accepted while others use the same pooler, and when it is full', async () => {
    await using app = await createTestApp()
    const url = await createPgbouncerServer(app.url, { pool_mode: 'session', default_pool_size: '6' })
    let stopped = false
    const others = Array.from({ length: 2 }, async () => {
      while (!stopped) await runOnce(url, 'select pg_sleep(0.01)')
    })

    try {
      expect(await rejectTransactionPooling(url)).toBe(true)
    } finally {
      stopped = true
      await Promise.all(others)
    }
  })
})

const sizesOf = (running: RunningServer): number[] => Object.values(running.ctx().runtime.databases).map(({ pool }) => pool.max)

/** Runs statements on all connections of all pools at once. One without a server would wait and fail after ten seconds. */
const occupyAllConnections = async (running: RunningServer): Promise<void> => {
  const databases = Object.values(running.ctx().runtime.databases)
  const pids = await Promise.all(
    databases.flatMap(({ db, pool }) =>
      Array.from(
        { length: pool.max },
        async () => (await sql<{ pid: number }>`select pg_backend_pid() as pid, pg_sleep(2)`.execute(db)).rows[0]!.pid,
      ),
    ),
  )
  expect(new Set(pids).size).toBe(databases.reduce((sum, { pool }) => sum + pool.max, 0))
}

/** Leaves the pooler with this many idle servers by opening as many transactions at once. */
const openServers = async (url: string, servers: number): Promise<void> => {
  const clients = Array.from({ length: servers }, () => new Client({ connectionString: url, application_name: 'test' }))
  for (const client of clients) {
    await client.connect()
    await client.query('begin')
  }
  const pids = new Set<number>()
  for (const client of clients) pids.add((await client.query('select pg_backend_pid() as pid')).rows[0].pid)
  expect(pids.size).toBe(servers)
  for (const client of clients) {
    await client.query('commit')
    await client.end()
  }
}

const runOnce = async (url: string, text: string): Promise<void> => {
  const client = new Client({ connectionString: url, application_name: 'test' })
  client.on('error', () => {})
  await client.connect()
  await client.query(text)
  await client.end()
}
