import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../connector/src/replay.ts'
import { mode } from '../src/sources/connectors/mode/mode.ts'
import { describeLineage, discoverAll, findByKey, listUpstream } from './connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, runSync } from './sources.ts'
import { createTestApp } from './test-app.ts'

/** Answers written after the public documentation of the API; no recordings of a real server are available. */
const API = '/api/acme'
const SECRET = 'correct-horse'

const createCassette = (database = 'shop'): Cassette => {
  const report = (token: string, name: string) => ({
    ...{
      token,
      name,
      description: null,
      archived: false,
      view_count: 9,
      created_at: new Date().toISOString(),
      edited_at: '2026-04-14T07:00:00Z',
    },
    _links: { creator: { href: 'https://elsewhere.example.com/api/ada' } },
  })
  const list = (path: string, name: string, all: readonly object[], query?: Recording['query']): Recording => ({
    path: `${API}${path}`,
    ...(query ? { query } : {}),
    body: { _embedded: { [name]: all }, _links: {} },
  })
  return {
    auth: { header: 'authorization', value: `Basic ${Buffer.from(`token-1:${SECRET}`).toString('base64')}` },
    recordings: [
      { path: API, body: { name: 'Acme', username: 'acme' } },
      { path: '/api/ada', body: { username: 'ada', email: 'ada@example.com' } },
      list('/data_sources', 'data_sources', [{ id: 5, name: 'Warehouse', adapter: 'jdbc:postgresql', database }]),
      list('/definitions', 'definitions', [{ id: 1, name: 'paid', source: 'select id, price from orders where paid' }]),
      list('/spaces', 'spaces', [{ token: 's1', name: 'Finance', space_type: 'custom' }], { filter: 'all', page: '1' }),
      list('/spaces', 'spaces', [], { filter: 'all', page: '2' }),
      list('/spaces/s1/reports', 'reports', [report('r1', 'Revenue')], { page: '1' }),
      list('/spaces/s1/reports', 'reports', [report('r2', 'Empty')], { page: '2' }),
      list('/spaces/s1/reports', 'reports', [], { page: '3' }),
      list('/reports/r1/queries', 'queries', [
        {
          ...{ token: 'q1', name: 'By day', data_source_id: 5 },
          raw_query: "select sum(price) from {{ @paid as p }} where day > '{{ from }}' {% form %}from: {type: date}{% endform %}",
        },
      ]),
      list('/reports/r2/queries', 'queries', []),
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
  const counts = { dashboard_group: 1, chart: 1, dashboard: 2 }
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
  await expectNoChanges(app, id, counts)
})

test('faults of the API', async () => {
  const discover = async (faults: readonly Fault[] = [], change: (recording: Recording) => Recording = (each) => each) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change) }, faults)
    return await discoverAll(mode, settingsFor(replay.url))
  }
  const again = { 'retry-after': '0' }
  const queries = `${API}/reports/r1/queries`
  const all = describeLineage(await discover())
  const repaired = await discover([
    { path: `${API}/spaces`, status: 429, headers: again, times: 2 },
    { path: queries, status: 500, headers: again, times: 1 },
  ])
  expect(describeLineage(repaired)).toEqual(all)
  await expect(discover([{ status: 401, after: 4 }])).rejects.toThrow(/was rejected \(401\)/)
  await expect(discover([{ path: `${API}/spaces/s1/reports`, status: 404, after: 1 }])).rejects.toThrow('returned status 404.')
  const gone = await discover([{ path: queries, status: 404 }])
  expect(gone.some((each) => each.type === 'unlisted' || (each.type === 'item' && each.key === 'report/r1'))).toBe(false)
  expect(await discover([{ path: queries, status: 500, headers: again }])).toContainEqual(
    expect.objectContaining({ type: 'unlisted', key: 'report/r1' }),
  )
  const renamed = (each: Recording) => (each.path === queries ? { ...each, body: { _embedded: { query: [] } } } : each)
  await expect(discover([], renamed)).rejects.toThrow(`GET ${queries}: \`_embedded.queries\` must be a list, but is missing.`)
})
