import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { recordReportedMetrics } from '../../../src/observability/profiles/reported.ts'
import { newId } from '../../../src/platform/core/id.ts'
import { REPORTED_METRICS_TASK, type ReportedMetrics } from '../../../src/sources/openlineage/metrics.ts'
import { createDataset, createOpenLineageEvent, FACETS, findIdByTitle, LAKE, sendEvents } from '../../support/openlineage.ts'
import { profile } from '../../support/profiles.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

/** What runs counted in tables, as profiles. */

/** Sends an event and works off what it queued, twice: tasks may be repeated. */
const send = async (app: TestApp, event: object) => {
  await sendEvents(app, event)
  const { rows } = await sql<{ payload: ReportedMetrics }>`
    with done as (
      delete from graphile_worker._private_jobs p using graphile_worker._private_tasks t
      where t.id = p.task_id and t.identifier = ${REPORTED_METRICS_TASK} returning p.payload
    ) select payload from done
  `.execute(app.db)
  for (const { payload } of [...rows, ...rows]) await recordReportedMetrics({ ...app.ctx, now: new Date() }, payload)
  return rows.length
}

const metrics = (rowCount: number, columnMetrics: object) => ({
  inputFacets: { dataQualityMetrics: { rowCount, bytes: 10 * rowCount, columnMetrics } },
})

test('column metrics of an event are the profile of a table, unless there is a newer one', async () => {
  await using app = await createTestApp()
  const dataset = (more: object) =>
    createDataset(LAKE, 'orders', FACETS.schema(['id', 'total', 'email', 'note'].map((name) => ({ name }))), more)
  const runId = newId()
  const columns = {
    id: { nullCount: 0, distinctCount: 10, min: 1, max: 10, sum: 55, count: 10, quantiles: { '0.5': 5, '0.9': 9 } },
    total: { count: 8, min: -1.5, max: 99 },
    email: { nullCount: 2, distinctCount: 8, min: 'ada@example.com', max: 'zoe@example.com' },
    note: { distinctCount: 3 }, // the number of nulls is missing
    missing: { nullCount: 1 },
  }
  expect(await send(app, createOpenLineageEvent({ runId, time: '2026-01-02T03:00:00Z', inputs: [dataset(metrics(10, columns))] }))).toBe(1)
  const [orders, id, run] = [
    await findIdByTitle(app, 'orders'),
    await findIdByTitle(app, 'id', 'column'),
    await findIdByTitle(app, runId, 'run'),
  ]
  const read = async (token = app.token) => (await app.call('GET', `/resource/all/${orders}/profile`, { token })).body.columns
  const reported = {
    source: 'openlineage',
    reported_by: run,
    job: null,
    sampled: 'all',
    rows_read: 10,
    profiled_at: '2026-01-02T03:00:00.000Z',
  }
  expect(await read()).toMatchObject([
    {
      name: 'id',
      ...reported,
      nulls: 0,
      distinct_values: 10,
      min: '1',
      max: '10',
      mean: 5.5,
      quantiles: { '0.5': 5, '0.9': 9 },
      withheld: null,
    },
    { name: 'total', ...reported, nulls: 2, distinct_values: null, min: '-1.5', max: '99', mean: null, quantiles: null },
    // Looks like personal data: a suggestion to review, and no values until then.
    { name: 'email', ...reported, nulls: 2, distinct_values: 8, min: null, max: null, withheld: 'suspected' },
  ])
  expect((await app.call('GET', `/pii/suggestions?resource_id=${orders}`)).body.results).toMatchObject([{ class: 'email', status: 'open' }])
  // Values of personal data are nowhere else either.
  const { text } = await app.call('GET', `/resource/all/${orders}`)
  expect(text).not.toContain('ada@example.com')

  // A viewer who sees the table but not the run.
  await app.call('PATCH', `/resource/all/${orders}`, { body: { published: true } })
  const viewer = await app.createUser('viewer')
  expect((await read(viewer.token)).map((each: { reported_by: unknown }) => each.reported_by)).toEqual([null, null, null])

  const older = createOpenLineageEvent({ time: '2026-01-01T03:00:00Z', inputs: [dataset(metrics(7, { id: { nullCount: 7 } }))] })
  await send(app, older)
  expect((await read())[0]).toMatchObject({ rows_read: 10, nulls: 0 })
  const history = async (of: string) => (await app.call('GET', `/resource/all/${of}/profile/history?days=400`)).body.points
  await sql`update profile_history set day = day + ((now() at time zone 'UTC')::date - date '2026-01-05')`.execute(app.db)
  expect(await history(orders)).toMatchObject([
    { row_count: 7, source: 'openlineage' },
    { row_count: 10, source: 'openlineage' },
  ])
  expect(await history(id)).toMatchObject([
    { nulls: 7, null_percentage: 100 },
    { nulls: 0, distinct_values: 10 },
  ])
})

