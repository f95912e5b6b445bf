import { expect, test } from 'vitest'
import {
  createPushMonitor,
  createTestMonitor,
  findResourcesByTitle,
  getJson,
  type JsonBody,
  pushValues,
  runPartitions,
} from '../support/monitors.ts'
import { createTestNotifier } from '../support/notification-servers.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const LIMIT = { condition_auto_sensitivity: null, condition_manual_max: 10 }
const MINUTE = 60_000

const notified = async (app: TestApp, incident: string): Promise<[string, number | null][]> =>
  (await getJson(app, `/monitor/incident/${incident}`)).actions
    .filter(({ type }: JsonBody) => type.startsWith('notification'))
    .map(({ type, people }: JsonBody) => [type, people])

test('the creator of a monitor is subscribed to its target, and the timeline shows how many people were notified', async () => {
  await using app = await createTestApp()
  const [ada, bob] = [await app.createUser('editor'), await app.createUser('editor')]
  const table = await app.createResource({ title: 'orders' })
  const create = (token: string, more: object) =>
    app.call('POST', '/monitor/monitors', { token, body: { target: table.id, metric_type: 'pushed', ...LIMIT, ...more } })
  const { body: quiet } = await create(ada.token, { name: 'quiet', subscribe: false })
  const subscribers = async () => (await getJson(app, `/resource/all/${table.id}`)).subscribers
  expect(await subscribers()).toEqual([])
  const notifier = createTestNotifier(app)
  await notifier.follow()
  const now = Date.now()
  await pushValues(app, quiet.id, [[now - 9 * MINUTE, 11]])
  const [first] = (await getJson(app, `/monitor/incidents?monitor=${quiet.id}`)).results
  expect(await notified(app, first.id)).toEqual([['notification_initial', null]])
  await notifier.follow()
  expect(await notified(app, first.id)).toEqual([['notification_initial', 0]])

  const { body: monitor } = await create(bob.token, { name: 'rows' })
  expect(await subscribers()).toEqual([bob.id])
  await pushValues(app, monitor.id, [[now - 8 * MINUTE, 12]])
  await notifier.follow()
  const [second] = (await getJson(app, `/monitor/incidents?monitor=${monitor.id}`)).results
  expect(await notified(app, second.id)).toEqual([['notification_initial', 1]])
  const { body: inbox } = await app.call('GET', '/notification/inbox', { token: bob.token })
  expect(inbox.results).toMatchObject([{ resource_id: table.id }])
})

test('resolving an incident leaves the monitor in incident state until a value is inside or marked as normal', async () => {
  await using app = await createTestApp()
  const monitor = await createPushMonitor(app, LIMIT)
  const now = Date.now()
  const status = async () => (await getJson(app, `/monitor/monitors/${monitor.id}`)).status
  const edit = (id: string, body: object) => app.call('PATCH', `/monitor/incident/${id}`, { body })
  await pushValues(app, monitor.id, [[now - 9 * MINUTE, 11]])
  const [{ id }] = (await getJson(app, `/monitor/incidents?monitor=${monitor.id}`)).results
  expect((await edit(id, { status: 'resolved' })).body).toMatchObject({ status: 'resolved', still_outside: true })
  expect(await status()).toBe('incident')
  const health = async () => await getJson(app, `/resource/all/${monitor.target}/health`)
  expect(await health()).toMatchObject({ status: 'warning', reasons: [{ kind: 'out_of_range', incident: id }] })
  expect((await edit(id, { marked: 'normal' })).body).toMatchObject({ still_outside: false })
  expect(await status()).toBe('normal')
  expect(await health()).toEqual({ status: 'ok', reasons: [] })

  await pushValues(app, monitor.id, [[now - 8 * MINUTE, 12]])
  const [{ id: next }] = (await getJson(app, `/monitor/incidents?monitor=${monitor.id}&status=open`)).results
  await edit(next, { status: 'resolved' })
  await pushValues(app, monitor.id, [[now - 7 * MINUTE, 5]])
  expect(await status()).toBe('normal')
  expect(await getJson(app, `/monitor/incident/${next}`)).toMatchObject({ status: 'resolved', still_outside: false })
  for (const next_status of ['active', 'resolved']) await edit(next, { status: next_status })
  expect(await status()).toBe('normal')
})

