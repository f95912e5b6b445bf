import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { grafana } from '../../../src/sources/connectors/grafana/grafana.ts'
import { expandMacros } from '../../../src/sources/connectors/grafana/grafana-sql.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, discoverNext, findByKey, listUpstream, type NextRun } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written after the public documentation of the API of version 12; no recordings of a real server are available. */
const TOKEN = 'correct-horse'

const VERSIONS = '/apis/dashboard.grafana.app/v1beta1/namespaces/default/dashboards'
const METADATA_ONLY = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1'
const toVersions = (versions: Readonly<Record<string, string>>, next?: string): object => ({
  ...{ kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1' },
  metadata: { resourceVersion: '1758777451428472', ...(next === undefined ? {} : { continue: next }) },
  items: Object.entries(versions).map(([name, resourceVersion]) => ({
    ...{ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1' },
    metadata: { name, namespace: 'default', uid: `uid-of-${name}`, resourceVersion, generation: 1 },
  })),
})

const createCassette = (database = 'shop'): Cassette => {
  const dashboard = (uid: string, title: string, panels: readonly object[], more: object = {}) => ({
    path: `/api/dashboards/uid/${uid}`,
    body: {
      dashboard: { uid, title, tags: ['Ops'], schemaVersion: 39, panels, ...more },
      meta: { url: `/d/${uid}/x`, folderUid: 'inner', createdBy: 'ada', updated: '2026-04-14T07:00:00Z' },
    },
  })
  const sql = { uid: 'pg-1', type: 'grafana-postgresql-datasource' }
  const search = (type: string, page: number, found: readonly object[]): Recording => ({
    path: '/api/search',
    query: { type, page: String(page), limit: '1000' },
    body: found,
  })
  return {
    checkAnswer: checkAgainst('grafana'),
    auth: { header: 'authorization', value: `Bearer ${TOKEN}` },
    recordings: [
      { path: '/api/org', body: { id: 1, name: 'Main Org.' } },
      {
        path: '/apis',
        body: {
          ...{ kind: 'APIGroupList', apiVersion: 'v1' },
          groups: [
            { name: 'folder.grafana.app', versions: [{ groupVersion: 'folder.grafana.app/v1beta1', version: 'v1beta1' }] },
            {
              name: 'dashboard.grafana.app',
              versions: [{ groupVersion: 'dashboard.grafana.app/v1beta1', version: 'v1beta1' }],
              preferredVersion: { groupVersion: 'dashboard.grafana.app/v1beta1', version: 'v1beta1' },
            },
          ],
        },
      },
      { path: '/api/frontend/settings', body: { namespace: 'default' } },
      { path: VERSIONS, query: { continue: 'second' }, body: toVersions({ b: '20' }) },
      { path: VERSIONS, query: { limit: '500' }, requestHeaders: { accept: METADATA_ONLY }, body: toVersions({ a: '10' }, 'second') },
      {
        path: '/api/org/users',
        body: [{ orgId: 1, userId: 2, login: 'ada', email: 'ada@example.com', name: 'Ada', role: 'Editor', authLabels: [] }],
      },
      {
        path: '/api/datasources',
        body: [
          { uid: 'pg-1', name: 'Warehouse', type: 'grafana-postgresql-datasource', database: '', jsonData: { database }, isDefault: true },
          { uid: 'prom', name: 'Prometheus', type: 'prometheus', jsonData: {} },
        ],
      },
      search('dash-folder', 1, [
        { id: 2, uid: 'inner', title: 'Shop', folderUid: 'top', url: '/dashboards/f/inner/shop', type: 'dash-folder', tags: [] },
        { id: 1, uid: 'top', title: 'Company', url: '/dashboards/f/top/company', type: 'dash-folder', tags: [] },
      ]),
      search('dash-folder', 2, []),
      search('dash-db', 1, [{ id: 3, uid: 'a', title: 'Sales', type: 'dash-db', folderUid: 'inner', tags: ['Ops'] }]),
      search('dash-db', 2, [{ id: 4, uid: 'b', title: 'Servers', type: 'dash-db', folderUid: 'inner', tags: ['Ops'] }]),
      search('dash-db', 3, []),
      dashboard('a', 'Sales', [
        {
          ...{ id: 1, title: 'Revenue', type: 'timeseries', datasource: sql },
          targets: [
            {
              refId: 'A',
              datasource: sql,
              rawSql: 'select $__timeGroupAlias(day, 1h), sum(price) from orders where $__timeFilter(day) and city in ($city) group by 1',
            },
            { refId: 'B', datasource: sql, rawSql: 'select day, amount from refunds;' },
          ],
        },
        {
          id: 2,
          type: 'row',
          title: 'More',
          collapsed: true,
          panels: [{ id: 3, title: 'Cities', type: 'table', datasource: null, targets: [{ rawSql: 'select city from orders' }] }],
        },
        { id: 4, type: 'text', title: 'Hello' },
        { id: 5, title: 'Shared', type: 'library-panel-ref', libraryPanel: { uid: 'lib', name: 'Shared' } },
      ]),
      {
        path: '/api/library-elements/lib',
        body: {
          result: {
            uid: 'lib',
            name: 'Shared',
            kind: 1,
            type: 'stat',
            model: { type: 'stat', datasource: sql, targets: [{ rawSql: 'select price from orders' }] },
          },
        },
      },
      dashboard('b', 'Servers', [{ id: 1, title: 'CPU', type: 'timeseries', datasource: { uid: 'prom' }, targets: [{ expr: 'up' }] }]),
    ],
  }
}

test('dashboards and panels are synced with owners, tags and lineage to columns of the warehouse', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using source = await createPostgresSource(
    'create table orders (id int, city text, price int, day timestamp)',
    'create table refunds (day timestamp, amount int)',
  )
  await using replay = await startReplay(createCassette(source.name))
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const id = await createTestIntegration(app, 'grafana', { url: replay.url, token: TOKEN }, { name: 'Grafana' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe(
    'Connected to Grafana, organization Main Org.: 1 dashboards.',
  )
  const counts = { dashboard_group: 2, chart: 4, dashboard: 2 }
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: counts, lineage: { unreadable: 0 } } })
  expect(replay.problems).toEqual([])
  const revenue = await findByKey(app, id, 'dashboard/a.panel/1')
  expect(revenue).toMatchObject({
    title_full: 'Company.Shop.Sales.Revenue',
    native_type: 'timeseries',
    url: `${replay.url}/d/a/x?viewPanel=1`,
  })
  expect(await listUpstream(app, revenue.id, 'table')).toEqual(['orders', 'refunds'])
  expect(await listUpstream(app, revenue.id, 'column')).toEqual(expect.arrayContaining(['amount', 'price']))
  expect(await listUpstream(app, (await findByKey(app, id, 'dashboard/a.panel/3')).id, 'column')).toContain('city')
  expect(await listUpstream(app, (await findByKey(app, id, 'dashboard/a.panel/5')).id, 'column')).toContain('price')
  expect(await listUpstream(app, (await findByKey(app, id, 'dashboard/a')).id, 'table')).toEqual(['Cities', 'Revenue', 'Shared'])
  await expectNoChanges(app, id, counts)
  // A dashboard that cannot be read stays as it is, with its panels; one that is gone is stale with its own.
  const unreadable = { path: '/api/dashboards/uid/a', status: 500, headers: { 'retry-after': '0' } }
  await using broken = await startReplay(createCassette(source.name), [unreadable, { path: '/api/dashboards/uid/b', status: 404 }])
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { url: broken.url, token: TOKEN } } })
  const { status, report } = await runSync(app, id)
  expect([status, report.stale]).toEqual(['COMPLETED', { chart: 1, dashboard: 1 }])
})