test('what a run wrote is in the history of the table; one that replaces it tells the number of rows', async () => {
  await using app = await createTestApp()
  const now = Date.now()
  const at = (minutes: number) => new Date(now - minutes * 60_000).toISOString()
  const write = (time: string, rowCount: number, facets: object = {}, type = 'COMPLETE') =>
    createOpenLineageEvent({
      time,
      type,
      outputs: [createDataset(LAKE, 'made', facets, { outputFacets: FACETS.outputStatistics(rowCount) })],
    })
  await send(app, write(at(3), 5))
  const made = await findIdByTitle(app, 'made')
  const point = async () => (await app.call('GET', `/resource/all/${made}/profile/history`)).body.points.at(-1)
  expect(await point()).toMatchObject({ row_count: null, rows_written: 5, bytes_written: 100 })
  await send(app, write(at(2), 80, { lifecycleStateChange: { lifecycleStateChange: 'OVERWRITE' } }))
  expect(await point()).toMatchObject({ row_count: 80, rows_written: 80, rows_read: 80 })
  await send(app, write(at(4), 1)) // arrives late
  await send(app, write(at(1), 9, {}, 'FAIL'))
  expect(await point()).toMatchObject({ row_count: 80, rows_written: 80 })
  await send(app, write(at(0), 2))
  expect(await point()).toMatchObject({ row_count: 80, rows_written: 2 })
  expect((await app.call('GET', `/resource/all/${made}/profile`)).body.columns).toEqual([])
})

test('a profile that was computed here and reported metrics replace each other by time', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table orders (id int primary key)',
    'insert into orders select generate_series(1, 8)',
    'analyze',
  )
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  const { host, port } = source.credentials
  const [orders, id] = [await findIdByTitle(app, 'orders'), await findIdByTitle(app, 'id', 'column')]
  const event = (time: string) =>
    createOpenLineageEvent({
      time,
      inputs: [createDataset(`postgres://${host}:${port}`, `${source.name}.public.orders`, {}, metrics(5, { id: { nullCount: 1 } }))],
    })
  await profile(app, orders)
  const read = async () => (await app.call('GET', `/resource/all/${id}/profile`)).body.columns[0]
  await send(app, event('2026-01-01T00:00:00Z'))
  expect(await read()).toMatchObject({ source: 'profile', rows_read: 8, reported_by: null })
  await send(app, event(new Date().toISOString()))
  expect(await read()).toMatchObject({ source: 'openlineage', rows_read: 5, nulls: 1, top_values: null })
  await profile(app, orders)
  expect(await read()).toMatchObject({ source: 'profile', rows_read: 8, nulls: 0, reported_by: null })
  await app.call('PATCH', `/resource/all/${id}`, { body: { pii: true } })
  await send(app, event(new Date(Date.now() + 86_400_000).toISOString())) // a clock that is ahead
  expect(await read()).toMatchObject({ source: 'openlineage', withheld: 'pii' })
  expect(Date.parse((await read()).profiled_at)).toBeLessThanOrEqual(Date.now())
})
