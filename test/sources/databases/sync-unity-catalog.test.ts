import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { unityCatalog } from '../../../src/sources/connectors/unity-catalog/unity-catalog.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, findByKey, listColumnTypes, listUpstream, listVersions } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written by hand and validated against the descriptions of Databricks and the open-source server. */
const ROOT = '/api/2.1/unity-catalog'
const inShop = { catalog_name: 'shop', schema_name: 'sales' }
const column = (name: string, type_text: string, position: number, more: object = {}) => ({
  ...{
    name,
    type_text,
    type_name: type_text
      .replace('bigint', 'long')
      .replace(/[<(].*/, '')
      .toUpperCase(),
    position,
    nullable: true,
  },
  ...more,
})

const ORDERS = {
  ...inShop,
  name: 'orders',
  full_name: 'shop.sales.orders',
  table_type: 'MANAGED',
  data_source_format: 'DELTA',
  storage_location: 's3://lake/orders',
  comment: 'All orders.',
  owner: 'ada@example.com',
  updated_at: 1_775_000_000_000,
  properties: {
    domain: 'sales',
    'delta.lastCommitTimestamp': '1775000000000',
    'spark.sql.statistics.numRows': '42',
    'spark.sql.statistics.totalSize': '4096',
    api_token: 'swordfish',
  },
  columns: [
    column('day', 'date', 2, { partition_index: 0 }),
    column('id', 'bigint', 0, { nullable: false, comment: 'Its number.' }),
    column('lines', 'array<struct<sku:string,size:decimal(10,2)>>', 1),
  ],
}
const KEYS = [
  { primary_key_constraint: { name: 'orders_pk', child_columns: ['id'] } },
  {
    foreign_key_constraint: {
      ...{ name: 'orders_day', child_columns: ['day'], parent_table: 'shop.sales.days', parent_columns: ['day'] },
    },
  },
]
const IDS = {
  ...inShop,
  name: 'order_ids',
  table_type: 'VIEW',
  view_definition: 'select id from shop.sales.orders',
  owner: 'analysts',
  columns: [column('id', 'bigint', 0)],
}
const REVENUE = {
  ...inShop,
  name: 'revenue',
  table_type: 'METRIC_VIEW',
  view_definition: 'version: 0.1\nsource: shop.sales.orders\nmeasures: [{name: orders, expr: count(*)}]',
  columns: [column('orders', 'bigint', 0)],
}
const TMP = { ...inShop, name: 'tmp_x', table_type: 'EXTERNAL', columns: [] }

const createCassette = (): Cassette => ({
  auth: { header: 'authorization', value: 'Bearer correct-horse' },
  checkAnswer: checkAgainst('unity-catalog'),
  recordings: [
    {
      ...{ path: `${ROOT}/catalogs`, query: { page_token: 'c2' } },
      body: { catalogs: [{ name: 'shop', comment: 'The shop.', owner: 'ada@example.com', catalog_type: 'MANAGED_CATALOG' }] },
    },
    // A page without catalogs, which is not the last one.
    { path: `${ROOT}/catalogs`, query: { max_results: '50', include_browse: 'true' }, body: { next_page_token: 'c2' } },
    { path: `${ROOT}/catalogs/shop`, body: { name: 'shop', comment: 'The shop.', owner: 'ada@example.com' } },
    {
      ...{ path: `${ROOT}/schemas`, query: { catalog_name: 'shop' } },
      body: {
        schemas: [
          { name: 'sales', catalog_name: 'shop', comment: 'Sales.', properties: { tier: 'gold' } },
          { name: 'empty', catalog_name: 'shop' },
          { name: 'information_schema', catalog_name: 'shop' },
        ],
      },
    },
    { path: `${ROOT}/tables`, query: { catalog_name: 'shop', schema_name: 'empty' }, body: {} },
    { path: `${ROOT}/tables`, query: { ...inShop, page_token: 't2' }, body: { tables: [IDS, REVENUE, TMP], next_page_token: '' } },
    { path: `${ROOT}/tables`, query: { ...inShop, max_results: '50' }, body: { tables: [ORDERS], next_page_token: 't2' } },
    { path: `${ROOT}/tables/shop.sales.orders`, body: { ...ORDERS, table_constraints: KEYS } },
    { path: `${ROOT}/tables/shop.sales.order_ids`, body: IDS },
    { path: `${ROOT}/tables/shop.sales.revenue`, body: REVENUE },
  ],
})

const settings = (url: string) => ({ url, token: 'correct-horse', keys: true, exclude: 'tmp_*' })

test('catalogs, schemas, tables and views are synced with keys, owners and lineage', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using replay = await startReplay(createCassette())
  const { id: ada } = await app.createUser('editor')
  await app.db.updateTable('users').set({ email: 'ada@example.com' }).where('id', '=', ada).execute()
  const id = await createTestIntegration(app, 'unity_catalog', settings(replay.url))
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe('Connected to Unity Catalog: 1 catalog.')
  // The empty schema is left out because of the pattern.
  expect(await runSync(app, id)).toMatchObject({
    ...{ status: 'COMPLETED', error: null },
    report: { new: { database: 1, schema: 1, table: 3, column: 7 } },
  })
  expect(replay.problems).toEqual([])
  expect(await findByKey(app, id, 'shop')).toMatchObject({ native_type: 'catalog', description: 'The shop.', owners: [ada] })
  expect(await findByKey(app, id, 'shop.sales')).toMatchObject({
    ...{ description: 'Sales.', display_metadata: { properties: { tier: 'gold' } } },
  })
  const orders = await findByKey(app, id, 'shop.sales.orders')
  expect(orders).toMatchObject({
    ...{ native_type: 'table', description: 'All orders.', row_count: 42, byte_size: 4096, owners: [ada] },
    display_metadata: {
      ...{ location: 's3://lake/orders', format: 'delta', partitioned_by: ['day'], properties: { domain: 'sales' } },
      foreign_keys: [{ name: 'orders_day', columns: ['day'], table: 'sales.days', to: ['day'] }],
    },
  })
  expect(JSON.stringify(orders)).not.toContain('swordfish')
  expect(await findByKey(app, id, 'shop.sales.orders.id')).toMatchObject({
    ...{ native_type: 'bigint', is_pk: true, description: 'Its number.', display_metadata: { nullable: false } },
  })
  expect(await findByKey(app, id, 'shop.sales.orders.day')).toMatchObject({ is_pk: false, display_metadata: { partition_key: true } })
  const view = await findByKey(app, id, 'shop.sales.order_ids')
  expect(view).toMatchObject({
    native_type: 'view',
    display_metadata: { owner: 'analysts', definition: 'select id from shop.sales.orders' },
  })
  expect(await listUpstream(app, view.id, 'table')).toEqual(['orders'])
  // YAML, which is shown, and not parsed as SQL.
  expect(await findByKey(app, id, 'shop.sales.revenue')).toMatchObject({
    ...{ native_type: 'metric view', display_metadata: { definition: expect.stringContaining('source: shop.sales.orders') } },
  })
  expect(await listUpstream(app, (await findByKey(app, id, 'shop.sales.order_ids.id')).id, 'column')).toEqual(['id'])
  await expectNoChanges(app, id, { database: 1, schema: 1, table: 3, column: 7 })
})

