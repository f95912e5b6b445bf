import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { queueDueScans } from '../../src/observability/pii/scan.ts'
import { deleteForbiddenProfiles } from '../../src/observability/profiles/profile-rows.ts'
import { findByTitle, profile, runTestJob } from '../support/profiles.ts'
import { createPostgresSource, createTestIntegration, runSync } from '../support/sources.ts'
import { createTestApp } from '../support/test-app.ts'

const onError = (error: unknown) => {
  throw error
}

const SHOP = [
  `create table "Cust""omers" (id int primary key, contact text, status text, score numeric, joined date, seen timestamptz, active boolean, notes jsonb, code uuid)`,
  `insert into "Cust""omers" select i, 'person' || i || '@example.de', (array['open', 'open', 'done'])[1 + i % 3], i / 4.0, date '2026-01-01' + i % 100,
    timestamptz '2026-01-01 00:00:00+00' + i * interval '1 hour', i % 2 = 0, case when i % 10 = 0 then '{"a": 1}'::jsonb end, gen_random_uuid()
   from generate_series(1, 400) i`,
  'analyze',
]

test('previews 50 rows without PII columns, by the names in the source', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...SHOP)
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  const table = await findByTitle(app, 'Cust"omers')
  const path = `/resource/preview_v2/table/${table.id}/`
  await app.call('PATCH', `/table/tables/${table.id}`, { body: { title: 'Customers', published: true } })
  const contact = await findByTitle(app, 'contact', 'column')
  await app.call('PATCH', `/resource/all/${contact.id}`, { body: { title: 'E-mail', pii: true } })
  const { status, body } = await app.call('GET', path)
  expect(status).toBe(200)
  expect(body).toMatchObject({ resource_id: table.id, truncated: true })
  expect(body.rows).toHaveLength(50)
  expect(body.columns.slice(0, 3)).toMatchObject([
    { name: 'id', title: 'id', pii: false, masked: false },
    { name: 'contact', title: 'E-mail', pii: true, masked: true, resource_id: contact.id },
    { name: 'status', masked: false },
  ])
  expect(body.rows[0].slice(0, 7)).toEqual([1, '•••', 'open', 0.25, '2026-01-02', '2026-01-01 01:00:00+00', false])
  const shown = await app.call('GET', `${path}?show_pii=true`)
  expect(shown.body.rows[0][1]).toBe('person1@example.de')

  const viewer = await app.createUser('viewer')
  expect((await app.call('GET', path, { token: viewer.token })).text).not.toContain('example.de')
  expect((await app.call('GET', `${path}?show_pii=true`, { token: viewer.token })).status).toBe(403)
  const team = await app.createTeam(true)
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { teams: [team] } })
  const [hidden, unknown] = [
    await app.call('GET', path, { token: viewer.token }),
    await app.call('GET', `/resource/preview_v2/table/${contact.id}/`),
  ]
  expect([hidden.status, unknown.status]).toEqual([404, 404])

  // Only the table is flagged: all its columns are hidden.
  await app.call('PATCH', `/resource/all/${contact.id}`, { body: { pii: false } })
  await app.call('PATCH', `/resource/all/${table.id}`, { body: { pii: true } })
  expect(new Set((await app.call('GET', path)).body.rows.flat())).toEqual(new Set(['•••']))
})

