import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { createSlackServer, createWebhookReceiver, type SlackServer, type WebhookReceiver } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { startTestServer } from './server.ts'

/**
 * A chat server and a webhook receiver that fail in every way, and senders that are killed: for each incident there is one message when it
 * opens and one when it is resolved, and nothing is lost.
 */
const INCIDENTS = 24
const LOOPBACK = '127.0.0.0/8'

test('with failing receivers and killed senders, each incident is notified once when opened and once when resolved', async () => {
  await using app = await createTestApp({ webhookAllow: [LOOPBACK] })
  await using slack = await createSlackServer()
  await using receiver = await createWebhookReceiver()
  makeUnreliable(slack, receiver)
  const { body: webhook } = await app.call('POST', '/notification/webhooks', { body: { name: 'pager', url: receiver.url } })
  const monitors = await createMonitors(app)
  const env = {
    ...{ DATABASE_URL: app.url, TABLINUM_SECRET_KEY: 'a key for tests', TABLINUM_WEBHOOK_ALLOW: LOOPBACK },
    ...{ SLACK_BOT_TOKEN: 'xoxb-test', SLACK_API_URL: slack.url },
  }
  const [first, second] = await Promise.all([startTestServer(env, '--role', 'all'), startTestServer(env, '--role', 'all')])
  await using _first = first
  await using _second = second
  await app.call('POST', '/monitor/measurements', { body: { measurements: monitors.map((monitor) => ({ monitor, value: 99 })) } })
  await eventually(() => expect(slack.posts.length + receiver.received.length).toBeGreaterThan(6), 5)
  await sleep(Math.random() * 50)
  first.signal('SIGKILL')
  await first.ended
  const { body: open } = await app.call('GET', '/monitor/incidents?status=open&page_size=100')
  expect(open.count).toBe(INCIDENTS)
  for (const { id } of open.results) await app.call('PATCH', `/monitor/incident/${id}`, { body: { status: 'resolved' } })

  await skipTime(app)
  await eventually(async () => {
    await retryImmediately(app)
    expect(await waiting(app)).toEqual({ alerts: 0, messages: 0, webhooks: 0 })
  }, 500)
  // Slack has each message once: possibly delivered ones were looked up before sending again.
  const incidents = open.results.map(({ id }: { id: string }) => id as string).sort()
  const { rows } = await sql<{ id: string; phase: string; incident: string; status: string }>`
    select d.id, d.alert ->> 'phase' as phase, substr(d.alert #>> '{items,0,path}', 12) as incident, d.status from deliveries d where d.webhook_id is null`.execute(
    app.db,
  )
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['sent']))
  for (const phase of ['opened', 'resolved']) {
    const notifications = rows.filter((row) => row.phase === phase)
    expect(notifications.map(({ incident }) => incident).sort()).toEqual(incidents)
    const posts = slack.posts.filter(({ metadata }) => notifications.some(({ id }) => id === metadata!.event_payload.id))
    expect(posts.map(({ metadata }) => metadata!.event_payload.id).sort()).toEqual(notifications.map(({ id }) => id).sort())
  }
  expect(slack.posts).toHaveLength(2 * INCIDENTS)
  // A webhook receiver may get a delivery twice with the same ID; every event arrived.
  const { rows: events } = await sql<{ id: string; event: string; status: string }>`
    select id, event, status from deliveries where webhook_id = ${webhook.id}`.execute(app.db)
  const byEvent = Object.groupBy(events, ({ event }) => event)
  expect([byEvent.incident_opened?.length, byEvent.incident_resolved?.length, events.length]).toEqual([INCIDENTS, INCIDENTS, 2 * INCIDENTS])
  expect(new Set(events.map(({ status }) => status))).toEqual(new Set(['sent']))
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(events.map(({ id }) => id)))
})

/** Every kind of failure occurs repeatedly, but not forever. */
const makeUnreliable = (slack: SlackServer, receiver: WebhookReceiver): void => {
  let requestCount = 0
  const ok = { body: { ok: true } }
  const proxies = [
    { ...ok, lost: true }, // accepted, but the response is lost
    { body: { ok: false }, lost: true },
    { status: 500, body: {} },
    { body: { ok: false }, hangs: true },
  ]
  slack.respond = () => {
    requestCount += 1
    if (requestCount === 5) return proxies[3]!
    return requestCount < 40 && requestCount % 4 === 0 ? proxies[(requestCount / 4) % 3]! : ok
  }
  let called = 0
  receiver.respond = () => {
    called += 1
    if (called === 4) return 'hang'
    return called < 60 && called % 3 === 0 ? (called % 2 === 0 ? 'hang up' : { status: 503 }) : { status: 200 }
  }
}

const createMonitors = async (app: TestApp): Promise<string[]> => {
  const ids: string[] = []
  for (let i = 0; i < INCIDENTS; i += 1) {
    const table = await app.createResource({ title: `t${i}`, entity_type: 'table' })
    const { body } = await app.call('POST', '/monitor/monitors', {
      body: { target: table.id, metric_type: 'pushed', name: `rows ${i}`, condition_manual_max: 10, notify_slack_channel: 'C0DATA' },
    })
    ids.push(body.id)
  }
  return ids
}

/** Simulates time: leases of dead senders end sooner. Live ones keep a lease longer than a receiver may take. */
const skipTime = async ({ db }: TestApp): Promise<void> => {
  await sql`update deliveries set leased_until = leased_until - interval '35 seconds' where status = 'sending' and webhook_id is null`.execute(
    db,
  )
  await sql`update deliveries set leased_until = leased_until - interval '12 seconds' where status = 'sending' and webhook_id is not null`.execute(
    db,
  )
}

/** Retries failures immediately. */
const retryImmediately = async ({ db }: TestApp): Promise<void> => {
  await sql`update deliveries set due_at = now() where status = 'pending' and due_at > now()`.execute(db)
}

const waiting = async (app: TestApp) => {
  const { rows } = await sql<{ alerts: number; messages: number; webhooks: number }>`
    select (select ${2 * INCIDENTS}::int - count(*) from notification_alerts where sent_at is not null)::int as alerts,
      (select count(*) from deliveries where webhook_id is null and status in ('pending', 'sending'))::int as messages,
      (select ${2 * INCIDENTS}::int - count(*) from deliveries where webhook_id is not null and status = 'sent')::int as webhooks`.execute(
    app.db,
  )
  return rows[0]
}
