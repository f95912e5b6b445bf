import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ItemMessage } from '../../../connector/src/protocol.ts'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { powerbi } from '../../../src/sources/connectors/powerbi/powerbi.ts'
import { POWERBI_SETTINGS } from '../../../src/sources/connectors/powerbi/powerbi-settings.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { describeLineage, discoverAll, findByKey, listUpstream } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, getConnectionError, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Scan results of the real API; the other answers are written after its documentation. */
const FOLDER = join(import.meta.dirname, '../../../../shared/connectors/recordings/powerbi/mock_data')
const PATH = '/integration/integrations'
const WORKSPACES = '/v1.0/myorg/admin/workspaces'
const SCAN = '4674efd1-603c-4129-8d82-03cf2be05aff'
const SECRET = 'correct horse'
const EMPLOYEES = 'E1B5F0A2-3C4D-4E5F-8A9B-0C1D2E3F4A5B'
const EMPLOYEES_KEY = `workspace/${EMPLOYEES.toLowerCase()}`
const DEMO = 'workspace/64ed5cad-7c10-4684-8180-826122881108'
const LIBRARY = `${DEMO}.dataset/05169cd2-e713-41e6-9600-1d8066d95445`
const OWN = `${DEMO}.dataset/d-own`

interface Workspace {
  readonly id: string
  readonly datasets: { readonly id: string }[]
}
const readScans = (file: string): Workspace[] =>
  Object.entries(JSON.parse(readFileSync(join(FOLDER, `${file}.json`), 'utf8')) as Record<string, { json: { workspaces: Workspace[] } }>)
    .filter(([url]) => url.includes('/scanResult/'))
    .flatMap(([, { json }]) => json.workspaces)

/** A data set with queries that the recordings do not have: renamed columns, SQL, another query of the data set. A table of it is called like one of the warehouse. */
const createOwnDataset = (database: string) => {
  const columns = (...names: string[]) => names.map((name) => ({ name, dataType: 'String', columnType: 'Data' }))
  const connect = `Source = PostgreSQL.Database("db.example.com", "${database}")`
  return {
    id: 'D-OWN',
    name: 'Orders',
    configuredBy: 'ada@example.com',
    expressions: [{ name: 'Base', expression: `let ${connect}, o = Source{[Schema="public",Item="orders"]}[Data] in o` }],
    tables: [
      {
        name: 'Orders',
        columns: [...columns('Order', 'price'), { name: 'Total', columnType: 'Calculated', expression: '[price] * 2' }],
        measures: [{ name: 'Revenue', expression: "SUM('Orders'[price])" }],
        source: [{ expression: 'let r = Table.RenameColumns(Base, {{"id", "Order"}}), f = Table.SelectRows(r, each [price] > 0) in f' }],
      },
      {
        name: 'Cities',
        columns: columns('city'),
        source: [{ expression: `let ${connect}, q = Value.NativeQuery(Source, "select city from#(lf)orders where city <> 'Rome'") in q` }],
      },
    ],
  }
}

const createCassette = (database = 'shop'): Cassette => {
  const [demo, second] = readScans('default_mock_response')
  const [employees] = readScans('mysql_mock_response')
  const parameter = { name: 'Parameter - Source', expression: '"my-test-project" meta [IsParameterQuery=true, Type="Text"]' }
  const workspaces = [
    { ...demo!, datasets: [{ ...demo!.datasets[0]!, expressions: [parameter] }, ...demo!.datasets.slice(1), createOwnDataset(database)] },
    second!,
    { ...employees!, id: EMPLOYEES },
    ...readScans('workspace_with_app_mock_response'),
    ...readScans('cross_workspace_mock_response'),
  ]
  return {
    checkAnswer: checkAgainst('powerbi'),
    auth: { header: 'authorization', value: 'Bearer token-1' },
    recordings: [
      {
        path: '/tenant-1/oauth2/v2.0/token',
        method: 'POST',
        open: true,
        request: {
          grant_type: 'client_credentials',
          client_id: 'app-1',
          client_secret: SECRET,
          scope: POWERBI_SETTINGS.properties.scope!.default,
        },
        body: { token_type: 'Bearer', expires_in: 3599, access_token: 'token-1' },
      },
      { path: `${WORKSPACES}/modified`, query: { excludePersonalWorkspaces: 'True' }, body: workspaces.map(({ id }) => ({ id })) },
      {
        path: `${WORKSPACES}/getInfo`,
        method: 'POST',
        query: { datasetSchema: 'True', datasetExpressions: 'True', lineage: 'True', getArtifactUsers: 'True' },
        request: { workspaces: workspaces.map(({ id }) => id) },
        status: 202,
        body: { id: SCAN, createdDateTime: '2026-11-17T08:00:00.000Z', status: 'NotStarted' },
      },
      { path: '/v1.0/myorg/admin/activityevents', body: { activityEventEntities: [], continuationUri: null, continuationToken: null } },
      { path: `${WORKSPACES}/scanStatus/${SCAN}`, body: { id: SCAN, status: 'SUCCEEDED' } },
      { path: `${WORKSPACES}/scanResult/${SCAN}`, body: { workspaces } },
    ],
  }
}

