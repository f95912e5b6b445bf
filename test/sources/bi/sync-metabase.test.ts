import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { metabase } from '../../../src/sources/connectors/metabase/metabase.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, listUpstream, listVersions } from '../../support/connectors.ts'
import {
  createPostgresSource,
  createTestIntegration,
  expectNoChanges,
  findByFullTitle,
  getConnectionError,
  runSync,
} from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** What a real Metabase answered. */
const FOLDER = join(import.meta.dirname, '../../../../shared/connectors/recordings/metabase/setup')
const PATH = '/integration/integrations'
const TOKEN = '12345abv6789'
const SECRET = 'correct horse'

const record = (name: string) => JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))

/** The recordings list dashboards only; questions are listed in the same form, with the fields of their own recordings. */
const createCassette = (database?: string): Cassette => {
  const dashboards = record('collection_dashboards')
  const cards = [1, 2, 3].map((id) => {
    const { name, description, collection_position, database_id } = record(`card_${id}`)
    return { description, collection_position, database_id, name, id, model: 'card' }
  })
  const inside = { description: null, collection_position: null, database_id: null, name: 'More', id: 2, model: 'collection' }
  const listed = [...cards, inside, ...dashboards.data]
  const page = (offset: number, size: number) => ({ ...dashboards, total: listed.length, data: listed.slice(offset, offset + size) })
  // Pages of three, although more were requested: a server may return fewer.
  const pages: Recording[] = [0, 3].map((offset) => ({
    path: '/api/collection/root/items',
    query: { limit: '500', offset: String(offset) },
    body: page(offset, 3),
  }))
  const viewed = { view_count: 120, created_at: new Date().toISOString() }
  const table = {
    ...record('table_21'),
    fields: [...FIELDS].map(([id, name], position) => ({ ...FIELD, id, name, display_name: name, position })),
  }
  return {
    checkAnswer: checkAgainst('metabase'),
    auth: { header: 'x-metabase-session', value: TOKEN },
    recordings: [
      { path: '/api/session', method: 'POST', request: { username: 'admin', password: SECRET }, open: true, body: record('session') },
      { path: '/api/user/current', body: record('user') },
      { path: '/api/user/1', body: record('user') },
      { path: '/api/collection/', body: record('collections') },
      ...pages,
      ...[1, 2, 3].map((id) => ({
        path: `/api/card/${id}`,
        body: { ...record(`card_${id}`), database_id: 2, ...(id === 3 ? viewed : {}) },
      })),
      { path: '/api/dashboard/10', body: record('dashboard_1') },
      { path: '/api/dashboard/20', body: record('dashboard_2') },
      { path: '/api/database/2', body: inDatabase(record('postgres_database'), database) },
      { path: '/api/table/21/query_metadata', body: table },
    ],
  }
}
/** The database of the recording is called dvdrental, that of the test has a name of its own. */
const inDatabase = (recorded: { details: object }, dbname = 'dvdrental') => ({ ...recorded, details: { ...recorded.details, dbname } })
const EDITOR = { id: 14, email: 'person-7fc5be@example.org', first_name: 'John', last_name: 'Doe' }
const FIELDS = new Map([
  [128, 'film_id'],
  [131, 'rating'],
  [136, 'release_year'],
])
const FIELD = {
  table_id: 21,
  description: null,
  base_type: 'type/Text',
  effective_type: 'type/Text',
  semantic_type: null,
  active: true,
  visibility_type: 'normal',
  preview_display: true,
  fk_target_field_id: null,
  has_field_values: 'list',
  nfc_path: null,
  json_unfolding: null,
  coercion_strategy: null,
  fingerprint: null,
  last_analyzed: null,
  created_at: '2021-12-13T17:45:04.991Z',
  updated_at: '2021-12-13T17:45:10.52Z',
}

const WAREHOUSE = [
  'create table customer (customer_id int, first_name text, last_name text)',
  'create table payment (customer_id int, amount numeric, payment_date timestamp, rental_id int)',
  'create table film (film_id int, rating text, release_year int)',
]

const createMetabase = (app: TestApp, url: string, more: object = {}) =>
  createTestIntegration(app, 'metabase', { url, user: 'admin', password: SECRET, ...more }, { name: 'Metabase' })