test('a resolved incident can be reopened unless its monitor has another open one, and each resolution is notified', async () => {
  await using app = await createTestApp()
  const monitor = await createPushMonitor(app, LIMIT)
  const owner = await app.createUser('editor')
  await app.call('PATCH', `/resource/all/${monitor.target}`, { body: { owners: [owner.id] } })
  const now = Date.now()
  const edit = (id: string, body: object) => app.call('PATCH', `/monitor/incident/${id}`, { body })
  const notifier = createTestNotifier(app)
  await pushValues(app, monitor.id, [[now - 9 * MINUTE, 11]])
  const [{ id }] = (await getJson(app, `/monitor/incidents?monitor=${monitor.id}`)).results
  await edit(id, { status: 'resolved' })
  expect((await edit(id, { status: 'acknowledged' })).status).toBe(409)
  const { body } = await edit(id, { status: 'active' })
  expect(body).toMatchObject({ status: 'active', resolved_at: null, summary: expect.stringContaining(' is 11: ') })
  expect((await getJson(app, `/monitor/monitors/${monitor.id}`)).status).toBe('incident')
  await pushValues(app, monitor.id, [[now - 8 * MINUTE, 13]])
  expect(await getJson(app, `/monitor/incident/${id}`)).toMatchObject({ status: 'active', value: 13, runs_outside: 2 })
  await edit(id, { status: 'resolved' })
  await notifier.follow()
  await notifier.follow() // the resolved alert is sent after the opened alert
  expect((await notified(app, id)).map(([type]) => type)).toEqual([
    ...['notification_initial', 'notification_resolved', 'notification_initial', 'notification_resolved'],
  ])
  const { body: inbox } = await app.call('GET', '/notification/inbox', { token: owner.token })
  const types = inbox.results.flatMap(({ changes }: JsonBody) => changes.map(({ activity_type }: JsonBody) => activity_type))
  expect(types.filter((type: string) => type === 'incident_resolved')).toHaveLength(2)
  expect(types).toContain('incident_reopened')

  await edit(id, { marked: 'normal' }) // otherwise the next anomaly would reopen it
  await pushValues(app, monitor.id, [[now - 7 * MINUTE, 14]])
  expect(await edit(id, { status: 'active' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('another open incident') },
  })
})

test('a new monitor is measured immediately, and its gate is unknown before the first measurement', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource('create table orders (id int)', 'insert into orders select generate_series(1, 7)')
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const target = (await findResourcesByTitle(app))('orders')
  const gate = async () => (await getJson(app, `/monitor/gate?resource_id=${target}`)).status
  expect(await gate()).toBe('unknown')
  const { id } = await createTestMonitor(app, { target, metric_type: 'row_count' })
  expect(await gate()).toBe('unknown')
  await runPartitions(app.ctx)
  expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ status: 'normal', last_measurement_value: 7 })
  expect(await gate()).toBe('pass')
})

test('viewers see monitors and incidents of visible resources without the SQL, and the table page counts them', async () => {
  await using app = await createTestApp()
  const viewer = await app.createUser('viewer')
  const table = await app.createResource({ title: 'orders', published: true })
  const column = await app.createResource({ title: 'amount', entity_type: 'column', parent: table.id })
  const hidden = await app.createResource({ title: 'salaries' })
  const clean = await app.createResource({ title: 'clean', published: true })
  const monitors: JsonBody[] = []
  for (const target of [table.id, column.id, hidden.id])
    monitors.push(await createTestMonitor(app, { target, metric_type: 'pushed', ...LIMIT, metric_config: {} }))
  await app.db
    .updateTable('monitors')
    .set({ metric_config: JSON.stringify({ where: 'secret.table is not null' }), last_error_message: 'no table secret' })
    .execute()
  for (const { id } of monitors) await pushValues(app, id, [[Date.now() - 1000, 11]])

  const get = (path: string) => app.call('GET', path, { token: viewer.token })
  const { body: page } = await get(`/ui/resource/${table.id}`)
  expect(page.tabs).toMatchObject({ monitors: 2, incidents: 2 })
  const { body: list } = await get('/monitor/monitors')
  expect(list.count).toBe(2)
  expect(list.results[0]).toMatchObject({ status: 'incident', metric_config: {}, last_error_message: 'The metric could not be measured.' })
  expect((await get('/monitor/incidents?status=open')).body.count).toBe(2)
  expect((await get(`/monitor/gate?resource_id=${table.id}`)).body.status).toBe('fail')
  const { body: health } = await get(`/ui/health?ids=${[table, column, hidden, clean].map(({ id }) => id).join(',')}`)
  expect(health).toEqual({
    [table.id]: { status: 'incident', deprecated: false },
    [column.id]: { status: 'incident', deprecated: false },
    [clean.id]: { status: 'unknown', deprecated: false },
  })
  // Counts by health ignore their own selection, and what is hidden: with words and without.
  await app.call('PATCH', `/resource/all/${clean.id}`, { body: { description: 'Clean orders.', deprecation: { reason: 'Old.' } } })
  const count = (value: string, count: number, selected = false) => ({ value, count, selected })
  for (const words of ['q=orders&', '']) {
    const { results, facets } = (await get(`/search?${words}entity_type=table`)).body
    expect([results.length, facets.health.values]).toEqual([2, [count('incident', 1), count('warning', 1)]])
    const narrowed = (await get(`/search?${words}entity_type=table&health=warning`)).body
    expect([narrowed.results.length, narrowed.facets.health.values]).toEqual([1, [count('warning', 1, true), count('incident', 1)]])
  }
  expect((await get('/search?health=poorly')).status).toBe(400)
  expect((await get('/search?q=is:deprecated')).body.results).toMatchObject([{ id: clean.id }])
  const child = await app.createResource({ title: 'child', parent: table.id, published: true, deprecation: { reason: 'Old.' } })
  const { body: tree } = await get(`/ui/tree?parent_id=${table.id}`)
  expect(tree.results).toMatchObject([
    { id: column.id, health: 'incident', deprecated: false },
    { id: child.id, health: 'warning', deprecated: true },
  ])
  for (const path of ['/monitor/config', `/monitor/suggestions?resource_id=${table.id}`]) expect((await get(path)).status).toBe(403)
  expect((await app.call('PATCH', `/monitor/monitors/${monitors[0].id}`, { token: viewer.token, body: { name: 'x' } })).status).toBe(403)
})