const settingsFor = (url: string) => ({ tenant: 'tenant-1', client_id: 'app-1', client_secret: SECRET, url, login_url: url })

describe.skipIf(!existsSync(FOLDER))('Power BI', () => {
  test('workspaces, reports, dashboards and data sets are synced with owners and lineage to columns of the warehouse', async () => {
    await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
    await using source = await createPostgresSource('create table orders (id int, price numeric, city text)')
    await using replay = await startReplay(createCassette(source.name), [{ path: `${WORKSPACES}/getInfo`, status: 401, times: 1 }])
    const { id: owner } = await app.createUser('editor')
    await app.db.updateTable('users').set({ email: 'person-dc0668@example.org' }).where('id', '=', owner).execute()
    await runSync(app, await createTestIntegration(app, 'postgres', source.credentials))
    const id = await createTestIntegration(app, 'powerbi', settingsFor(replay.url), { name: 'Power BI' })
    expect((await app.call('POST', `${PATH}/${id}/test`)).body.detail).toBe('Connected to Power BI: 6 workspaces.')
    const sync = await runSync(app, id)
    const counts = { dashboard_group: 16, report: 4, dashboard: 4, chart: 5, table: 16 }
    expect(sync).toMatchObject({ status: 'COMPLETED', error: null, report: { new: counts } })
    expect(replay.problems).toEqual([])
    expect(replay.requests.filter((each) => each.includes('/token'))).toHaveLength(3)
    const report = await findByKey(app, id, `${EMPLOYEES_KEY}.report/5e420b19-ee14-4bba-ab4b-1e1063847f37`)
    expect(report).toMatchObject({
      ...{ entity_type: 'report', title_full: 'Employees.EmployeeReport', native_type: 'PowerBIReport', owners: [owner] },
      external_updated_at: '2025-04-04T03:01:30.633Z',
    })
    expect(await listUpstream(app, report.id, 'table')).toContain('employees employees')
    const orders = await findByKey(app, id, `${OWN}.Orders`)
    expect(await listUpstream(app, orders.id, 'table')).toEqual(['orders'])
    expect(await listUpstream(app, (await findByKey(app, id, `${OWN}.Orders.Order`)).id, 'column')).toEqual(['id'])
    expect(await listUpstream(app, (await findByKey(app, id, `${OWN}.Orders.Total`)).id, 'column')).toEqual([])
    expect(await listUpstream(app, (await findByKey(app, id, `${OWN}.Cities.city`)).id, 'column')).toEqual(['city'])
    const tile = await findByKey(
      app,
      id,
      `${DEMO}.dashboard/7d668cad-7ffc-4505-9215-655bca5bebae.tile/23212598-23b5-4980-87cc-5fc0ecd84385`,
    )
    expect(await listUpstream(app, tile.id, 'table')).toEqual(['dbo_book_issue', 'ms_sql_native_table'])
    await expectNoChanges(app, id, counts)
    const wrong = await createTestIntegration(app, 'powerbi', { ...settingsFor(replay.url), client_secret: 'wrong battery' })
    expect(await getConnectionError(app, wrong, 'wrong battery')).toContain(
      'Microsoft Entra: POST /tenant-1/oauth2/v2.0/token returned status 400.',
    )
    // Neither address changes without the secret.
    for (const changed of ['url', 'login_url', 'tenant']) {
      const response = await app.call('PATCH', `${PATH}/${id}`, { body: { credentials: { [changed]: 'https://elsewhere.example.com' } } })
      expect([changed, response.status]).toEqual([changed, 400])
    }
  })

  const toSettings = (url: string) => {
    const scope = String(POWERBI_SETTINGS.properties.scope!.default)
    return { ...settingsFor(url), scope, personal_workspaces: false }
  }
  const discover = async (faults: readonly Fault[] = [], change: (recording: Recording) => Recording = (each) => each) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change) }, faults)
    const found = await discoverAll(powerbi, toSettings(replay.url))
    expect(replay.problems).toEqual([])
    return found
  }

  test('M expressions lead to tables of databases and to SQL', async () => {
    const found = await discover()
    const lineage = describeLineage(found)
    const hr = `${DEMO}.dataset/ba0130a1-5b03-40de-9535-b34e778ea6ed`
    const employees = `${EMPLOYEES_KEY}.dataset/5e033fd1-385c-4f0c-8a61-58910cc25194.employees employees`
    expect(lineage).toEqual(
      expect.arrayContaining([
        `${LIBRARY}.SNOWFLAKE_TESTTABLE < PBI_TEST.TEST.TESTTABLE()`,
        `${LIBRARY}.big-query-with-parameter < my-test-project.universal.D_WH_DATE()`,
        `${LIBRARY}.job-history < HR.EMPLOYEES()`,
        `${LIBRARY}.postgres_test_table < mics.public.order_date()`,
        `${hr}.dbo_book_issue < library.dbo.book_issue()`,
        `${employees}.emp_no < employees.employees(emp_no)`,
        `${OWN}.Orders.Order < shop.public.orders(id)`,
        `${DEMO}.report/5b218778-e7a5-4d73-8187-f10824047715 < ${LIBRARY}.job-history()`,
        // Of another workspace, which is scanned later.
        'workspace/a8d655a6-f521-477e-8c22-255018583bf4.dashboard/a1c7204f-4d04-4e5e-b886-b30ea2c64cb3.tile/945c2c2a-4588-45de-8385-f24f5e39a57c < workspace/c5da6ea8-625e-4ab1-90b6-caea0bf9f492.dataset/fe362b98-956e-4394-ba37-6367ee6435e9.core_sales_set()',
      ]),
    )
    const queryOf = (key: string) => found.find((each): each is ItemMessage => each.type === 'item' && each.key === key)?.query
    expect(queryOf(`${LIBRARY}.snowflake native-query`)).toEqual({
      sql: expect.stringContaining('FROM\nOPERATIONS_ANALYTICS.TRANSFORMED_PROD.V_APS_SME_UNITS_V4'),
      ...{ dialect: 'snowflake', database: 'OPERATIONS_ANALYTICS' },
    })
    expect(queryOf(`${hr}.ms_sql_native_table`)).toMatchObject({ dialect: 'tsql', database: 'COMMOPSDB' })
    // Copies of reports in apps are left out.
    expect(found.some((each) => each.type === 'item' && each.title.startsWith('[App]'))).toBe(false)
  })

  test('faults of the API', async () => {
    await expectFaultsHandled(powerbi, createCassette(), toSettings)
    const status = `${WORKSPACES}/scanStatus/${SCAN}`
    const result = `${WORKSPACES}/scanResult/${SCAN}`
    await expect(discover([{ path: result, status: 404 }])).rejects.toThrow('returned status 404.')
    await expect(discover([{ path: `${WORKSPACES}/modified`, status: 429, headers: { 'retry-after': '3600' } }])).rejects.toThrow(
      'returned status 429.',
    )
    await expect(discover([{ path: status, status: 200, body: { status: 'Failed', error: { message: 'quota' } } }])).rejects.toThrow(
      'Power BI: the scan failed: quota.',
    )
    const scanned = (workspaces: unknown) => (each: Recording) => (each.path === result ? { ...each, body: { workspaces } } : each)
    await expect(discover([], scanned([{ id: EMPLOYEES, title: 'x' }]))).rejects.toThrow(
      `GET ${result}: \`workspaces[0].name\` must be text, but is missing.`,
    )
    // The description requires the ID alone, which it writes with a capital in the list of workspaces.
    const modified = `${WORKSPACES}/modified`
    const nameless = { id: EMPLOYEES, name: 'Employees', reports: [{ id: 'R' }], dashboards: [{ id: 'D', tiles: [] }] }
    const unnamed = await discover([], (each) =>
      each.path === modified ? { ...each, body: (each.body as { id: string }[]).map(({ id }) => ({ Id: id })) } : scanned([nameless])(each),
    )
    expect(unnamed.flatMap((each) => (each.type === 'item' ? `${each.entity_type} ${each.title}` : []))).toEqual([
      ...['dashboard_group Employees', 'report (no name)', 'dashboard (no name)'],
    ])
    // Gone between list and scan, or its tables could not be read: nothing below is treated as missing.
    const partial = await discover(
      [],
      scanned([{ id: EMPLOYEES, name: 'Employees', datasets: [{ id: 'D', name: 'x', tables: [], schemaRetrievalError: 'Timeout' }] }]),
    )
    expect(partial.flatMap((each) => (each.type === 'unlisted' ? each.reason : []))).toEqual(
      expect.arrayContaining([
        'Power BI: the tables of x could not be read (Timeout). What is known of them stays as it is.',
        'Power BI: the scan does not contain workspace 64ED5CAD-7C10-4684-8180-826122881108. What is known of it stays as it is.',
      ]),
    )
  })
})
