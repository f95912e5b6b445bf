import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { captureFailingRows, deleteFailingRows } from '../../src/observability/failing-rows/capture.ts'
import { SYSTEM } from '../../src/platform/permissions/permissions.ts'
import { createTestMonitor, findResourcesByTitle, getJson, runPartitions } from '../support/monitors.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp } from '../support/test-app.ts'

test('a sample of the rows behind an incident is stored for those who can preview the table, without personal data', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table customers (id int primary key)',
    'create table orders (id int, customer_id int, status text, amount int, email text)',
    'insert into customers values (1), (2)',
    `insert into orders values (1, 1, 'paid', 10, 'a@example.com'), (2, 2, 'lost', 20, 'b@example.com'), (2, 9, 'odd', -5, 'c@example.com'), (3, 9, 'paid', 5, null), (4, 1, 'paid', 10, 'a@example.com')`,
  )
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  const of = await findResourcesByTitle(app)
  await app.call('PATCH', `/resource/all/${of('orders.email')}`, { body: { pii: true } })
  const ctx = () => ({ ...app.ctx, actor: SYSTEM, now: new Date() })
  /** Runs the monitor and the tasks it has queued. */
  const run = async (monitor: { id: string }) => {
    await app.call('POST', '/monitor/monitors/run', { body: { monitors: [monitor.id] } })
    await runPartitions(ctx())
    const { rows } = await sql<{ payload: { measurement: string } }>`
      select j.payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'failing_rows'
    `.execute(app.db)
    for (const { payload } of rows) await captureFailingRows(ctx(), payload)
    return (await getJson(app, `/monitor/incidents?monitor=${monitor.id}`)).results[0].id as string
  }
  const make = (target: string, metric_type: string, metric_config: object) =>
    createTestMonitor(app, { target: of(target), metric_type, metric_config })
  const pathOf = (incident: string) => `/monitor/incidents/${incident}/failing_rows`
  const sampleOf = async (incident: string, token = app.token) => (await app.call('GET', pathOf(incident), { token })).body.sample

  await app.call('PATCH', `/integration/integrations/${integration}`, { body: { preview_enabled: false } })
  const accepted = await make('orders.status', 'accepted_values', { values: ['paid'] })
  const before = await run(accepted)
  expect(await sampleOf(before)).toBeNull()

  await app.call('PATCH', `/integration/integrations/${integration}`, { body: { preview_enabled: true } })
  const incident = await run(accepted)
  const sample = await sampleOf(incident)
  expect(sample.columns.map(({ name }: { name: string }) => name)).toEqual(['status', 'id', 'customer_id', 'amount']) // not the e-mail address
  expect(sample.rows.toSorted()).toEqual([
    ['lost', 2, 2, 20],
    ['odd', 2, 9, -5],
  ])
  expect(sample).toMatchObject({ counts: null, truncated: false, withheld: true })

  const checks = [
    await make('orders.status', 'pattern', { pattern: '^(paid|lost)$' }),
    await make('orders.amount', 'range', { min_value: 0 }),
    await make('orders', 'duplicates', { columns: ['id'] }),
    await make('orders.customer_id', 'referential', { references: of.fullTitle('customers.id') }),
    await make('orders', 'duplicates', { columns: ['email', 'amount'] }),
  ]
  const samples = []
  for (const check of checks) samples.push(await sampleOf(await run(check)))
  expect(samples.map(({ rows, counts }) => [rows, counts])).toEqual([
    [[['odd', 2, 9, -5]], null],
    [[[-5, 2, 9, 'odd']], null],
    [[[2]], [2]],
    [[[9]], [2]],
    [[[10]], [2]],
  ])
  expect(samples.map(({ withheld }) => withheld)).toEqual([true, true, false, false, true])

  // A viewer sees the rows of what is published; a hidden column, one that was marked since and a source of another team stay hidden.
  const viewer = await app.createUser('viewer')
  expect((await app.call('GET', pathOf(incident), { token: viewer.token })).status).toBe(404)
  await app.call('PATCH', `/resource/all/${of('orders')}`, { body: { published: true } })
  await app.call('PATCH', `/resource/all/${of('orders.amount')}`, { body: { published: false } })
  await app.call('PATCH', `/resource/all/${of('orders.customer_id')}`, { body: { pii: true } })
  expect((await sampleOf(incident, viewer.token)).columns.map(({ name }: { name: string }) => name)).toEqual(['status', 'id'])
  const team = await app.createTeam(true)
  await app.call('PATCH', `/integration/integrations/${integration}`, { body: { teams: [team] } })
  expect((await app.call('GET', pathOf(incident), { token: viewer.token })).status).toBe(409)

  // Values of a column that was marked as personal data do not stay stored.
  const stored = async () =>
    (await sql<{ text: string }>`select f::text as text from failing_rows f`.execute(app.db)).rows.map(({ text }) => text).join()
  expect(await stored()).not.toContain('@example.com')
  await deleteFailingRows(ctx())
  expect((await stored()).match(/9/g) ?? []).toEqual([])
  expect(await sampleOf(incident)).toBeNull()
})
