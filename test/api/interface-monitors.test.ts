import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { DAY, pushValues } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'
import { expectCreated, expectError, expectFields, expectPage, getIds, INCIDENT, JOB, MEASUREMENT, MONITOR } from './interface.ts'

/** Interface document: "Monitors, incidents, measurements", and the job of a run. */
let app: TestApp
let table: string
let column: string
beforeAll(async () => {
  app = await createTestApp()
  const integration = newId()
  table = (await app.createResource({ entity_type: 'table', title: 'orders', integration })).id
  column = (await app.createResource({ entity_type: 'column', title: 'email', parent: table, integration })).id
})
afterAll(() => app[Symbol.asyncDispose]())

const ALL = '/monitor/monitors'
const createMonitorRecord = (more: object = {}) =>
  expectCreated(app, ALL, { target: column, metric_type: 'null_percentage', condition_auto_sensitivity: 5, ...more })
/** A monitor with an open incident. */
const createIncidentRecord = async () => {
  const monitor = await createMonitorRecord({
    target: table,
    metric_type: 'pushed',
    condition_auto_sensitivity: null,
    condition_manual_max: 10,
  })
  const [measurement] = await pushValues(app, monitor.id, [[Date.now() - DAY, 11]])
  return { monitor: monitor.id, id: measurement.incident as string }
}

describe('/monitor/monitors', () => {
  test('POST: 201 and the record', async () => {
    const record = await createMonitorRecord({
      is_enabled: true,
      metric_config: {},
      schedule: { day: 0, hour: 0, cadence: 'daily', frequency: 24 },
      notify_slack_channel: 'C0123456',
    })
    expectFields(record, MONITOR)
    expect(record).toMatchObject({
      target: column,
      metric_type: 'null_percentage',
      frequency: 24,
      is_enabled: true,
      condition_auto_sensitivity: 5,
      condition_manual_min: null,
      condition_manual_max: null,
      status: 'pending',
      last_attempted_at: null,
      last_success_at: null,
      last_error_at: null,
      last_measurement: null,
      last_incident: null,
    })
    expectFields((record.display_metadata as { target: Record<string, unknown> }).target, {
      ...{ icon: 'string', label: 'string', entity_type: 'string', integration: 'id?', integration_type: 'string?' },
    })
    expect(record.display_metadata).toMatchObject({ target: { label: 'orders.email', entity_type: 'column', integration_type: 'custom' } })
  })

  test('POST: every metric type, on its type of target', async () => {
    for (const metric_type of [
      'row_count',
      'custom_sql',
      'freshness',
      'null_percentage',
      'unique_percentage',
      'cardinality',
      'min',
      'max',
      'mean',
    ]) {
      const target = ['row_count', 'custom_sql', 'freshness'].includes(metric_type) ? table : column
      const metric_config =
        { custom_sql: { query_select: 'select count(*) from orders' }, freshness: { timestamp_column: 'email' } }[metric_type] ?? {}
      expect(await createMonitorRecord({ target, metric_type, metric_config })).toMatchObject({ target, metric_type })
    }
  })

  test('POST: the full body of the document, with metric_config and schedule', async () => {
    const record = await createMonitorRecord({
      is_enabled: true,
      metric_config: { query_select: 'SELECT COUNT(*) FROM orders' },
      schedule: { day: 1, hour: 5, cadence: 'weekly', frequency: 1 },
      notify_slack_channel: 'C0123456',
    })
    expect(record).toMatchObject({ metric_type: 'null_percentage', frequency: 168, notify_slack_channel: 'C0123456' })
    const custom = await expectCreated(app, ALL, { target: table, metric_config: { query_select: 'SELECT COUNT(*) FROM orders' } })
    expect(custom).toMatchObject({ metric_type: 'custom_sql', condition_auto_sensitivity: 5 })
  })

  test('POST: null sensitivity with manual bounds', async () => {
    expect(
      await createMonitorRecord({ condition_auto_sensitivity: null, condition_manual_min: 0.5, condition_manual_max: 3 }),
    ).toMatchObject({
      condition_auto_sensitivity: null,
      condition_manual_min: 0.5,
      condition_manual_max: 3,
    })
  })

  test.each([
    ['no target', { target: undefined }, 'target'],
    ['an unknown target', { target: newId() }, 'target'],
    ['a target that is no UUID', { target: 'orders' }, 'target'],
    ['an unknown metric', { metric_type: 'beauty' }, 'metric_type'],
    ['a metric of tables on a column', { metric_type: 'row_count' }, 'metric_type'],
    ['bounds together with a sensitivity', { condition_manual_min: 1 }, 'condition_auto_sensitivity'],
    ['min above max', { condition_auto_sensitivity: null, condition_manual_min: 2, condition_manual_max: 1 }, 'condition_manual_min'],
    ['neither bounds nor sensitivity', { condition_auto_sensitivity: null }, 'condition_auto_sensitivity'],
    ['a sensitivity of 0', { condition_auto_sensitivity: 0 }, 'condition_auto_sensitivity'],
    ['a sensitivity of 11', { condition_auto_sensitivity: 11 }, 'condition_auto_sensitivity'],
    ['a sensitivity as text', { condition_auto_sensitivity: '5' }, 'condition_auto_sensitivity'],
    ['is_enabled as text', { is_enabled: 'true' }, 'is_enabled'],
    ['an hour of 24', { schedule: { cadence: 'daily', hour: 24 } }, 'schedule.hour'],
    ['a day of 7', { schedule: { cadence: 'weekly', day: 7 } }, 'schedule.day'],
    ['an unknown cadence', { schedule: { cadence: 'monthly' } }, 'schedule.cadence'],
    ['an unknown time zone', { schedule: { cadence: 'daily', timezone: 'Mars/Base' } }, 'schedule'],
    ['every 5 hours', { schedule: { cadence: 'hourly', frequency: 5 } }, 'schedule'],
  ])('POST: %s is 400 by field', async (_, wrong, field) => {
    const response = await app.call('POST', ALL, {
      body: { target: column, metric_type: 'null_percentage', condition_auto_sensitivity: 5, ...wrong },
    })
    expectError(response, 400, 'validation_failed')
    expect(Object.keys(response.body.errors)).toContain(field)
  })

  test('GET: the paginated envelope', async () => {
    const { id } = await createMonitorRecord()
    const response = await app.call('GET', ALL)
    expectPage(response, MONITOR)
    expect(getIds(response)).toContain(id)
  })

  test('GET {id}: 200 and the record; 404', async () => {
    const record = await createMonitorRecord()
    expect(await app.call('GET', `${ALL}/${record.id}`)).toMatchObject({ status: 200, body: record })
    expect(await app.call('GET', `${ALL}/${record.id.replaceAll('-', '').toUpperCase()}/`)).toMatchObject({ status: 200, body: record })
    for (const id of [newId(), 'nothing']) expectError(await app.call('GET', `${ALL}/${id}`), 404, 'not_found')
  })

  test('POST run: 200 and a job that has not failed and is not completed', async () => {
    const monitors = [(await createMonitorRecord()).id, (await createMonitorRecord()).id]
    const { status, body } = await app.call('POST', `${ALL}/run`, { body: { monitors } })
    expect(status).toBe(200)
    expectFields(body, JOB)
    expect(body).toMatchObject({ failed: false, completed: null, has_artifact: false, status: 'PENDING', progress: 0 })
    expect(await app.call('GET', `/background_jobs/${body.id}`)).toMatchObject({ status: 200, body: { id: body.id } })
  })

  test('POST run: unknown, missing or malformed monitors are 400', async () => {
    for (const body of [{ monitors: [newId()] }, { monitors: ['x'] }, { monitors: [] }, {}, { monitors: newId() }])
      expectError(await app.call('POST', `${ALL}/run`, { body }), 400, 'validation_failed')
  })
})