test('explains why a table cannot be previewed, also for made-up names', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...SHOP, 'create table secrets (word text)')
  const integration = await createTestIntegration(app, 'postgres', { ...source.credentials, exclude: 'secrets' })
  await runSync(app, integration)
  const preview = async (id: string) => {
    const { status, body } = await app.call('GET', `/resource/preview_v2/table/${id}`)
    return [status, body.detail]
  }
  const own = await app.createResource({ entity_type: 'table', title: 'mine' })
  expect(await preview(own.id)).toEqual([409, 'This table does not belong to an integration, so there is no source to query.'])
  // A made-up name cannot reach what the settings of the source exclude.
  const forged = await app.createResource({ entity_type: 'table', title: 'secrets', integration })
  await sql`update resources set databuilder_id = ${`${source.name}.public.secrets`} where id = ${forged.id}`.execute(app.db)
  expect(await preview(forged.id)).toEqual([409, expect.stringContaining('This table has not been synced')])
  const table = await findByTitle(app, 'Cust"omers')
  await source.run('drop table "Cust""omers"')
  expect(await preview(table.id)).toEqual([409, expect.stringMatching(/^Shop could not be queried: relation .* does not exist/)])
  await runSync(app, integration)
  await runSync(app, integration, { confirm_removals: true })
  expect(await preview(table.id)).toEqual([409, 'This table no longer exists in its source.'])
  for (const id of ['nonsense', '01980000-0000-7000-8000-000000000001']) expect((await preview(id))[0]).toBe(404)
  for (const body of [{ whole: 'yes' }, { sample_rows: 1 }, { sample_rows: 1e9 }])
    expect((await app.call('POST', `/resource/all/${table.id}/profile`, { body })).status).toBe(400)
})

test('profiles a sample or all rows, and stores only counts of columns that may be personal', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(...SHOP)
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  const table = await findByTitle(app, 'Cust"omers')
  const { job, columns } = await profile(app, table.id, { whole: true })
  expect([job.status, job.logs]).toEqual(['COMPLETED', expect.stringContaining('Profiled 9 columns')])
  expect(columns.id).toMatchObject({
    job: job.id,
    sampled: 'all',
    rows_read: 400,
    nulls: 0,
    distinct_values: 400,
    min: '1',
    max: '400',
    mean: 200.5,
    unique_percentage: 100,
    top_values: null,
  })
  expect(columns.id.histogram.map(({ count }: { count: number }) => count)).toEqual([40, 40, 40, 40, 40, 40, 40, 40, 40, 40])
  expect(columns.id.histogram[0]).toEqual({ from: '1', to: '40.9', count: 40 })
  expect(columns.status).toMatchObject({
    distinct_values: 2,
    min: 'done',
    max: 'open',
    mean: null,
    top_values: [
      { value: 'open', count: 267 },
      { value: 'done', count: 133 },
    ],
  })
  expect(columns.score).toMatchObject({ min: '0.25', max: '100', mean: 50.125 })
  expect(columns.joined).toMatchObject({ min: '2026-01-01', max: '2026-04-10', distinct_values: 100 })
  for (const name of ['joined', 'seen'])
    expect(columns[name].histogram.reduce((sum: number, bin: { count: number }) => sum + bin.count, 0)).toBe(400)
  expect(columns.active).toMatchObject({
    distinct_values: 2,
    min: null,
    top_values: expect.arrayContaining([{ value: 'true', count: 200 }]),
  })
  expect(columns.notes).toMatchObject({ nulls: 360, null_percentage: 90, distinct_values: null, min: null, top_values: null })
  expect(columns.contact).toMatchObject({ withheld: 'suspected', nulls: 0, distinct_values: 400, min: null, max: null, top_values: null })
  const { rows: kept } = await sql`select * from column_profiles`.execute(app.db)
  expect(JSON.stringify(kept)).not.toContain('example.de')

  const status = await findByTitle(app, 'status', 'column')
  const sampled = await profile(app, table.id, { sample_rows: 100 })
  expect(sampled.columns.id).toMatchObject({ sampled: 'random' })
  expect(sampled.columns.id.rows_read).toBeLessThanOrEqual(200)
  const alone = await profile(app, status.id, { sample_rows: 10_000 })
  expect(alone.columns).toMatchObject({ status: { sampled: 'all', rows_read: 400 } })

  // Flagged since: its stored values are hidden and deleted.
  await app.call('PATCH', `/resource/all/${status.id}`, { body: { pii: true } })
  const read = async () => (await app.call('GET', `/resource/all/${status.id}/profile`)).body.columns[0]
  expect(await read()).toMatchObject({ withheld: 'pii', min: null, top_values: null, distinct_values: 2 })
  await deleteForbiddenProfiles(app.ctx)
  const { rows } = await sql`select min, top_values from column_profiles where resource_id = ${status.id}`.execute(app.db)
  expect(rows).toEqual([{ min: null, top_values: null }])
  await app.call('DELETE', `/resource/all/${table.id}`)
  expect((await app.call('GET', `/resource/all/${table.id}/profile`)).status).toBe(404)
  await deleteForbiddenProfiles(app.ctx)
  for (const gone of ['column_profiles', 'pii_suggestions'] as const)
    expect(await app.db.selectFrom(gone).selectAll().execute()).toEqual([])
})

