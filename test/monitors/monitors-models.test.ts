import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judge, nextIncidentTransition } from '../../src/observability/evaluation/judge.ts'
import { replayMeasurements } from '../../src/observability/evaluation/replay.ts'
import { formatFigure, summarizeIncident } from '../../src/observability/incidents/summary.ts'
import { rebuild, THRESHOLDS_VERSION } from '../../src/observability/thresholds/thresholds.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createPushMonitor, DAY, getJson, type JsonBody, pushValues } from '../support/monitors.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

const NOW = Date.UTC(2026, 2, 16, 3)
let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ now: () => new Date(NOW) })
})
afterAll(() => app[Symbol.asyncDispose]())

/** Daily values of about 1,000, the last one yesterday. */
const createDailyValues = (n: number) =>
  Array.from({ length: n }, (_, k) => [NOW - (n - k) * DAY, 1000 + Math.round(20 * Math.sin(12.9898 * k))] as const)
const measurementsOf = async (monitor: string, size = 100): Promise<JsonBody[]> =>
  (await getJson(app, `/monitor/measurements?monitor=${monitor}&page_size=${size}`)).results
const incidentsOf = async (monitor: string): Promise<JsonBody[]> => (await getJson(app, `/monitor/incidents?monitor=${monitor}`)).results

describe('verdict and incident transition', () => {
  const manual = { condition_auto_sensitivity: null, condition_manual_min: 1, condition_manual_max: 5 }
  const auto = { condition_auto_sensitivity: 5, condition_manual_min: null, condition_manual_max: null }
  const limits = { lower: 1, upper: 5, explanation: 'usually 1–5' }
  test.each([
    ['on the limit', manual, undefined, 5, 'inside'],
    ['above the limit', manual, undefined, 5.1, 'outside'],
    ['below the limit', manual, undefined, 0.9, 'outside'],
    ['only one bound', { ...manual, condition_manual_min: null }, undefined, -1e9, 'inside'],
    ['too little history', auto, undefined, 99, 'learning'],
    ['inside the learned limits', auto, limits, 3, 'inside'],
    ['outside the learned limits', auto, limits, 6, 'outside'],
  ] as const)('%s', (_, condition, learned, value, state) => expect(judge(condition, learned, value).state).toBe(state))

  test.each([
    ['no incident, value inside', undefined, 'inside', 'nothing'],
    ['no incident, value outside', undefined, 'outside', 'opens'],
    ['open incident, value outside', { runs_inside: 2 }, 'outside', 'grows'],
    ['open incident, second value inside', { runs_inside: 1 }, 'inside', 'calms'],
    ['open incident, third value inside', { runs_inside: 2 }, 'inside', 'resolves'],
    ['open incident, no limits', { runs_inside: 2 }, 'learning', 'nothing'],
  ] as const)('%s', (_, open, state, course) => expect(nextIncidentTransition(open, { state })).toBe(course))
})

test('summary of an incident', () => {
  const reportedValues = {
    metric_type: 'row_count',
    name: 'x',
    target: 'shop.public.orders',
    first_seen_at: '2026-03-16T03:00:00.000Z',
    runs_outside: 1,
  }
  expect(
    summarizeIncident({ ...reportedValues, value: 120, lower: 980, upper: 1120, explanation: 'usually 980–1,120 on Mondays around 03:00' }),
  ).toBe(
    'Row count of shop.public.orders is 120: 860 below the limit of 980 (88 % less), since 2026-03-16 03:00 UTC. Usually 980–1,120 on Mondays around 03:00.',
  )
  expect(
    summarizeIncident({
      ...reportedValues,
      metric_type: 'pushed',
      name: 'Failures',
      value: 3,
      lower: null,
      upper: 0,
      explanation: null,
      runs_outside: 4,
    }),
  ).toBe('Failures (shop.public.orders) is 3: 3 above the limit of 0, since 2026-03-16 03:00 UTC, in 4 measurements.')
  const duplicates = { ...reportedValues, metric_type: 'duplicates', value: 354, lower: null, upper: 0, explanation: null }
  expect(summarizeIncident(duplicates)).toMatch(/^Number of duplicate rows of shop\.public\.orders is 354: /)
  const percentage = { ...reportedValues, metric_type: 'null_percentage', value: 68.2, lower: 54, upper: 59.9, explanation: null }
  expect(summarizeIncident({ ...percentage, resolved_at: '2026-03-19T03:00:00.000Z' })).toBe(
    'Null percentage of shop.public.orders was 68.2 %: 8.3 points above the limit of 59.9 %, from 2026-03-16 03:00 to 2026-03-19 03:00 UTC.',
  )
  expect([1234567.8, 12.345, 1.2345, 0.12345, 0, -3, 1e20].map(formatFigure)).toEqual([
    '1,234,568',
    '12.3',
    '1.23',
    '0.1235',
    '0',
    '-3',
    '1.00e+20',
  ])
})