describe.skipIf(!existsSync(FOLDER))('Metabase', () => {
  test('questions and dashboards are synced with owners, usage and lineage to columns of the warehouse', async () => {
    await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
    await using source = await createPostgresSource(...WAREHOUSE)
    await using replay = await startReplay(createCassette(source.name))
    const { id: owner } = await app.createUser('editor')
    await app.db.updateTable('users').set({ email: 'person-a4a485@example.org' }).where('id', '=', owner).execute()
    const id = await createMetabase(app, replay.url)
    expect((await app.call('POST', `${PATH}/${id}/test`)).body.detail).toBe(
      'Connected to Metabase as FirstName LastName, an administrator: 2 collections.',
    )
    // Before the warehouse: the lineage follows with the next sync.
    expect(await runSync(app, id)).toMatchObject({
      status: 'COMPLETED',
      error: null,
      report: { new: { dashboard_group: 1, chart: 3, dashboard: 2 }, lineage: { unreadable: 0 } },
    })
    expect(replay.problems).toEqual([])
    // Not all versions know all of the kinds that could be asked for.
    expect(replay.requests.some((each) => each.includes('models='))).toBe(false)
    const payments = await findByFullTitle(app, 'Our analytics.Customer Payment')
    expect(payments).toMatchObject({
      entity_type: 'chart',
      native_type: 'table',
      owners: [owner],
      url: `${replay.url}/question/1`,
      external_updated_at: '2021-12-13T17:48:40.478Z',
      databuilder_id: 'card/1',
      display_metadata: { database: 'DVD Rental', definition: expect.stringContaining('INNER JOIN payment') },
    })
    expect(await listUpstream(app, payments.id, 'table')).toEqual([])

    await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
    expect((await runSync(app, id)).report.new).toEqual({})
    expect(await listUpstream(app, payments.id, 'table')).toEqual(['customer', 'payment'])
    expect(await listUpstream(app, payments.id, 'column')).toEqual(
      expect.arrayContaining(['amount', 'customer_id', 'first_name', 'last_name', 'payment_date', 'rental_id']),
    )
    const films = (await app.call('GET', '/resource/catalog?search_term=Films&entity_type=chart')).body.results.find(
      ({ databuilder_id }: { databuilder_id: string }) => databuilder_id === 'card/2',
    )
    expect(await listUpstream(app, films.id, 'table')).toEqual(['film'])
    expect(await listUpstream(app, films.id, 'column')).toEqual(expect.arrayContaining(['rating', 'release_year']))
    const other = await findByFullTitle(app, 'Our analytics.Question with data from other question')
    expect(other.external_usage).toBe(120)
    expect(await listUpstream(app, other.id, 'table')).toEqual(['Customer Payment'])
    const dashboard = await findByFullTitle(app, 'Our analytics.Dashboard 1')
    expect(dashboard).toMatchObject({ owners: [owner], url: `${replay.url}/dashboard/10` })
    expect(await listUpstream(app, dashboard.id, 'table')).toEqual([
      'Customer Payment',
      films.title,
      'Question with data from other question',
    ])
    await expectNoChanges(app, id, { dashboard_group: 1, chart: 3, dashboard: 2 })
  })

  test('questions and dashboards that were not edited are not read again', async () => {
    const cassette = createCassette()
    const edited = new Map<number, string>()
    const recordings = cassette.recordings.map((each): Recording => {
      if (each.path !== '/api/collection/root/items') return each
      const { data, ...page } = each.body as { data: { id: number; 'last-edit-info'?: object }[] }
      const list = (object: { id: number }) => ({
        ...object,
        'last-edit-info': { ...EDITOR, timestamp: edited.get(object.id) ?? '2026-01-01T00:00:00Z' },
      })
      return { ...each, body: () => ({ ...page, data: data.map(list) }) }
    })
    await using replay = await startReplay({ ...cassette, recordings })
    const discover = async (versions?: Map<string, string>) => {
      const before = replay.requests.length
      const settings = { url: replay.url, user: 'admin', password: SECRET, personal_collections: false }
      const found = await discoverAll(metabase, settings, versions)
      return { found, read: replay.requests.slice(before).flatMap((each) => /\/(?:card|dashboard)\/\d+/.exec(each)?.[0] ?? []) }
    }
    const first = await discover()
    const versions = listVersions(first.found)
    expect([...versions.keys()].sort()).toEqual(['card/1', 'card/2', 'card/3', 'dashboard/10', 'dashboard/20'])
    const second = await discover(versions)
    expect(second.read).toEqual([])
    expect(second.found.filter((each) => each.type === 'unchanged')).toHaveLength(5)
    edited.set(2, '2026-02-01T00:00:00Z')
    const third = await discover(versions)
    expect(third.read).toEqual(['/card/2'])
    expect(third.found).toContainEqual(expect.objectContaining({ type: 'item', key: 'card/2' }))
    expect(replay.problems).toEqual([])
  })

  test('queries are read in the form since version 57, and queries that are not text are not taken for SQL', async () => {
    const query = (id: number, dataset_query: object) => (recording: Recording) =>
      recording.path === `/api/card/${id}` ? { ...recording, body: { ...(recording.body as object), dataset_query } } : recording
    const staged = (...stages: object[]) => ({ 'lib/type': 'mbql/query', database: 2, stages })
    const native = staged({ 'lib/type': 'mbql.stage/native', native: 'select rating from film' })
    const pipeline = { type: 'native', database: 2, native: { collection: 'film', query: [{ $match: { rating: 'PG' } }] } }
    const edited = staged(
      { 'lib/type': 'mbql.stage/mbql', 'source-table': 21, breakout: [['field', {}, 131]] },
      { 'lib/type': 'mbql.stage/mbql' },
    )
    const cassette = createCassette()
    await using replay = await startReplay({
      ...cassette,
      recordings: cassette.recordings.map(query(1, native)).map(query(2, edited)).map(query(3, pipeline)),
    })
    const found = await discoverAll(metabase, { url: replay.url, user: 'admin', password: SECRET, personal_collections: false })
    expect(found).toContainEqual(
      expect.objectContaining({ key: 'card/1', query: expect.objectContaining({ sql: 'select rating from film' }) }),
    )
    const film = { table: ['dvdrental', 'public', 'film'], columns: ['rating'], dialect: 'postgres' }
    expect(found).toContainEqual(expect.objectContaining({ type: 'lineage', to: 'card/2', from: [film] }))
    const other = found.find((each) => each.type === 'item' && each.key === 'card/3')
    expect(other).toMatchObject({ facts: { database: 'DVD Rental' } })
    expect(other).not.toHaveProperty('query')
    expect(replay.problems).toEqual([])
  })

  test('faults of the API neither lose resources nor end a sync that can go on', async () => {
    await expectFaultsHandled(metabase, createCassette(), (url) => ({ url, user: 'admin', password: SECRET, personal_collections: false }))
    await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
    const id = await createMetabase(app, 'http://127.0.0.1:1')
    const sync = async (faults: readonly Fault[]) => {
      await using replay = await startReplay(createCassette(), faults)
      await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { url: replay.url, password: SECRET } } })
      const { id: job, status, report } = await runSync(app, id)
      const { body } = await app.call('GET', `/background_jobs/${job}`)
      return { status, stale: report?.stale, log: JSON.stringify(body.logs) }
    }
    const again = { 'retry-after': '0' }
    const limited = { path: '/api/card/1', status: 429, headers: again, times: 2 }
    expect(await sync([limited, { path: '/api/dashboard/10', status: 500, headers: again, times: 1 }])).toMatchObject({
      status: 'COMPLETED',
      log: expect.stringContaining('GET /api/card/1 returned status 429. Trying again'),
    })
    // What cannot be read stays as it is; what is gone between list and read is stale.
    const unreadable = { path: '/api/dashboard/20', status: 500, headers: again }
    expect(await sync([unreadable, { path: '/api/card/3', status: 404 }])).toMatchObject({
      status: 'COMPLETED',
      stale: { chart: 1 },
      log: expect.stringContaining('GET /api/dashboard/20 returned status 500. What is known of it stays as it is.'),
    })
  })

  test('a fault that concerns more than one object ends the discovery with its reason', async () => {
    const discover = async (faults: readonly Fault[], change: (recording: Recording) => Recording = (each) => each) => {
      const cassette = createCassette()
      await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), checkAnswer: undefined }, faults)
      return await discoverAll(metabase, { url: replay.url, user: 'admin', password: SECRET, personal_collections: false })
    }
    await expect(discover([{ status: 401, after: 6 }])).rejects.toThrow(
      /^Metabase: GET \/api\/\S+ was rejected \(401\)\. Check the credentials and what they are allowed to read\.$/,
    )
    const missing = { path: '/api/collection/root/items', status: 200, after: 1, body: { data: [], total: 5 } }
    await expect(discover([missing])).rejects.toThrow(
      'Metabase: GET /api/collection/root/items: page 2 is empty, but only 3 of 5 were listed.',
    )
    const rename = (recording: Recording) =>
      recording.path === '/api/card/2' ? { ...recording, body: { ...(recording.body as object), name: undefined, title: 'x' } } : recording
    await expect(discover([], rename)).rejects.toThrow(
      'GET /api/card/2: `name` must be text, but is missing. This version of the API is not supported, or it has changed.',
    )
  })

  test('connection errors say what to do and contain no secrets', async () => {
    await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
    await using replay = await startReplay(createCassette())
    const wrong = await createMetabase(app, replay.url, { password: 'wrong battery' })
    expect(await getConnectionError(app, wrong, 'wrong battery')).toBe(
      'Could not connect to the source: Metabase: POST /api/session returned status 400.',
    )
    const internal = await createMetabase(app, 'http://10.0.0.1')
    expect(await getConnectionError(app, internal, SECRET)).toContain(
      '10.0.0.1 is not on the public internet. An operator can allow it with TABLINUM_SOURCE_ALLOW.',
    )
  })
})
