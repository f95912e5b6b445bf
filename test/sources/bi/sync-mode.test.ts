import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { mode } from '../../../src/sources/connectors/mode/mode.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, discoverNext, findByKey, listUpstream, type NextRun } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written after the public documentation of the API; no recordings of a real server are available. */
const API = '/api/acme'
const SECRET = 'correct-horse'

const EDITED = '2026-04-14T07:00:00.000Z'
const TIMES = { created_at: EDITED, updated_at: EDITED }
const SAVED = { ...TIMES, last_successful_sync_at: null, last_saved_at: EDITED }
const LIMITS = { dataset_size_limit_mb: 10, query_run_size_limit_mb: 1000 }

const createCassette = (database = 'shop'): Cassette => {
  const report = (token: string, name: string) => ({
    ...{ token, name, id: 1, description: null, archived: false, view_count: 9, ...SAVED, created_at: new Date().toISOString() },
    ...{ edited_at: EDITED, theme_id: 3, color_mappings: {}, layout: null, space_token: 's1', account_id: 1, account_username: 'acme' },
    ...{ public: false, full_width: false, manual_run_disabled: false, run_privately: true, drilldowns_enabled: true },
    ...{ is_embedded: false, is_signed: false, shared: false, expected_runtime: null, last_run_at: null, last_successfully_run_at: null },
    ...{ web_preview_image: null, last_successful_run_token: null, query_count: 1, chart_count: 1, schedules_count: 0 },
    _links: { creator: { href: 'https://elsewhere.example.com/api/ada' } },
  })
  const account = (username: string, name: string, user: boolean) => ({
    ...{ username, name, id: 1, token: username, user, ...LIMITS, avatar: { initials: 'A' }, _links: {}, _embeds: {} },
  })
  const query = (token: string, name: string, raw_query: string | null) => ({
    ...{ id: 7, token, name, raw_query, data_source_id: 5, last_run_id: 1, explorations_count: 0, report_imports_count: 0 },
    ...{ dbt_metric_id: null, mapping_id: null, ...TIMES, _links: {} },
  })
  const list = (path: string, name: string, all: readonly object[], query?: Recording['query']): Recording => ({
    path: `${API}${path}`,
    ...(query ? { query } : {}),
    body: { _embedded: { [name]: all }, _links: {} },
  })
  const space = {
    ...{ token: 's1', id: 1, name: 'Finance', description: null, space_type: 'custom', state: 'active', restricted: false },
    ...{ free_default: true, 'viewable?': true, 'viewed?': true, default_access_level: 'edit', _links: {} },
  }
  return {
    checkAnswer: checkAgainst('mode'),
    auth: { header: 'authorization', value: `Basic ${Buffer.from(`token-1:${SECRET}`).toString('base64')}` },
    recordings: [
      { path: API, body: account('acme', 'Acme', false) },
      { path: '/api/ada', body: { ...account('ada', 'Ada', true), email: 'ada@example.com' } },
      list('/data_sources', 'data_sources', [
        {
          ...{ id: 5, name: 'Warehouse', display_name: 'Warehouse', description: '', token: 'd1', adapter: 'jdbc:postgresql', ...TIMES },
          ...{ has_expensive_schema_updates: false, public: false, asleep: false, queryable: true, soft_deleted: false, database },
          ...{
            host: 'db',
            port: 5432,
            ssl: true,
            username: 'reader',
            provider: 'default',
            vendor: 'postgresql',
            ldap: false,
            warehouse: null,
          },
          ...{ bridged: false, adapter_version: '42', custom_attributes: {}, default_access_level: 'View', _links: {} },
        },
      ]),
      list('/definitions', 'definitions', [
        {
          ...{ id: 1, token: 'f1', name: 'paid', description: '', source: 'select id, price from orders where paid', data_source_id: 5 },
          ...{ ...SAVED, _links: {} },
        },
      ]),
      list('/spaces', 'spaces', [space], { filter: 'all', page: '1' }),
      list('/spaces', 'spaces', [], { filter: 'all', page: '2' }),
      list('/spaces/s1/reports', 'reports', [report('r1', 'Revenue')], { page: '1' }),
      list('/spaces/s1/reports', 'reports', [report('r2', 'Imported')], { page: '2' }),
      list('/spaces/s1/reports', 'reports', [], { page: '3' }),
      list('/reports/r1/queries', 'queries', [
        query('q1', 'By day', "select sum(price) from {{ @paid as p }} where day > '{{ from }}' {% form %}from: {type: date}{% endform %}"),
      ]),
      list('/reports/r2/queries', 'queries', [query('q2', 'Imported', null)]),
    ],
  }
}

const settingsFor = (url: string) => ({ url, workspace: 'acme', token: 'token-1', token_secret: SECRET })

