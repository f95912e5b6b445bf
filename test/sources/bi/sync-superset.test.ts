import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { superset } from '../../../src/sources/connectors/superset/superset.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, listUpstream, listVersions } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written by hand after the OpenAPI document of the API; no recordings of a real server are available. */
const PATH = '/integration/integrations'
const SECRET = 'correct horse'

/** As Superset writes it: UTC without a time zone. */
const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, -1)
const toLogPage = (page: number): string =>
  `(page:${page},page_size:100,order_column:dttm,order_direction:desc,filters:!((col:action,opr:eq,value:log)))`

const createCassette = (database = 'shop'): Cassette => {
  const chart = (id: number, slice_name: string, datasource_id: number, params: object, dashboards: number[]) => ({
    ...{ id, slice_name, datasource_id, datasource_type: 'table', viz_type: 'pie', url: `/explore/?slice_id=${id}` },
    ...{ description: null, params: JSON.stringify(params), changed_on_utc: '2026-04-14T07:00:00.000000+0000' },
    owners: [{ id: 1, first_name: 'Ada', last_name: 'L' }],
    tags: [
      { id: 5, name: 'Sales', type: 1 },
      { id: 6, name: 'owner:1', type: 3 },
    ],
    dashboards: dashboards.map((id) => ({ id, dashboard_title: 'x' })),
  })
  const metric = { expressionType: 'SIMPLE', aggregate: 'SUM', column: { column_name: 'price' } }
  const charts = [
    chart(10, 'Revenue by city', 20, { viz_type: 'pie', groupby: ['city'], metrics: [metric, 'orders'], row_limit: 100 }, [1]),
    chart(11, 'Refunds', 21, { groupby: ['day'], metric: { expressionType: 'SQL', sqlExpression: 'sum(amount) / 100' } }, [1]),
  ]
  const dashboard = (id: number, dashboard_title: string, more: object = {}) => ({
    ...{ id, dashboard_title, url: `/superset/dashboard/${id}/`, status: 'published', published: true, certified_by: '', owners: [] },
    ...{ changed_on_utc: '2026-04-14T07:00:00.000000+0000', ...more },
  })
  const described = (dashboard_title: string, more: object) => ({
    ...{ dashboard_title, published: true, certified_by: '', css: '', slug: null, owners: [], tags: [], roles: [] },
    ...more,
  })
  const position_json = '{"CHART-a": {"meta": {"chartId": 11}}, "ROW": {"meta": {}}, "v": "v2"}'
  const columns = (...names: string[]) => names.map((column_name, id) => ({ id, column_name, type: 'TEXT', expression: null }))
  const database_3 = { id: 3, database_name: 'Warehouse' }
  const event = (event_name: string, more: object, hours = 1) => ({
    ...{ action: 'log', dttm: hoursAgo(hours), user: { username: 'ada' }, user_id: 1, slice_id: null, dashboard_id: null },
    ...{ json: JSON.stringify({ event_name, source: 'x' }), duration_ms: null, referrer: null, ...more },
  })
  const events = [
    event('mount_explorer', { slice_id: 10 }),
    event('load_chart', { slice_id: 10 }),
    event('mount_dashboard', { dashboard_id: 1, slice_id: 0 }),
    event('mount_dashboard', { dashboard_id: 1, user: null, json: '{"event_name": "mount_dashboard"}' }),
    event('mount_dashboard', { dashboard_id: 1 }, 25),
  ]
  const about = { database: { id: 3, database_name: 'Warehouse', backend: 'postgresql' }, schema: 'public' }
  return {
    checkAnswer: checkAgainst('superset'),
    auth: { header: 'authorization', value: 'Bearer token-1' },
    recordings: [
      {
        ...{ path: '/api/v1/security/login', method: 'POST', open: true },
        request: { username: 'reader', password: SECRET, provider: 'db' },
        body: { access_token: 'token-1' },
      },
      ...toPages('/api/v1/chart/', 'slice_name', charts),
      ...toPages('/api/v1/dashboard/', 'dashboard_title', [dashboard(1, 'Sales'), dashboard(2, 'Finance')]),
      { path: '/api/v1/dashboard/2', body: { result: described('Finance', { id: 2, url: '/superset/dashboard/2/', position_json }) } },
      ...toPages('/api/v1/dataset/', 'table_name', [
        { id: 20, table_name: 'orders', database: database_3, changed_on_utc: '2026-04-01T00:00:00.000000+0000' },
        { id: 21, table_name: 'refunds by day', database: database_3, changed_on_utc: '2026-04-02T00:00:00.000000+0000' },
      ]),
      {
        path: '/api/v1/chart/related/owners',
        body: { count: 1, result: [{ value: 1, text: 'Ada L', extra: { active: true, email: 'ada@example.com' } }] },
      },
      ...[events.slice(0, 3), events.slice(3)].map((result, page) => ({
        path: '/api/v1/log/',
        query: { q: toLogPage(page) },
        body: { count: 300, result },
      })),
      {
        path: '/api/v1/dataset/20',
        query: { include_rendered_sql: 'true' },
        body: {
          result: {
            ...about,
            table_name: 'orders',
            kind: 'physical',
            sql: null,
            columns: [
              ...columns('id', 'city', 'price', 'state'),
              { id: 9, column_name: 'gross', type: 'NUMERIC', expression: 'price * 1.19' },
            ],
            metrics: [{ metric_name: 'orders', expression: 'count(id)' }],
          },
        },
      },
      {
        path: '/api/v1/dataset/21',
        body: {
          result: {
            ...about,
            table_name: 'refunds by day',
            kind: 'virtual',
            sql: 'select day, sum(amount) as amount, reason from refunds group by day, reason;',
            columns: columns('day', 'amount', 'reason'),
            metrics: [],
          },
        },
      },
      { path: '/api/v1/database/3/connection', body: { result: { sqlalchemy_uri: `postgresql://reader:XXXXXXXXXX@db/${database}` } } },
    ],
  }
}