test('faults of the API', async () => {
  await expectFaultsHandled(grafana, createCassette(), (url) => ({ url, token: TOKEN }))
  const discover = async (faults: readonly Fault[] = [], change: (recording: Recording) => Recording = (each) => each) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), checkAnswer: undefined }, faults)
    return await discoverAll(grafana, { url: replay.url, token: TOKEN })
  }
  const again = { 'retry-after': '0' }
  await expect(discover([{ path: '/api/search', status: 404, after: 3 }])).rejects.toThrow('Grafana: GET /api/search returned status 404.')
  const gone = await discover([{ path: '/api/dashboards/uid/b', status: 404 }])
  expect(gone.some((each) => each.type === 'unlisted' || (each.type === 'item' && each.key === 'dashboard/b'))).toBe(false)
  const unreadable = await discover([{ path: '/api/dashboards/uid/b', status: 500, headers: again }])
  expect(unreadable).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'dashboard/b' }))
  const renamed = (each: Recording) =>
    each.path === '/api/dashboards/uid/b' ? { ...each, body: { dashboard: { name: 'Servers' }, meta: {} } } : each
  await expect(discover([], renamed)).rejects.toThrow('GET /api/dashboards/uid/b: `dashboard.title` must be text, but is missing.')
  // Without the right to see data sources, panels have no lineage.
  const limited = await discover([
    { path: '/api/datasources', status: 403 },
    { path: '/api/org/users', status: 403 },
  ])
  expect(limited.some((each) => each.type === 'item' && each.query)).toBe(false)
})

