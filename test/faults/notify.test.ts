import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { editResource, editResources } from '../../src/catalog/resources/edit.ts'
import { inTransaction } from '../../src/platform/context/context.ts'
import { newId } from '../../src/platform/core/id.ts'
import { eventually } from '../support/eventually.ts'
import { createMailServer } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { startTestServer, type TestServer } from './server.ts'

/** Four instances send, three of them are killed: every recipient gets each message exactly once. */
const PEOPLE = 120
const KILLED = 3

test('with four instances, some of them killed, each recipient gets each message once', async () => {
  await using app = await createTestApp()
  await using mail = await createMailServer()
  // The mail server is slow to acknowledge, so most kills happen at the critical moments.
  mail.before = () => sleep(Math.random() * 30)
  const env = { DATABASE_URL: app.url, SMTP_URL: mail.url, SMTP_FROM: 'Tablinum <tablinum@example.com>' }
  const servers = await Promise.all(Array.from({ length: 4 }, () => startTestServer(env)))
  await using _ = disposing(servers)
  const ada = await app.createUser('editor')
  const people = await manyPeople(app)
  const { id } = await app.createResource({ title: 'orders', subscribers: people })
  await editResource({ ...ada.ctx, now: new Date() }, id, { description: 'One row for each order.' })

  for (const server of servers.slice(0, KILLED)) {
    const before = mail.mails.length
    await eventually(() => expect(mail.mails.length).toBeGreaterThan(before + 5), 2)
    await sleep(Math.random() * 40)
    server.signal('SIGKILL')
    await server.ended
  }
  // Simulates that most of the dead senders' lease time has passed.
  await sql`update deliveries set leased_until = leased_until - interval '40 seconds' where status = 'sending'`.execute(app.db)
  await eventually(async () => expect(await open(app)).toBe(0), 500)

  const { rows: ledger } = await sql<{ id: string; status: string }>`
    select id, status from deliveries`.execute(app.db)
  expect(ledger).toHaveLength(PEOPLE)
  expect(new Set(ledger.map(({ status }) => status))).toEqual(new Set(['sent']))
  // By Message-ID each arrived, and none that is not in the delivery log.
  const byId = Map.groupBy(mail.mails, ({ id }) => id)
  expect([...byId.keys()].sort()).toEqual(ledger.map(({ id }) => `<${id}@example.com>`).sort())
  // Twice only if a sender died between submitting and acknowledgement: at most one batch of a process.
  const twice = [...byId.values()].filter((letters) => letters.length > 1)
  expect(twice.every((letters) => letters.length === 2)).toBe(true)
  expect(twice.length).toBeLessThanOrEqual(5 * KILLED)
  expect([...byId.values()].map(([letter]) => letter!.to).sort()).toEqual(people.map((id) => `p-${id}@example.com`).sort())
  const { rows: inboxes } = await sql<{
    n: number
    changes: number
  }>`select count(*)::int as n, max(changes_count) as changes from notifications`.execute(app.db)
  expect(inboxes[0]).toEqual({ n: PEOPLE, changes: 1 })
})

test('killed followers lose no change and notify none twice', async () => {
  await using app = await createTestApp()
  const ada = await app.createUser('editor')
  const people = (await manyPeople(app)).slice(0, 20)
  const tables = await Promise.all(Array.from({ length: 20 }, (_, i) => app.createResource({ title: `t${i}`, subscribers: people })))
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
    const [one, two] = await Promise.all([startTestServer({ DATABASE_URL: app.url }), startTestServer({ DATABASE_URL: app.url })])
    await sleep(2_500 + Math.random() * 1_000)
    for (const server of [one, two]) server.signal('SIGKILL')
    await Promise.all([one.ended, two.ended])
  }
  stop = true
  await writing
  await using _last = await startTestServer({ DATABASE_URL: app.url })
  await eventually(async () => {
    const { rows } = await sql<{ n: number; least: number; most: number }>`
        select count(*)::int as n, min(changes_count) as least, max(changes_count) as most from notifications`.execute(app.db)
    expect(rows[0]).toEqual({ n: people.length * tables.length, least: written, most: written })
  }, 500)
})

const open = async (app: TestApp): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from deliveries where status in ('pending', 'sending'))::int
      + (select count(*) from notification_windows where due_at is not null)::int as n`.execute(app.db)
  return rows[0]!.n
}

const manyPeople = async (app: TestApp): Promise<string[]> => {
  const times = { created_at: new Date(), updated_at: new Date() }
  const rows = Array.from({ length: PEOPLE }, newId).map((id) => ({ id, email: `p-${id}@example.com`, role: 'editor', ...times }))
  await app.db.insertInto('users').values(rows).execute()
  return rows.map(({ id }) => id)
}

const disposing = (servers: readonly TestServer[]): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => {
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()))
  },
})
