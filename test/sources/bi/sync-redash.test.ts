import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { redash } from '../../../src/sources/connectors/redash/redash.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, findByKey, listUpstream } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written after the public source of version 10; no recordings of a real server are available. */
const KEY = 'correct-horse'

const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()

const createCassette = (database = 'shop'): Cassette => {
  const times = { created_at: '2026-01-14T07:00:00.000Z', updated_at: '2026-04-14T07:00:00.000Z' }
  const user = {
    ...{ id: 1, name: 'Ada', email: 'ada@example.com', profile_image_url: 'https://www.gravatar.com/avatar/1', groups: [1, 2], ...times },
    ...{ disabled_at: null, is_disabled: false, active_at: null, is_invitation_pending: false, is_email_verified: true },
    auth_type: 'password',
  }
  const query = (id: number, name: string | null, sql: string | null, data_source_id: number, more: object = {}) => ({
    ...{ id, name, description: null, query: sql, data_source_id, user, tags: ['Sales'], is_archived: false, is_draft: false },
    ...{ latest_query_data_id: null, query_hash: 'd41d8cd9', schedule: null, api_key: 'key', options: { parameters: [] }, version: 1 },
    ...{ is_safe: true, last_modified_by_id: 1, retrieved_at: null, runtime: null, ...times, ...more },
  })
  const queries = [
    query(1, 'Revenue', "select city, sum(price) from orders where day > '{{ from }}' group by city", 5),
    query(2, 'Top cities', 'select * from query_1 order by 2 desc', 6),
    query(3, 'Old', 'select 1', 5, { is_archived: true }),
  ]
  const dashboard = {
    id: 10,
    slug: 'sales',
    name: 'Sales',
    user,
    tags: [],
    is_archived: false,
    is_draft: true,
    ...{ user_id: 1, layout: [], dashboard_filters_enabled: false, version: 1, is_favorite: false, ...times },
  }
  const widget = (id: number, text = '') => ({ id, width: 1, options: {}, dashboard_id: 10, text, ...times })
  const visualization = (id: number, shown: object) => ({
    visualization: { id, type: 'TABLE', name: 'Table', description: '', options: {}, query: shown, ...times },
  })
  const { text: _, ...hidden } = widget(4)
  const widgets = [
    { ...widget(1), ...visualization(7, queries[0]!) },
    widget(2, 'Hello'),
    { ...widget(3), ...visualization(8, queries[1]!) },
    { ...hidden, restricted: true },
  ]
  const source = (id: number, name: string, type: string) => ({ id, name, type, syntax: 'sql', paused: false, pause_reason: null })
  // One object on a page, although a hundred were requested.
  const toPages = (path: string, all: readonly object[]): Recording[] =>
    all.map((each, page) => ({
      path,
      query: { page: String(page + 1) },
      body: { count: all.length, page: page + 1, page_size: 1, results: [each] },
    }))
  const event = (object_type: string, object_id: string, more: object = {}) => ({
    ...{ org_id: 1, user_id: 1, action: 'view', object_type, object_id, created_at: hoursAgo(1), user_name: 'Ada' },
    ...{ browser: 'x', location: 'Unknown', details: {}, ...more },
  })
  const events = [
    event('query', '1'),
    event('query', '1', { user_id: null, user_name: 'an-api-key' }),
    event('query', '1', { action: 'execute' }),
    event('dashboard', '10'),
    event('page', 'personal_homepage'),
    event('query', '2', { created_at: hoursAgo(30) }),
    event('query', '2', { created_at: hoursAgo(31) }),
  ]
  return {
    checkAnswer: checkAgainst('redash'),
    auth: { header: 'authorization', value: `Key ${KEY}` },
    recordings: [
      { path: '/api/session', body: { user } },
      {
        path: '/api/data_sources',
        body: [source(5, 'Warehouse', 'pg'), source(6, 'Results', 'results')],
      },
      {
        path: '/api/data_sources/5',
        body: { ...source(5, 'Warehouse', 'pg'), options: { dbname: database, host: 'db' }, groups: { 1: false }, view_only: false },
      },
      { path: '/api/data_sources/6', status: 403, body: { message: 'no' } },
      // Two pages of the last day, one before, of more.
      ...[events.slice(0, 3), events.slice(3, 6), events.slice(6)].map((results, i) => ({
        path: '/api/events',
        query: { page: String(i + 1), page_size: '250' },
        body: { count: 700, page: i + 1, page_size: 250, results },
      })),
      ...toPages('/api/queries', queries),
      ...toPages('/api/dashboards', [{ ...dashboard, widgets: null }]),
      { path: '/api/dashboards/10', body: { ...dashboard, widgets } },
    ],
  }
}