/** One object on a page, although a hundred were requested. */
const toPages = (path: string, order: string, all: readonly object[]): Recording[] =>
  all.map((each, page) => ({
    path,
    query: { q: `(page:${page},page_size:100,order_column:${order},order_direction:asc)` },
    body: { count: all.length, result: [each] },
  }))

test('charts and dashboards are synced with owners, tags and lineage to columns of the warehouse', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using source = await createPostgresSource(
    'create table orders (id int, city text, price int, state text)',
    'create table refunds (day date, amount int, reason text)',
  )
  await using replay = await startReplay(createCassette(source.name), [{ path: '/api/v1/dataset/20', status: 401, times: 1 }])
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const id = await createTestIntegration(app, 'superset', { url: replay.url, user: 'reader', password: SECRET }, { name: 'Superset' })
  const sync = await runSync(app, id)
  expect(sync).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { chart: 2, dashboard: 2 }, lineage: { read: 4 } } })
  expect(replay.problems).toEqual([])
  // The token had expired once.
  expect(replay.requests.filter((each) => each.endsWith('/login'))).toHaveLength(2)
  const revenue = await findByFullTitle(app, 'Revenue by city')
  expect(revenue).toMatchObject({
    ...{ entity_type: 'chart', native_type: 'pie', databuilder_id: 'chart/10', url: `${replay.url}/explore/?slice_id=10`, owners: [] },
    display_metadata: { dataset: 'orders', columns: ['id', 'city', 'price'] },
  })
  const { body: tag } = await app.call('GET', `/tag/${revenue.tags[0]}`)
  expect([tag.name, revenue.tags.length]).toEqual(['Sales', 1])
  const { body: job } = await app.call('GET', `/background_jobs/${sync.id}`)
  expect(JSON.stringify(job.logs)).toContain('These owners are no users of this workspace: ada@example.com.')
  expect(await listUpstream(app, revenue.id, 'table')).toEqual(['orders'])
  const columns = await listUpstream(app, revenue.id, 'column')
  expect(columns).toEqual(expect.arrayContaining(['city', 'id', 'price']))
  expect(columns).not.toContain('state')
  const refunds = await findByFullTitle(app, 'Refunds')
  expect(await listUpstream(app, refunds.id, 'table')).toEqual(['refunds'])
  expect(await listUpstream(app, refunds.id, 'column')).toEqual(expect.arrayContaining(['amount', 'day']))
  expect(await listUpstream(app, (await findByFullTitle(app, 'Sales')).id, 'table')).toEqual(['Refunds', 'Revenue by city'])
  expect(await listUpstream(app, (await findByFullTitle(app, 'Finance')).id, 'table')).toEqual(['Refunds'])
  const { external_usage } = await findByFullTitle(app, 'Sales')
  expect([revenue.external_usage, refunds.external_usage, external_usage]).toEqual([1, 0, 2])
  await expectNoChanges(app, id, { chart: 2, dashboard: 2 })
  // Reported again without its charts, a dashboard loses its lineage.
  const emptied = {
    path: '/api/v1/dashboard/',
    status: 200,
    after: 1,
    body: { count: 2, result: [{ id: 2, dashboard_title: 'Finance' }] },
  }
  const withoutCharts = { path: '/api/v1/dashboard/2', status: 200, body: { result: { dashboard_title: 'Finance', position_json: '{}' } } }
  await using later = await startReplay(createCassette(source.name), [emptied, withoutCharts])
  await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { url: later.url, password: SECRET } } })
  await runSync(app, id)
  expect(await listUpstream(app, (await findByFullTitle(app, 'Finance')).id, 'table')).toEqual([])
})

