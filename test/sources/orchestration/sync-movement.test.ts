import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { airbyte } from '../../../src/sources/connectors/airbyte/airbyte.ts'
import { fivetran } from '../../../src/sources/connectors/fivetran/fivetran.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, discoverNext, findByKey, listUpstream, type NextRun } from '../../support/connectors.ts'
import { createPostgresSource, createTestIntegration, expectNoChanges, findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written by hand and checked against the API descriptions of both; no recordings of a real account are available. */
const KEYS = { api_key: 'key', api_secret: 'correct-horse' }
const again = { 'retry-after': '0' }

const createFivetran = (target = 'warehouse', database = 'shop'): Cassette => {
  const created_at = '2026-04-01T06:00:00Z'
  const answer = (data: object) => ({ code: 'Success', data })
  const table = (name_in_destination: string, more: object = {}) => ({
    ...{ name_in_destination, enabled: true, sync_mode: 'SOFT_DELETE', columns: {}, enabled_patch_settings: { allowed: true } },
    ...{ supports_columns_config: true, supports_history_mode: true, ...more },
  })
  const schemas = (each: object) => answer({ enable_new_by_default: true, schema_change_handling: 'ALLOW_ALL', schemas: each })
  const connection = (id: string, service: string, schema: string, more: object = {}) => ({
    ...{ id, group_id: 'g1', service, service_version: 1, schema, paused: false, pause_after_trial: false, connected_by: 'u1', created_at },
    ...{ sync_frequency: 360, schedule_type: 'auto', succeeded_at: '2026-04-14T06:00:00Z', failed_at: null, config: {}, setup_tests: [] },
    status: {
      ...{ setup_state: 'connected', sync_state: 'scheduled', update_state: 'on_schedule', is_historical_sync: false },
      ...{ tasks: [], warnings: [] },
    },
    ...{ data_delay_sensitivity: 'NORMAL', data_delay_threshold: 0, networking_method: 'Directly', ...more },
  })
  const column = (name: string) => ({
    ...{ name_in_destination: name.toLowerCase(), enabled: name !== 'secret', hashed: false, is_primary_key: name === 'id' },
    enabled_patch_settings: { allowed: true },
  })
  const columns = (...names: string[]) => answer({ columns: Object.fromEntries(names.map((name) => [name, column(name)])) })
  const connections = '/v1/groups/g1/connections'
  const user = {
    ...{ id: 'u1', email: 'ada@example.com', given_name: 'Ada', family_name: 'Lovelace', verified: true, invited: false, active: true },
    ...{ role: 'Account Administrator', picture: null, phone: null, logged_in_at: created_at, created_at },
  }
  const destination = {
    ...{
      id: 'g1',
      group_id: 'g1',
      service: 'postgres_warehouse',
      region: 'GCP_EUROPE_WEST3',
      time_zone_offset: '0',
      setup_status: 'CONNECTED',
    },
    ...{ daylight_saving_time_enabled: false, networking_method: 'Directly', setup_tests: [] },
    config: { host: 'db', port: 5432, user: 'fivetran', password: '******', database: target, connection_type: 'Directly' },
  }
  return {
    auth: { header: 'authorization', value: `Basic ${Buffer.from('key:correct-horse').toString('base64')}` },
    checkAnswer: checkAgainst('fivetran'),
    recordings: [
      { path: '/v1/users', body: answer({ items: [user] }) },
      { path: '/v1/groups', body: answer({ items: [{ id: 'g1', name: 'Warehouse', created_at }] }) },
      { path: '/v1/destinations/g1', body: answer(destination) },
      { path: connections, query: { cursor: 'c2' }, body: answer({ items: [connection('crm', 'salesforce', 'crm')] }) },
      {
        path: connections,
        body: answer({ items: [connection('pg', 'postgres_rds', 'copy', { config: { database } })], next_cursor: 'c2' }),
      },
      {
        path: '/v1/connections/pg/schemas',
        body: schemas({
          public: {
            ...{ name_in_destination: 'copy', enabled: true },
            tables: { orders: table('orders'), hidden: table('hidden', { enabled: false }) },
          },
          other: { name_in_destination: 'other', enabled: false, tables: { a: table('a') } },
        }),
      },
      { path: '/v1/connections/pg/schemas/public/tables/orders/columns', body: columns('id', 'Price', 'secret') },
      {
        path: '/v1/connections/crm/schemas',
        body: schemas({
          salesforce: {
            name_in_destination: 'copy',
            enabled: true,
            tables: { Account: table('account', { supports_columns_config: false }) },
          },
        }),
      },
    ],
  }
}

const LOGIN = { client_id: 'app', client_secret: 'correct-horse' }

const [MAIN, OTHER, SOURCE, DESTINATION, CONNECTION, ANY] = [1, 2, 3, 4, 5, 6].map(
  (number) => `0192c1b0-1111-7000-8000-00000000000${number}`,
)
const LATER = '2026-04-14T06:01:00Z'

interface AirbyteParts {
  readonly target?: string
  readonly database?: string
  readonly connection?: object
  readonly streams?: readonly object[]
  readonly properties?: readonly object[]
  readonly statuses?: readonly string[]
}

const toStream = (more: object = {}) => ({
  ...{ name: 'orders', namespace: 'public', syncMode: 'incremental_append', cursorField: [], primaryKey: [['id']], selectedFields: [] },
  ...{ mappers: [], ...more },
})

const toProperties = (propertyFields: readonly string[][], streamnamespace = 'public') => ({
  ...{ streamName: 'orders', streamnamespace, syncModes: ['incremental_append'], propertyFields, sourceDefinedPrimaryKey: [['id']] },
  ...{ defaultCursorField: [], sourceDefinedCursorField: false },
})

const createAirbyte = (parts: AirbyteParts = {}): Cassette => {
  const { target = 'warehouse', database = 'shop', streams = [toStream()], statuses = ['succeeded', 'failed'] } = parts
  const { properties = [toProperties([['id'], ['price'], ['address', 'city']])] } = parts
  const shared = { workspaceId: MAIN, definitionId: ANY, createdAt: 1_776_146_400 }
  const connection = {
    ...{ connectionId: CONNECTION, name: 'Shop to warehouse', workspaceId: MAIN, sourceId: SOURCE, destinationId: DESTINATION },
    ...{
      schedule: { scheduleType: 'cron', cronExpression: '0 0 6 * * ?' },
      status: 'active',
      namespaceDefinition: 'destination',
      prefix: 'raw_',
    },
    ...{
      configurations: { streams },
      tags: [{ tagId: ANY, workspaceId: MAIN, name: 'Nightly', color: 'FF5733' }],
      createdAt: 1_776_146_400,
    },
    ...{ nonBreakingSchemaUpdatesBehavior: 'ignore', ...parts.connection },
  }
  const job = (jobId: number, status: string) => ({
    ...{ jobId, status, jobType: 'sync', connectionId: CONNECTION, startTime: '2026-04-14T06:00:00Z', lastUpdatedAt: LATER },
    ...{ duration: 'PT1M', rowsSynced: 10, bytesSynced: 99 },
  })
  const list = (path: string, ...data: object[]): Recording[] =>
    data.map((each, offset) => ({
      path,
      query: { offset: String(offset) },
      body: { data: [each], previous: '', next: offset + 1 < data.length ? `https://example.com${path}?offset=${offset + 1}` : '' },
    }))
  const workspace = (workspaceId: string | undefined, name: string) => ({ workspaceId, name, dataResidency: 'auto', notifications: {} })
  return {
    auth: { header: 'authorization', value: 'Bearer token' },
    checkAnswer: checkAgainst('airbyte'),
    recordings: [
      {
        ...{ method: 'POST', path: '/applications/token', open: true, request: LOGIN },
        body: { access_token: 'token', token_type: 'Bearer', expires_in: 180 },
      },
      ...list('/workspaces', workspace(MAIN, 'Main'), workspace(OTHER, 'Other')),
      ...list('/sources', { ...shared, sourceId: SOURCE, name: 'Shop', sourceType: 'postgres', configuration: { database } }),
      ...list('/destinations', {
        ...{ ...shared, destinationId: DESTINATION, name: 'Warehouse', destinationType: 'postgres' },
        configuration: { database: target, schema: 'copy' },
      }),
      ...list('/connections', connection),
      {
        path: '/jobs',
        query: { connectionId: CONNECTION!, limit: '25', orderBy: 'createdAt|DESC' },
        body: { data: statuses.map((status, i) => job(statuses.length - i, status)) },
      },
      { path: '/jobs', query: { orderBy: 'createdAt|ASC' }, body: { data: [] } },
      { path: '/streams', query: { sourceId: SOURCE!, destinationId: DESTINATION! }, body: properties },
    ],
  }
}

const SHOP = 'create table orders (id int, price int, secret text)'

test('connections of Fivetran and Airbyte, with lineage from table to table and column to column', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using shop = await createPostgresSource(SHOP)
  await using warehouse = await createPostgresSource(
    'create schema copy',
    'create table copy.orders (id int, price int)',
    'create table copy.account (id int)',
    'create table copy.raw_orders (id int, price int, address text)',
  )
  const shopId = await createTestIntegration(app, 'postgres', shop.credentials)
  const warehouseId = await createTestIntegration(app, 'postgres', warehouse.credentials, { name: 'Warehouse' })
  await using moved = await startReplay(createFivetran(warehouse.name, shop.name))
  const id = await createTestIntegration(app, 'fivetran', { url: moved.url, ...KEYS }, { name: 'Fivetran' })
  // The databases are connected later: until then, the source is known from Fivetran alone.
  expect(await runSync(app, id)).toMatchObject({
    status: 'COMPLETED',
    error: null,
    report: { new: { job_group: 1, job: 2, table: 2, column: 3 } },
  })
  await runSync(app, shopId)
  await runSync(app, warehouseId)
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: {} } })
  const findCopy = (table: string) => findByFullTitle(app, `${warehouse.name}.copy.${table}`)
  const orders = await findCopy('orders')
  expect(await listUpstream(app, orders.id, 'table')).toEqual(['orders'])
  expect(await listUpstream(app, (await findCopy('orders.price')).id, 'column')).toEqual(['price'])
  expect(await listUpstream(app, (await findCopy('account')).id, 'table')).toEqual(['salesforce.Account'])
  expect(await findByKey(app, id, 'connection.pg')).toMatchObject({ title: 'copy', native_type: 'postgres_rds' })

  await using copied = await startReplay(createAirbyte({ target: warehouse.name, database: shop.name }))
  const other = await createTestIntegration(app, 'airbyte', { url: copied.url, ...LOGIN }, { name: 'Airbyte' })
  expect((await app.call('POST', `/integration/integrations/${other}/test`)).body.detail).toBe('Connected to Airbyte: 2 workspaces.')
  expect(await runSync(app, other)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { job_group: 2, job: 1, run: 2 } } })
  const raw = await findCopy('raw_orders')
  expect(await listUpstream(app, raw.id, 'table')).toEqual(['orders'])
  expect(await listUpstream(app, (await findCopy('raw_orders.id')).id, 'column')).toEqual(['id'])
  expect((await findByKey(app, other, `connection.${CONNECTION}.2`)).display_metadata).toMatchObject({
    state: 'COMPLETED',
    duration_seconds: 60,
    rows: 10,
  })
  await expectNoChanges(app, other, { job: 1, run: 2 })

  // What patterns would match, without a sync.
  const preview = async (integration: string, body: object) =>
    (await app.call('POST', `/integration/integrations/${integration}/patterns`, { body })).body
  expect(await preview(warehouseId, { exclude: 'raw_*' })).toMatchObject({ included: 2, excluded: 1, complete: true })
  const { names } = await preview(id, { include: 'Warehouse.cr*' })
  expect(names).toEqual([
    { name: 'Warehouse.copy', path: ['Warehouse', 'copy'], entity_type: 'job', included: false },
    { name: 'Warehouse.crm', path: ['Warehouse', 'crm'], entity_type: 'job', included: true },
  ])
  expect((await app.call('POST', `/integration/integrations/${id}/patterns`, { body: { unknown: 1 } })).status).toBe(400)
  // With the patterns, only that connection is left.
  await app.call('PATCH', `/integration/integrations/${id}`, { body: { credentials: { include: 'Warehouse.cr*' } } })
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', report: { stale: { job: 1 } } })
  expect([...moved.problems, ...copied.problems]).toEqual([])
})