test('only dashboards that changed are read, where Grafana lists their versions', async () => {
  const cassette = createCassette()
  const hit = (uid: string, more: object = {}) => ({ id: 1, uid, title: uid, type: 'dash-db', folderUid: 'inner', tags: ['Ops'], ...more })
  const dashboards = cassette.recordings.filter(({ path }) => path.startsWith('/api/dashboards/uid/'))
  const bodies = new Map(dashboards.map(({ path, body }) => [path.split('/').at(-1)!, body as { dashboard: object; meta: object }]))
  bodies.set('c', bodies.get('b')!)
  let versions: Record<string, string> = { a: '10', b: '20', c: '30' }
  let hits = ['a', 'b', 'c'].map((uid) => hit(uid))
  let database = 'shop'
  const isReplaced = (path: string) => ['/api/datasources', VERSIONS].includes(path) || path.startsWith('/api/dashboards/uid/')
  const recordings = [
    ...cassette.recordings.filter(({ path, query }) => !isReplaced(path) && query?.type !== 'dash-db'),
    { path: '/api/search', query: { type: 'dash-db', page: '1' }, body: () => hits },
    { path: '/api/search', query: { type: 'dash-db', page: '2' }, body: [] },
    {
      path: '/api/datasources',
      body: () => [{ uid: 'pg-1', name: 'Warehouse', type: 'postgres', database, jsonData: {}, isDefault: true }],
    },
    { path: VERSIONS, body: () => toVersions(versions) },
    ...['a', 'b', 'c', 'd'].map((uid) => ({ path: `/api/dashboards/uid/${uid}`, body: () => bodies.get(uid) })),
  ]
  const start = (faults: readonly Fault[] = []) => startReplay({ ...cassette, recordings }, faults)
  await using replay = await start()
  /** The dashboards that a run reads, and all requests. Whatever it reads, the outcome is that of a run that reads everything. */
  const next = async (last?: NextRun, { url, requests } = replay) => {
    const before = requests.length
    const found = await discoverNext(grafana, { url, token: TOKEN }, last)
    const asked = requests.slice(before)
    expect(found.catalog).toEqual((await discoverNext(grafana, { url, token: TOKEN })).catalog)
    return { found, count: asked.length, read: asked.flatMap((each) => /uid\/(\w)$/.exec(each)?.[1] ?? []).sort() }
  }
  const first = await next()
  expect(first.read).toEqual(['a', 'b', 'c'])
  // One shows a panel of the library, which changes without it.
  const second = await next(first.found)
  expect([second.read, first.count - second.count]).toEqual([['a'], 2])
  // One is edited, one is gone, one is new.
  bodies.set('b', { ...bodies.get('b')!, dashboard: { ...bodies.get('b')!.dashboard, title: 'Renamed' } })
  bodies.set('d', bodies.get('c')!)
  versions = { a: '10', b: '21', d: '40' }
  hits = ['a', 'b', 'd'].map((uid) => hit(uid))
  const third = await next(second.found)
  expect(third.read).toEqual(['a', 'b', 'd'])
  expect(third.found.catalog.some((each) => each.startsWith('dashboard/c'))).toBe(false)
  // Moved, which is in the search, and another database behind the same panels.
  hits = [hit('a'), hit('b', { folderUid: 'top' }), hit('d')]
  bodies.set('b', { ...bodies.get('b')!, meta: { ...bodies.get('b')!.meta, folderUid: 'top' } })
  const fourth = await next(third.found)
  expect(fourth.read).toEqual(['a', 'b'])
  database = 'other'
  expect((await next(fourth.found)).read).toEqual(['a', 'b', 'd'])
  // Without the list, as before Grafana 12, or with another state, everything is read.
  for (const fault of [
    { path: '/apis', status: 404 },
    { path: VERSIONS, status: 406 },
    { path: VERSIONS, status: 200, body: '<html>' },
  ]) {
    await using old = await start([fault])
    expect((await next(fourth.found, old)).read).toEqual(['a', 'b', 'd'])
  }
  expect(replay.problems).toEqual([])
  await using expired = await start([{ path: VERSIONS, status: 401 }])
  await expect(discoverNext(grafana, { url: expired.url, token: TOKEN }, fourth.found)).rejects.toThrow(/was rejected \(401\)/)
})

test('macros and variables', () => {
  expect(expandMacros(`select $__time(day), x from t where $__timeFilter(date_trunc("hour", day)) and y = $y and z in (\${z:csv})`)).toBe(
    'select day as time, x from t where date_trunc("hour", day) is not null and y = null and z in (null)',
  )
  expect(expandMacros("select $__timeGroup(day,'5m',0) from t where a < $__timeTo() limit $__interval")).toBe(
    'select day from t where a < null limit null',
  )
})
