import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import { createPushMonitor, DAY, getJson, pushValues } from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const preview = (body: object) => app.call('POST', '/monitor/preview', { body })
const counts = async () => {
  const of = async (table: 'monitors' | 'monitor_measurements') =>
    (await app.db.selectFrom(table).select(app.db.fn.countAll<number>().as('n')).executeTakeFirstOrThrow()).n
  return [await of('monitors'), await of('monitor_measurements'), (await app.listActivities()).length]
}

test('a preview measures once and backfills, its values can be replayed, and nothing is saved', async () => {
  await using source = await createPostgresSource(
    'create table orders (id bigint, email text, created_at timestamp)',
    `insert into orders select i, case when i % 4 = 0 then null else 'a' end, now() at time zone 'UTC' - i * interval '6 hours' from generate_series(1, 160) i`,
  )
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const rows = await app.db.selectFrom('resources').select(['id', 'title_full']).execute()
  const of = (title: string) => rows.find(({ title_full }) => title_full.endsWith(title))!.id
  const before = await counts()

  const { status, body } = await preview({ target: of('.orders') })
  expect([status, body]).toMatchObject([200, { name: 'Row count of orders', metric_type: 'row_count', value: 160, problem: null }])
  expect(body.past.length).toBeGreaterThan(30)
  const again = await app.call('POST', '/monitor/replay', {
    body: { measurements: body.past, metric_type: body.metric_type, frequency: body.frequency, condition_auto_sensitivity: 5 },
  })
  expect([again.status, again.body.measurements]).toEqual([200, body.past.length])

  const where = { metric_config: { where: 'id <= 8' } }
  expect((await preview({ target: of('.email'), metric_type: 'null_percentage', ...where })).body).toMatchObject({
    value: 25,
    row_count: 8,
  })
  const wrong = { target: of('.orders'), metric_config: { query_select: 'select no_such_column from orders' } }
  expect((await preview(wrong)).body).toMatchObject({ value: null, problem: expect.stringContaining('no_such_column'), past: [] })
  expect(await counts()).toEqual(before)
})

test('a preview rejects invalid monitors like creating one, and explains why a metric cannot be measured', async () => {
  const { id: target } = await app.createResource({ entity_type: 'table', title: 'by hand' })
  const before = await counts()
  expect((await preview({ target, metric_type: 'pushed' })).body).toMatchObject({ problem: expect.stringContaining('pushed'), past: [] })
  expect((await preview({ target })).body).toMatchObject({ value: null, problem: expect.any(String) })
  for (const body of [
    {},
    { target: newId() },
    { target: 'x' },
    { target, metric_type: 'mean' },
    { target, metric_type: 'no\0such' },
    { target, metric_config: { where: '1=1; drop table x' } },
    { target, condition_auto_sensitivity: 5, condition_manual_min: 1 },
  ])
    expect([body, (await preview(body)).status]).toEqual([body, 400])
  const viewer = await app.createUser('viewer')
  expect((await app.call('POST', '/monitor/preview', { body: { target }, token: viewer.token })).status).toBe(403)
  expect(await counts()).toEqual(before)
})

test('a list includes the latest measurements of each monitor if requested, oldest first', async () => {
  const manual = { condition_auto_sensitivity: null, condition_manual_max: 10 }
  const [first, second] = [await createPushMonitor(app, manual), await createPushMonitor(app, manual)]
  const now = Date.now()
  await pushValues(app, first.id, [
    [now - 3 * DAY, 1],
    [now - 2 * DAY, 2],
    [now - DAY, 99],
  ])
  const list = async (query: string) => (await getJson(app, `/monitor/monitors?${query}`)).results
  const found = await list('recent=2&metric_type=pushed')
  const recentOf = (id: string) => found.find((each: { id: string }) => each.id === id).recent
  expect(recentOf(first.id)).toEqual([
    { created_at: new Date(now - 2 * DAY).toISOString(), value: 2, outside: false },
    { created_at: new Date(now - DAY).toISOString(), value: 99, outside: true },
  ])
  expect(recentOf(second.id)).toEqual([])
  expect((await list(`monitor=${first.id}`))[0]).not.toHaveProperty('recent')
  for (const wrong of ['0', '101', 'x', '-1']) expect((await app.call('GET', `/monitor/monitors?recent=${wrong}`)).status).toBe(400)
})
