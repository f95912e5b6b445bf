import { expect, test } from 'vitest'
import { aHouse, type House } from './house.ts'
import { aMonitor, aPushed, type Body, catalogOf, push, read, workLanes } from './monitors.ts'
import { aPostman } from './post.ts'
import { aPostgres, connectTo, sync } from './sources.ts'

const LIMIT = { condition_auto_sensitivity: null, condition_manual_max: 10 }
const MINUTE = 60_000

const notified = async (house: House, incident: string): Promise<[string, number | null][]> =>
  (await read(house, `/monitor/incident/${incident}`)).actions
    .filter(({ type }: Body) => type.startsWith('notification'))
    .map(({ type, people }: Body) => [type, people])

test('the creator of a monitor is subscribed to its target, and the timeline shows how many people were notified', async () => {
  await using house = await aHouse()
  const [ada, bob] = [await house.someone('editor'), await house.someone('editor')]
  const table = await house.resource({ title: 'orders' })
  const create = (token: string, more: object) =>
    house.call('POST', '/monitor/monitors', { token, body: { target: table.id, metric_type: 'pushed', ...LIMIT, ...more } })
  const { body: quiet } = await create(ada.token, { name: 'quiet', subscribe: false })
  const subscribers = async () => (await read(house, `/resource/all/${table.id}`)).subscribers
  expect(await subscribers()).toEqual([])
  const postman = aPostman(house)
  await postman.follow()
  const now = Date.now()
  await push(house, quiet.id, [[now - 9 * MINUTE, 11]])
  const [first] = (await read(house, `/monitor/incidents?monitor=${quiet.id}`)).results
  expect(await notified(house, first.id)).toEqual([['notification_initial', null]])
  await postman.follow()
  expect(await notified(house, first.id)).toEqual([['notification_initial', 0]])

  const { body: monitor } = await create(bob.token, { name: 'rows' })
  expect(await subscribers()).toEqual([bob.id])
  await push(house, monitor.id, [[now - 8 * MINUTE, 12]])
  await postman.follow()
  const [second] = (await read(house, `/monitor/incidents?monitor=${monitor.id}`)).results
  expect(await notified(house, second.id)).toEqual([['notification_initial', 1]])
  const { body: inbox } = await house.call('GET', '/notification/inbox', { token: bob.token })
  expect(inbox.results).toMatchObject([{ resource_id: table.id }])
})

test('resolving an incident leaves the monitor in incident state until a value is inside or marked as normal', async () => {
  await using house = await aHouse()
  const monitor = await aPushed(house, LIMIT)
  const now = Date.now()
  const status = async () => (await read(house, `/monitor/monitors/${monitor.id}`)).status
  const edit = (id: string, body: object) => house.call('PATCH', `/monitor/incident/${id}`, { body })
  await push(house, monitor.id, [[now - 9 * MINUTE, 11]])
  const [{ id }] = (await read(house, `/monitor/incidents?monitor=${monitor.id}`)).results
  expect((await edit(id, { status: 'resolved' })).body).toMatchObject({ status: 'resolved', still_outside: true })
  expect(await status()).toBe('incident')
  expect((await edit(id, { marked: 'normal' })).body).toMatchObject({ still_outside: false })
  expect(await status()).toBe('normal')

  await push(house, monitor.id, [[now - 8 * MINUTE, 12]])
  const [{ id: next }] = (await read(house, `/monitor/incidents?monitor=${monitor.id}&status=open`)).results
  await edit(next, { status: 'resolved' })
  await push(house, monitor.id, [[now - 7 * MINUTE, 5]])
  expect(await status()).toBe('normal')
  expect(await read(house, `/monitor/incident/${next}`)).toMatchObject({ status: 'resolved', still_outside: false })
})

