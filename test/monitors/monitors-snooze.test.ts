import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { endSnoozes } from '../../src/observability/incidents/end-snoozes.ts'
import { createRoutingFixture, openIncident, recordIncident } from '../notifications/routing.ts'
import { createPushMonitor, createTestMonitor, DAY, getJson, HOUR, type JsonBody, pushValues } from '../support/monitors.ts'
import { createTestNotifier } from '../support/notification-servers.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const onError = (error: unknown) => {
  throw error
}

/** Snoozed incidents: silent until a time, and incidents grouped by table. */
const LIMIT = { condition_auto_sensitivity: null, condition_manual_max: 10 }
const MINUTE = 60_000

const after = (ms: number) => new Date(Date.now() + ms).toISOString()
const snooze = (app: TestApp, id: string, snoozed_until: string | null, token?: string) =>
  app.call('PATCH', `/monitor/incident/${id}`, { body: { snoozed_until }, ...(token ? { token } : {}) })
const actionsOf = async (app: TestApp, id: string): Promise<string[]> =>
  (await getJson(app, `/monitor/incident/${id}`)).actions.map(({ type }: JsonBody) => type)
const listIds = async (app: TestApp, query: string): Promise<string[]> =>
  (await getJson(app, `/monitor/incidents?${query}`)).results.map(({ id }: JsonBody) => id)