test('faults of the API of Fivetran', async () => {
  await expectFaultsHandled(fivetran, createFivetran(), (url) => ({ url, ...KEYS }))
  const discover = async (faults: readonly Fault[] = [], change?: (recording: Recording) => Recording) => {
    const cassette = createFivetran()
    const changed = change && { recordings: cassette.recordings.map(change), checkAnswer: undefined }
    await using replay = await startReplay({ ...cassette, ...changed }, faults)
    const found = await discoverAll(fivetran, { url: replay.url, ...KEYS })
    expect(replay.problems).toEqual([])
    return found
  }
  const path = '/v1/groups/g1/connections'
  await expect(discover([{ path, status: 200, body: { data: { items: [], next_cursor: 'c2' } } }])).rejects.toThrow('repeats the same page')
  // Not synced yet.
  const early = await discover([{ path: '/v1/connections/crm/schemas', status: 404, body: { code: 'NotFound_SchemaConfig' } }])
  expect(early).toContainEqual(expect.objectContaining({ type: 'item', key: 'connection.crm' }))
  const unreadable = await discover([{ path: '/v1/connections/pg/schemas', status: 500, headers: again }])
  expect(unreadable).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'connection.pg' }))
  const renamed = (each: Recording) => (each.path === '/v1/groups' ? { ...each, body: { data: { groups: [] } } } : each)
  await expect(discover([], renamed)).rejects.toThrow('GET /v1/groups: `data.items` must be a list, but is missing.')
})

