import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { tableau } from '../../../src/sources/connectors/tableau/tableau.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { checkAgainstGraphql } from '../../api-descriptions/graphql-description.ts'
import { describeLineage, discoverAll, findByKey, listUpstream } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, getConnectionError, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** What the Metadata API of a real Tableau answered. The REST API was not recorded: its answers are written after its documentation. */
const FOLDER = join(import.meta.dirname, '../../../../shared/connectors/recordings/tableau/setup')
const PATH = '/integration/integrations'
const GRAPHQL = '/api/metadata/graphql'
const SECRET = 'correct horse'
const SITE = '/api/3.10/sites/site-1'
const DVD = '661fabd0-bed6-8610-e066-0694a81a6cea'
const PAYMENT_SQL = '22b0b4c3-6b85-713d-a161-5a87fdd78f40'
const SHEET_2 = 'c57a5574-db47-46df-677f-0b708dab14db'
const PUBLISHED = '00cce29f-b561-bb41-3557-8e19660bb5dd'

type Node = Record<string, unknown> & { id: string }
type Connection = Record<string, { nodes: Node[]; pageInfo: object; totalCount: number }>
const record = (name: string, database = 'dvdrental'): Connection =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8').replaceAll('"dvdrental"', `"${database}"`)).data

/** Two pages, although more were requested. */
const toPages = (name: string, database: string | undefined, change: (node: Node) => Node = (node) => node): Recording[] => {
  const whole = record(`${name}_all`, database)[name]!
  const nodes = whole.nodes.map(change)
  const middle = Math.ceil(nodes.length / 2)
  const page = (after: string | null, part: Node[], hasNextPage: boolean): Recording => ({
    path: GRAPHQL,
    method: 'POST',
    request: { operationName: name, variables: { first: 100, after } },
    body: { data: { [name]: { ...whole, nodes: part, pageInfo: { hasNextPage, endCursor: 'cursor-1' } } } },
  })
  return [page(null, nodes.slice(0, middle), true), page('cursor-1', nodes.slice(middle), false)]
}

interface UpstreamField {
  readonly name: string
  readonly datasource: { readonly id: string } | null
}

/** Recorded with queries that did not ask for the IDs of upstream fields; there is nothing behind those given here. */
const withIds = (node: Node): Node => ({
  upstreamColumns: [],
  ...node,
  upstreamFields: (node.upstreamFields as UpstreamField[] | null)?.map((each) => ({ id: `${each.datasource?.id}/${each.name}`, ...each })),
})

/** The recordings are for each data source; a request is for any fields. */
const createFieldRecording = (): Recording => {
  const files = readdirSync(FOLDER).filter((name) => /FieldUpstream_\w+_all\.json$/.test(name) && !name.includes('_vc_'))
  const fields = new Map(
    files.flatMap((file) => record(file.replace('.json', '')).fieldsConnection!.nodes.map((node) => [node.id, withIds(node)])),
  )
  return {
    path: GRAPHQL,
    method: 'POST',
    request: { operationName: 'fieldsConnection' },
    body: ({ variables }: { variables: { filter: { idWithin: string[] } } }) => {
      const nodes = variables.filter.idWithin.flatMap((id) => fields.get(id) ?? [])
      return { data: { fieldsConnection: { nodes, pageInfo: { hasNextPage: false, endCursor: null }, totalCount: nodes.length } } }
    },
  }
}

const toRest = (list: string, object: string, all: readonly object[], size = 1000): Recording[] =>
  Array.from({ length: Math.ceil(all.length / size) || 1 }, (_, i) => ({
    path: `${SITE}/${list}`,
    query: { pageNumber: String(i + 1) },
    body: {
      pagination: { pageNumber: String(i + 1), pageSize: String(size), totalAvailable: String(all.length) },
      [list]: { [object]: all.slice(i * size, (i + 1) * size) },
    },
  }))

const checkRest = checkAgainst('tableau')
const checkQuery = checkAgainstGraphql('tableau', { endpoint: GRAPHQL, allowsMore: true })

