import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { queueDueProfiles } from '../../src/observability/profiles/schedules.ts'
import { recordDailyUsage } from '../../src/sources/usage-history/usage.ts'
import { findByTitle, profile, runTestJob } from '../support/profiles.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp } from '../support/test-app.ts'

const DAY_MS = 86_400_000
const rethrow = (error: unknown) => {
  throw error
}

test('profiles are kept by day, and repeated on a schedule of a table or of all tables', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    'create table orders (id int primary key, coupon text)',
    `insert into orders select n, case when n % 4 = 0 then 'x' end from generate_series(1, 8) n`,
    'create table empty (id int)',
    'analyze',
  )
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  const [orders, coupon] = [await findByTitle(app, 'orders'), await findByTitle(app, 'coupon', 'column')]
  await profile(app, orders.id)
  await sql`update profile_history set day = day - 1`.execute(app.db) // as if it was yesterday
  await source.run(`insert into orders values (9, 'y'), (10, 'z')`)
  await profile(app, orders.id)
  await profile(app, orders.id) // the last one of a day counts
  const history = async (id: string, more = '', token = app.token) =>
    (await app.call('GET', `/resource/all/${id}/profile/history${more}`, { token })).body.points
  expect(await history(orders.id)).toMatchObject([{ row_count: 8 }, { row_count: 10, nulls: null }])
  expect(await history(coupon.id)).toMatchObject([
    { rows_read: 8, nulls: 6, null_percentage: 75, distinct_values: 1, row_count: null },
    { rows_read: 10, nulls: 6, null_percentage: 60, distinct_values: 3 },
  ])
  expect(await history(coupon.id, '?days=1')).toHaveLength(1)
  const viewer = await app.createUser('viewer')
  const trends = (token?: string) => app.call('GET', `/resource/all/${orders.id}/profile/trends`, { token })
  expect((await trends()).body[coupon.id]).toEqual({ null_percentage: [75, 60], distinct_values: [1, 3] })
  expect((await trends(viewer.token)).status).toBe(404)
  await app.call('PATCH', `/resource/all/${orders.id}`, { body: { published: true } })
  await app.call('PATCH', `/resource/all/${coupon.id}`, { body: { published: false } })
  expect(Object.keys((await trends(viewer.token)).body)).toHaveLength(1) // the other column
  await app.call('PATCH', `/resource/all/${orders.id}`, { body: { published: false } })
  expect((await app.call('GET', `/resource/all/${coupon.id}/profile/history`, { token: viewer.token })).status).toBe(404)

  const path = `/resource/all/${orders.id}/profile/schedule`
  expect((await app.call('GET', path)).body).toMatchObject({ schedule: null, next_run_at: null })
  expect((await app.call('PUT', path, { body: { cadence: 'hourly' } })).status).toBe(400)
  expect((await app.call('PUT', path, { body: { cadence: 'daily', timezone: 'Mars' } })).body.errors).toHaveProperty('timezone')
  expect((await app.call('PUT', path, { body: { cadence: 'daily' }, token: viewer.token })).status).toBe(403)
  const { body: saved } = await app.call('PUT', path, { body: { cadence: 'weekly', day: 1, hour: 4 } })
  expect(saved).toMatchObject({ schedule: { cadence: 'weekly', day: 1, hour: 4 }, sample_rows: 10_000, last_run_at: null })
  expect(new Date(saved.next_run_at).getUTCHours()).toBe(4)
  const queue = (now: number) => queueDueProfiles({ ...app.ctx, now: new Date(now) }, rethrow)
  await queue(Date.parse(saved.next_run_at) - 1)
  expect((await app.call('GET', path)).body.job).toBe(null)
  await queue(Date.parse(saved.next_run_at))
  const { body: ran } = await app.call('GET', path)
  expect(Date.parse(ran.next_run_at) - Date.parse(saved.next_run_at)).toBe(7 * DAY_MS)
  expect(await runTestJob(app, ran.job)).toMatchObject({ failed: false, status: 'COMPLETED' })
  expect((await app.call('DELETE', path)).status).toBe(204)
  expect((await app.call('DELETE', path)).status).toBe(404)
  await app.call('PUT', path, { body: { cadence: 'daily' } })
  // A table that left its source: its schedule can be read and ended, not set.
  await sql`update resources set stale = true where id = ${orders.id}`.execute(app.db)
  expect((await app.call('GET', path)).body).toMatchObject({ schedule: { cadence: 'daily' } })
  expect((await app.call('PUT', path, { body: { cadence: 'weekly' } })).status).toBe(409)
  expect((await app.call('DELETE', path)).status).toBe(204)
  await sql`update resources set stale = false where id = ${orders.id}`.execute(app.db)
  const own = `/resource/all/${(await app.createResource({ title: 'own', entity_type: 'table' })).id}/profile/schedule`
  expect((await app.call('GET', own)).body).toMatchObject({ schedule: null, next_run_at: null })
  expect((await app.call('PUT', own, { body: { cadence: 'daily' } })).status).toBe(409)
  expect((await app.call('GET', own, { token: viewer.token })).status).toBe(404)
  expect((await app.call('GET', `/resource/all/${coupon.id}/profile/schedule`)).status).toBe(404)

  const all = `/integration/integrations/${integration}/profile_schedule`
  const editor = await app.createUser('editor')
  expect((await app.call('PUT', all, { body: { cadence: 'daily' }, token: editor.token })).status).toBe(403)
  const { body: daily } = await app.call('PUT', all, { body: { cadence: 'daily', hour: 3, sample_rows: 500 } })
  await queue(Date.parse(daily.next_run_at))
  const { body: queued } = await app.call('GET', all)
  await queue(Date.parse(queued.next_run_at)) // not while the one before is waiting
  expect((await app.call('GET', all)).body.job).toBe(queued.job)
  expect(await runTestJob(app, queued.job)).toMatchObject({ failed: false, logs: expect.stringContaining('Profiled 2 of 2 tables.') })
  expect(await history((await findByTitle(app, 'empty')).id)).toMatchObject([{ rows_read: 0 }])
  const { rows } = await sql`
    select from activities where resource_id = ${orders.id} and activity_type = 'profile_schedule_updated'`.execute(app.db)
  expect(rows).toHaveLength(4)
})