test('streams of the same name, mappers, a blank format of namespaces and jobs that are tried again', async () => {
  const mapper = (type: string, mapperConfiguration: object) => ({ type, mapperConfiguration })
  const mappers = [
    mapper('field-renaming', { originalFieldName: 'price', newFieldName: 'amount' }),
    mapper('hashing', { targetField: 'email', method: 'SHA-256', fieldNameSuffix: '_hashed' }),
    mapper('encryption', { algorithm: 'RSA', targetField: 'card', publicKey: 'ab', fieldNameSuffix: '_encrypted' }),
    mapper('field-filtering', { targetField: 'note' }),
    mapper('row-filtering', { conditions: { type: 'EQUAL', fieldName: 'id', comparisonValue: '1' } }),
  ]
  await using replay = await startReplay(
    createAirbyte({
      streams: [toStream({ mappers }), toStream({ namespace: 'archive' })],
      properties: [toProperties([['id'], ['price'], ['email'], ['card'], ['note']]), toProperties([['year']], 'archive')],
      connection: { namespaceDefinition: 'custom_format', namespaceFormat: '' },
      statuses: ['incomplete'],
    }),
  )
  const found = await discoverAll(airbyte, { url: replay.url, ...LOGIN })
  expect(replay.problems).toEqual([])
  const flows = found.flatMap((each) => (each.type === 'flow' ? [each] : []))
  expect(flows.map(({ to }) => to)).toEqual([
    [{ table: ['warehouse', 'copy', 'raw_orders'], dialect: 'postgres' }],
    [{ table: ['warehouse', 'copy', 'raw_orders'], dialect: 'postgres' }],
  ])
  expect(flows.map(({ columns }) => columns?.map(({ from, to }) => `${from.split('.').slice(-3).join('.')} > ${to}`))).toEqual([
    ['public.orders.id > id', 'public.orders.price > amount', 'public.orders.email > email_hashed', 'public.orders.card > card_encrypted'],
    ['archive.orders.year > year'],
  ])
  const job = found.find((each) => each.type === 'item' && each.entity_type === 'run')
  expect(job).toMatchObject({ facts: { status: 'incomplete', state: 'RUNNING' } })
  expect(job).not.toHaveProperty('facts.ended_at')
})