const createCassette = (database?: string): Cassette => {
  const [top, inner] = ['p-top', 'p-default']
  const workbooks = record('workbooksConnection_all').workbooksConnection!.nodes
  const view = (id: string, luid: unknown) => ({
    ...{ id, name: id, contentUrl: `x/sheets/${id}`, createdAt: '2021-12-13T07:00:00Z', updatedAt: '2021-12-13T07:00:00Z' },
    ...{ workbook: { id: luid }, owner: { id: 'u-1' }, project: { id: inner }, tags: {} },
  })
  const views = workbooks.map(({ luid }, i) => view(`view-${i}`, luid))
  const used = { ...view('luid-sheet-2', workbooks[1]!.luid), usage: { totalViewCount: '12' } }
  const datasource = { id: 'ffd72f16-004a-4a7d-8f5b-a8fd18d4317d', name: 'x', project: { id: inner, name: 'default' }, tags: {} }
  return {
    checkAnswer: (answer) => (answer.path === GRAPHQL ? checkQuery(answer) : checkRest(answer)),
    auth: { header: 'x-tableau-auth', value: 'session-1' },
    recordings: [
      {
        path: '/api/3.10/auth/signin',
        method: 'POST',
        open: true,
        request: {
          credentials: { personalAccessTokenName: 'catalog', personalAccessTokenSecret: SECRET, site: { contentUrl: 'acme' } },
        },
        body: { credentials: { site: { id: 'site-1', contentUrl: 'acme' }, user: { id: 'u-1' }, token: 'session-1' } },
      },
      ...toRest('projects', 'project', [
        { id: inner, name: 'default', parentProjectId: top },
        { id: top, name: 'Company', description: '' },
      ]),
      ...toRest('views', 'view', [used, ...views], 4),
      ...toRest('datasources', 'datasource', [datasource]),
      ...toRest(
        'workbooks',
        'workbook',
        workbooks.map(({ luid, name }) => ({ id: luid, name, contentUrl: name, showTabs: 'false', project: { id: inner }, tags: {} })),
      ),
      ...toPages('workbooksConnection', database),
      ...toPages('databaseTablesConnection', database),
      ...toPages('customSQLTablesConnection', database, (node) => ({ ...node, downstreamWorkbooks: [{ id: DVD }] })),
      // Recorded with a query that did not ask for tags.
      ...toPages('publishedDatasourcesConnection', database, (node) => ({ tags: [], ...node })),
      ...toPages('sheetsConnection', database, (node) =>
        node.id === SHEET_2 ? { ...node, luid: 'luid-sheet-2', createdAt: new Date().toISOString() } : { luid: '', tags: [], ...node },
      ),
      ...toPages('dashboardsConnection', database, (node) => ({ luid: '', ...node })),
      createFieldRecording(),
    ],
  }
}

const settingsFor = (url: string) => ({ url, site: 'acme', token_name: 'catalog', token_secret: SECRET })

