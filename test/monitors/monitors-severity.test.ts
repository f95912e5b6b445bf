import { afterAll, beforeAll, expect, test } from 'vitest'
import { createEmailChannel } from '../../src/platform/channels/email.ts'
import { createPushMonitor, createTestMonitor, DAY, getJson, HOUR, type JsonBody, pushValues } from '../support/monitors.ts'
import { createMailServer, createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Severity of monitors and incidents, and incidents that come back. */
const LIMIT = { condition_auto_sensitivity: null, condition_manual_max: 10 }
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const getIncidents = async (query: string) => (await getJson(app, `/monitor/incidents?${query}`)).results as JsonBody[]
const getActions = async (id: string) =>
  (await getJson(app, `/monitor/incident/${id}`)).actions.map(({ type, comment }: JsonBody) => (comment ? `${type} ${comment}` : type))

test('a severity is written on monitors, copied to incidents, edited there, filtered and named in messages', async () => {
  const usual = await createPushMonitor(app, LIMIT)
  const { id: target } = await app.createResource({ entity_type: 'table', title: 'payments' })
  const monitor = await createTestMonitor(app, { target, metric_type: 'pushed', ...LIMIT, name: 'Rows', severity: 'critical' })
  expect([usual.severity, monitor.severity]).toEqual(['medium', 'critical'])
  expect((await app.call('PATCH', `/monitor/monitors/${monitor.id}`, { body: { severity: 'urgent' } })).status).toBe(400)
  const listed = await getJson(app, '/monitor/monitors?severity=critical')
  expect(listed.results.map(({ id }: JsonBody) => id)).toEqual([monitor.id])

  await using mail = await createMailServer()
  const notifier = createTestNotifier(app, [createEmailChannel({ url: mail.url, from: 'Tablinum <t@example.com>' })])
  await notifier.follow()
  await pushValues(app, monitor.id, [[Date.now() - HOUR, 11]])
  await notifier.round()
  expect(mail.mails.map(({ subject }) => subject).join()).toContain('Incident (critical): ')
  const [incident] = await getIncidents(`monitor=${monitor.id}&severity=critical`)
  expect(incident).toMatchObject({ severity: 'critical', status: 'active' })
  // Editing the monitor does not change incidents that exist.
  await app.call('PATCH', `/monitor/monitors/${monitor.id}`, { body: { severity: 'low' } })
  const { body: edited } = await app.call('PATCH', `/monitor/incident/${incident.id}`, { body: { severity: 'high' } })
  expect(edited).toMatchObject({ severity: 'high', status: 'active' })
  expect(await getActions(incident.id)).toEqual(['notification_initial', 'severity_changed high'])
  expect(await getIncidents(`monitor=${monitor.id}&severity=critical`)).toEqual([])
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${monitor.target}`)
  const sentences = log.non_versioned_logs.map(({ event_blocks }: JsonBody) => event_blocks.map(({ value }: JsonBody) => value).join(' '))
  expect(sentences).toContain('Admin changed the severity of the incident on payments from critical to high')

  const { text: file } = await app.call('GET', '/monitor/config')
  expect(file).toContain('severity: low')
  const put = (text: string) => app.call('PUT', '/monitor/config', { body: text as never, headers: { 'content-type': 'application/yaml' } })
  expect((await put(file)).body).toMatchObject({ unchanged: 2, updated: 0 })
  expect((await put(file.replace('severity: low', 'severity: high'))).body).toMatchObject({
    updated: 1,
    changes: [{ changes: [{ field: 'severity', from: 'low', to: 'high' }] }],
  })
  expect((await put(file.replace('severity: low', 'severity: grave'))).body.detail).toContain('severity must be one of')
})

test('an incident that comes back within a day is reopened, with the same ID, assignee and severity', async () => {
  const monitor = await createPushMonitor(app, { ...LIMIT, schedule: { cadence: 'hourly', frequency: 1 } })
  const { id: assignee } = await app.createUser('editor')
  const start = Date.now() - 9 * DAY
  const push = (...values: [hours: number, value: number][]) =>
    pushValues(
      app,
      monitor.id,
      values.map(([hours, value]) => [start + hours * HOUR, value]),
    )
  await push([0, 11], [1, 5], [2, 5], [3, 5])
  const [first, ...others] = await getIncidents(`monitor=${monitor.id}`)
  expect([first.status, others]).toEqual(['resolved', []])
  await app.call('PATCH', `/monitor/incident/${first.id}`, { body: { assignee, severity: 'high' } })

  await push([20, 12])
  const [reopened, ...more] = await getIncidents(`monitor=${monitor.id}`)
  expect(more).toEqual([])
  const start_at = first.first_seen_at
  expect(reopened).toMatchObject({ id: first.id, status: 'active', resolved_at: null, value: 12, runs_outside: 2, first_seen_at: start_at })
  expect(reopened).toMatchObject({ severity: 'high', assignee })
  expect((await getActions(first.id)).slice(-2)).toEqual(['reopened', 'notification_initial'])
  expect(await getJson(app, `/monitor/monitors/${monitor.id}`)).toMatchObject({ status: 'incident', last_incident: first.id })

  // Also if it was resolved and comes back in the same request; after more than a day it is another incident.
  await push([21, 5], [22, 5], [23, 5], [47, 13], [48, 5], [49, 5], [50, 5])
  expect(await getIncidents(`monitor=${monitor.id}`)).toMatchObject([{ id: first.id, status: 'resolved', runs_outside: 3 }])
  await push([76, 14])
  expect(await getIncidents(`monitor=${monitor.id}`)).toHaveLength(2)

  // Values that were marked as expected are over: the next anomaly is another one.
  const [second] = await getIncidents(`monitor=${monitor.id}`)
  await app.call('PATCH', `/monitor/incident/${second.id}`, { body: { marked: 'normal' } })
  await push([77, 15])
  expect(await getIncidents(`monitor=${monitor.id}`)).toHaveLength(3)

  // A weekly monitor has its next measurement after a week.
  const weekly = await createPushMonitor(app, { ...LIMIT, schedule: { cadence: 'weekly' } })
  await pushValues(app, weekly.id, [[start, 11]])
  const [incident] = await getIncidents(`monitor=${weekly.id}`)
  await app.call('PATCH', `/monitor/incident/${incident.id}`, { body: { status: 'resolved' } })
  await pushValues(app, weekly.id, [[start + 7 * DAY, 12]])
  expect(await getIncidents(`monitor=${weekly.id}`)).toMatchObject([{ id: incident.id, status: 'active', runs_outside: 2 }])
})