describe('automatic thresholds', () => {
  test('are null at first, then set with an explanation', async () => {
    const { id } = await createPushMonitor(app)
    await pushValues(app, id, createDailyValues(20))
    const measured = (await measurementsOf(id)).toReversed()
    const learning = { lower_threshold: null, thresholds_version: null, outside: false }
    for (const each of measured.slice(0, 5)) expect(each).toMatchObject(learning)
    expect(measured.at(-1)).toMatchObject({
      lower_threshold: expect.any(Number),
      upper_threshold: expect.any(Number),
      explanation: expect.stringContaining('usually'),
      thresholds_version: THRESHOLDS_VERSION,
    })
    const [outside] = await pushValues(app, id, [[NOW, 100]])
    expect(outside).toMatchObject({ outside: true, incident: expect.any(String) })
    expect((await incidentsOf(id))[0]).toMatchObject({ summary: expect.stringMatching(/is 100: .* below the limit of .*Usually/) })
  })

  test('are the same in every instance, with and without cached models', async () => {
    const { id } = await createPushMonitor(app)
    const values = createDailyValues(25)
    const other = await app.createInstance()
    for (const [i, value] of values.entries()) await pushValues(i % 3 === 0 ? other : app, id, [value])
    const third = await app.createInstance() // has no cached models
    const [last] = await pushValues(third, id, [[NOW, 1000]])
    const anew = rebuild(
      { metric_type: 'pushed', frequency_hours: 24, sensitivity: 5 },
      values.map(([at, value]) => ({ at: new Date(at), value })),
    )
    const limits = anew.predict(new Date(NOW))
    expect([last.lower_threshold, last.upper_threshold]).toEqual([limits?.lower, limits?.upper])
    for (const instance of [other, third]) await instance[Symbol.asyncDispose]()
  })

  test('learn from late values, which do not affect incidents, and ignore duplicates', async () => {
    const { id } = await createPushMonitor(app, { condition_auto_sensitivity: null, condition_manual_max: 5 })
    await pushValues(app, id, [[NOW, 1]])
    const [late] = await pushValues(app, id, [[NOW - DAY, 100]])
    expect(late).toMatchObject({ outside: false, incident: null, upper_threshold: null })
    const [again] = await pushValues(app, id, [[NOW - DAY, 7]])
    expect(again).toMatchObject({ id: late.id, value: 100 })
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ last_measurement_value: 1, status: 'normal' })
    expect(await measurementsOf(id)).toHaveLength(2)
  })

  test('learn a measurement marked as normal and resolve its incident', async () => {
    const { id } = await createPushMonitor(app)
    await pushValues(app, id, createDailyValues(30))
    const [odd] = await pushValues(app, id, [[NOW - DAY / 2, 1300]])
    expect(odd.incident).not.toBeNull()
    const { body } = await app.call('PATCH', `/monitor/measurements/${odd.id}`, { body: { marked: 'normal' } })
    expect(body).toMatchObject({ marked: 'normal', incident_metadata: { status: 'resolved' } })
    const incident = await getJson(app, `/monitor/incident/${odd.incident}`)
    expect(incident.actions.map(({ type }: JsonBody) => type)).toEqual([
      'notification_initial',
      'marked_normal',
      'resolved',
      'notification_resolved',
    ])
    expect(await getJson(app, `/monitor/monitors/${id}`)).toMatchObject({ status: 'normal' })
    const [next] = await pushValues(app, id, [[NOW, 1300]])
    expect(next.upper_threshold).toBeGreaterThan(odd.upper_threshold)
    for (const marked of ['odd', 5])
      expect((await app.call('PATCH', `/monitor/measurements/${odd.id}`, { body: { marked } })).status).toBe(400)
    expect((await app.call('PATCH', `/monitor/measurements/${newId()}`, { body: { marked: null } })).status).toBe(404)
  })

  test('do not learn confirmed incidents', async () => {
    const [confirmed, left] = [await createPushMonitor(app), await createPushMonitor(app)]
    const high = [3, 2, 1].map((ago) => [NOW - ago * DAY, 3000 + ago] as const)
    for (const { id } of [confirmed, left])
      await pushValues(app, id, [...createDailyValues(30).map(([at, value]) => [at - 5 * DAY, value] as const), ...high])
    const [{ id: incident }] = await incidentsOf(confirmed.id)
    const { body } = await app.call('PATCH', `/monitor/incident/${incident}`, { body: { marked: 'incident' } })
    expect(body).toMatchObject({ status: 'active' })
    // Three high days would be a new level if they were not confirmed as an incident.
    const [[a], [b]] = [await pushValues(app, confirmed.id, [[NOW, 1000]]), await pushValues(app, left.id, [[NOW, 1000]])]
    expect([a.outside, b.outside]).toEqual([false, true])
  })

  test('are wider at lower sensitivity, and a replay returns what a setting would have flagged', async () => {
    const { id } = await createPushMonitor(app)
    const past = createDailyValues(60).map(([at, value], i) => [at, i === 40 ? 400 : i === 50 ? 1110 : value] as const)
    await pushValues(app, id, past)
    const requestReplay = async (body: object) => (await app.call('POST', '/monitor/replay', { body })).body
    const [loose, tight] = [
      await requestReplay({ monitor: id, condition_auto_sensitivity: 1 }),
      await requestReplay({ monitor: id, condition_auto_sensitivity: 10 }),
    ]
    expect(loose).toMatchObject({ measurements: 60, learning: 5 })
    expect(loose.outside).toBeLessThanOrEqual(tight.outside)
    const drop = { value: 400, first_seen_at: new Date(past[40]![0]).toISOString(), resolved_at: expect.any(String) }
    for (const { incidents } of [loose, tight]) expect(incidents).toContainEqual(expect.objectContaining(drop))
    expect(await requestReplay({ monitor: id, condition_manual_min: 500 })).toMatchObject({
      outside: 1,
      learning: 0,
      incidents: [{ value: 400, runs_outside: 1 }],
    })
    const own = {
      measurements: past.map(([at, value]) => ({ measured_at: new Date(at).toISOString(), value })),
      condition_auto_sensitivity: 10,
      metric_type: 'pushed',
    }
    expect((await requestReplay(own)).incidents).toEqual(tight.incidents)
    expect((await measurementsOf(id)).filter(({ marked }) => marked !== null)).toEqual([])
    for (const body of [
      {},
      { monitor: id, measurements: [], condition_auto_sensitivity: 'x' },
      { measurements: [{ measured_at: 'today', value: 1 }] },
      { monitor: id, condition_auto_sensitivity: null },
    ])
      expect((await app.call('POST', '/monitor/replay', { body })).status).toBe(400)
    expect((await app.call('POST', '/monitor/replay', { body: { monitor: newId() } })).status).toBe(404)
  })

  test('a replay is deterministic', () => {
    const past = createDailyValues(90).map(([at, value]) => ({ at: new Date(at), value }))
    const condition = { condition_auto_sensitivity: 5, condition_manual_min: null, condition_manual_max: null }
    const meta = { metric_type: 'row_count', frequency_hours: 24 }
    expect(replayMeasurements(condition, meta, past)).toEqual(replayMeasurements(condition, meta, past.toReversed()))
  })
})

describe('pushed values', () => {
  test('are saved all or none', async () => {
    const { id } = await createPushMonitor(app)
    const wrong = (measurement: object) =>
      app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor: id, value: 1 }, measurement] } })
    for (const measurement of [
      { monitor: newId(), value: 1 },
      { key: 'nothing', value: 1 },
      { value: 1 },
      { monitor: 'x', value: 1 },
      { monitor: id, value: '1' },
      { monitor: id, value: null },
      { monitor: id },
      { monitor: id, value: 1, measured_at: 'yesterday' },
      { monitor: id, value: 1, measured_at: new Date(NOW + DAY).toISOString() },
      { monitor: id, value: 1, row_count: -1 },
      { key: 'a\0b', value: 1 },
      { key: '\ud800', value: 1 },
    ])
      expect((await wrong(measurement)).status).toBe(400)
    for (const body of [{}, { measurements: [] }, { measurements: 'x' }, []])
      expect((await app.call('POST', '/monitor/measurements', { body })).status).toBe(400)
    expect(await measurementsOf(id)).toEqual([])
  })
})