test('accepts and rejects suggestions, also by rule, and does not repeat rejected ones', async () => {
  await using app = await createTestApp()
  await using source = await createPostgresSource(
    ...SHOP,
    'create table people (id int, first_name text, phone text, comment text)',
    `insert into people select i, (array['Anna', 'Bert', 'Carla'])[1 + i % 3], '+49 30 1234' || (1000 + i), 'a comment ' || i from generate_series(1, 200) i`,
  )
  const integration = await createTestIntegration(app, 'postgres', source.credentials)
  await runSync(app, integration)
  const scan = async () => runTestJob(app, (await app.call('POST', `/pii/scan/${integration}`)).body.id)
  expect(await scan()).toMatchObject({ status: 'COMPLETED', logs: expect.stringContaining('Scanned 2 of 2 tables') })
  const list = async (query = '') => (await app.call('GET', `/pii/suggestions?${query}`)).body.results
  const open = await list('status=open')
  expect(open.map((each: { resource_title: string; class: string }) => [each.resource_title, each.class]).sort()).toEqual([
    ['contact', 'email'],
    ['first_name', 'person_name'],
    ['phone', 'phone'],
  ])
  const [email] = open.filter((each: { class: string }) => each.class === 'email')
  expect(email).toMatchObject({
    status: 'open',
    pii: false,
    integration_id: integration,
    evidence: { name: null, shapes: [{ shape: 'p…@….de', count: expect.any(Number) }] },
  })
  expect(email.evidence.matched).toBe(email.evidence.checked)
  expect(JSON.stringify(open)).not.toMatch(/person1|1234|Anna/)
  for (const [query, n] of [
    ['class=phone', 1],
    ['min_confidence=1', 0],
    [`integration_id=${integration}`, 3],
    [`resource_id=${email.resource_id}`, 1],
    [`resource_id=${email.table_id}`, 1],
  ] as const)
    expect(await list(query), query).toHaveLength(n)
  for (const query of ['status=maybe', 'class=x', 'min_confidence=2', 'integration_id=x', 'page=0'])
    expect((await app.call('GET', `/pii/suggestions?${query}`)).status, query).toBe(400)

  const accepted = await app.call('POST', `/pii/suggestions/${email.id}/accept`)
  expect(accepted.body).toMatchObject({ status: 'accepted', pii: true, decided_by: app.ctx.actor.user_id })
  const { body: versions } = await app.call('GET', `/resource/all/${email.resource_id}/versions`)
  expect(JSON.stringify(versions)).toContain('"pii"')
  expect((await app.call('POST', `/pii/suggestions/${email.id}/reject`)).status).toBe(409)
  const phone = open.find((each: { class: string }) => each.class === 'phone')
  expect((await app.call('POST', `/pii/suggestions/${phone.id}/reject`)).body).toMatchObject({ status: 'rejected', pii: false })
  const before = await app.listActivities()
  await app.call('POST', `/pii/suggestions/${phone.id}/reject`)
  await scan()
  expect(await list('class=phone')).toMatchObject([{ id: phone.id, status: 'rejected' }])
  expect(await app.listActivities()).toEqual(before)

  // Now it looks like another kind of personal data.
  await source.run(`update people set phone = 'someone' || id || '@example.com'`)
  await scan()
  expect(await list(`resource_id=${phone.resource_id}&status=open`)).toMatchObject([{ class: 'email' }])
  await source.run(`update people set phone = null, first_name = 'x' || id`)
  await scan()
  expect(await list(`resource_id=${phone.resource_id}&status=open`)).toMatchObject([])

  const viewer = await app.createUser('viewer')
  const editor = await app.createUser('editor')
  expect((await app.call('GET', '/pii/suggestions', { token: viewer.token })).status).toBe(403)
  expect((await app.call('PATCH', `/pii/rules/${integration}`, { token: editor.token, body: { accept_from: 0.5 } })).status).toBe(403)
  await source.run(`update people set comment = 'other' || id || '@example.com'`)
  const rule = await app.call('PATCH', `/pii/rules/${integration}`, { body: { accept_from: 0.9, scan_after_sync: true } })
  expect(rule.body).toMatchObject({ accept_from: 0.9, scan_after_sync: true, scanned_at: null })
  for (const body of [{ accept_from: 2 }, { accept_from: '1' }, { scan_after_sync: 'yes' }])
    expect((await app.call('PATCH', `/pii/rules/${integration}`, { body })).status).toBe(400)
  await queueDueScans({ ...app.ctx, now: new Date() }, onError)
  await queueDueScans({ ...app.ctx, now: new Date() }, onError)
  const { body: jobs } = await app.call('GET', '/background_jobs?status=PENDING')
  const due = jobs.results.filter(({ title }: { title: string }) => title === 'Scan Shop for PII')
  expect(due).toHaveLength(1)
  await runTestJob(app, due[0].id)
  // Next time only new tables are scanned.
  await source.run(`create table later as select 'late' || i || '@example.com' as who from generate_series(1, 50) i`)
  await runSync(app, integration)
  await queueDueScans({ ...app.ctx, now: new Date() }, onError)
  const { body: then } = await app.call('GET', '/background_jobs?status=PENDING')
  const next = then.results.find(({ title, id }: { title: string; id: string }) => title === 'Scan Shop for PII' && id !== due[0].id)
  expect(await runTestJob(app, next.id)).toMatchObject({ logs: expect.stringContaining('Scanned 1 of 1 tables') })
  expect(await findByTitle(app, 'comment', 'column')).toMatchObject({ pii: true })
  expect(await list('status=accepted')).toEqual(
    expect.arrayContaining([expect.objectContaining({ resource_title: 'comment', decided_by: null })]),
  )
})

