import { expect, test } from 'vitest'
import { findGateReasons, type MonitorState } from '../../src/observability/gate/verdict.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const gate = (app: TestApp, query: string, token = app.token) => app.call('GET', `/monitor/gate?${query}`, { token })

const createGateMonitor = async (app: TestApp, target: { id: string }, name: string) =>
  (await app.call('POST', '/monitor/monitors', { body: { target: target.id, metric_type: 'pushed', name, condition_manual_max: 10 } })).body
const measure = (app: TestApp, monitor: { id: string }, value: number) =>
  app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor: monitor.id, value }] } })
const createFlow = (app: TestApp, from: { id: string }, to: { id: string }) =>
  app.call('POST', '/lineage/manual', { body: { from_entity: from.id, to_entity: to.id, direction: 'DOWNSTREAM' } })

test('a gate fails for incidents of the resource and, with upstream, of upstream resources, nearest first', async () => {
  await using app = await createTestApp()
  const table = (title: string) => app.createResource({ title, entity_type: 'table' })
  const [raw, clean, mart] = [await table('raw'), await table('clean'), await table('mart')]
  const column = await app.createResource({ title: 'amount', entity_type: 'column', parent: clean.id })
  const dashboard = await app.createResource({ title: 'board', entity_type: 'dashboard' })
  for (const [from, to] of [
    [raw, clean],
    [clean, mart],
    [mart, dashboard],
  ] as const)
    await createFlow(app, from, to)
  const [ofRaw, ofColumn, ofMart] = [
    await createGateMonitor(app, raw, 'raw rows'),
    await createGateMonitor(app, column, 'amounts'),
    await createGateMonitor(app, mart, 'mart rows'),
  ]
  for (const monitor of [ofRaw, ofColumn, ofMart]) await measure(app, monitor, 5)
  const passing = await gate(app, `resource_id=${dashboard.id}&upstream=true&fail_status=424`)
  expect([passing.status, passing.body]).toMatchObject([
    200,
    { status: 'pass', reasons: [], monitors_checked: 3, resources_checked: 3, truncated: false },
  ])
  expect((await gate(app, `resource_id=${dashboard.id}`)).body).toMatchObject({
    status: 'unknown',
    monitors_checked: 0,
    summary: 'Unknown: board has no monitors.',
  })

  await measure(app, ofRaw, 50)
  await measure(app, ofColumn, 60)
  expect((await gate(app, `resource_id=${mart.id}`)).body.status).toBe('pass')
  expect((await gate(app, `resource_id=${clean.id}`)).body).toMatchObject({
    status: 'fail',
    reasons: [{ monitor: ofColumn.id, upstream: false }],
  })
  const failing = await gate(app, `resource_id=${dashboard.id}&upstream=true`)
  expect([failing.status, failing.body]).toMatchObject([
    200,
    {
      status: 'fail',
      reasons_count: 2,
      reasons: [
        {
          code: 'incident',
          resource: 'clean.amount',
          monitor: ofColumn.id,
          upstream: true,
          incident: expect.any(String),
          text: expect.stringContaining('60'),
        },
        { code: 'incident', resource: 'raw', monitor: ofRaw.id, resource_id: raw.id },
      ],
    },
  ])
  expect((await gate(app, `resource_id=${dashboard.id}&upstream=true&fail_status=424`)).status).toBe(424)
  expect((await gate(app, 'path=clean.amount&fail_status=409')).status).toBe(409)

  // Acknowledged incidents can be ignored.
  for (const { incident } of failing.body.reasons)
    await app.call('PATCH', `/monitor/incident/${incident}`, { body: { status: 'acknowledged' } })
  expect((await gate(app, `resource_id=${dashboard.id}&upstream=true`)).body.status).toBe('fail')
  expect((await gate(app, `resource_id=${dashboard.id}&upstream=true&ignore_acknowledged=true`)).body.status).toBe('pass')
  expect((await gate(app, `resource_id=${dashboard.id}&upstream=true&checks=errors,stale`)).body.status).toBe('pass')
  await app.call('PATCH', `/monitor/monitors/${ofRaw.id}`, { body: { is_enabled: false } })
  expect((await gate(app, `resource_id=${raw.id}`)).body.status).toBe('unknown')
})

