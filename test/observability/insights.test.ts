import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordDailyInsights } from '../../src/observability/insights/snapshots.ts'
import { newId } from '../../src/platform/core/id.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

/** Numbers about the catalog: as many as the list behind each of them has, for every caller and scope. */
let app: TestApp
let viewer: Awaited<ReturnType<TestApp['createUser']>>
let editor: Awaited<ReturnType<TestApp['createUser']>>
let guest: Awaited<ReturnType<TestApp['createUser']>>
let owner: string
let group: string
let team: string
let closed: string
let integration: string

beforeAll(async () => {
  app = await createTestApp()
  ;[viewer, editor, guest] = [await app.createUser('viewer'), await app.createUser('editor'), await app.createUser('guest')]
  owner = editor.id
  group = (await app.call('POST', '/auth/group', { body: { name: 'Stewards' } })).body.id
  ;[team, closed] = [await app.createTeam(), await app.createTeam(true)]
  integration = (await app.call('POST', '/integration/integrations', { body: { name: 'Shop', type: 'custom' } })).body.id ?? newId()
  const create = (title: string, more: object = {}) => app.createResource({ title, entity_type: 'table', published: true, ...more })
  const term = await create('Revenue', { entity_type: 'glossary' })
  const orders = await create('orders', { description: 'One row per order.', owners: [owner], teams: [team], verified: true, integration })
  const old = await create('old', { definition: '# Old', owners_groups: [group], deprecation: { reason: 'Old.' }, integration })
  const gone = await create('gone', { integration })
  await create('drafts', { published: false, owners: [owner] })
  await create('secret', { teams: [closed], owners: [owner], description: 'Hidden.' })
  await create('archived', { archived: true, description: 'Not counted.' })
  await create('dashboard', { entity_type: 'dashboard' })
  await create('id', { entity_type: 'column', parent: orders.id, description: 'The key.', terms: [term.id] })
  await create('name', { entity_type: 'column', parent: orders.id, pii: true })
  await create('name', { entity_type: 'column', parent: gone.id, published: false })
  await sql`update resources set external_usage = 7, row_count = 10, byte_size = 1000 where id = ${orders.id}`.execute(app.db)
  await sql`update resources set row_count = 5, byte_size = 50 where id = any(${[old.id, gone.id]}::uuid[])`.execute(app.db)
  await sql`update resources set stale = true where id = ${gone.id}`.execute(app.db)
  const body = { target: orders.id, metric_type: 'pushed', name: 'rows', condition_manual_max: 10 }
  const monitor = (await app.call('POST', '/monitor/monitors', { body })).body.id
  await app.call('POST', '/monitor/measurements', { body: { measurements: [{ monitor, value: 50 }] } })
  await sql`
    insert into monitor_incidents (id, created_at, updated_at, monitor, target, name, summary, status, value, first_seen_at, last_seen_at, resolved_at)
    select gen_random_uuid(), now() - d.opened, now(), ${monitor}::uuid, ${orders.id}::uuid, 'rows', 'Too many', 'resolved', 50, now() - d.opened, now(), now() - d.resolved
    from (values (interval '10 days', interval '9 days'), (interval '100 days', interval '5 days' + interval '2 hours'), (interval '200 days', interval '150 days')) d (opened, resolved)
  `.execute(app.db)
})
afterAll(() => app[Symbol.asyncDispose]())

// biome-ignore lint/suspicious/noExplicitAny: JSON
const get = async (path: string, token?: string): Promise<any> => {
  const { status, body, text } = await app.call('GET', path, { token })
  expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, ''])
  return body
}
const countsOf = async (query = '', token?: string): Promise<Record<string, number>> =>
  Object.fromEntries(
    (await get(`/insights${query}`, token)).metrics.map(({ name, count }: { name: string; count: number }) => [name, count]),
  )