test('faults of the API', async () => {
  await expectFaultsHandled(superset, createCassette(), (url) => ({ url, user: 'reader', password: SECRET, provider: 'db' }))
  const discover = async (...faults: Fault[]) => {
    await using replay = await startReplay(createCassette(), faults)
    return await discoverAll(superset, { url: replay.url, user: 'reader', password: SECRET, provider: 'db' })
  }
  await expect(discover({ path: '/api/v1/chart/', status: 200, after: 1, body: { count: 2, result: [] } })).rejects.toThrow(
    'Superset: GET /api/v1/chart/: page 2 is empty, but only 1 of 2 were listed.',
  )
  await expect(discover({ path: '/api/v1/chart/', status: 200, body: { count: 1, result: [{ id: 1, name: 'x' }] } })).rejects.toThrow(
    'GET /api/v1/chart/: `result[0].slice_name` must be text, but is missing.',
  )
  // Without the right to see the database or the dataset, charts are still reported.
  const forbidden = await discover({ path: '/api/v1/dataset/20', status: 403 }, { path: '/api/v1/chart/related/owners', status: 403 })
  expect(forbidden.find((each) => each.type === 'item' && each.key === 'chart/10')).toMatchObject({ title: 'Revenue by city', facts: {} })
  expect(forbidden.some((each) => each.type === 'lineage' && each.to === 'chart/10')).toBe(false)
  // Deleted after the charts were listed.
  const gone = await discover({ path: '/api/v1/dataset/20', status: 404 })
  expect(gone.some((each) => each.type === 'item' && each.key === 'chart/10')).toBe(true)
  expect(gone.some((each) => each.type === 'lineage' && each.to === 'chart/10')).toBe(false)
})

test('views of the last day are usage, if the log can be read', async () => {
  const discover = async (faults: readonly Fault[] = []) => {
    await using replay = await startReplay(createCassette(), faults)
    const found = await discoverAll(superset, { url: replay.url, user: 'reader', password: SECRET, provider: 'db' })
    return Object.fromEntries(found.flatMap((each) => (each.type === 'item' ? [[each.key, each.usage]] : [])))
  }
  expect(await discover()).toEqual({
    'chart/10': { count: 1, hours: 24, users: ['ada'] },
    'chart/11': { count: 0, hours: 24 },
    'dashboard/1': { count: 2, hours: 24, users: ['ada'] },
    'dashboard/2': { count: 0, hours: 24 },
  })
  for (const status of [403, 404, 500])
    expect(Object.values(await discover([{ path: '/api/v1/log/', status, headers: { 'retry-after': '0' } }]))).toEqual(
      Array(4).fill(undefined),
    )
})

