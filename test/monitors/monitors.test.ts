import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteResource } from '../../src/catalog/resources/delete.ts'
import { restoreResource } from '../../src/catalog/resources/restore.ts'
import { createLineageEntry } from '../../src/lineage/edges/manual.ts'
import { deleteOrphanedMonitors } from '../../src/observability/monitors/cleanup.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createPushMonitor, createTestMonitor, DAY, getJson, type JsonBody, pushValues } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const NOW = Date.UTC(2026, 2, 16, 9) // a Monday
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ now: () => new Date(NOW) })
})
afterAll(() => app[Symbol.asyncDispose]())

const MANUAL = { condition_auto_sensitivity: null, condition_manual_min: 10, condition_manual_max: 20 }
/** Daily values, the last one today. */
const days = (...values: number[]) => values.map((value, i) => [NOW - (values.length - 1 - i) * DAY, value] as const)
const incidentsOf = async (monitor: string): Promise<JsonBody[]> => (await getJson(app, `/monitor/incidents?monitor=${monitor}`)).results
const recordedActivities = async (): Promise<string[]> =>
  (await app.listActivities()).map(({ activity_type }) => activity_type).filter((type) => /^(monitor|incident)_/.test(type))

describe('a monitor', () => {
  test('is created with defaults and recorded in the activity log', async () => {
    const before = (await recordedActivities()).length
    const { id: target } = await app.createResource({ entity_type: 'table', title: 'orders' })
    const monitor = await createTestMonitor(app, { target })
    expect(monitor).toMatchObject({
      name: 'Row count of orders',
      metric_type: 'row_count',
      is_enabled: true,
      condition_auto_sensitivity: 5,
      schedule: { cadence: 'daily', hour: 0, day: null, frequency: 24 },
      next_run_at: '2026-03-17T00:00:00.000Z',
    })
    expect((await recordedActivities()).slice(before)).toEqual(['monitor_created'])
    const { body } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${target}`)
    expect(body.non_versioned_logs.find(({ activity_type }: JsonBody) => activity_type === 'monitor_created')).toMatchObject({
      related_resource_ids: [monitor.id],
      related_resource_type: 'monitor',
    })
  })

  test('is edited field by field, and a sensitivity or a limit changes the mode', async () => {
    const { id } = await createPushMonitor(app, { ...MANUAL, notify_slack_channel: 'C1' })
    const edit = async (body: object) => (await app.call('PATCH', `/monitor/monitors/${id}`, { body })).body
    expect(await edit({ name: 'Orders' })).toMatchObject({ name: 'Orders', condition_manual_min: 10, notify_slack_channel: 'C1' })
    expect(await edit({ condition_auto_sensitivity: 7, notify_slack_channel: null })).toMatchObject({
      condition_auto_sensitivity: 7,
      condition_manual_min: null,
      condition_manual_max: null,
      notify_slack_channel: null,
    })
    expect(await edit({ condition_manual_max: 3 })).toMatchObject({
      condition_auto_sensitivity: null,
      condition_manual_min: null,
      condition_manual_max: 3,
    })
    expect(await edit({ condition_manual_max: null })).toMatchObject({ code: 'validation_failed' })
    expect(await edit({ target: newId() })).toMatchObject({ errors: { target: [expect.stringContaining('cannot be changed')] } })
    expect(await edit({ metric_type: 'row_count' })).toMatchObject({
      errors: { metric_type: [expect.stringContaining('cannot be changed')] },
    })
    const before = (await recordedActivities()).length
    await edit({ name: 'Orders' }) // unchanged
    expect(await recordedActivities()).toHaveLength(before)
  })

  test('has no next run while it is disabled', async () => {
    const { id: target } = await app.createResource({ entity_type: 'table', title: 'orders' })
    const { id } = await createTestMonitor(app, { target, is_enabled: false, schedule: { cadence: 'weekly', day: 1, hour: 3 } })
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ next_run_at: null, frequency: 168 })
    const { body } = await app.call('PATCH', `/monitor/monitors/${id}`, { body: { is_enabled: true } })
    expect(body.next_run_at).toBe('2026-03-23T03:00:00.000Z')
    const berlin = { cadence: 'daily', hour: 3, timezone: 'Europe/Berlin' }
    expect((await app.call('PATCH', `/monitor/monitors/${id}`, { body: { schedule: berlin } })).body).toMatchObject({ schedule: berlin })
    const hourly = await app.call('PATCH', `/monitor/monitors/${id}`, { body: { schedule: { cadence: 'hourly', frequency: 6 } } })
    expect(hourly.body.schedule).not.toHaveProperty('timezone')
    expect(hourly.body).toMatchObject({ next_run_at: '2026-03-16T12:00:00.000Z', frequency: 6 })
  })

  test('supports If-Match and Idempotency-Key', async () => {
    const { id: target } = await app.createResource({ entity_type: 'table', title: 'orders' })
    const once = { body: { target }, headers: { 'idempotency-key': newId() } }
    const [first, second] = [await app.call('POST', '/monitor/monitors', once), await app.call('POST', '/monitor/monitors', once)]
    expect(second.body).toEqual(first.body)
    const path = `/monitor/monitors/${first.body.id}`
    const { etag = '' } = (await app.call('GET', path)).headers
    expect((await app.call('PATCH', path, { body: { name: 'A' }, headers: { 'if-match': etag } })).status).toBe(200)
    for (const method of ['PATCH', 'DELETE'])
      expect((await app.call(method, path, { body: { name: 'B' }, headers: { 'if-match': etag } })).status).toBe(412)
    expect((await getJson(app, path)).name).toBe('A')
  })

  test('is deleted with its measurements and incidents', async () => {
    const { id } = await createPushMonitor(app, MANUAL)
    const [measurement] = await pushValues(app, id, days(50))
    expect((await app.call('DELETE', `/monitor/monitors/${id}`)).status).toBe(204)
    for (const path of [`/monitor/monitors/${id}`, `/monitor/incident/${measurement.incident}`, `/monitor/measurements/${measurement.id}`])
      expect((await app.call('GET', path)).status).toBe(404)
  })

  test('has a unique key', async () => {
    const { id } = await createPushMonitor(app, { key: 'orders.volume' })
    const { target } = await createPushMonitor(app)
    const taken = await app.call('POST', '/monitor/monitors', { body: { target, metric_type: 'pushed', key: 'orders.volume' } })
    expect(taken).toMatchObject({ status: 409, body: { code: 'conflict' } })
    const { body } = await app.call('POST', '/monitor/measurements', { body: { measurements: [{ key: 'orders.volume', value: 5 }] } })
    expect(body.results).toMatchObject([{ monitor: id, value: 5, created_at: new Date(NOW).toISOString() }])
  })

  test('is listed by filters', async () => {
    const { id: parent } = await app.createResource({ entity_type: 'table', title: 'shipments' })
    const { id: column } = await app.createResource({ entity_type: 'column', title: 'weight', parent })
    const onTable = await createTestMonitor(app, { target: parent })
    const onColumn = await createTestMonitor(app, { target: column, metric_type: 'mean', is_enabled: false, name: 'Heavy ones' })
    const found = async (query: string) => (await getJson(app, `/monitor/monitors?${query}`)).results.map(({ id }: JsonBody) => id)
    expect(await found(`target=${parent}`)).toEqual([onTable.id])
    expect(await found(`resource_id=${parent}`)).toEqual(expect.arrayContaining([onTable.id, onColumn.id]))
    expect(await found(`monitor=${onColumn.id}`)).toEqual([onColumn.id])
    expect(await found(`metric_type=mean&status=pending&is_enabled=false&name=heavy`)).toEqual([onColumn.id])
    expect((await app.call('GET', '/monitor/monitors?status=odd')).status).toBe(400)
  })

  test('is hidden while its target is deleted', async () => {
    const { id, target } = await createPushMonitor(app, MANUAL)
    const [measurement] = await pushValues(app, id, days(50))
    await deleteResource(app.ctx, target)
    for (const path of [`/monitor/monitors/${id}`, `/monitor/incident/${measurement.incident}`, `/monitor/measurements/${measurement.id}`])
      expect((await app.call('GET', path)).status).toBe(404)
    await deleteOrphanedMonitors({ ...app.ctx, now: new Date(NOW) })
    await restoreResource(app.ctx, target, 1)
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ status: 'incident', last_measurement_value: 50 })
    await deleteOrphanedMonitors({ ...app.ctx, now: new Date(NOW + 91 * DAY) }) // it was deleted only briefly
    await getJson(app, `/monitor/monitors/${id}`)
    await deleteResource(app.ctx, target)
    await deleteOrphanedMonitors({ ...app.ctx, now: new Date(NOW) })
    await deleteOrphanedMonitors({ ...app.ctx, now: new Date(NOW + 91 * DAY) })
    expect(await app.db.selectFrom('monitors').select('id').where('id', '=', id).execute()).toEqual([])
  })
})

describe('permissions', () => {
  test('editors read, write and run, viewers read, and the scope of a token restricts both', async () => {
    const { id, target } = await createPushMonitor(app)
    const editor = await app.createUser('editor')
    const viewer = await app.createUser('viewer')
    const reader = await app.createUser('editor', { scope: 'read' })
    const requests = [
      ['GET', '/monitor/monitors', undefined],
      ['POST', '/monitor/monitors', { target, metric_type: 'pushed' }],
      ['PATCH', `/monitor/monitors/${id}`, { name: 'x' }],
      ['POST', '/monitor/monitors/run', { monitors: [id] }],
      ['POST', '/monitor/measurements', { measurements: [{ monitor: id, value: 1 }] }],
    ] as const
    const statuses = async (token: string) => {
      const responses = []
      for (const [method, path, body] of requests) responses.push((await app.call(method, path, { token, body })).status)
      return responses
    }
    expect(await statuses(editor.token)).toEqual([200, 201, 200, 200, 201])
    expect(await statuses(viewer.token)).toEqual([200, 403, 403, 403, 403])
    expect(await statuses(reader.token)).toEqual([200, 403, 403, 403, 403])
  })

  test('monitors, measurements and incidents of a hidden target are hidden', async () => {
    const team = await app.createTeam(true)
    const { id: target } = await app.createResource({ entity_type: 'table', title: 'salaries', teams: [team] })
    const monitor = await createTestMonitor(app, { target, metric_type: 'pushed', key: 'secret', ...MANUAL })
    const [measurement] = await pushValues(app, monitor.id, days(99))
    const { token } = await app.createUser('editor')
    const unknownId = newId()
    const same = async (method: string, path: (id: string) => string, body?: object) => {
      const [hidden, absent] = [
        await app.call(method, path(monitor.id), { token, body }),
        await app.call(method, path(unknownId), { token, body }),
      ]
      expect(hidden.status).toBe(absent.status)
      expect(hidden.text.replaceAll(monitor.id, unknownId).replace(/"request_id":"[^"]*"/, '')).toBe(
        absent.text.replace(/"request_id":"[^"]*"/, ''),
      )
      return hidden.status
    }
    expect(await same('GET', (id) => `/monitor/monitors/${id}`)).toBe(404)
    expect(await same('PATCH', (id) => `/monitor/monitors/${id}`, { name: 'x' })).toBe(404)
    expect(await same('DELETE', (id) => `/monitor/monitors/${id}`)).toBe(404)
    expect(await same('GET', (id) => `/monitor/measurements?monitor=${id}`)).toBe(200)
    expect((await app.call('GET', `/monitor/incident/${measurement.incident}`, { token })).status).toBe(404)
    expect((await app.call('PATCH', `/monitor/incident/${measurement.incident}`, { token, body: { comment: 'hm' } })).status).toBe(404)
    expect((await app.call('PATCH', `/monitor/measurements/${measurement.id}`, { token, body: { marked: 'normal' } })).status).toBe(404)
    for (const [path, body] of [
      ['/monitor/monitors/run', { monitors: [monitor.id] }],
      ['/monitor/measurements', { measurements: [{ monitor: monitor.id, value: 1 }] }],
      ['/monitor/measurements', { measurements: [{ key: 'secret', value: 1 }] }],
      ['/monitor/monitors', { target }],
    ] as const)
      expect((await app.call('POST', path, { token, body })).status).toBe(400)
    expect((await app.call('POST', '/monitor/replay', { token, body: { monitor: monitor.id } })).status).toBe(404)
    for (const path of ['/monitor/monitors', '/monitor/incidents'])
      expect((await app.call('GET', `${path}?target=${target}`, { token })).body).toMatchObject({ count: 0, results: [] })
  })
})

describe('an incident', () => {
  test('opens, grows and resolves after three measurements inside, with one notification each', async () => {
    const { id, target } = await createPushMonitor(app, MANUAL)
    const before = (await recordedActivities()).length
    const [, first] = await pushValues(app, id, days(15, 25, 12, 12, 12, 12).slice(0, 2))
    const [opened] = await incidentsOf(id)
    expect(opened).toMatchObject({
      id: first.incident,
      status: 'active',
      value: 25,
      upper_threshold: 20,
      first_seen_at: first.created_at,
      runs_outside: 1,
    })
    expect(opened.summary).toContain('is 25: 5 above the limit of 20 (25 % more), since 2026-03-12 09:00 UTC')
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ status: 'incident', last_incident: opened.id })
    await pushValues(app, id, [[NOW - 4 * DAY + 1, 30]])
    expect((await incidentsOf(id))[0]).toMatchObject({
      id: opened.id,
      value: 30,
      runs_outside: 2,
      last_seen_at: new Date(NOW - 4 * DAY + 1).toISOString(),
    })
    await pushValues(app, id, [
      [NOW - 3 * DAY, 12],
      [NOW - 2 * DAY, 12],
    ])
    expect((await incidentsOf(id))[0]).toMatchObject({ status: 'active' })
    await pushValues(app, id, [[NOW - DAY, 12]])
    const [resolved] = await incidentsOf(id)
    expect(resolved).toMatchObject({ id: opened.id, status: 'resolved', resolved_at: new Date(NOW - DAY).toISOString(), value: 30 })
    expect(resolved.actions.map(({ type }: JsonBody) => type)).toEqual(['notification_initial', 'resolved', 'notification_resolved'])
    expect((await recordedActivities()).slice(before)).toEqual(['incident_opened', 'incident_resolved'])
    expect((await getJson(app, `/monitor/measurements?incident_id=${opened.id}`)).count).toBe(5)
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ status: 'normal', last_incident: opened.id })
    await pushValues(app, id, [[NOW, 5]])
    expect(await incidentsOf(id)).toMatchObject([{ id: opened.id, status: 'active', value: 5, runs_outside: 3 }])
    const { body } = await app.call('GET', `/activity_log/resource_logs/?resource_id=${target}`)
    expect(body.non_versioned_logs.map(({ activity_type }: JsonBody) => activity_type)).toContain('incident_opened')
  })

  test('is not resolved by two measurements inside and one outside', async () => {
    const { id } = await createPushMonitor(app, MANUAL)
    await pushValues(app, id, days(50, 15, 15, 50, 15, 15))
    expect(await incidentsOf(id)).toMatchObject([{ status: 'active', runs_outside: 2 }])
  })

  test('can be open only once per monitor, enforced by the database', async () => {
    const { id } = await createPushMonitor(app, MANUAL)
    await pushValues(app, id, days(50))
    const [{ id: incident }] = await incidentsOf(id)
    const row = await app.db.selectFrom('monitor_incidents').selectAll().where('id', '=', incident).executeTakeFirstOrThrow()
    const {
      created_at: _,
      updated_at: __,
      first_seen_at: ___,
      last_seen_at: ____,
      last_notified_at: _____,
      acknowledged_at: ______,
      resolved_at: _______,
      snoozed_until: ________,
      ...rest
    } = row
    const now = new Date(NOW)
    const second = { ...rest, id: newId(), created_at: now, updated_at: now, first_seen_at: now, last_seen_at: now }
    await expect(app.db.insertInto('monitor_incidents').values(second).execute()).rejects.toThrow('monitor_incidents_open')
  })

  test('is opened once by ten concurrent pushes', async () => {
    const { id } = await createPushMonitor(app, MANUAL)
    const other = await app.createInstance()
    await Promise.all(Array.from({ length: 10 }, (_, i) => pushValues(i % 2 ? app : other, id, [[NOW - i * 1000, 50 + i]])))
    await other[Symbol.asyncDispose]()
    expect((await getJson(app, `/monitor/measurements?monitor=${id}`)).count).toBe(10)
    expect(await incidentsOf(id)).toHaveLength(1)
  })

  test('is acknowledged by a comment, assigned and resolved manually', async () => {
    const { id } = await createPushMonitor(app, MANUAL)
    const [{ incident }] = await pushValues(app, id, days(50))
    const ann = await app.createUser('editor')
    const path = `/monitor/incident/${incident}`
    const before = (await recordedActivities()).length
    const commented = await app.call('PATCH', path, { token: ann.token, body: { comment: 'The loader hangs.' } })
    expect(commented.body).toMatchObject({ status: 'acknowledged', acknowledged_at: new Date(NOW).toISOString() })
    expect(commented.body.actions.slice(1)).toMatchObject([
      { type: 'comment', user_id: ann.id, user_name: 'editor Person', comment: 'The loader hangs.' },
      { type: 'acknowledged', user_id: ann.id },
    ])
    expect((await app.call('PATCH', path, { body: { assignee: ann.id } })).body).toMatchObject({ assignee: ann.id })
    const resolved = await app.call('PATCH', `/monitor/incidents/${incident}`, { body: { status: 'resolved', comment: 'Restarted.' } })
    expect(resolved.body).toMatchObject({ status: 'resolved', resolved_at: new Date(NOW).toISOString() })
    expect((await recordedActivities()).slice(before)).toEqual([
      'incident_commented',
      'incident_acknowledged',
      'incident_assigned',
      'incident_commented',
      'incident_resolved',
    ])
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ status: 'incident' }) // its last value is still outside
    expect(await app.call('PATCH', path, { body: { status: 'acknowledged' } })).toMatchObject({ status: 409, body: { code: 'conflict' } })
    for (const body of [{ status: 'odd' }, { comment: '' }, { comment: 5 }, { assignee: 'me' }, { marked: 'odd' }])
      expect((await app.call('PATCH', path, { body })).status).toBe(400)
    const etag = resolved.headers.etag ?? ''
    expect((await app.call('PATCH', path, { body: { comment: 'x' }, headers: { 'if-match': '"told"' } })).status).toBe(412)
    expect((await app.call('PATCH', path, { body: { comment: 'x' }, headers: { 'if-match': etag } })).status).toBe(200)
  })

  test('lists the visible downstream resources and their owners', async () => {
    const team = await app.createTeam(true)
    const ann = await app.createUser('editor')
    const monitor = await createPushMonitor(app, MANUAL)
    const { id: dashboard } = await app.createResource({ entity_type: 'dashboard', title: 'Sales', owners: [ann.id] })
    const { id: hidden } = await app.createResource({ entity_type: 'table', title: 'hidden', teams: [team] })
    for (const to_entity of [dashboard, hidden])
      await createLineageEntry(app.ctx, { from_entity: monitor.target, to_entity, direction: 'DOWNSTREAM' })
    const [{ incident }] = await pushValues(app, monitor.id, days(50))
    expect((await getJson(app, `/monitor/incident/${incident}`)).downstream).toMatchObject({
      total: 2,
      dashboards: 1,
      owners: [{ id: ann.id, count: 1 }],
    })
    const { body } = await app.call('GET', `/monitor/incident/${incident}`, { token: ann.token })
    expect(body.downstream).toMatchObject({
      total: 1,
      summary: '1 downstream resource depends on it, including 1 dashboard. Affected owners: editor Person.',
    })
    const below = await createTestMonitor(app, { target: hidden, metric_type: 'pushed', ...MANUAL })
    const [{ incident: second }] = await pushValues(app, below.id, days(50))
    expect(await getJson(app, `/monitor/incident/${second}`)).toMatchObject({ upstream_incident: incident })
  })
})
