import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createPushMonitor, getJson, type JsonBody, pushValues } from '../support/monitors.ts'
import { createTestWebhookSender, createWebhookReceiver } from '../support/notification-servers.ts'
import { createTestApp } from '../support/test-app.ts'

const LOOPBACK = ['127.0.0.0/8']

test('events have a payload and no invented changes; webhooks and exports list its values as before', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  await using receiver = await createWebhookReceiver()
  await app.call('POST', '/notification/webhooks', { body: { url: receiver.url, events: ['incident_*', 'monitor_*'] } })
  const sender = createTestWebhookSender(app, LOOPBACK)
  const monitor = await createPushMonitor(app, {
    name: 'Rows',
    condition_auto_sensitivity: null,
    condition_manual_max: 10,
    notify_slack_channel: 'C0DATA',
  })
  await app.call('PATCH', `/monitor/monitors/${monitor.id}`, { body: { condition_manual_max: 5 } })
  await pushValues(app, monitor.id, [[Date.now() - 60_000, 11]])
  const [incident] = (await getJson(app, `/monitor/incidents?monitor=${monitor.id}`)).results
  const comment = 'The loader is being restarted. '.repeat(100)
  await app.call('PATCH', `/monitor/incident/${incident.id}`, { body: { comment } })
  sender.later(1)
  await sender.round()

  const sent = new Map<string, JsonBody>(receiver.received.map(({ body }) => [JSON.parse(body).type, JSON.parse(body).data]))
  expect([...sent.keys()].sort()).toEqual([
    'incident_acknowledged',
    'incident_commented',
    'incident_opened',
    'monitor_created',
    'monitor_updated',
  ])
  const facts = {
    ...{ incident: incident.id, monitor: monitor.id, name: incident.name, metric_type: 'pushed', frequency: monitor.frequency, value: 11 },
    severity: 'medium',
    ...{ lower_threshold: null, upper_threshold: 5, summary: incident.summary, first_seen_at: incident.first_seen_at },
    ...{ notify_slack_channel: 'C0DATA', upstream_incident: null },
  }
  const asChanges = (fields: object) => Object.entries(fields).map(([field, to]) => ({ field, from: null, to }))
  const opened = sent.get('incident_opened')!
  expect(opened.fields).toEqual(facts)
  expect(opened.changes).toHaveLength(13)
  expect(opened.changes).toEqual(expect.arrayContaining(asChanges(facts)))
  const commented = sent.get('incident_commented')!
  expect(commented.fields).toEqual({ ...facts, comment: comment.slice(0, 500) })
  expect(commented.changes).toContainEqual({ field: 'comment', from: null, to: comment.slice(0, 500), shortened: true })
  const edited = [
    { field: 'condition_manual_max', from: 10, to: 5 },
    { field: 'monitor', from: 'Rows', to: 'Rows' },
  ]
  expect(sent.get('monitor_updated')).toMatchObject({ changes: edited, fields: { condition_manual_max: 5, monitor: 'Rows' } })

  const { text } = await app.call('GET', '/activity_log/export?format=jsonl')
  const exported = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const findChanges = (type: string) => exported.find(({ activity_type }) => activity_type === type).changes
  expect(findChanges('monitor_updated')).toEqual(edited)
  expect(findChanges('incident_opened')).toHaveLength(13)
  expect(findChanges('incident_commented')).toContainEqual({ field: 'comment', from: null, to: comment })
  expect(findChanges('incident_opened')).toEqual(expect.arrayContaining(asChanges(facts)))

  const { rows } = await sql<{ fields: string[] | null }>`
    select array(select jsonb_path_query(changes, '$[*].field') #>> '{}') as fields from activities where payload is not null and changes is not null
      and activity_type <> 'monitor_created'
  `.execute(app.db)
  expect(rows).toEqual([{ fields: ['condition_manual_max'] }])
})

test('messages and webhook deliveries share a ledger, and each is listed only in its own place', async () => {
  await using app = await createTestApp({ webhookAllow: LOOPBACK })
  await using receiver = await createWebhookReceiver()
  const { body: hook } = await app.call('POST', '/notification/webhooks', { body: { url: receiver.url } })
  const { body: ping } = await app.call('POST', `/notification/webhooks/${hook.id}/test`)
  expect(ping.status).toBe('delivered')
  expect(await getJson(app, `/notification/webhooks/${hook.id}/deliveries?status=delivered`)).toMatchObject({ results: [ping] })
  expect(await getJson(app, `/notification/webhooks/${hook.id}/deliveries?status=failed`)).toMatchObject({ results: [] })
  expect(await getJson(app, '/notification/deliveries')).toMatchObject({ results: [] })
  expect((await app.call('GET', `/notification/deliveries/${ping.id}`)).status).toBe(404)
  expect((await app.call('POST', `/notification/deliveries/${ping.id}/retry`)).status).toBe(404)
})
