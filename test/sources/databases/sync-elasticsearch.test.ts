import { expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import { elasticsearch } from '../../../src/sources/connectors/elasticsearch/elasticsearch.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { discoverAll, discoverNext, findByKey, listColumnTypes, type NextRun } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'
import { expectFaultsHandled } from '../connections/connector-faults.ts'

/** Answers written by hand and validated against the specification of the API of Elasticsearch. */
const KEY = 'correct-horse'

const BACKING = '.ds-logs-web-2026.04.01-000002'
const VERSIONS = 'metadata.indices.*.mapping_version'
const toState = (versions: Readonly<Record<string, number>>): object => ({
  metadata: { indices: Object.fromEntries(Object.entries(versions).map(([index, mapping_version]) => [index, { mapping_version }])) },
})

const MAPPINGS: Readonly<Record<string, object>> = {
  products: {
    mappings: {
      _meta: { description: 'What the shop sells.' },
      properties: {
        sku: { type: 'keyword', meta: { description: 'Stock keeping unit.' } },
        name: { type: 'text', analyzer: 'english', fields: { raw: { type: 'keyword', ignore_above: 256 } } },
        maker: { properties: { city: { type: 'keyword' } } },
        reviews: { type: 'nested', properties: { stars: { type: 'byte' } } },
      },
    },
  },
  orders: { mappings: {} },
  [BACKING]: {
    mappings: { _data_stream_timestamp: { enabled: true }, properties: { '@timestamp': { type: 'date' } } },
  },
}

const createCassette = (): Cassette => ({
  auth: { header: 'authorization', value: `ApiKey ${KEY}` },
  checkAnswer: checkAgainst('elasticsearch'),
  recordings: [
    {
      path: '/',
      body: {
        ...{ name: 'node-1', cluster_name: 'shop', cluster_uuid: 'oJbQ0bJKRDSMTQfqZ3BqXg', tagline: 'You Know, for Search' },
        version: {
          ...{ number: '8.14.0', build_flavor: 'default', build_type: 'docker', build_hash: '8d96bbe', build_snapshot: false },
          ...{ build_date: '2024-06-03T10:05:49.073003402Z', lucene_version: '9.10.0' },
          ...{ minimum_wire_compatibility_version: '7.17.0', minimum_index_compatibility_version: '7.0.0' },
        },
      },
    },
    { path: '/_cluster/state/metadata', query: { filter_path: VERSIONS }, body: toState({ products: 3, orders: 1, [BACKING]: 2 }) },
    { path: '/_alias', body: { products: { aliases: { catalog: {} } }, orders: { aliases: {} } } },
    {
      path: '/_cat/indices',
      query: { format: 'json', bytes: 'b' },
      body: [
        { index: 'products', uuid: 'u8FNjxh8Rfy_awN11oDKYQ', status: 'open', 'docs.count': '12', 'store.size': '4096' },
        { index: 'orders', uuid: 'nYFWZEO7TUiOjLQXBaYJpA', status: 'close', 'docs.count': null, 'store.size': null },
        { index: '.internal', status: 'open', 'docs.count': '1', 'store.size': '1' },
      ],
    },
    {
      path: '/_data_stream',
      body: {
        data_streams: [
          {
            name: 'logs-web',
            timestamp_field: { name: '@timestamp' },
            indices: [
              { index_name: '.ds-logs-web-2026.03.01-000001', index_uuid: 'xCEhwsp8Tey0-FLNFYVwSg' },
              { index_name: '.ds-logs-web-2026.04.01-000002', index_uuid: 'PA_JquKGSiKcAKBA8DJ5gw' },
            ],
            ...{ template: 'logs', generation: 2, status: 'GREEN', hidden: false, rollover_on_write: false },
            ...{ next_generation_managed_by: 'Unmanaged', prefer_ilm: true },
          },
        ],
      },
    },
    { path: '/orders,products,.ds-logs-web-2026.04.01-000002/_mapping', query: { ignore_unavailable: 'true' }, body: MAPPINGS },
    { path: '/orders,products/_mapping', body: MAPPINGS },
  ],
})

test('indices and data streams are synced with their fields', async () => {
  await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
  await using replay = await startReplay(createCassette())
  const id = await createTestIntegration(app, 'elasticsearch', { url: replay.url, api_key: KEY })
  expect((await app.call('POST', `/integration/integrations/${id}/test`)).body.detail).toBe(
    'Connected to Elasticsearch 8.14.0, cluster shop: 2 indices.',
  )
  expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { cluster: 1, table: 3, column: 7 } } })
  expect(replay.problems).toEqual([])
  expect(await findByKey(app, id, 'index.products')).toMatchObject({
    title: 'products',
    native_type: 'index',
    description: 'What the shop sells.',
    row_count: 12,
    byte_size: 4096,
    display_metadata: { aliases: ['catalog'] },
  })
  expect(await findByKey(app, id, 'index.products.sku')).toMatchObject({ native_type: 'keyword', description: 'Stock keeping unit.' })
  expect(await findByKey(app, id, 'index.logs-web')).toMatchObject({ native_type: 'data stream', display_metadata: { indices: 2 } })
  await expectNoChanges(app, id, { cluster: 1, table: 3, column: 7 })
})