test('usage of each day, in the source and here, and who queries a table', async () => {
  await using app = await createTestApp()
  const table = await app.createResource({ title: 'orders', entity_type: 'table', published: true })
  const [query, hidden] = [
    await app.createResource({ title: 'by day', entity_type: 'query', published: true }),
    await app.createResource({ title: 'secret', entity_type: 'query' }),
  ]
  await sql`update resources set external_usage = 12, external_users = array['zoe'] where id = ${table.id}`.execute(app.db)
  await sql`update resources set external_usage = 5, external_users = array['ann', 'bob'] where id = ${query.id}`.execute(app.db)
  await sql`update resources set external_usage = 7, external_users = array['ann', 'eve'] where id = ${hidden.id}`.execute(app.db)
  for (const { id } of [query, hidden])
    await sql`insert into query_reads (query_id, resource_id) values (${id}, ${table.id})`.execute(app.db)
  const at = (days: number) => ({ ...app.ctx, now: new Date(Date.now() - days * DAY_MS) })
  await recordDailyUsage(at(2))
  await sql`update resources set external_usage = 3 where id = ${table.id}`.execute(app.db)
  await recordDailyUsage(at(0))
  await recordDailyUsage(at(0))
  await sql`
    insert into resource_views (resource_id, day, user_id, views, last_at)
    select ${table.id}::uuid, now()::date - 1, id, 4, now() from users limit 1`.execute(app.db)
  const usage = async (token: string, more = '?days=4') => (await app.call('GET', `/resource/all/${table.id}/usage${more}`, { token })).body
  const { days, top_users } = await usage(app.token)
  expect(days.map(({ uses, views, viewers }: Record<string, number>) => [uses, views, viewers])).toEqual([
    [null, 0, 0],
    [12, 0, 0],
    [0, 4, 1],
    [3, 0, 0],
  ])
  expect(top_users).toEqual([
    { name: 'ann', queries: 2, executions: 12 },
    { name: 'eve', queries: 1, executions: 7 },
    { name: 'bob', queries: 1, executions: 5 },
    { name: 'zoe', queries: null, executions: null },
  ])
  const viewer = await app.createUser('viewer')
  expect((await usage(viewer.token)).top_users.map(({ name }: { name: string }) => name)).toEqual(['ann', 'bob', 'zoe'])
  expect((await usage(app.token, '')).days).toHaveLength(90)
  expect((await app.call('GET', `/resource/all/${hidden.id}/usage`, { token: viewer.token })).status).toBe(404)
  await recordDailyUsage(at(-500))
  expect((await sql`select from usage_history where day < now()::date + 100`.execute(app.db)).rows).toEqual([])
})