test('previews and profiles an SQLite file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-profiles-'))
  try {
    const file = new DatabaseSync(join(folder, 'shop.db'))
    file.exec(`create table t (id integer primary key, name text, price real, at datetime, odd);
      insert into t with recursive n(i) as (select 1 union all select i + 1 from n where i < 100)
        select i, 'n' || (i % 5), i * 1.5, date('2026-01-01', '+' || i || ' days'), case when i % 2 then i else 'x' end from n`)
    file.close()
    await using app = await createTestApp({ filesFolder: folder })
    const integration = await createTestIntegration(app, 'sqlite', { path: 'shop.db' })
    await runSync(app, integration)
    const table = await findByTitle(app, 't')
    expect((await app.call('GET', `/resource/preview_v2/table/${table.id}`)).body.rows[0]).toEqual([1, 'n1', 1.5, '2026-01-02', '1'])
    const { job, columns } = await profile(app, table.id)
    expect(job.logs).toContain('with 100 rows')
    expect(columns.price).toMatchObject({ sampled: 'all', min: '1.5', max: '150', mean: 75.75, distinct_values: 100 })
    expect(columns.name.top_values).toHaveLength(5)
    expect(columns.at.histogram).toHaveLength(10)
    expect(columns.odd).toMatchObject({ distinct_values: 51, top_values: [{ value: 'x', count: 50 }, ...Array(9).fill(expect.anything())] })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
