import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { ADMIN_TOKEN } from '../database.ts'
import { aHouse } from '../house.ts'
import { aServer, type Server } from './server.ts'

/** Clients that disconnect in the middle of a request must not affect others. */
const leave = async ({ address }: Server, path: string, afterMs: number): Promise<void> => {
  const asked = request(`${address}/api/v1${path}`, { headers: { authorization: `Bearer ${ADMIN_TOKEN}` }, agent: false })
  asked.on('error', () => {})
  asked.end()
  await sleep(afterMs)
  asked.destroy()
}

test('when clients disconnect, all others still get their own responses', async () => {
  await using house = await aHouse()
  const made = await Promise.all(
    ['quince', 'medlar', 'sorb', 'damson'].map((title) => house.resource({ title, description: `of ${title}` })),
  )
  await using server = await aServer({ DATABASE_URL: house.url })
  const until = performance.now() + 5_000
  const wrong: unknown[] = []
  const goes = async (n: number) => {
    const paths = [
      `/search?q=${made[n % 4]!.title}`,
      '/ui/home',
      `/resource/catalog?search_term=${made[n % 4]!.title}`,
      `/ui/resource/${made[n % 4]!.id}`,
    ]
    for (let i = n; performance.now() < until; i++) await leave(server, paths[i % 4]!, (i * 7) % 30)
  }
  const stays = async (n: number) => {
    for (let i = n; performance.now() < until; i++) {
      const { id, title } = made[i % 4]!
      const read = await server.call('GET', `/resource/all/${id}`)
      const found = await server.call('GET', `/search?q=${title}`)
      const edited = await server.call('PATCH', `/resource/all/${id}`, { description: `of ${title}, ${i}` })
      const said = [read.body.title, found.body.results?.[0]?.id, edited.body.id]
      if (said[0] !== title || said[1] !== id || said[2] !== id) wrong.push(said)
    }
  }
  await Promise.all([...Array.from({ length: 12 }, (_, n) => goes(n)), ...Array.from({ length: 6 }, (_, n) => stays(n))])
  expect(wrong).toEqual([])
}, 180_000)

test('the SQL of a disconnected client is cancelled soon', async () => {
  await using house = await aHouse()
  await using server = await aServer({ DATABASE_URL: house.url })
  await house.db.transaction().execute(async (holder) => {
    await sql`lock table search_titles in access exclusive mode`.execute(holder)
    // Queried on other connections: inside a transaction this view does not change.
    const waiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%search_titles%'
      `.execute(house.db)
      return rows.length
    }
    const gone = leave(server, '/search?q=quince', 8_000)
    await vi.waitFor(async () => expect(await waiting()).toBeGreaterThan(0), { timeout: 7_900, interval: 20 })
    await gone
    await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000, interval: 50 })
  })
  expect((await server.call('GET', '/resource/catalog')).status).toBe(200)
}, 180_000)