test('faults of the API of Airbyte', async () => {
  await expectFaultsHandled(airbyte, createAirbyte(), (url) => ({ url, ...LOGIN }))
  const discover = async (faults: readonly Fault[] = [], change?: (recording: Recording) => Recording) => {
    const cassette = createAirbyte()
    const changed = change && { recordings: cassette.recordings.map(change), checkAnswer: undefined }
    await using replay = await startReplay({ ...cassette, ...changed }, faults)
    const found = await discoverAll(airbyte, { url: replay.url, ...LOGIN })
    expect(replay.problems).toEqual([])
    return found
  }
  const all = await discover()
  expect(
    await discover([
      { path: '/connections', status: 429, headers: again, times: 1 },
      { path: '/streams', status: 500, headers: again, times: 1 },
      { path: '/jobs', status: 401, times: 1 }, // the token has expired
    ]),
  ).toEqual(all)
  await expect(discover([{ path: '/workspaces', status: 200, after: 1, body: { data: [], next: '' } }])).rejects.toThrow('page 2 is empty')
  const gone = await discover([{ path: '/jobs', status: 404 }])
  expect(gone.some((each) => each.type === 'unlisted' || (each.type === 'item' && each.key === `connection.${CONNECTION}`))).toBe(false)
  const renamed = (each: Recording) => (each.path === '/jobs' ? { ...each, body: { jobs: [] } } : each)
  await expect(discover([], renamed)).rejects.toThrow('GET /jobs: `data` must be a list, but is missing.')
})

