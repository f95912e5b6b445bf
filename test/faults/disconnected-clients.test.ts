import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { ADMIN_TOKEN } from '../support/database.ts'
import { eventually } from '../support/eventually.ts'
import { createTestApp } from '../support/test-app.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Lines of the log, which are JSON, of warnings and worse. */
const readProblems = (server: TestServer): object[] =>
  server
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level >= 40)

/** Clients that disconnect in the middle of a request must not affect others. */
const disconnect = async ({ address }: TestServer, path: string, after: () => Promise<unknown>): Promise<void> => {
  const clientRequest = request(`${address}/api/v1${path}`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` }, agent: false })
  clientRequest.on('error', () => {})
  clientRequest.end()
  await after()
  clientRequest.destroy()
}

test('when clients disconnect, all others still get their own responses', async () => {
  await using app = await createTestApp()
  const created = await Promise.all(
    ['quince', 'medlar', 'sorb', 'damson'].map((title) => app.createResource({ title, description: `of ${title}` })),
  )
  await using server = await startTestServer({ DATABASE_URL: app.url, LOG_LEVEL: 'info' })
  const until = performance.now() + 5_000
  const wrong: unknown[] = []
  const goes = async (n: number) => {
    const paths = [
      `/search?q=${created[n % 4]!.title}`,
      '/ui/home',
      `/resource/catalog?search_term=${created[n % 4]!.title}`,
      `/ui/resource/${created[n % 4]!.id}`,
    ]
    for (let i = n; performance.now() < until; i++) await disconnect(server, paths[i % 4]!, () => sleep((i * 7) % 30))
  }
  const stays = async (n: number) => {
    for (let i = n; performance.now() < until; i++) {
      const { id, title } = created[i % 4]!
      const read = await server.call('GET', `/resource/all/${id}`)
      const found = await server.call('GET', `/search?q=${title}`)
      const edited = await server.call('PATCH', `/resource/all/${id}`, { description: `of ${title}, ${i}` })
      const results = [read.body.title, found.body.results?.[0]?.id, edited.body.id]
      if (results[0] !== title || results[1] !== id || results[2] !== id) wrong.push(results)
    }
  }
  await Promise.all([...Array.from({ length: 12 }, (_, n) => goes(n)), ...Array.from({ length: 6 }, (_, n) => stays(n))])
  expect(wrong).toEqual([])
  expect(readProblems(server)).toEqual([])
})

test('the SQL of a disconnected client is cancelled soon', async () => {
  await using app = await createTestApp()
  await using server = await startTestServer({ DATABASE_URL: app.url, LOG_LEVEL: 'info' })
  await app.db.transaction().execute(async (holder) => {
    await sql`lock table search_titles in access exclusive mode`.execute(holder)
    // Queried on other connections: inside a transaction this view does not change.
    const waiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      `.execute(app.db)
      return rows.length
    }
    await disconnect(server, '/search?q=quince', () => eventually(async () => expect(await waiting()).toBeGreaterThan(0), 20))
    await eventually(async () => expect(await waiting()).toBe(0))
  })
  expect((await server.call('GET', '/resource/catalog')).status).toBe(200)
  await eventually(() => expect(server.output()).toContain('The client disconnected before the response.'))
  expect(readProblems(server)).toEqual([])
})
