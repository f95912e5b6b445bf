import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createTestMonitor,
  findResourcesByTitle,
  getJson,
  type JsonBody,
  runPartitions,
  type TitledResources,
} from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Checks: metrics that count what should not be there. Their values on each source are in monitors-measure.test.ts. */
let app: TestApp
let source: Awaited<ReturnType<typeof createPostgresSource>>
let integration: string
let of: TitledResources
beforeAll(async () => {
  app = await createTestApp()
  source = await createPostgresSource(
    'create table customers (id int primary key)',
    `create table orders (id int primary key, customer_id int, status text, note text)`,
    `insert into orders select n, n, 'paid' from generate_series(1, 4) n`,
  )
  integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  of = await findResourcesByTitle(app)
})
afterAll(async () => {
  await source[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const run = async (monitor: JsonBody, now = new Date()): Promise<JsonBody> => {
  await app.call('POST', '/monitor/monitors/run', { body: { monitors: [monitor.id] } })
  await runPartitions({ ...app.ctx, now })
  return getJson(app, `/monitor/monitors/${monitor.id}`)
}

test('none is allowed unless other limits are set, and a config that does not fit is rejected with the field', async () => {
  const monitor = await createTestMonitor(app, {
    target: of('orders.status'),
    metric_type: 'accepted_values',
    metric_config: { values: ['paid', 'new'] },
  })
  expect(monitor).toMatchObject({ condition_auto_sensitivity: null, condition_manual_max: 0, name: 'Unexpected values of status' })
  expect(await run(monitor)).toMatchObject({ status: 'normal', last_measurement_value: 0 })
  await source.run(`update orders set status = 'lost' where id < 3`)
  expect(await run(monitor)).toMatchObject({ status: 'incident', last_measurement_value: 2 })
  const learned = await createTestMonitor(app, {
    target: of('orders'),
    metric_type: 'duplicates',
    condition_auto_sensitivity: 3,
    is_enabled: false,
  })
  // The key is the primary key.
  expect(learned).toMatchObject({ condition_auto_sensitivity: 3, condition_manual_max: null, metric_config: { columns: ['id'] } })

  const reject = async (target: string, metric_type: string, metric_config: object) =>
    (await app.call('POST', '/monitor/monitors', { body: { target: of(target), metric_type, metric_config } })).body.errors
  expect(await reject('orders.status', 'accepted_values', {})).toEqual({ 'metric_config.values': ['is required.'] })
  expect(await reject('orders.customer_id', 'accepted_values', { values: ['one'] })).toEqual({
    'metric_config.values': ['must be numbers, because the column holds numbers.'],
  })
  expect(await reject('orders.status', 'null_percentage', { pattern: '.' })).toEqual({
    'metric_config.pattern': ['can only be used with pattern.'],
  })
  expect(await reject('orders.customer_id', 'range', { min_value: 2, max_value: 1 })).toEqual({
    'metric_config.min_value': ['must not be greater than max_value.'],
  })
  expect(await reject('orders.status', 'range', { min_value: 2 })).toHaveProperty('metric_type')
  expect(await reject('orders', 'duplicates', { columns: ['nothing'] })).toEqual({
    'metric_config.columns': ['Column nothing was not found in this table.'],
  })
  expect(await reject('orders', 'schema', { where: 'true' })).toHaveProperty(['metric_config.where'])
  expect(await reject('orders.customer_id', 'referential', { references: 'shop.nothing.id' })).toEqual({
    'metric_config.references': [expect.stringContaining('no synced column with the full title shop.nothing.id')],
  })
})

test('a reference is checked with the permissions of its author at every run', async () => {
  const author = await app.createUser('editor')
  const references = of.fullTitle('customers.id')
  const body = { target: of('orders.customer_id'), metric_type: 'referential', metric_config: { references } }
  const { body: monitor } = await app.call('POST', '/monitor/monitors', { token: author.token, body })
  expect(await run(monitor)).toMatchObject({ status: 'incident', last_measurement_value: 4 })
  const team = (await app.call('POST', '/auth/teams', { body: { name: 'Sales', closed: true } })).body.id
  await app.call('PATCH', `/resource/all/${of('customers')}`, { body: { teams: [team] } })
  expect((await app.call('POST', '/monitor/monitors', { token: author.token, body })).body.errors).toHaveProperty([
    'metric_config.references',
  ])
  expect(await run(monitor)).toMatchObject({ status: 'error', last_error_message: expect.stringContaining('no synced column') })
})

test('the change of the row count is relative to the run before', async () => {
  const monitor = await createTestMonitor(app, { target: of('orders'), metric_type: 'row_count_change', condition_manual_min: -10 })
  const values: number[] = []
  for (const statement of ['select 1', 'insert into orders select n from generate_series(5, 6) n', 'delete from orders where id > 3']) {
    await source.run(statement)
    values.push((await run(monitor)).last_measurement_value)
  }
  expect(values).toEqual([0, 50, -50])
})

test('a schema monitor counts changes that are not allowed since its last run', async () => {
  const strict = await createTestMonitor(app, {
    target: of('orders'),
    metric_type: 'schema',
    metric_config: { allowed: [] },
    name: 'strict',
  })
  const usual = await createTestMonitor(app, { target: of('orders'), metric_type: 'schema' })
  const later = (minutes: number) => new Date(Date.now() + minutes * 60_000)
  const measured = async (minutes: number) => {
    const [one, other] = [await run(strict, later(minutes)), await run(usual, later(minutes))]
    return [one.last_measurement_value, other.last_measurement_value]
  }
  expect(await measured(0)).toEqual([0, 0])
  await source.run('alter table orders add column channel text, drop column note')
  await runSync(app, integration)
  expect(await measured(2)).toEqual([2, 1])
  expect(await measured(4)).toEqual([0, 0])
  expect((await getJson(app, `/monitor/incidents?monitor=${usual.id}`)).results[0].summary).toContain(
    'public.orders is 1: 1 above the limit of 0',
  )

  const { text: file } = await app.call('GET', '/monitor/config')
  expect(file).toContain('allowed: []')
  const put = (text: string) => app.call('PUT', '/monitor/config', { body: text as never, headers: { 'content-type': 'application/yaml' } })
  expect((await put(file)).body).toMatchObject({ created: 0, updated: 0, unchanged: expect.any(Number) })
  expect((await put(file.replace('allowed: []', 'allowed: [added]'))).body).toMatchObject({ updated: 1 })
})

test('partitions: the age of the newest one, days without one, and the rows of the last one', async () => {
  const daysAgo = (n: number) => new Date(Date.now() - n * 86_400_000).toISOString().slice(0, 10)
  await source.run(
    'create table events (updated_at timestamptz default now(), day date not null, n int) partition by range (day)',
    `create table events_all partition of events for values from ('2000-01-01') to ('2100-01-01')`,
    ...[2, 3, 6, 50].map((n) => `insert into events (day, n) values ('${daysAgo(n)}', 1)`),
  )
  await runSync(app, integration)
  of = await findResourcesByTitle(app)
  const target = of('events')
  const gaps = await createTestMonitor(app, { target, metric_type: 'partition_gaps', metric_config: { days: 7 } })
  // The column it is partitioned by was found, although another one is named like a timestamp; none may be missing.
  expect(gaps).toMatchObject({ condition_manual_max: 0, metric_config: { timestamp_column: 'day', days: 7 } })
  expect(await run(gaps)).toMatchObject({ status: 'incident', last_measurement_value: 4 }) // 1, 4, 5 and 7 days ago
  const age = await createTestMonitor(app, { target, metric_type: 'partition_freshness', condition_manual_max: 48 })
  const { last_measurement_value, status } = await run(age)
  expect(last_measurement_value).toBeGreaterThanOrEqual(24) // two days ago ended at least 24 and less than 48 hours ago
  expect([last_measurement_value < 48.1, status]).toEqual([true, 'normal'])
  const rows = await createTestMonitor(app, { target, metric_type: 'partition_row_count', condition_manual_min: 1 })
  expect(await run(rows)).toMatchObject({ status: 'incident', last_measurement_value: 0 })
  const missing = [1, 1, 1, 4, 5, 7].map((n) => `('${daysAgo(n)}', 1)`)
  await source.run(`insert into events (day, n) values ${missing.join(', ')}, ('${daysAgo(0)}', 1)`)
  expect(await run(gaps)).toMatchObject({ last_measurement_value: 0 })
  expect(await run(rows)).toMatchObject({ last_measurement_value: 3 }) // today's partition is not complete
  const rejected = await app.call('POST', '/monitor/monitors', {
    body: { target, metric_type: 'partition_freshness', metric_config: { days: 3 }, condition_manual_max: 1 },
  })
  expect(rejected.body.errors).toEqual({ 'metric_config.days': ['can only be used with partition_gaps.'] })
})