test('every number is the count of the list behind it, for each caller and scope', async () => {
  expect(await countsOf()).toEqual({
    ...{ tables: 5, tables_described: 3, tables_owned: 4, tables_verified: 1, tables_deprecated: 1, tables_stale: 1, tables_unused: 4 },
    ...{ tables_incident: 1, tables_warning: 2, tables_ok: 0, tables_unknown: 2 },
    ...{ columns: 3, columns_described: 1, columns_with_terms: 1, columns_pii: 1 },
  })
  expect(await countsOf('', viewer.token)).toMatchObject({
    tables: 3,
    tables_described: 2,
    tables_owned: 2,
    columns: 2,
    columns_described: 1,
  })
  expect(await countsOf('', editor.token)).toMatchObject({ tables: 4, tables_owned: 3, columns: 3 })
  expect(await countsOf('', guest.token)).toMatchObject({ tables: 0, columns: 0 })
  const scopes = [
    '',
    `?team_id=${team}`,
    `?team_id=${closed}`,
    `?integration_id=${integration}`,
    `?owner_id=${owner}`,
    `?owner_id=${group}`,
  ]
  let compared = 0
  for (const token of [app.token, editor.token, viewer.token])
    for (const scope of token === app.token ? scopes : [''])
      for (const { name, count, filter } of (await get(`/insights${scope}`, token)).metrics) {
        const list = await get(`/resource/catalog?page_size=1&filter=${encodeURIComponent(filter)}`, token)
        expect([scope, name, list.count]).toEqual([scope, name, count])
        compared += count
      }
  expect(compared).toBeGreaterThan(80)
  expect(await countsOf(`?owner_id=${owner}`)).not.toHaveProperty('columns')
  const { metrics, usage } = await get('/insights')
  expect(metrics.find(({ name }: { name: string }) => name === 'tables_unused')).toMatchObject({ rows: 10, bytes: 100 })
  expect(metrics.find(({ name }: { name: string }) => name === 'tables_stale')).toMatchObject({ rows: 5, bytes: 50 })
  expect(usage).toEqual({ queries: 7, views: 0 })
  const { body } = await app.call('GET', `/insights?team_id=${team}&owner_id=${owner}`)
  expect(body).toMatchObject({ code: 'validation_failed', errors: { owner_id: [expect.stringContaining('Only one of')] } })
  expect((await app.call('GET', '/insights?team_id=x')).status).toBe(400)
})

test('incidents and the time to resolve them, as many as in their list', async () => {
  const { incidents } = await get('/insights')
  expect(incidents).toMatchObject({ open: 1, opened: 2, resolved: 2, median_hours_to_resolve: expect.any(Number) })
  const count = async (query: string, token?: string) => (await get(`/monitor/incidents?${query}`, token)).count
  expect([
    await count('status=open'),
    await count(`opened_since=${incidents.since}`),
    await count(`resolved_since=${incidents.since}`),
  ]).toEqual([1, 2, 2])
  for (const [query, open] of [
    [`team_id=${team}`, 1],
    [`team_id=${closed}`, 0],
    [`integration_id=${integration}`, 1],
    [`owner_id=${owner}`, 1],
    [`owner_id=${group}`, 0],
  ] as const) {
    expect([query, (await get(`/insights?${query}`)).incidents.open]).toEqual([query, open])
    expect([query, await count(`status=open&${query}`)]).toEqual([query, open])
  }
  expect((await get('/insights', guest.token)).incidents).toMatchObject({ open: 0, opened: 0, resolved: 0, median_hours_to_resolve: null })
  expect((await get('/insights?days=7')).incidents).toMatchObject({ opened: 1, resolved: 1 })
  expect((await app.call('GET', '/monitor/incidents?opened_since=yesterday')).status).toBe(400)
  const { incidents: days } = await get('/insights/trends?days=30')
  expect(days).toHaveLength(30)
  expect(days.reduce((sum: number, { resolved }: { resolved: number }) => sum + resolved, 0)).toBe(2)
})