describe('/monitor/incidents and /monitor/incident/{id}', () => {
  test('GET: the paginated envelope', async () => {
    const { id } = await createIncidentRecord()
    const response = await app.call('GET', '/monitor/incidents')
    expectPage(response, INCIDENT)
    expect(getIds(response)).toContain(id)
  })

  test('GET {id}: 200 and the record, under the singular and plural path; 404', async () => {
    const { id, monitor } = await createIncidentRecord()
    const { status, body } = await app.call('GET', `/monitor/incident/${id}`)
    expect(status).toBe(200)
    expectFields(body, INCIDENT)
    expect(body).toMatchObject({ monitor, target: table, status: 'active', value: 11, acknowledged_at: null, resolved_at: null })
    expect(body.actions).toMatchObject([{ type: 'notification_initial', user_id: null, user_name: 'Tablinum' }])
    expect(body.display_metadata).toMatchObject({ monitor: { label: body.name }, target: { entity_type: 'table', label: 'orders' } })
    expectFields(body.display_metadata.target, {
      entity_type: 'string',
      icon: 'string',
      integration: 'id?',
      integration_type: 'string?',
      label: 'string',
    })
    expect(await app.call('GET', `/monitor/incidents/${id}`)).toMatchObject({ status: 200, body: { id } })
    for (const id of [newId(), 'nothing']) expectError(await app.call('GET', `/monitor/incident/${id}`), 404, 'not_found')
    expect(await app.call('GET', `/monitor/monitors/${monitor}`)).toMatchObject({ body: { status: 'incident', last_incident: id } })
  })
})

describe('/monitor/measurements', () => {
  test('GET: by monitor and by incident, in the paginated envelope', async () => {
    const { id, monitor } = await createIncidentRecord()
    for (const query of [`monitor=${monitor}`, `incident_id=${id}`, `monitor=${monitor}&incident_id=${id}`]) {
      const response = await app.call('GET', `/monitor/measurements?${query}`)
      expectPage(response, MEASUREMENT)
      expect(response.body.results).toMatchObject([
        { monitor, incident: id, incident_metadata: { status: 'active' }, value: 11, upper_threshold: 10, lower_threshold: null },
      ])
    }
    expect(await app.call('GET', `/monitor/measurements?monitor=${newId()}`)).toMatchObject({
      status: 200,
      body: { count: 0, results: [] },
    })
  })

  test('GET: one of the two is required and must be a UUID', async () => {
    for (const query of ['', '?monitor=x', '?incident_id=x'])
      expectError(await app.call('GET', `/monitor/measurements${query}`), 400, 'validation_failed')
  })
})