test('queries and dashboards are synced with owners, tags and lineage to columns of the warehouse', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using source = await createPostgresSource('create table orders (id int, city text, price int, day date)')
  await using replay = await startReplay(createCassette(source.name))
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const id = await createTestIntegration(app, 'redash', { url: replay.url, api_key: KEY }, { name: 'Redash' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe(
    'Connected to Redash as Ada: 3 queries and 1 dashboards.',
  )
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { chart: 2, dashboard: 1 } } })
  expect(replay.problems).toEqual([])
  const revenue = await findByKey(app, id, 'query/1')
  expect(revenue).toMatchObject({ title: 'Revenue', url: `${replay.url}/queries/1`, display_metadata: { data_source: 'Warehouse' } })
  expect(await listUpstream(app, revenue.id, 'table')).toEqual(['orders'])
  expect(await listUpstream(app, revenue.id, 'column')).toEqual(expect.arrayContaining(['city', 'price']))
  expect(await listUpstream(app, (await findByKey(app, id, 'query/2')).id, 'table')).toEqual(['Revenue'])
  expect(await listUpstream(app, (await findByKey(app, id, 'dashboard/10')).id, 'table')).toEqual(['Revenue', 'Top cities'])
  const dashboard = await findByKey(app, id, 'dashboard/10')
  expect([revenue.external_usage, (await findByKey(app, id, 'query/2')).external_usage, dashboard.external_usage]).toEqual([2, 0, 1])
  await expectNoChanges(app, id, { chart: 2, dashboard: 1 })
})

test('views of the last day are usage, without the keys of those who had no user', async () => {
  const discover = async (faults: readonly Fault[] = []) => {
    await using replay = await startReplay(createCassette(), faults)
    const found = await discoverAll(redash, { url: replay.url, api_key: KEY })
    return { usage: found.flatMap((each) => (each.type === 'item' ? [each.usage] : [])), requests: replay.requests }
  }
  const { usage, requests } = await discover()
  expect(usage).toEqual([
    { count: 2, hours: 24, users: ['Ada'] },
    { count: 0, hours: 24 },
    { count: 1, hours: 24, users: ['Ada'] },
  ])
  expect(requests.filter((each) => each.includes('/api/events'))).toHaveLength(2)
  // Whoever is no administrator has no events; what else fails about them does not concern the rest.
  for (const status of [403, 500])
    expect((await discover([{ path: '/api/events', status, headers: { 'retry-after': '0' } }])).usage).toEqual([
      undefined,
      undefined,
      undefined,
    ])
})

test('faults of the API', async () => {
  await expectFaultsHandled(redash, createCassette(), (url) => ({ url, api_key: KEY }))
  const discover = async (faults: readonly Fault[] = [], change: (recording: Recording) => Recording = (each) => each) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), checkAnswer: undefined }, faults)
    return await discoverAll(redash, { url: replay.url, api_key: KEY })
  }
  const again = { 'retry-after': '0' }
  await expect(discover([{ path: '/api/queries', status: 200, after: 1, body: { count: 3, results: [] } }])).rejects.toThrow(
    'Redash: GET /api/queries: page 2 is empty, but only 1 of 3 were listed.',
  )
  const gone = await discover([{ path: '/api/dashboards/10', status: 404 }])
  expect(gone.some((each) => each.type === 'unlisted' || (each.type === 'item' && each.key === 'dashboard/10'))).toBe(false)
  const unreadable = await discover([{ path: '/api/dashboards/10', status: 500, headers: again }])
  expect(unreadable).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'dashboard/10' }))
  const renamed = (each: Recording) => (each.path === '/api/dashboards/10' ? { ...each, body: { id: 10, name: 'Sales', items: [] } } : each)
  await expect(discover([], renamed)).rejects.toThrow('GET /api/dashboards/10: `widgets` must be a list, but is missing.')
})

test('a query without a name and SQL', async () => {
  const cassette = createCassette()
  const empty = (each: Recording): Recording => {
    const { results, ...page } = each.body as { results: { id: number }[] }
    if (each.path !== '/api/queries') return each
    return { ...each, body: { ...page, results: results.map((query) => (query.id === 1 ? { ...query, name: null, query: null } : query)) } }
  }
  await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(empty) })
  const found = await discoverAll(redash, { url: replay.url, api_key: KEY })
  const query = found.find((each) => each.type === 'item' && each.key === 'query/1')
  expect(query).toMatchObject({ title: '(no name)' })
  expect(query).not.toHaveProperty('query')
  expect(replay.problems).toEqual([])
})