test('a snapshot is written once a day and kept for 92 days; trends show what everyone with the role can see', async () => {
  const at = (days: number) => ({ ...app.ctx, now: new Date(Date.now() + days * 86_400_000) })
  await Promise.all([recordDailyInsights(at(-93)), recordDailyInsights(at(-93)), recordDailyInsights(at(-1))])
  await app.createResource({ title: 'later', published: true, owners: [owner] })
  await recordDailyInsights(at(0))
  const later = await app.createResource({ title: 'not counted today', published: true })
  await recordDailyInsights(at(0))
  await app.call('DELETE', `/resource/all/${later.id}`)
  const { rows } = await sql<{
    days: number
    rows: number
  }>`select count(distinct day) as days, count(*) as rows from insight_snapshots`.execute(app.db)
  expect(rows[0]!.days).toBe(2)
  const tables = async (token?: string, query = '') =>
    (await get(`/insights/trends${query}`, token)).days.map(({ numbers }: { numbers: { tables: number } }) => numbers.tables)
  expect(await tables()).toEqual([5, 6])
  expect(await tables(editor.token)).toEqual([4, 5])
  expect(await tables(viewer.token)).toEqual([3, 4])
  expect(await tables(guest.token)).toEqual([])
  expect(await tables(undefined, `?owner_id=${owner}`)).toEqual([3, 4])
  expect(await tables(viewer.token, `?owner_id=${owner}`)).toEqual([1, 2])
  expect(await tables(undefined, `?team_id=${closed}`)).toEqual([1, 1])
  expect(await tables(editor.token, `?team_id=${closed}`)).toEqual([])
  expect((await get('/insights/trends', viewer.token)).counted).toBe('published')
})

test('schemas are compared, with the columns of their tables', async () => {
  const create = (title: string, more: object = {}) => app.createResource({ title, integration, published: true, ...more })
  const schema = await create('sales', { entity_type: 'schema' })
  const table = await create('carts', { entity_type: 'table', parent: schema.id, description: 'Carts.' })
  await create('id', { entity_type: 'column', parent: table.id, description: 'The key.' })
  await create('total', { entity_type: 'column', parent: table.id })
  const hidden = await create('drafts', { entity_type: 'table', parent: schema.id, published: false })
  await create('id', { entity_type: 'column', parent: hidden.id, published: false })
  const numbers = { tables: 2, tables_described: 1, columns: 3, columns_described: 1 }
  expect((await get('/insights/groups?by=schema')).results).toMatchObject([
    { id: schema.id, name: schema.title_full, integration_id: integration, numbers },
  ])
  expect((await get('/insights/groups?by=schema', viewer.token)).results).toMatchObject([{ numbers: { tables: 1, columns: 2 } }])
  expect((await get(`/insights/groups?by=schema&integration_id=${newId()}`)).results).toEqual([])
  await app.call('DELETE', `/resource/all/${schema.id}`)
})

test('groups are compared and named to those who may know them, and everything is a CSV file too', async () => {
  const { results, truncated } = await get('/insights/groups?by=owner')
  expect(truncated).toBe(false)
  expect(results).toMatchObject([
    { id: owner, numbers: { tables: 4, tables_described: 2, tables_incident: 1 } },
    { id: group, name: 'Stewards', numbers: { tables: 1, tables_deprecated: 1 } },
  ])
  expect(results[0].numbers).not.toHaveProperty('columns')
  expect((await get('/insights/groups?by=integration')).results).toMatchObject([{ id: integration, numbers: { tables: 3, columns: 3 } }])
  expect((await get('/insights/groups?by=team')).results).toHaveLength(2)
  expect((await get('/insights/groups?by=team', viewer.token)).results).toMatchObject([{ id: team, name: null, numbers: { tables: 1 } }])
  const lines = async (path: string) => (await app.call('GET', path)).text.trim().split('\r\n')
  expect((await lines('/insights?format=csv')).slice(0, 3)).toEqual(['metric,count,rows,bytes', 'tables,6,20,1100', 'tables_described,3,,'])
  expect(await lines('/insights/groups?by=owner&format=csv')).toHaveLength(3)
  const trends = await lines('/insights/trends?format=csv')
  expect([trends.length, trends[0]!.startsWith('day,tables,'), trends.at(-1)!.split(',')[1]]).toEqual([91, true, '6'])
})