test('a list of Airbyte may have exactly as many objects as fit on its pages', async () => {
  const cassette = createAirbyte()
  const [workspace] = (cassette.recordings.find(({ path }) => path === '/workspaces')!.body as { data: object[] }).data
  const all = Array.from({ length: 200 }, (_, i) => ({ ...workspace, workspaceId: `${ANY!.slice(0, -3)}${i + 100}` }))
  const body = (_: unknown, { offset, limit }: Record<string, string>) => {
    const data = all.slice(Number(offset), Number(offset) + Number(limit))
    return { data, next: data.length === Number(limit) ? `https://api.example.com/workspaces?offset=${Number(offset) + data.length}` : '' }
  }
  await using replay = await startReplay({
    ...cassette,
    recordings: [...cassette.recordings.filter(({ path }) => path !== '/workspaces'), { path: '/workspaces', body }],
  })
  const found = await discoverAll(airbyte, { url: replay.url, ...LOGIN })
  expect(replay.problems).toEqual([])
  expect(found.filter((each) => each.type === 'item' && each.native_type === 'workspace')).toHaveLength(200)
})

test('only connections of Airbyte that had jobs since the last sync are asked for them', async () => {
  const cassette = createAirbyte()
  const find = (path: string) => cassette.recordings.find((each) => each.path === path)!.body as { data: object[] }
  const [connection] = find('/connections').data
  const [example] = find('/jobs').data
  const connections = [CONNECTION, OTHER].map((connectionId) => ({ ...connection, connectionId, name: `To ${connectionId}` }))
  const job = (jobId: number, connectionId: string | undefined, status: string) => ({ ...example, jobId, connectionId, status })
  let listed = connections
  let jobs = [job(1, CONNECTION, 'succeeded'), job(2, OTHER, 'failed')]
  let changed: object[] = []
  await using replay = await startReplay({
    ...cassette,
    recordings: [
      ...cassette.recordings.filter(({ path }) => path !== '/connections' && path !== '/jobs'),
      { path: '/connections', body: () => ({ data: listed, next: '' }) },
      {
        path: '/jobs',
        body: (_: unknown, { connectionId, offset }: Record<string, string>) => ({
          data: connectionId ? jobs.filter((each) => each.connectionId === connectionId) : changed.slice(Number(offset)),
          next: '',
        }),
      },
    ],
  })
  const settings = { url: replay.url, ...LOGIN }
  const next = async (last?: NextRun) => {
    const before = replay.requests.length
    const found = await discoverNext(airbyte, settings, last)
    const asked = replay.requests.slice(before).flatMap((each) => {
      const query = each.startsWith('GET /jobs?') ? new URLSearchParams(each.slice('GET /jobs?'.length)) : undefined
      return query ? (query.get('connectionId') ?? (query.has('updatedAtStart') ? 'changed' : 'all')) : []
    })
    expect(found.catalog).toEqual((await discoverNext(airbyte, settings)).catalog)
    expect(replay.problems).toEqual([])
    return { found, asked }
  }
  const first = await next()
  expect(first.asked).toEqual([CONNECTION, OTHER])
  const second = await next(first.found)
  expect(second.asked).toEqual(['changed'])
  // A job has begun; a connection is gone, another is new.
  jobs = [job(3, CONNECTION, 'incomplete'), ...jobs, job(4, ANY, 'succeeded')]
  changed = [jobs[0]!]
  listed = [connections[0]!, { ...connections[1]!, connectionId: ANY }]
  const third = await next(second.found)
  expect(third.asked).toEqual(['changed', CONNECTION, ANY])
  jobs = jobs.map((each) => ({ ...each, status: 'succeeded' }))
  changed = []
  const fourth = await next(third.found)
  expect(fourth.asked).toEqual(['changed', CONNECTION])
  // More than one page, and more than half a page for each connection: that is asked first.
  changed = Array.from({ length: 99 }, (_, i) => job(i, ANY, 'succeeded'))
  expect((await next(fourth.found)).asked).toEqual(['changed', ANY])
  changed = [...changed, job(99, ANY, 'succeeded'), job(100, ANY, 'succeeded')]
  expect((await next(fourth.found)).asked).toEqual(['changed', 'changed', CONNECTION, ANY])
})
