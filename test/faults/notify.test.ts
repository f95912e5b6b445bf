import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { inTransaction } from '../../src/context.ts'
import { newId } from '../../src/id.ts'
import { editResource, editResources } from '../../src/resources/edit.ts'
import { aHouse, type House } from '../house.ts'
import { aMailServer } from '../post.ts'
import { aServer, type Server } from './server.ts'

/** Four instances send and three of them are killed: every recipient gets each message once. */
const PEOPLE = 120
const KILLED = 3

test('four instances, some of them killed: each recipient gets each message once', { timeout: 240_000 }, async () => {
  await using house = await aHouse()
  await using mail = await aMailServer()
  // The server responds slowly, so that most kills happen while a message is being sent.
  mail.before = () => sleep(Math.random() * 30)
  const env = { DATABASE_URL: house.url, SMTP_URL: mail.url, SMTP_FROM: 'Tablinum <tablinum@example.com>' }
  const servers = await Promise.all(Array.from({ length: 4 }, () => aServer(env)))
  await using _ = disposing(servers)
  const ada = await house.someone('editor')
  const people = await manyPeople(house)
  const { id } = await house.resource({ title: 'orders', subscribers: people })
  await editResource({ ...ada.ctx, now: new Date() }, id, { description: 'One row for each order.' })

  for (const server of servers.slice(0, KILLED)) {
    const before = mail.letters.length
    await vi.waitFor(() => expect(mail.letters.length).toBeGreaterThan(before + 5), { timeout: 30_000, interval: 2 })
    await sleep(Math.random() * 40)
    server.signal('SIGKILL')
    await server.ended
  }
  // Deliveries of killed instances are free when their leases expire, so the leases are shortened. Live instances need only a little of theirs.
  await sql`update notification_deliveries set leased_until = leased_until - interval '40 seconds' where status = 'sending'`.execute(
    house.db,
  )
  await vi.waitFor(async () => expect(await open(house)).toBe(0), { timeout: 120_000, interval: 500 })

  const { rows: ledger } = await sql<{ id: string; status: string }>`
    select id, status from notification_deliveries`.execute(house.db)
  expect(ledger).toHaveLength(PEOPLE)
  expect(new Set(ledger.map(({ status }) => status))).toEqual(new Set(['sent']))
  // Each delivery arrived by its Message-ID, and no others.
  const byId = Map.groupBy(mail.letters, ({ id }) => id)
  expect([...byId.keys()].sort()).toEqual(ledger.map(({ id }) => `<${id}@example.com>`).sort())
  // Duplicates only where a sender was killed between submitting and the response: at most what one process sends concurrently.
  const twice = [...byId.values()].filter((letters) => letters.length > 1)
  expect(twice.every((letters) => letters.length === 2)).toBe(true)
  expect(twice.length).toBeLessThanOrEqual(5 * KILLED)
  expect([...byId.values()].map(([letter]) => letter!.to).sort()).toEqual(people.map((id) => `p-${id}@example.com`).sort())
  const { rows: inboxes } = await sql<{
    n: number
    changes: number
  }>`select count(*)::int as n, max(changes_count) as changes from notifications`.execute(house.db)
  expect(inboxes[0]).toEqual({ n: PEOPLE, changes: 1 })
})

test('killed followers lose and duplicate no changes', { timeout: 300_000 }, async () => {
  await using house = await aHouse()
  const ada = await house.someone('editor')
  const people = (await manyPeople(house)).slice(0, 20)
  const tables = await Promise.all(Array.from({ length: 20 }, (_, i) => house.resource({ title: `t${i}`, subscribers: people })))
  let written = 0
  let stop = false
  const writing = (async () => {
    while (!stop) {
      await inTransaction({ ...ada.ctx, now: new Date() }, (ctx) =>
        editResources(
          ctx,
          tables.map(({ id }) => ({ id, data: { description: `edit ${written}` } })),
        ),
      )
      written += 1
      await sleep(50)
    }
  })()
  for (let round = 0; round < 2; round += 1) {
    const [one, two] = await Promise.all([aServer({ DATABASE_URL: house.url }), aServer({ DATABASE_URL: house.url })])
    await sleep(2_500 + Math.random() * 1_000)
    for (const server of [one, two]) server.signal('SIGKILL')
    await Promise.all([one.ended, two.ended])
  }
  stop = true
  await writing
  await using _last = await aServer({ DATABASE_URL: house.url })
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ n: number; least: number; most: number }>`
        select count(*)::int as n, min(changes_count) as least, max(changes_count) as most from notifications`.execute(house.db)
      expect(rows[0]).toEqual({ n: people.length * tables.length, least: written, most: written })
    },
    { timeout: 60_000, interval: 500 },
  )
})

const open = async (house: House): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from notification_deliveries where status in ('pending', 'sending'))::int
      + (select count(*) from notification_windows where due_at is not null)::int as n`.execute(house.db)
  return rows[0]!.n
}

const manyPeople = async (house: House): Promise<string[]> => {
  const times = { created_at: new Date(), updated_at: new Date() }
  const rows = Array.from({ length: PEOPLE }, newId).map((id) => ({ id, email: `p-${id}@example.com`, role: 'editor', ...times }))
  await house.db.insertInto('users').values(rows).execute()
  return rows.map(({ id }) => id)
}

const disposing = (servers: readonly Server[]): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  },
})