test('the keys of a table that was not changed are not read again', async () => {
  const { recordings, ...cassette } = createCassette()
  const discover = async (orders: object, versions?: Map<string, string>) => {
    const list = (each: Recording) =>
      each.query?.max_results === '50' && each.query.schema_name ? { ...each, body: { ...(each.body as object), tables: [orders] } } : each
    await using replay = await startReplay({ ...cassette, recordings: recordings.map(list) })
    const found = await discoverAll(unityCatalog, settings(replay.url), versions)
    return { found, read: replay.requests.flatMap((each) => /tables\/([^?]*)/.exec(each)?.[1] ?? []) }
  }
  const first = await discover(ORDERS)
  const versions = listVersions(first.found)
  expect(first.read).toEqual(['shop.sales.orders', 'shop.sales.order_ids', 'shop.sales.revenue'])
  // The views have no time of change.
  expect([...versions.keys()]).toEqual(['shop.sales.orders'])
  const second = await discover(ORDERS, versions)
  expect(second.read).toEqual(['shop.sales.order_ids', 'shop.sales.revenue'])
  expect(second.found).toContainEqual({ type: 'unchanged', key: 'shop.sales.orders', parent: 'shop.sales' })
  expect((await discover({ ...ORDERS, updated_at: ORDERS.updated_at + 1 }, versions)).read).toContain('shop.sales.orders')
})