test('an incident is snoozed until a time, filtered, in history, and ended by hand', async () => {
  await using app = await createTestApp()
  const monitor = await createPushMonitor(app, LIMIT)
  const other = await createPushMonitor(app, LIMIT)
  for (const { id } of [monitor, other]) await pushValues(app, id, [[Date.now() - HOUR, 11]])
  const [id] = await listIds(app, `monitor=${monitor.id}`)
  const [awake] = await listIds(app, `monitor=${other.id}`)
  const editor = await app.createUser('editor')
  const viewer = await app.createUser('viewer')
  for (const wrong of [after(-MINUTE), after(400 * DAY), 'tomorrow'])
    expect([wrong, (await snooze(app, id!, wrong)).body.errors]).toEqual([
      wrong,
      { snoozed_until: [expect.stringContaining('in the future')] },
    ])
  expect((await snooze(app, id!, after(HOUR), viewer.token)).status).toBe(403)

  const until = after(2 * HOUR)
  const { body } = await snooze(app, id!, until, editor.token)
  expect(body).toMatchObject({ status: 'active', snoozed_until: until, snoozed_by: editor.id })
  expect(body.actions.at(-1)).toMatchObject({ type: 'snoozed', user_id: editor.id, comment: until })
  expect(await listIds(app, 'snoozed=true')).toEqual([id])
  expect(await listIds(app, 'snoozed=false')).toEqual([awake])
  expect(await listIds(app, 'status=open')).toHaveLength(2)
  const home = await getJson(app, '/ui/home')
  expect(home.incidents.map((each: JsonBody) => each.id)).toEqual([awake])
  expect(await getJson(app, `/resource/all/${monitor.target}/health`)).toMatchObject({ status: 'incident' })

  expect((await snooze(app, id!, null)).body).toMatchObject({ snoozed_until: null, snoozed_by: null })
  const { body: log } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${monitor.target}`)
  const sentences = log.non_versioned_logs.map(({ event_blocks }: JsonBody) => event_blocks.map(({ value }: JsonBody) => value).join(' '))
  expect(sentences).toContainEqual(
    expect.stringContaining(`snoozed the incident on orders until ${until.slice(0, 16).replace('T', ' ')} UTC`),
  )
  expect(sentences).toContain('Admin ended the snooze of the incident on orders')
  const { body: audit } = await app.call('GET', '/activity_log/audit_logs')
  expect(audit.results.map(({ activity_type }: JsonBody) => activity_type)).toEqual(
    expect.arrayContaining(['incident_snoozed', 'incident_unsnoozed']),
  )

  // Resolving ends a snooze, and what is resolved cannot be snoozed.
  await snooze(app, id!, until)
  const { body: resolved } = await app.call('PATCH', `/monitor/incident/${id}`, { body: { status: 'resolved' } })
  expect(resolved).toMatchObject({ status: 'resolved', snoozed_until: null })
  expect((await snooze(app, id!, until)).status).toBe(409)
  const reopened = await app.call('PATCH', `/monitor/incident/${id}`, { body: { status: 'active', snoozed_until: until } })
  expect(reopened).toMatchObject({ status: 200, body: { status: 'active', snoozed_until: until } })
})

test('no one is notified of a snoozed incident until its snooze ends', async () => {
  await using app = await createTestApp()
  const monitor = await createPushMonitor(app, { ...LIMIT, schedule: { cadence: 'hourly', frequency: 1 } })
  const owner = await app.createUser('editor')
  const assignee = await app.createUser('editor')
  await app.call('PATCH', `/resource/all/${monitor.target}`, { body: { owners: [owner.id] } })
  const notifier = createTestNotifier(app)
  const start = Date.now() - 10 * HOUR
  const push = (...values: [minutes: number, value: number][]) =>
    pushValues(
      app,
      monitor.id,
      values.map(([minutes, value]) => [start + minutes * MINUTE, value]),
    )
  const inboxOf = async ({ token }: { token: string }): Promise<string[]> => {
    const { body } = await app.call('GET', '/notification/inbox', { token })
    return body.results.flatMap(({ changes }: JsonBody) => changes.map(({ activity_type }: JsonBody) => activity_type))
  }
  await push([0, 11])
  const [id] = await listIds(app, `monitor=${monitor.id}`)
  await app.call('PATCH', `/monitor/incident/${id}`, { body: { assignee: assignee.id } })
  await notifier.follow()
  const before = { owner: await inboxOf(owner), assignee: await inboxOf(assignee) }
  expect(before.owner).toContain('incident_opened')

  await snooze(app, id!, after(HOUR))
  await push([1, 5], [2, 5], [3, 5])
  expect(await getJson(app, `/monitor/incident/${id}`)).toMatchObject({ status: 'resolved', snoozed_until: expect.any(String) })
  await push([4, 12])
  expect(await getJson(app, `/monitor/incident/${id}`)).toMatchObject({ status: 'active', snoozed_until: expect.any(String) })
  await notifier.follow()
  await notifier.follow()
  expect({ owner: await inboxOf(owner), assignee: await inboxOf(assignee) }).toEqual(before)
  expect(await actionsOf(app, id!)).toEqual(['notification_initial', 'assigned', 'snoozed', 'resolved', 'reopened'])
  const { body: why } = await app.call('GET', `/notification/explanation/incident/${id}?user=${owner.id}`)
  expect(why.inbox).toMatchObject({ reason: 'snoozed' })

  // Before its time nothing happens; afterwards it is notified once.
  await endSnoozes(app.ctx, onError)
  expect(await listIds(app, 'snoozed=true')).toEqual([id])
  const later = { ...app.ctx, now: new Date(Date.now() + 61 * MINUTE) }
  await endSnoozes(later, onError)
  await endSnoozes(later, onError)
  await notifier.follow()
  expect((await actionsOf(app, id!)).slice(-2)).toEqual(['snooze_ended', 'notification_initial'])
  expect(await getJson(app, `/monitor/incident/${id}`)).toMatchObject({ status: 'active', snoozed_until: null, snoozed_by: null })
  for (const person of [owner, assignee]) expect((await inboxOf(person)).filter((type) => type === 'incident_snooze_ended')).toHaveLength(1)
})

test('an incident that cannot be woken does not keep the others asleep', async () => {
  await using app = await createTestApp()
  const ids: string[] = []
  for (const minutes of [30, 60]) {
    const { id: monitor } = await createPushMonitor(app, LIMIT)
    await pushValues(app, monitor, [[Date.now() - HOUR, 11]])
    const [id] = await listIds(app, `monitor=${monitor}`)
    await snooze(app, id!, after(minutes * MINUTE))
    ids.push(id!)
  }
  await sql`
    alter table monitor_incidents add constraint no_disk check (id <> ${sql.lit(ids[0]!)} or snoozed_until is not null)`.execute(app.db)
  const errors: string[] = []
  await endSnoozes({ ...app.ctx, now: new Date(Date.now() + 2 * HOUR) }, (_, what) => void errors.push(what))
  expect(errors).toEqual([`snooze of incident ${ids[0]}`])
  expect(await Promise.all(ids.map(async (id) => (await getJson(app, `/monitor/incident/${id}`)).snoozed_until !== null))).toEqual([
    true,
    false,
  ])
})

test('an incident that was resolved while it was snoozed ends its snooze silently', async () => {
  await using app = await createTestApp()
  const monitor = await createPushMonitor(app, LIMIT)
  await pushValues(app, monitor.id, [[Date.now() - HOUR, 11]])
  const [id] = await listIds(app, `monitor=${monitor.id}`)
  await snooze(app, id!, after(HOUR))
  await pushValues(
    app,
    monitor.id,
    [50, 40, 30].map((minutes) => [Date.now() - minutes * MINUTE, 5]),
  )
  const actions = await actionsOf(app, id!)
  await endSnoozes({ ...app.ctx, now: new Date(Date.now() + 2 * HOUR) }, onError)
  expect(await getJson(app, `/monitor/incident/${id}`)).toMatchObject({ status: 'resolved', snoozed_until: null })
  expect(await actionsOf(app, id!)).toEqual(actions)
})

test('a pager learns that a snoozed incident is over, and nothing else', async () => {
  await using fixture = await createRoutingFixture()
  const { app, notifier, receiver, make } = fixture
  const channels = [await fixture.teams(), await fixture.pagerduty()]
  await make('rules', { name: 'All', channels: channels.map(({ id }) => id) })
  const orders = await app.createResource({ title: 'orders', entity_type: 'table' })
  const incident = await openIncident(app, notifier.ctx().now, orders)
  await notifier.round()
  expect(receiver.received).toHaveLength(2)
  const snoozed = { ...incident, snoozed_until: after(HOUR) }
  await recordIncident(app, notifier.ctx().now, 'incident_resolved', snoozed)
  await recordIncident(app, notifier.ctx().now, 'incident_reopened', snoozed)
  await notifier.round()
  await notifier.round()
  expect(receiver.received.slice(2).map(({ body }) => body.event_action)).toEqual(['resolve'])
})

test('incidents are grouped by table, the most serious first, and a hidden table is not named', async () => {
  await using app = await createTestApp()
  const make = (target: string, name: string, severity: string) =>
    createTestMonitor(app, { target, metric_type: 'pushed', ...LIMIT, name, severity })
  const orders = await app.createResource({ entity_type: 'table', title: 'orders', published: true })
  const tax = await app.createResource({ entity_type: 'column', title: 'tax', parent: orders.id, published: true })
  const parcels = await app.createResource({ entity_type: 'table', title: 'parcels', published: true })
  for (const [target, name, severity] of [
    [orders.id, 'rows', 'medium'],
    [tax.id, 'nulls', 'low'],
    [parcels.id, 'rows', 'critical'],
  ] as const)
    await pushValues(app, (await make(target, name, severity)).id, [[Date.now() - HOUR, 11]])
  const [nulls] = await listIds(app, `target=${tax.id}`)
  await snooze(app, nulls!, after(HOUR))
  const { results, count } = await getJson(app, '/monitor/incidents/tables')
  expect(count).toBe(2)
  expect(results).toMatchObject([
    { id: parcels.id, title: 'parcels', count: 1, active: 1, severity: 'critical', snoozed: 0 },
    { id: orders.id, title: 'orders', count: 2, active: 2, acknowledged: 0, severity: 'medium', snoozed: 1 },
  ])
  expect(results[1].incidents.map(({ name }: JsonBody) => name)).toEqual(['nulls', 'rows'])
  expect((await getJson(app, '/monitor/incidents/tables?snoozed=false')).results.map(({ count }: JsonBody) => count)).toEqual([1, 1])

  const viewer = await app.createUser('viewer')
  await app.db.updateTable('resources').set({ published: false }).where('id', '=', orders.id).execute()
  const { body, text } = await app.call('GET', '/monitor/incidents/tables', { token: viewer.token })
  expect(body.results.map(({ id, count }: JsonBody) => [id, count])).toEqual([
    [parcels.id, 1],
    [tax.id, 1],
  ])
  expect(text).not.toContain(orders.id)
})
