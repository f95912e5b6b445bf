import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { aHouse, type House } from '../house.ts'
import { aReceiver, aSlack, type Receiver, type Slack } from '../post.ts'
import { aServer } from './server.ts'

/**
 * A Slack server and a webhook receiver with all kinds of failures, and senders that are killed: each incident causes exactly one message
 * when it is opened and one when it is resolved.
 */
const INCIDENTS = 24
const LOOPBACK = '127.0.0.0/8'

test('with failing receivers and killed senders each incident is sent once when opened and once when resolved', {
  timeout: 300_000,
}, async () => {
  await using house = await aHouse({ webhookAllow: [LOOPBACK] })
  await using slack = await aSlack()
  await using receiver = await aReceiver()
  makeFlaky(slack, receiver)
  const { body: webhook } = await house.call('POST', '/notification/webhooks', { body: { name: 'pager', url: receiver.url } })
  const monitors = await manyMonitors(house)
  const env = {
    ...{ DATABASE_URL: house.url, TABLINUM_SECRET_KEY: 'a key for tests', TABLINUM_WEBHOOK_ALLOW: LOOPBACK },
    ...{ SLACK_BOT_TOKEN: 'xoxb-test', SLACK_API_URL: slack.url },
  }
  const [first, second] = await Promise.all([aServer(env, '--role', 'all'), aServer(env, '--role', 'all')])
  await using _first = first
  await using _second = second
  await house.call('POST', '/monitor/measurements', { body: { measurements: monitors.map((monitor) => ({ monitor, value: 99 })) } })
  await vi.waitFor(() => expect(slack.posts.length + receiver.got.length).toBeGreaterThan(6), { timeout: 60_000, interval: 5 })
  await sleep(Math.random() * 50)
  first.signal('SIGKILL')
  await first.ended
  const { body: open } = await house.call('GET', '/monitor/incidents?status=open&page_size=100')
  expect(open.count).toBe(INCIDENTS)
  for (const { id } of open.results) await house.call('PATCH', `/monitor/incident/${id}`, { body: { status: 'resolved' } })

  await afterAWhile(house)
  await vi.waitFor(
    async () => {
      await withoutPauses(house)
      expect(await waiting(house)).toEqual({ alerts: 0, messages: 0, webhooks: 0 })
    },
    { timeout: 240_000, interval: 500 },
  )
  // Slack has each message once, because a possibly delivered message is looked up before it is sent again.
  const incidents = open.results.map(({ id }: { id: string }) => id as string).sort()
  const { rows } = await sql<{ id: string; phase: string; incident: string; status: string }>`
    select d.id, d.alert ->> 'phase' as phase, substr(d.alert #>> '{items,0,path}', 12) as incident, d.status from notification_deliveries d`.execute(
    house.db,
  )
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent']))
  for (const phase of ['opened', 'resolved']) {
    const told = rows.filter((row) => row.phase === phase)
    expect(told.map(({ incident }) => incident).sort()).toEqual(incidents)
    const posts = slack.posts.filter(({ metadata }) => told.some(({ id }) => id === metadata!.event_payload.id))
    expect(posts.map(({ metadata }) => metadata!.event_payload.id).sort()).toEqual(told.map(({ id }) => id).sort())
  }
  expect(slack.posts).toHaveLength(2 * INCIDENTS)
  // A receiver may get duplicates, which it detects by the ID: each event has its own, and each was accepted.
  const { rows: events } = await sql<{ id: string; event: string; status: string }>`
    select id, event, status from webhook_deliveries where webhook_id = ${webhook.id}`.execute(house.db)
  const byEvent = Object.groupBy(events, ({ event }) => event)
  expect([byEvent.incident_opened?.length, byEvent.incident_resolved?.length, events.length]).toEqual([INCIDENTS, INCIDENTS, 2 * INCIDENTS])
  expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['delivered']))
  expect(new Set(receiver.got.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(events.map(({ id }) => id)))
})

/** Each kind of failure occurs repeatedly, but not forever. */
const makeFlaky = (slack: Slack, receiver: Receiver): void => {
  let asked = 0
  const ok = { body: { ok: true } }
  const ways = [
    { ...ok, lost: true }, // accepted, but the response is lost
    { body: { ok: false }, lost: true },
    { status: 500, body: {} },
    { body: { ok: false }, hangs: true },
  ]
  slack.answer = () => {
    asked += 1
    if (asked === 5) return ways[3]!
    return asked < 40 && asked % 4 === 0 ? ways[(asked / 4) % 3]! : ok
  }
  let called = 0
  receiver.answer = () => {
    called += 1
    if (called === 4) return 'hang'
    return called < 60 && called % 3 === 0 ? (called % 2 === 0 ? 'hang up' : { status: 503 }) : { status: 200 }
  }
}

const manyMonitors = async (house: House): Promise<string[]> => {
  const ids: string[] = []
  for (let i = 0; i < INCIDENTS; i += 1) {
    const table = await house.resource({ title: `t${i}`, entity_type: 'table' })
    const { body } = await house.call('POST', '/monitor/monitors', {
      body: { target: table.id, metric_type: 'pushed', name: `rows ${i}`, condition_manual_max: 10, notify_slack_channel: 'C0DATA' },
    })
    ids.push(body.id)
  }
  return ids
}

/** Shortens the leases of killed senders as if time had passed. Live senders keep a lease longer than the request timeout. */
const afterAWhile = async ({ db }: House): Promise<void> => {
  await sql`update notification_deliveries set leased_until = leased_until - interval '35 seconds' where status = 'sending'`.execute(db)
  await sql`update webhook_deliveries set leased_until = leased_until - interval '12 seconds' where status = 'sending'`.execute(db)
}

/** Makes failed deliveries due immediately. */
const withoutPauses = async ({ db }: House): Promise<void> => {
  await sql`update notification_deliveries set due_at = now() where status = 'pending' and due_at > now()`.execute(db)
  await sql`update webhook_deliveries set due_at = now() where status = 'pending' and due_at > now()`.execute(db)
}

const waiting = async (house: House) => {
  const { rows } = await sql<{ alerts: number; messages: number; webhooks: number }>`
    select (select ${2 * INCIDENTS}::int - count(*) from notification_alerts where told_at is not null)::int as alerts,
      (select count(*) from notification_deliveries where status in ('pending', 'sending'))::int as messages,
      (select ${2 * INCIDENTS}::int - count(*) from webhook_deliveries where status = 'delivered')::int as webhooks`.execute(house.db)
  return rows[0]
}