test('charts and dashboards without a name, tags without one, calculated columns and charts of queries', async () => {
  const cassette = createCassette()
  const params = JSON.stringify({ metric: { expressionType: 'SIMPLE', aggregate: 'SUM', column: { column_name: 'gross' } } })
  const changed = new Map([
    ['Revenue by city', { slice_name: null, params, tags: [{ id: 5, name: null, type: 1 }] }],
    ['Refunds', { datasource_type: 'query' }],
  ])
  const recordings = cassette.recordings.map((each): Recording => {
    const { result, ...page } = each.body as { result: { slice_name?: string; dashboard_title?: string }[] }
    if (each.path === '/api/v1/chart/') {
      return { ...each, body: { ...page, result: result.map((chart) => ({ ...chart, ...changed.get(chart.slice_name ?? '') })) } }
    }
    return each.path === '/api/v1/dashboard/'
      ? { ...each, body: { ...page, result: result.map((dashboard) => ({ ...dashboard, dashboard_title: null })) } }
      : each
  })
  await using replay = await startReplay({ ...cassette, recordings })
  const found = await discoverAll(superset, { url: replay.url, user: 'reader', password: SECRET, provider: 'db' })
  const titles = found.flatMap((each) => (each.type === 'item' ? [`${each.key} ${each.title}`] : []))
  expect(titles).toEqual(['chart/10 (no name)', 'chart/11 Refunds', 'dashboard/1 (no name)', 'dashboard/2 (no name)'])
  expect(found.find((each) => each.type === 'item' && each.key === 'chart/10')).not.toHaveProperty('tags')
  const orders = { table: ['shop', 'public', 'orders'], columns: ['price'], dialect: 'postgres' }
  expect(found).toContainEqual({ type: 'lineage', to: 'chart/10', from: [orders] })
  expect(found.find((each) => each.type === 'item' && each.key === 'chart/11')).toMatchObject({ facts: {} })
  expect(replay.requests.some((each) => each.includes('/dataset/21'))).toBe(false)
  expect(replay.problems).toEqual([])
})

test('charts are not read again while neither they nor their dataset were changed', async () => {
  const cassette = createCassette()
  const changed = new Set<string>()
  const recordings = cassette.recordings.map((each): Recording => {
    const { result, ...page } = each.body as { result: { id: number }[] }
    if (each.path !== '/api/v1/dataset/') return each
    const later = (dataset: { id: number }) =>
      changed.has(String(dataset.id)) ? { ...dataset, changed_on_utc: '2026-05-01T00:00:00' } : dataset
    return { ...each, body: () => ({ ...page, result: result.map(later) }) }
  })
  await using replay = await startReplay({ ...cassette, recordings })
  const discover = async (versions?: Map<string, string>) => {
    const before = replay.requests.length
    const found = await discoverAll(superset, { url: replay.url, user: 'reader', password: SECRET, provider: 'db' }, versions)
    return { found, read: replay.requests.slice(before).flatMap((each) => /\/dataset\/(\d+)/.exec(each)?.[1] ?? []) }
  }
  const first = await discover()
  expect(first.read.sort()).toEqual(['20', '21'])
  const versions = listVersions(first.found)
  const second = await discover(versions)
  expect(second.read).toEqual([])
  expect(second.found.filter((each) => each.type === 'unchanged')).toEqual([
    { type: 'unchanged', key: 'chart/10' },
    { type: 'unchanged', key: 'chart/11' },
  ])
  changed.add('21')
  expect((await discover(versions)).read).toEqual(['21'])
  expect(replay.problems).toEqual([])
})