test('faults of the API', async () => {
  await expectFaultsHandled(elasticsearch, createCassette(), (url) => ({ url, api_key: KEY }))
  const discover = async (
    faults: readonly Fault[] = [],
    change: (recording: Recording) => Recording = (each) => each,
    more: Partial<Cassette> = {},
  ) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), ...more }, faults)
    return await discoverAll(elasticsearch, { url: replay.url, api_key: KEY })
  }
  const again = { 'retry-after': '0' }
  const path = '/orders,products,.ds-logs-web-2026.04.01-000002/_mapping'
  const all = await discover()
  expect(listColumnTypes(all, 'index.products')).toEqual([
    'sku: keyword',
    'name: text',
    'maker: object',
    'maker.city: keyword',
    'reviews: nested',
    'reviews.stars: byte',
  ])
  await expect(discover([{ path, status: 500, headers: again }])).rejects.toThrow(/returned status 500/)
  const without = await discover([{ path: '/_data_stream', status: 405 }])
  expect(without.some((each) => each.type === 'item' && each.key === 'index.logs-web')).toBe(false)
  const { products: _, ...rest } = MAPPINGS
  const gone = await discover([], (each) => (each.path === path ? { ...each, body: rest } : each))
  expect(gone.flatMap((each) => (each.type === 'item' && each.entity_type === 'table' ? each.key : []))).toEqual([
    'index.orders',
    'index.logs-web',
  ])
  const renamed = (each: Recording) => (each.path === path ? { ...each, body: { products: { mapping: {} } } } : each)
  await expect(discover([], renamed, { checkAnswer: undefined })).rejects.toThrow('`products.mappings` must be an object, but is missing.')
})

test('only mappings of indices that changed are read, and what is gone is not unchanged', async () => {
  const cassette = createCassette()
  const [stream] = (cassette.recordings.find(({ path }) => path === '/_data_stream')!.body as { data_streams: object[] }).data_streams
  const row = (index: string, uuid: string, count = '1') => ({ index, uuid, status: 'open', 'docs.count': count, 'store.size': '9' })
  const names = ['a', 'b', BACKING]
  let rows = [row('a', 'A'), row('b', 'B')]
  let versions: Record<string, number> = { a: 1, b: 1, [BACKING]: 1 }
  const mappings: Record<string, object> = Object.fromEntries(
    names.map((name) => [name, { mappings: { properties: { id: { type: 'long' } } } }]),
  )
  const start = (faults: readonly Fault[] = []) =>
    startReplay(
      {
        ...cassette,
        recordings: [
          cassette.recordings.find(({ path }) => path === '/')!,
          { path: '/_cluster/state/metadata', body: () => toState(versions) },
          { path: '/_cat/indices', body: () => rows },
          { path: '/_alias', body: {} },
          { path: '/_data_stream', body: { data_streams: [stream] } },
          ...['a,b,', 'a,', 'b,', '']
            .flatMap((some) => [`${some}${BACKING}`, some.replace(/,$/, '')])
            .map((some) => ({
              path: `/${some}/_mapping`,
              body: () => Object.fromEntries(some.split(',').map((name) => [name, mappings[name]])),
            })),
        ],
      },
      faults,
    )
  await using replay = await start()
  /** The indices whose mappings a run reads. Whatever it reads, the outcome is that of a run that reads everything. */
  const next = async (last?: NextRun, { url, requests } = replay) => {
    const before = requests.length
    const found = await discoverNext(elasticsearch, { url, api_key: KEY }, last)
    const read = requests.slice(before).flatMap((each) => /\/([^/]*)\/_mapping/.exec(each)?.[1] ?? [])
    expect(found.catalog).toEqual((await discoverNext(elasticsearch, { url, api_key: KEY })).catalog)
    return { found, read: read.join(',') }
  }
  const first = await next()
  expect(first.read).toBe(names.join(','))
  const second = await next(first.found)
  expect(second.read).toBe('')
  mappings.a = { mappings: { properties: { id: { type: 'keyword' } } } }
  versions = { ...versions, a: 2 }
  const third = await next(second.found)
  expect(third.read).toBe('a')
  // More documents; deleted and created again, with another mapping of the same version; deleted.
  rows = [row('a', 'A', '2'), row('b', 'B')]
  expect((await next(third.found)).read).toBe('a')
  rows = [row('a', 'A'), row('b', 'other')]
  mappings.b = { mappings: { properties: { name: { type: 'text' } } } }
  const fourth = await next(third.found)
  expect(fourth.read).toBe('b')
  rows = [row('a', 'A')]
  expect(await next(fourth.found)).toMatchObject({
    read: '',
    found: { catalog: expect.not.arrayContaining([expect.stringMatching(/^index\.b/)]) },
  })
  rows = [row('a', 'A'), row('b', 'other')]
  // Serverless has no state of the cluster; a number that is no number is no version.
  for (const fault of [{ status: 410 }, { status: 403 }, { status: 200, body: { metadata: { indices: { a: {} } } } }]) {
    await using other = await start([{ path: '/_cluster/state/metadata', ...fault }])
    expect((await next(fourth.found, other)).read).toBe(names.join(','))
  }
  expect(replay.problems).toEqual([])
})