test('faults of the server', async () => {
  await expectFaultsHandled(unityCatalog, createCassette(), settings)
  const discover = async (
    faults: readonly Fault[] = [],
    change: (recording: Recording) => Recording = (each) => each,
    more: object = {},
    replaced: Partial<Cassette> = {},
  ) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), ...replaced }, faults)
    return await discoverAll(unityCatalog, { ...settings(replay.url), ...more })
  }
  const again = { 'retry-after': '0' }
  const [tables, orders] = [`${ROOT}/tables`, `${ROOT}/tables/shop.sales.orders`]
  const keysOf = (found: Awaited<ReturnType<typeof discover>>) => found.flatMap((each) => (each.type === 'item' ? each.key : []))
  const all = await discover()
  expect(listColumnTypes(all, 'shop.sales.orders')).toEqual([
    'id: bigint',
    'lines: array<struct<sku:string,size:decimal(10,2)>>',
    'lines.sku: string',
    'lines.size: decimal(10,2)',
    'day: date',
  ])
  expect(keysOf(await discover([], undefined, { catalog: 'shop' }))).toEqual(keysOf(all))
  // Without the requests for keys, everything but the keys is the same.
  const noKeys = await discover([{ path: orders, status: 500, headers: again }], undefined, { keys: false })
  expect(keysOf(noKeys)).toEqual(keysOf(all))
  expect(noKeys).toContainEqual(expect.objectContaining({ key: 'shop.sales.orders.id', primary_key: false }))

  await expect(discover([], undefined, { token: 'wrong' })).rejects.toThrow(/was rejected \(401\)/)
  // One table that cannot be read does not concern the others.
  const denied = await discover([{ path: orders, status: 403 }])
  expect(denied).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'shop.sales.orders' }))
  expect(keysOf(denied)).toContain('shop.sales.order_ids')
  const gone = await discover([{ path: orders, status: 404 }])
  expect(gone.some((each) => each.type === 'unlisted' || (each.type === 'item' && each.key === 'shop.sales.orders'))).toBe(false)
  // The list of tables breaks off after its first page.
  const broken = await discover([{ path: tables, status: 500, headers: again, after: 1, times: 5 }])
  expect(broken).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'shop.sales' }))
  expect(await discover([{ path: `${ROOT}/schemas`, status: 403 }])).toContainEqual(
    expect.objectContaining({ type: 'unlisted', key: 'shop' }),
  )
  expect(keysOf(await discover([{ path: `${ROOT}/schemas`, status: 404 }]))).toEqual(['shop'])

  const repeated = (each: Recording) => (each.query?.page_token === 't2' ? { ...each, body: { tables: [], next_page_token: 't2' } } : each)
  await expect(discover([], repeated)).rejects.toThrow('GET /tables repeats the same page.')
  // A server may write what it leaves out as null.
  const withNull = (each: Recording) =>
    each.path === `${ROOT}/schemas` ? { ...each, body: { ...(each.body as object), next_page_token: null } } : each
  expect(await discover([], withNull, {}, { checkAnswer: undefined })).toEqual(all)
  const renamedList = (each: Recording) => (each.path === `${ROOT}/schemas` ? { ...each, body: { namespaces: [] } } : each)
  await expect(discover([], renamedList, {}, { checkAnswer: undefined })).rejects.toThrow(
    'GET /schemas: `schemas` must be a list, but is missing.',
  )
  const renamedType = (each: Recording) =>
    each.query?.page_token === 't2' ? { ...each, body: { tables: [{ ...IDS, columns: [{ name: 'id', position: 0 }] }] } } : each
  await expect(discover([], renamedType)).rejects.toThrow('GET /tables: `tables[0].columns[0].type_text` must be text, but is missing.')
  const withoutColumns = (each: Recording) =>
    each.query?.page_token === 't2' ? { ...each, body: { tables: [{ ...IDS, columns: undefined }] } } : each
  expect(await discover([], withoutColumns)).toContainEqual(
    expect.objectContaining({ type: 'unlisted', reason: 'The columns of shop.sales.order_ids are not listed and stay as they are.' }),
  )
})