describe.skipIf(!existsSync(FOLDER))('Tableau', () => {
  test('workbooks, sheets, dashboards and data sources are synced with owners, usage and lineage to columns of the warehouse', async () => {
    await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
    await using source = await createPostgresSource(
      'create table customer (customer_id int, first_name text, last_name text)',
      'create table payment (customer_id int, staff_id int, amount numeric, payment_date timestamp, rental_id int)',
      'create table staff (staff_id int, first_name text, last_name text)',
    )
    // Its session ends half-way once.
    await using replay = await startReplay(createCassette(source.name), [{ path: GRAPHQL, status: 401, after: 3, times: 1 }])
    const { id: owner } = await app.createUser('editor')
    await app.db.updateTable('users').set({ email: 'person-9e3281@example.org' }).where('id', '=', owner).execute()
    const id = await createTestIntegration(app, 'tableau', settingsFor(replay.url), { name: 'Tableau' })
    expect((await app.call('POST', `${PATH}/${id}/test`)).body.detail).toBe('Connected to Tableau, site acme: 5 workbooks and 6 views.')
    const before = await runSync(app, id)
    expect(before).toMatchObject({
      status: 'COMPLETED',
      error: null,
      report: { new: { dashboard_group: 8, chart: 24, dashboard: 4, table: 5 }, lineage: { unreadable: 0 } },
    })
    expect(replay.problems).toEqual([])
    expect(replay.requests.filter((each) => each.endsWith('/signin'))).toHaveLength(3)
    const sheet = await findByKey(app, id, `sheet/${SHEET_2}`)
    expect(sheet).toMatchObject({
      ...{ title: 'Sheet 2', title_full: 'Company.default.Dvdrental Workbook.Sheet 2', entity_type: 'chart', native_type: 'sheet' },
      ...{ owners: [owner], url: `${replay.url}/#/site/acme/views/dvdrental/Sheet2`, external_usage: 12 },
    })
    // As recorded: its last names come from another one.
    expect(await listUpstream(app, sheet.id, 'table')).toEqual(['Custom SQL Query', 'Custom SQL Query'])

    // The warehouse is connected later: custom SQL finds its tables with the next sync.
    await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
    expect((await runSync(app, id)).report.new).toEqual({})
    const custom = await findByKey(app, id, `custom_sql/${PAYMENT_SQL}`)
    expect(custom.title_full).toBe('Company.default.Dvdrental Workbook.Custom SQL Query')
    expect(await listUpstream(app, custom.id, 'table')).toEqual(['customer', 'payment'])
    const amount = await findByKey(app, id, `custom_sql/${PAYMENT_SQL}.amount`)
    expect(await listUpstream(app, amount.id, 'column')).toEqual(['amount'])
    expect(await listUpstream(app, sheet.id, 'column')).toEqual(expect.arrayContaining(['amount', 'payment_date', 'rental_id']))
    const published = await findByKey(app, id, `datasource/${PUBLISHED}`)
    expect(published).toMatchObject({ entity_type: 'table', native_type: 'published data source', owners: [owner] })
    const name = await findByKey(app, id, `datasource/${PUBLISHED}.staff_first_name`)
    expect(await listUpstream(app, name.id, 'column')).toEqual(['staff_first_name'])
    const dashboard = await findByKey(app, id, 'dashboard/20e44c22-1ccd-301a-220c-7b6837d09a52')
    expect(await listUpstream(app, dashboard.id, 'table')).toEqual(['Sheet 1'])
    await expectNoChanges(app, id, { dashboard_group: 8, chart: 24, dashboard: 4, table: 5 })

    const wrong = await createTestIntegration(app, 'tableau', { ...settingsFor(replay.url), token_secret: 'wrong battery' })
    expect(await getConnectionError(app, wrong, 'wrong battery')).toContain('Tableau: POST /api/3.10/auth/signin returned status 400.')
  })

  test('faults of the API', async () => {
    await expectFaultsHandled(tableau, createCassette(), settingsFor)
    const discover = async (faults: readonly Fault[] = [], change: (recording: Recording) => Recording = (each) => each) => {
      const cassette = createCassette()
      await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), checkAnswer: undefined }, faults)
      return await discoverAll(tableau, settingsFor(replay.url))
    }
    const all = await discover()
    expect(all.some((each) => each.type === 'incremental')).toBe(false)
    const lineage = describeLineage(all)
    // A sheet of a published data source, and one that is calculated from its fields.
    const sheet = 'sheet/130496dc-29ca-8a89-e32b-d73c4d8b65ff'
    expect(lineage).toContain(`${sheet} < datasource/${PUBLISHED}(datasource/${PUBLISHED}.amount)`)
    const again = { 'retry-after': '0' }
    const repaired = await discover([
      { path: GRAPHQL, status: 429, headers: again, after: 2, times: 2 },
      { path: `${SITE}/views`, status: 500, headers: again, times: 1 },
    ])
    expect(describeLineage(repaired)).toEqual(lineage)
    await expect(discover([{ path: GRAPHQL, status: 401, after: 4 }])).rejects.toThrow(/POST \/api\/metadata\/graphql was rejected \(401\)/)
    await expect(
      discover([{ path: `${SITE}/views`, status: 200, after: 1, body: { pagination: { totalAvailable: '6' }, views: {} } }]),
    ).rejects.toThrow(`Tableau: GET ${SITE}/views: page 2 is empty, but only 4 of 6 were listed.`)
    const answer = (name: string, more: object, errors: object[] = []) => ({
      data: { [name]: { nodes: [], pageInfo: { hasNextPage: false }, totalCount: 0, ...more } },
      errors,
    })
    const replace = (name: string, body: unknown) => (each: Recording) => (each.request?.operationName === name ? { ...each, body } : each)
    await expect(
      discover([], replace('sheetsConnection', answer('sheetsConnection', { pageInfo: { hasNextPage: true } }))),
    ).rejects.toThrow('Tableau: sheetsConnection: page 1 is empty, but there are more.')
    // Fewer than announced, or a warning that something is left out: nothing is treated as missing.
    for (const partial of [
      answer('dashboardsConnection', { totalCount: 4 }),
      answer('dashboardsConnection', {}, [
        { message: 'Still building the index.', extensions: { severity: 'WARNING', code: 'BACKFILL_RUNNING' } },
      ]),
    ])
      expect(await discover([], replace('dashboardsConnection', partial))).toContainEqual({ type: 'incremental' })
    const failed = { data: null, errors: [{ message: 'The Metadata API is off.' }] }
    await expect(discover([], replace('workbooksConnection', failed))).rejects.toThrow('Tableau: The Metadata API is off.')
    const sheets = (node: object) => answer('sheetsConnection', { nodes: [{ id: 's', workbook: null, datasourceFields: [], ...node }] })
    await expect(discover([], replace('sheetsConnection', sheets({ title: 'x' })))).rejects.toThrow(
      'POST /api/metadata/graphql (sheetsConnection): `data.sheetsConnection.nodes[0].name` must be text, but is missing.',
    )
    expect(await discover([], replace('sheetsConnection', sheets({ name: null })))).toContainEqual({
      ...{ type: 'unlisted', key: 'sheet/s' },
      reason: 'Tableau: the user may not see sheet/s. What is known of it stays as it is.',
    })
    // Too many nodes at once: read again in smaller pages.
    const cut = answer('dashboardsConnection', {}, [
      { message: 'Node limit', extensions: { severity: 'WARNING', code: 'NODE_LIMIT_EXCEEDED' } },
    ])
    const whole = answer('dashboardsConnection', { nodes: [{ id: 'd', name: 'Small' }], totalCount: 1 })
    const inParts = replace('dashboardsConnection', ({ variables }: { variables: { first: number } }) =>
      variables.first > 30 ? cut : whole,
    )
    const parts = await discover([], (each) => {
      const { variables: _, ...request } = each.request ?? {}
      return each.request?.operationName === 'dashboardsConnection' ? inParts({ ...each, request }) : each
    })
    expect(parts).toContainEqual(expect.objectContaining({ key: 'dashboard/d', title: 'Small' }))
  })

  test('parts that the user may not see, which are listed as null, are left out', async () => {
    const { recordings, ...cassette } = createCassette()
    const hide = (node: Node, ...names: string[]): Node => ({
      ...node,
      ...Object.fromEntries(names.map((name) => [name, [null, ...((node[name] as unknown[] | null | undefined) ?? [])]])),
    })
    const hidden = recordings.map((each): Recording => {
      const { operationName: name } = each.request ?? {}
      const change = (body: { data: Connection }) => {
        const connection = body.data[String(name)]!
        const nodes = connection.nodes.map((node) => {
          if (name === 'fieldsConnection') return hide(node, 'upstreamFields', 'upstreamColumns')
          if (name === 'sheetsConnection') return hide(node, 'datasourceFields')
          if (name === 'dashboardsConnection') return hide(node, 'sheets')
          return name === 'customSQLTablesConnection' ? hide(node, 'downstreamWorkbooks', 'downstreamDatasources') : node
        })
        return { data: { [String(name)]: { ...connection, nodes } } }
      }
      if (each.path !== GRAPHQL) return each
      const { body } = each
      return {
        ...each,
        body: typeof body === 'function' ? (request: unknown) => change(body(request)) : change(body as { data: Connection }),
      }
    })
    const discover = async (changed: readonly Recording[]) => {
      await using replay = await startReplay({ ...cassette, recordings: changed })
      const found = describeLineage(await discoverAll(tableau, settingsFor(replay.url)))
      expect(replay.problems).toEqual([])
      return found
    }
    expect(await discover(hidden)).toEqual(await discover(recordings))
  })
})
