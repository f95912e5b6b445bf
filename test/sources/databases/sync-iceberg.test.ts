import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { iceberg } from '../../../src/sources/connectors/iceberg/iceberg.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, findByKey, listColumnTypes, listUpstream } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written by hand and validated against the OpenAPI description of the catalog. */
const TABLE = {
  'metadata-location': 's3://lake/shop/orders/metadata/2.json',
  metadata: {
    'format-version': 2,
    'table-uuid': '9c12d441-03fe-4693-9a96-a0705ddf69c1',
    location: 's3://lake/shop/orders',
    'last-updated-ms': 1_775_000_000_000,
    'current-schema-id': 1,
    schemas: [
      { type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'old', required: false, type: 'string' }] },
      {
        type: 'struct',
        'schema-id': 1,
        'identifier-field-ids': [1],
        fields: [
          { id: 1, name: 'id', required: true, type: 'long', doc: 'Its number.' },
          { id: 2, name: 'at', required: false, type: 'timestamptz' },
          {
            id: 3,
            name: 'lines',
            required: false,
            type: {
              type: 'list',
              'element-id': 4,
              'element-required': true,
              element: { type: 'struct', fields: [{ id: 5, name: 'sku', required: true, type: 'string' }] },
            },
          },
          {
            id: 6,
            name: 'labels',
            required: false,
            type: { type: 'map', 'key-id': 7, key: 'string', 'value-id': 8, value: 'int', 'value-required': false },
          },
        ],
      },
    ],
    'default-spec-id': 0,
    'partition-specs': [{ 'spec-id': 0, fields: [{ 'source-id': 2, 'field-id': 1000, name: 'at_day', transform: 'day' }] }],
    properties: { comment: 'All orders.', owner: 'ada@example.com' },
    'current-snapshot-id': 77,
    snapshots: [
      {
        'snapshot-id': 77,
        'timestamp-ms': 1_775_000_000_000,
        'manifest-list': 's3://lake/shop/orders/metadata/snap-77.avro',
        summary: { operation: 'append', 'total-records': '42', 'total-files-size': '4096' },
      },
    ],
  },
}
const VIEW = {
  'metadata-location': 's3://lake/shop/order_ids/metadata/1.json',
  metadata: {
    'view-uuid': 'fa6506c3-7681-40c8-86dc-e36561f83385',
    'format-version': 1,
    location: 's3://lake/shop/order_ids',
    'current-version-id': 1,
    schemas: [{ type: 'struct', 'schema-id': 0, fields: [{ id: 1, name: 'id', required: false, type: 'long' }] }],
    versions: [
      {
        'version-id': 1,
        'timestamp-ms': 1_775_000_000_000,
        'schema-id': 0,
        summary: { 'engine-name': 'Spark' },
        'default-namespace': ['shop'],
        representations: [{ type: 'sql', sql: 'select id from orders', dialect: 'spark' }],
      },
    ],
    'version-log': [{ 'version-id': 1, 'timestamp-ms': 1_775_000_000_000 }],
    properties: {},
  },
}

const createCassette = (): Cassette => ({
  auth: { header: 'authorization', value: 'Bearer issued' },
  checkAnswer: checkAgainst('iceberg'),
  recordings: [
    {
      ...{ method: 'POST', path: '/v1/oauth/tokens', open: true },
      request: { grant_type: 'client_credentials', client_id: 'reader', client_secret: 'correct-horse' },
      body: { access_token: 'issued', token_type: 'bearer', expires_in: 3600 },
    },
    { path: '/v1/config', query: { warehouse: 'lake' }, body: { defaults: {}, overrides: { prefix: 'lake' } } },
    { path: '/v1/lake/namespaces', query: { parent: 'shop', pageToken: '' }, body: { namespaces: [] } },
    { path: '/v1/lake/namespaces', query: { pageToken: '' }, body: { namespaces: [['shop']] } },
    { path: '/v1/lake/namespaces/shop', body: { namespace: ['shop'], properties: { comment: 'The shop.' } } },
    {
      ...{ path: '/v1/lake/namespaces/shop/tables', query: { pageToken: '' } },
      body: { identifiers: [{ namespace: ['shop'], name: 'orders' }], 'next-page-token': 'second' },
    },
    {
      ...{ path: '/v1/lake/namespaces/shop/tables', query: { pageToken: 'second' } },
      body: { identifiers: [{ namespace: ['shop'], name: 'tmp_x' }], 'next-page-token': null },
    },
    { path: '/v1/lake/namespaces/shop/tables/orders', query: { snapshots: 'refs' }, body: TABLE },
    { path: '/v1/lake/namespaces/shop/views', body: { identifiers: [{ namespace: ['shop'], name: 'order_ids' }] } },
    { path: '/v1/lake/namespaces/shop/views/order_ids', body: VIEW },
  ],
})