test('a resolved incident can be reopened unless its monitor has another open one, and each resolution is notified', async () => {
  await using house = await aHouse()
  const monitor = await aPushed(house, LIMIT)
  const owner = await house.someone('editor')
  await house.call('PATCH', `/resource/all/${monitor.target}`, { body: { owners: [owner.id] } })
  const now = Date.now()
  const edit = (id: string, body: object) => house.call('PATCH', `/monitor/incident/${id}`, { body })
  const postman = aPostman(house)
  await push(house, monitor.id, [[now - 9 * MINUTE, 11]])
  const [{ id }] = (await read(house, `/monitor/incidents?monitor=${monitor.id}`)).results
  await edit(id, { status: 'resolved' })
  expect((await edit(id, { status: 'acknowledged' })).status).toBe(409)
  const { body } = await edit(id, { status: 'active' })
  expect(body).toMatchObject({ status: 'active', resolved_at: null, summary: expect.stringContaining(' is 11, ') })
  expect((await read(house, `/monitor/monitors/${monitor.id}`)).status).toBe('incident')
  await push(house, monitor.id, [[now - 8 * MINUTE, 13]])
  expect(await read(house, `/monitor/incident/${id}`)).toMatchObject({ status: 'active', value: 13, runs_outside: 2 })
  await edit(id, { status: 'resolved' })
  await postman.follow()
  await postman.follow() // the resolved alert is sent after the opened alert
  expect((await notified(house, id)).map(([type]) => type)).toEqual([
    ...['notification_initial', 'notification_resolved', 'notification_initial', 'notification_resolved'],
  ])
  const { body: inbox } = await house.call('GET', '/notification/inbox', { token: owner.token })
  const types = inbox.results.flatMap(({ changes }: Body) => changes.map(({ activity_type }: Body) => activity_type))
  expect(types.filter((type: string) => type === 'incident_resolved')).toHaveLength(2)
  expect(types).toContain('incident_reopened')

  await push(house, monitor.id, [[now - 7 * MINUTE, 14]])
  expect(await edit(id, { status: 'active' })).toMatchObject({
    status: 409,
    body: { detail: expect.stringContaining('another open incident') },
  })
})

test('a new monitor is measured immediately, and its gate is unknown before the first measurement', async () => {
  await using house = await aHouse()
  await using source = await aPostgres('create table orders (id int)', 'insert into orders select generate_series(1, 7)')
  await sync(house, await connectTo(house, 'postgres', source.credentials))
  const target = (await catalogOf(house))('orders')
  const gate = async () => (await read(house, `/monitor/gate?resource_id=${target}`)).status
  expect(await gate()).toBe('unknown')
  const { id } = await aMonitor(house, { target, metric_type: 'row_count' })
  expect(await gate()).toBe('unknown')
  await workLanes(house.ctx)
  expect(await read(house, `/monitor/monitors/${id}`)).toMatchObject({ status: 'normal', last_measurement_value: 7 })
  expect(await gate()).toBe('pass')
})

test('viewers see monitors and incidents of visible resources without the SQL, and the table page counts them', async () => {
  await using house = await aHouse()
  const viewer = await house.someone('viewer')
  const table = await house.resource({ title: 'orders', published: true })
  const column = await house.resource({ title: 'amount', entity_type: 'column', parent: table.id })
  const hidden = await house.resource({ title: 'salaries' })
  const clean = await house.resource({ title: 'clean', published: true })
  const monitors: Body[] = []
  for (const target of [table.id, column.id, hidden.id])
    monitors.push(await aMonitor(house, { target, metric_type: 'pushed', ...LIMIT, metric_config: {} }))
  await house.db
    .updateTable('monitors')
    .set({ metric_config: JSON.stringify({ where: 'secret.table is not null' }), last_error_message: 'no table secret' })
    .execute()
  for (const { id } of monitors) await push(house, id, [[Date.now() - 1000, 11]])

  const get = (path: string) => house.call('GET', path, { token: viewer.token })
  const { body: page } = await get(`/ui/resource/${table.id}`)
  expect(page.tabs).toMatchObject({ monitors: 2, incidents: 2 })
  const { body: list } = await get('/monitor/monitors')
  expect(list.count).toBe(2)
  expect(list.results[0]).toMatchObject({ status: 'incident', metric_config: {}, last_error_message: 'The metric could not be measured.' })
  expect((await get('/monitor/incidents?status=open')).body.count).toBe(2)
  expect((await get(`/monitor/gate?resource_id=${table.id}`)).body.status).toBe('fail')
  const { body: health } = await get(`/ui/health?ids=${[table, column, hidden, clean].map(({ id }) => id).join(',')}`)
  expect(health).toEqual({
    [table.id]: { open_incidents: 2, since: expect.stringMatching(/Z$/) },
    [column.id]: { open_incidents: 1, since: expect.stringMatching(/Z$/) },
  })
  for (const path of ['/monitor/config', `/monitor/suggestions?resource_id=${table.id}`]) expect((await get(path)).status).toBe(403)
  expect((await house.call('PATCH', `/monitor/monitors/${monitors[0].id}`, { token: viewer.token, body: { name: 'x' } })).status).toBe(403)
})