test('reports and queries are synced with owners, usage and lineage to columns of the warehouse', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using source = await createPostgresSource('create table orders (id int, price int, paid boolean, day date)')
  await using replay = await startReplay(createCassette(source.name))
  const { id: owner } = await app.createUser('editor')
  await app.db.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', owner).execute()
  await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
  const id = await createTestIntegration(app, 'mode', settingsFor(replay.url), { name: 'Mode' })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe(
    'Connected to Mode, workspace Acme: 1 collections.',
  )
  const counts = { dashboard_group: 1, chart: 2, dashboard: 2 }
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: counts, lineage: { unreadable: 0 } } })
  // Owners are looked up at the configured address only, whatever a report says.
  expect(replay.problems).toEqual([])
  expect(replay.requests).toContain('GET /api/ada')
  const report = await findByKey(app, id, 'report/r1')
  expect(report).toMatchObject({ title_full: 'Finance.Revenue', owners: [owner], external_usage: 9, url: `${replay.url}/acme/reports/r1` })
  expect(await listUpstream(app, report.id, 'table')).toEqual(['By day'])
  const query = await findByKey(app, id, 'report/r1.query/q1')
  expect(await listUpstream(app, query.id, 'table')).toEqual(['orders'])
  expect(await listUpstream(app, query.id, 'column')).toContain('price')
  // Its SQL is somewhere else.
  expect(await findByKey(app, id, 'report/r2.query/q2')).toMatchObject({ title: 'Imported', entity_type: 'chart' })
  await expectNoChanges(app, id, counts)
})

test('faults of the API', async () => {
  await expectFaultsHandled(mode, createCassette(), settingsFor)
  const discover = async (faults: readonly Fault[] = [], change: (recording: Recording) => Recording = (each) => each) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), checkAnswer: undefined }, faults)
    return await discoverAll(mode, settingsFor(replay.url))
  }
  const again = { 'retry-after': '0' }
  const queries = `${API}/reports/r1/queries`
  await expect(discover([{ path: `${API}/spaces/s1/reports`, status: 404, after: 1 }])).rejects.toThrow('returned status 404.')
  const gone = await discover([{ path: queries, status: 404 }])
  expect(gone.some((each) => each.type === 'unlisted' || (each.type === 'item' && each.key === 'report/r1'))).toBe(false)
  expect(await discover([{ path: queries, status: 500, headers: again }])).toContainEqual(
    expect.objectContaining({ type: 'unlisted', key: 'report/r1' }),
  )
  const renamed = (each: Recording) => (each.path === queries ? { ...each, body: { _embedded: { query: [] } } } : each)
  await expect(discover([], renamed)).rejects.toThrow(`GET ${queries}: \`_embedded.queries\` must be a list, but is missing.`)
})

test('only reports that were edited are read again, and those that include a definition when one was changed', async () => {
  const cassette = createCassette()
  const spaces = `${API}/spaces/s1/reports`
  const [example] = cassette.recordings.flatMap(({ path, body }) =>
    path === spaces ? ((body as { _embedded: { reports: object[] } })._embedded.reports as object[]) : [],
  )
  const report = (token: string, edited_at: string | null = EDITED, more: object = {}) => ({
    ...example,
    token,
    name: token,
    edited_at,
    ...more,
  })
  const definition = cassette.recordings.find(({ path }) => path === `${API}/definitions`)!.body as {
    _embedded: { definitions: { source: string }[] }
  }
  let reports = [report('r1'), report('r2'), report('r3'), report('r4', null, { last_saved_at: null })]
  const sql: Record<string, string> = { r1: 'select * from {{ @paid }}', r2: 'select 2', r3: 'select 3', r4: 'select 4', r5: 'select 5' }
  const query = (cassette.recordings.find(({ path }) => path.endsWith('/r1/queries'))!.body as { _embedded: { queries: object[] } })
    ._embedded.queries[0]
  await using replay = await startReplay({
    ...cassette,
    recordings: [
      ...cassette.recordings.filter(({ path }) => path !== spaces && !path.startsWith(`${API}/reports/`)),
      {
        path: spaces,
        body: (_: unknown, { page }: Record<string, string>) => ({ _embedded: { reports: page === '1' ? reports : [] }, _links: {} }),
      },
      ...Object.keys(sql).map((token) => ({
        path: `${API}/reports/${token}/queries`,
        body: () => ({ _embedded: { queries: [{ ...query, token: `q-${token}`, raw_query: sql[token] }] }, _links: {} }),
      })),
    ],
  })
  const next = async (last?: NextRun) => {
    const before = replay.requests.length
    const run = await discoverNext(mode, settingsFor(replay.url), last)
    const read = replay.requests.slice(before).flatMap((each) => /(\w+)\/queries/.exec(each)?.[1] ?? [])
    expect(run.catalog).toEqual((await discoverNext(mode, settingsFor(replay.url))).catalog)
    expect(replay.problems).toEqual([])
    return { run, read }
  }
  const first = await next()
  expect(first.read).toEqual(['r1', 'r2', 'r3', 'r4'])
  // Mode does not say when the last one was edited.
  const second = await next(first.run)
  expect(second.read).toEqual(['r4'])
  expect(second.run.unchanged).toEqual(['report/r1', 'report/r2', 'report/r3'])
  // One was edited, one is gone, one is new.
  reports = [report('r1'), report('r2', '2026-04-15T07:00:00.000Z'), report('r4', null, { last_saved_at: null }), report('r5')]
  sql.r2 = 'select 22'
  const third = await next(second.run)
  expect(third.read).toEqual(['r2', 'r4', 'r5'])
  definition._embedded.definitions[0]!.source = 'select id from orders'
  expect((await next(third.run)).read).toEqual(['r1', 'r4'])
})