test('hidden upstream resources do not count, and a hidden resource is not found', async () => {
  await using app = await createTestApp()
  const closed = await app.createTeam(true)
  const hidden = await app.createResource({ title: 'salaries', entity_type: 'table', teams: [closed] })
  const open = await app.createResource({ title: 'report', entity_type: 'table' })
  await createFlow(app, hidden, open)
  const monitor = await createGateMonitor(app, hidden, 'salary rows')
  await measure(app, monitor, 5)
  await measure(app, monitor, 987.25)
  const editor = await app.createUser('editor')
  const response = await gate(app, `resource_id=${open.id}&upstream=true`, editor.token)
  expect(response.body).toMatchObject({
    status: 'unknown',
    monitors_checked: 0,
    reasons: [],
  })
  expect((await gate(app, `resource_id=${open.id}&upstream=true`)).body.status).toBe('fail')
  for (const secret of [hidden.id, monitor.id, 'salar', '987.25']) expect(response.text).not.toContain(secret)
  const [one, other] = [await gate(app, `resource_id=${hidden.id}`, editor.token), await gate(app, `resource_id=${newId()}`, editor.token)]
  expect([one.status, other.status]).toEqual([404, 404])
  expect((await gate(app, 'path=salaries', editor.token)).body.errors).toEqual((await gate(app, 'path=nothing', editor.token)).body.errors)
  expect((await gate(app, `resource_id=${open.id}`, (await app.createUser('viewer')).token)).status).toBe(404)
  for (const query of [
    '',
    'resource_id=x',
    `resource_id=${open.id}&path=report`,
    `resource_id=${open.id}&checks=all`,
    `resource_id=${open.id}&fail_status=500`,
    `resource_id=${open.id}&upstream=maybe`,
  ])
    expect([query, (await gate(app, query)).status]).toEqual([query, 400])
})

test('a gate fails for open incidents, errors and overdue monitors', () => {
  const now = new Date('2026-03-01T12:00:00Z')
  const watched = (more: Partial<MonitorState> = {}): MonitorState => ({
    ...{ monitor: 'm', name: 'Rows', resource_id: 'r', resource: 'orders', distance: 0, frequency: 24, pushed: false },
    ...{ status: 'normal', created_at: '2026-01-01T00:00:00Z', last_measured_at: '2026-03-01T00:00:00Z', last_error_at: null },
    ...{ last_error_message: null, incident: null, incident_status: null, summary: null, first_seen_at: '2026-02-28T00:00:00Z' },
    ...{ metric_type: 'row_count', value: 5, lower: 7, upper: null, runs_outside: 1, ...more },
  })
  const codes = (more: Partial<MonitorState>, strictness: object = {}) =>
    findGateReasons([watched(more)], { checks: ['incidents', 'errors', 'stale'], ignore_acknowledged: false, now, ...strictness }).map(
      ({ code }) => code,
    )
  expect(codes({})).toEqual([])
  expect(codes({ incident: 'i', incident_status: 'active', summary: 'x' })).toEqual(['incident'])
  expect(codes({ incident: 'i', incident_status: 'acknowledged' }, { ignore_acknowledged: true })).toEqual([])
  expect(codes({ incident: 'i', incident_status: 'active' }, { checks: ['errors'] })).toEqual([])
  expect(codes({ status: 'error', last_error_message: 'away' })).toEqual(['error'])
  expect(codes({ last_measured_at: '2026-02-27T12:00:00Z' })).toEqual([]) // exactly two periods ago, with an hour of grace
  expect(codes({ last_measured_at: '2026-02-27T10:59:00Z' })).toEqual(['stale'])
  expect(codes({ last_measured_at: '2026-02-27T10:59:00Z', frequency: 168 })).toEqual([])
  expect(codes({ last_measured_at: '2026-01-27T10:59:00Z', pushed: true })).toEqual([])
  expect(codes({ last_measured_at: null })).toEqual(['stale'])
  expect(codes({ last_measured_at: null, created_at: '2026-03-01T11:00:00Z' })).toEqual([]) // new
})