const settings = (url: string) => ({
  ...{ url, warehouse: 'lake', client_id: 'reader', client_secret: 'correct-horse', scope: 'PRINCIPAL_ROLE:ALL', exclude: 'tmp_*' },
})

test('namespaces, tables and views are synced with keys, partitions and lineage', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using replay = await startReplay(createCassette())
  const id = await createTestIntegration(app, 'iceberg', settings(replay.url))
  expect(await runSync(app, id)).toMatchObject({
    ...{ status: 'COMPLETED', error: null },
    report: { new: { database: 1, schema: 1, table: 2, column: 6 } },
  })
  expect(replay.problems).toEqual([])
  expect(await findByKey(app, id, 'catalog.shop')).toMatchObject({ title: 'shop', description: 'The shop.' })
  expect(await findByKey(app, id, 'catalog.shop.orders')).toMatchObject({
    ...{ native_type: 'iceberg table', description: 'All orders.', row_count: 42, byte_size: 4096 },
    display_metadata: { location: 's3://lake/shop/orders', partitioned_by: ['at_day (day)'] },
  })
  expect(await findByKey(app, id, 'catalog.shop.orders.id')).toMatchObject({ native_type: 'long', is_pk: true, description: 'Its number.' })
  expect(await listUpstream(app, (await findByKey(app, id, 'catalog.shop.order_ids')).id, 'table')).toEqual(['orders'])
  await expectNoChanges(app, id, { database: 1, schema: 1, table: 2, column: 6 })
})

test('faults of the catalog', async () => {
  await expectFaultsHandled(iceberg, createCassette(), settings)
  const discover = async (
    faults: readonly Fault[] = [],
    change: (recording: Recording) => Recording = (each) => each,
    more: Partial<Cassette> = {},
  ) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), ...more }, faults)
    return await discoverAll(iceberg, settings(replay.url))
  }
  const again = { 'retry-after': '0' }
  const path = '/v1/lake/namespaces/shop/tables/orders'
  const all = await discover()
  expect(listColumnTypes(all, 'catalog.shop.orders')).toEqual([
    'id: long',
    'at: timestamptz',
    'lines: list<struct>',
    'lines.sku: string',
    'labels: map<string, int>',
  ])
  const repaired = await discover([
    { path: '/v1/lake/namespaces', status: 429, headers: again, times: 1 },
    { path, status: 500, headers: again, times: 1 },
    { path: '/v1/lake/namespaces/shop', status: 401, times: 1 }, // the token has expired
    { path, status: 419, times: 1 }, // and again
  ])
  expect(repaired).toEqual(all)
  await expect(discover([{ path, status: 419 }])).rejects.toThrow(/was rejected \(419\)/)
  expect(await discover([{ path, status: 403 }])).toContainEqual(expect.objectContaining({ type: 'unlisted', key: 'catalog.shop.orders' }))
  const gone = await discover([{ path, status: 404 }])
  expect(gone.some((each) => each.type === 'unlisted' || (each.type === 'item' && each.key === 'catalog.shop.orders'))).toBe(false)
  const without = await discover([{ path: '/v1/lake/namespaces/shop/views', status: 404 }])
  expect(without.some((each) => each.type === 'item' && each.key === 'catalog.shop.order_ids')).toBe(false)
  const repeated = (each: Recording) =>
    each.query?.pageToken === 'second' ? { ...each, body: { identifiers: [], 'next-page-token': 'second' } } : each
  await expect(discover([], repeated)).rejects.toThrow('GET /v1/namespaces/shop/tables repeats the same page.')
  const renamed = (each: Recording) => (each.path === path ? { ...each, body: { table: {} } } : each)
  await expect(discover([], renamed, { checkAnswer: undefined })).rejects.toThrow('`metadata` must be an object, but is missing.')
})
