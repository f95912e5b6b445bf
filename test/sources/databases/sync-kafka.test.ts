import { describe, expect, test } from 'vitest'
import { type Cassette, type Fault, type Recording, startReplay } from '../../../connector/src/replay.ts'
import type { ClusterAdmin } from '../../../src/sources/connectors/kafka/cluster.ts'
import { createKafkaConnector, kafka } from '../../../src/sources/connectors/kafka/kafka.ts'
import { SchemaRegistry } from '../../../src/sources/connectors/kafka/registry.ts'
import { checkAgainst } from '../../api-descriptions/api-description.ts'
import { getKafkaBroker, produce, skipWithoutKafka } from '../../servers/kafka.ts'
import { discoverAll, findByKey, listColumnTypes } from '../../support/connectors.ts'
import { createTestIntegration, expectNoChanges, runSync } from '../../support/sources.ts'
import { createTestApp } from '../../support/test-app.ts'

/** The answers of a schema registry, written by hand and validated against the description of its REST API. */
const ORDER = {
  type: 'record',
  name: 'Order',
  namespace: 'shop',
  doc: 'One order.',
  fields: [
    { name: 'id', type: 'long', doc: 'Its number.' },
    { name: 'price', type: ['null', { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 }], default: null },
    { name: 'state', type: { type: 'enum', name: 'State', symbols: ['OPEN', 'PAID'] } },
    { name: 'customer', type: 'shop.Customer' },
    { name: 'lines', type: { type: 'array', items: { type: 'record', name: 'Line', fields: [{ name: 'sku', type: 'string' }] } } },
    { name: 'replaces', type: ['null', 'Order'] },
  ],
}
const CUSTOMER = { type: 'record', name: 'Customer', namespace: 'shop', fields: [{ name: 'email', type: 'string' }] }
const CLICK = `syntax = "proto3";
package web;
import "google/protobuf/timestamp.proto";
import "page.proto";
// A click on a page.
message Click {
  // When it happened.
  google.protobuf.Timestamp at = 1;
  Page page = 2;
  repeated string tags = 3;
  map<string, int32> counts = 4;
  oneof who { string user = 5; string visitor = 6; }
  Kind kind = 7;
  enum Kind { LEFT = 0; RIGHT = 1; }
}
message Unrelated { string x = 1; }`
const PAGE = 'syntax = "proto3"; package web; message Page { string url = 1; Page referrer = 2; }'
const SIGNUP = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: 'Sign-up',
  type: 'object',
  required: ['email'],
  properties: {
    email: { type: 'string', format: 'email', description: 'Of the person.' },
    age: { type: ['integer', 'null'] },
    address: { $ref: '#/definitions/address' },
    plan: { oneOf: [{ type: 'null' }, { type: 'string', enum: ['free', 'paid'] }] },
  },
  definitions: { address: { type: 'object', properties: { city: { type: 'string' } } } },
}

const AUTH = `Basic ${Buffer.from('reader:correct-horse').toString('base64')}`

const createCassette = (): Cassette => {
  const version = (subject: string, schema: unknown, more: object = {}, number = 'latest'): Recording => ({
    path: `/subjects/${encodeURIComponent(subject)}/versions/${number}`,
    requestHeaders: { 'confluent-accept-unknown-properties': 'true' },
    body: { subject, version: 3, id: 17, schema: typeof schema === 'string' ? schema : JSON.stringify(schema), ...more },
  })
  return {
    auth: { header: 'authorization', value: AUTH },
    checkAnswer: checkAgainst('schema-registry'),
    recordings: [
      { path: '/subjects', body: ['orders-key', 'orders-value', 'clicks-value', 'sign-ups-value', 'shop.Customer', 'page.proto'] },
      version('orders-key', '"string"'),
      version('orders-value', ORDER, { references: [{ name: 'shop.Customer', subject: 'shop.Customer', version: 1 }] }),
      version('shop.Customer', CUSTOMER, {}, '1'),
      version('clicks-value', CLICK, {
        schemaType: 'PROTOBUF',
        references: [{ name: 'page.proto', subject: 'page.proto', version: 1 }],
      }),
      version('page.proto', PAGE, { schemaType: 'PROTOBUF' }, '1'),
      version('sign-ups-value', SIGNUP, { schemaType: 'JSON' }),
    ],
  }
}

const CONTEXT = { allowedHosts: ['127.0.0.1'], state: undefined, versions: new Map(), log: async () => {}, progress: async () => {} }

describe.skipIf(skipWithoutKafka)('a broker', () => {
  const seed = async () => {
    for (const topic of ['orders', 'clicks', 'sign-ups', 'plain']) await produce(topic, 'a', 'b')
  }

  test('topics are synced with the columns of their schemas', async () => {
    await seed()
    await using app = await createTestApp({ sourceAllow: ['127.0.0.1'] })
    await using registry = await startReplay(createCassette())
    const settings = {
      mechanism: 'PLAIN',
      brokers: await getKafkaBroker(),
      ssl: false,
      registry_url: registry.url,
      registry_user: 'reader',
      registry_password: 'correct-horse',
      exclude: 'seed',
    }
    expect(await kafka.test({ ...CONTEXT, settings })).toBe('Connected to Kafka: 5 topics, 6 subjects in the schema registry.')
    const id = await createTestIntegration(app, 'kafka', settings)
    expect(await runSync(app, id)).toMatchObject({ status: 'COMPLETED', error: null, report: { new: { cluster: 1, table: 4 } } })
    expect(registry.problems).toEqual([])
    expect(await findByKey(app, id, 'topic.orders')).toMatchObject({
      title: 'orders',
      native_type: 'topic',
      description: 'One order.',
      display_metadata: { partitions: 4, value_schemas: [{ subject: 'orders-value', version: 3, id: 17, type: 'AVRO' }] },
    })
    expect(await findByKey(app, id, 'topic.orders.id')).toMatchObject({ native_type: 'long', description: 'Its number.' })
    expect(await findByKey(app, id, 'topic.orders.key')).toMatchObject({ native_type: 'string', is_pk: true })
    await expectNoChanges(app, id, { cluster: 1, table: 4 })
  })

  test('Avro, Protobuf and JSON Schema become columns', async () => {
    await seed()
    await using registry = await startReplay(createCassette())
    const found = await discoverAll(kafka, {
      ...{ brokers: await getKafkaBroker(), ssl: false, mechanism: 'PLAIN' },
      ...{ registry_url: registry.url, registry_user: 'reader', registry_password: 'correct-horse', include: '*s' },
    })
    expect(listColumnTypes(found, 'topic.orders')).toEqual([
      'key: string',
      'id: long',
      'price: decimal(10,2)',
      'state: enum State',
      'customer: record shop.Customer',
      'customer.email: string',
      'lines: array<record shop.Line>',
      'lines.sku: string',
      'replaces: record shop.Order',
    ])
    expect(found).toContainEqual(
      expect.objectContaining({ key: 'topic.orders.price', facts: { nullable: true, default: null }, primary_key: false, position: 3 }),
    )
    expect(listColumnTypes(found, 'topic.clicks')).toEqual([
      'at: google.protobuf.Timestamp',
      'page: web.Page',
      'page.url: string',
      'page.referrer: web.Page',
      'tags: repeated string',
      'counts: map<string, int32>',
      'user: string',
      'visitor: string',
      'kind: enum Kind',
    ])
    expect(found).toContainEqual(expect.objectContaining({ key: 'topic.clicks', description: 'A click on a page.' }))
    expect(found).toContainEqual(expect.objectContaining({ key: 'topic.clicks.at', description: 'When it happened.' }))
    expect(listColumnTypes(found, 'topic.sign-ups')).toEqual([
      'email: string (email)',
      'age: integer',
      'address: object',
      'address.city: string',
      'plan: string',
    ])
    expect(found).toContainEqual(expect.objectContaining({ key: 'topic.sign-ups.plan', facts: { nullable: true } }))
    expect(found.some((each) => each.type === 'item' && each.key === 'topic.plain')).toBe(false)
  })
})

/** What the broker of the tests does not offer: its answers, in the shape of the client. */
const fakeAdmin = (more: object = {}): ClusterAdmin =>
  ({
    listTopics: async () => ['orders', 'payments'],
    metadata: async ({ topics }: { topics: string[] }) => ({
      id: 'c1',
      topics: new Map(topics.map((name) => [name, { partitionsCount: 2, partitions: [{ replicas: [1, 2, 3] }, { replicas: [1, 2, 3] }] }])),
    }),
    listOffsets: async ({ topics }: { topics: { name: string; partitions: { timestamp: bigint }[] }[] }) =>
      topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ timestamp }) => ({ offset: timestamp === -1n ? 10n : 4n })),
      })),
    describeConfigs: async () => [{ resourceName: 'orders', configs: [{ name: 'cleanup.policy', value: 'compact' }] }],
    listGroups: async () => new Map([['billing', {}]]),
    listConsumerGroupOffsets: async () => [{ groupId: 'billing', topics: [{ name: 'orders', partitions: [] }] }],
    close: async () => {},
    ...more,
  }) as unknown as ClusterAdmin

const SETTINGS = { brokers: 'x:9092', ssl: false, mechanism: 'PLAIN' }

test('configurations and consumer groups of a cluster', async () => {
  const found = await discoverAll(
    createKafkaConnector(() => fakeAdmin()),
    SETTINGS,
  )
  expect(found).toContainEqual(
    expect.objectContaining({
      key: 'topic.orders',
      row_count: 12,
      facts: { partitions: 2, replicas: 3, 'cleanup.policy': 'compact', consumer_groups: ['billing'] },
    }),
  )
})

test('what the user may not read is left out, and says so', async () => {
  const lines: string[] = []
  const refuse = async () => {
    throw Object.assign(new Error('Describing failed.'), { code: 'PLT_KFK_MULTIPLE', errors: [new Error('TOPIC_AUTHORIZATION_FAILED')] })
  }
  const connector = createKafkaConnector(() => fakeAdmin({ describeConfigs: refuse, listGroups: refuse }))
  const context = {
    settings: SETTINGS,
    allowedHosts: [],
    state: undefined,
    versions: new Map(),
    log: async (line: string) => void lines.push(line),
    progress: async () => {},
  }
  const found = await Array.fromAsync(connector.discover(context))
  expect(found).toContainEqual(expect.objectContaining({ key: 'topic.orders', facts: { partitions: 2, replicas: 3 } }))
  expect(lines).toEqual([
    'Could not read the consumer groups: TOPIC_AUTHORIZATION_FAILED',
    'Could not read the configuration of topics: TOPIC_AUTHORIZATION_FAILED',
  ])
  const broken = createKafkaConnector(() => fakeAdmin({ listTopics: refuse }))
  await expect(discoverAll(broken, SETTINGS)).rejects.toThrow('Kafka: TOPIC_AUTHORIZATION_FAILED')
  await expect(kafka.test({ ...context, settings: { ...SETTINGS, brokers: 'http://x' } })).rejects.toThrow(
    'Brokers must be written as host:port',
  )
})

test('faults of the schema registry', async () => {
  const discover = async (
    faults: readonly Fault[] = [],
    change: (recording: Recording) => Recording = (each) => each,
    more: Partial<Cassette> = {},
  ) => {
    const cassette = createCassette()
    await using replay = await startReplay({ ...cassette, recordings: cassette.recordings.map(change), ...more }, faults)
    const settings = { ...SETTINGS, registry_url: replay.url, registry_user: 'reader', registry_password: 'correct-horse' }
    const found = await discoverAll(
      createKafkaConnector(() => fakeAdmin()),
      settings,
    )
    if (faults.length === 0) expect(replay.problems).toEqual([])
    return found
  }
  const again = { 'retry-after': '0' }
  const path = '/subjects/orders-value/versions/latest'
  const all = await discover()
  expect(
    await discover([
      { path: '/subjects', status: 429, headers: again, times: 2 },
      { path, status: 500, headers: again, times: 1 },
    ]),
  ).toEqual(all)
  await expect(discover([{ status: 401, after: 2 }])).rejects.toThrow(/The schema registry: GET .* was rejected \(401\)/)
  expect(await discover([{ path, status: 500, headers: again }])).toContainEqual(
    expect.objectContaining({ type: 'unlisted', key: 'topic.orders' }),
  )
  const gone = await discover([{ path, status: 404 }])
  expect(gone.some(({ type }) => type === 'unlisted')).toBe(false)
  expect(listColumnTypes(gone, 'topic.orders')).toEqual(['key: string'])
  const replaced = (body: object) => (each: Recording) => (each.path === path ? { ...each, body } : each)
  await expect(
    discover([], replaced({ subject: 'orders-value', version: 3, id: 17, definition: '' }), { checkAnswer: undefined }),
  ).rejects.toThrow(`GET ${path}: \`schema\` must be text, but is missing.`)
  expect(await discover([], replaced({ version: 3, id: 17, schema: '{' }))).toContainEqual(
    expect.objectContaining({
      type: 'unlisted',
      key: 'topic.orders',
      reason: expect.stringContaining('The schema of orders-value cannot be read'),
    }),
  )
})

test('the latest schemas of many subjects are read a page at a time, where the registry lists them', async () => {
  const names = Array.from({ length: 520 }, (_, i) => `topic-${i}`)
  const schema = (name: string, version = 2) => ({
    ...{ subject: `${name}-value`, version, id: 17 },
    schema: JSON.stringify({ type: 'record', name: 'R', fields: [{ name: `f${version}`, type: 'int' }] }),
  })
  const all = names.map((name) => schema(name))
  const admin = fakeAdmin({ listTopics: async () => names })
  const read = async (list: Omit<Recording, 'path'>, needed = names, more: Partial<Cassette> = {}) => {
    await using replay = await startReplay({
      auth: { header: 'authorization', value: AUTH },
      checkAnswer: checkAgainst('schema-registry'),
      recordings: [
        { path: '/subjects', body: all.map(({ subject }) => subject) },
        { path: '/schemas', ...list },
        ...all.map((each) => ({ path: `/subjects/${each.subject}/versions/latest`, body: each })),
      ],
      ...more,
    })
    const registry = { registry_url: replay.url, registry_user: 'reader', registry_password: 'correct-horse' }
    const include = needed === names ? {} : { include: needed.join(',') }
    const found = await discoverAll(
      createKafkaConnector(() => admin),
      { ...SETTINGS, ...registry, ...include },
    )
    expect(replay.problems).toEqual([])
    return { found, requests: replay.requests.length }
  }
  const slice = (of: readonly object[], { offset, limit }: Record<string, string>) =>
    of.slice(Number(offset), Number(offset) + Number(limit))
  const without = await read({ status: 404, body: {} })
  expect(without.requests).toBe(522)
  const listed = await read({ body: (_: unknown, query: Record<string, string>) => slice(all, query) })
  expect([listed.requests, listed.found]).toEqual([4, without.found])
  // One that ignores the parameters lists all versions; what is not in the list is read on its own.
  const versions = await read({ body: all.slice(1).flatMap((each, i) => [each, schema(names[i + 1]!, 1)]) })
  expect([versions.requests, versions.found]).toEqual([3, without.found])
  // One that ignores only `latestOnly`: the versions of a subject are on different pages, in any order, and pages may be smaller than they should be.
  const old = all.map((_, i) => schema(names[i]!, 1))
  for (const [of, limit, requests] of [
    [[...old, ...all], 500, 5],
    [[...all, ...old].reverse(), 500, 5],
    [[...old.slice(20), ...all.slice(20), ...old.slice(0, 20), ...all.slice(0, 20)], 100, 13],
  ] as const) {
    const paged = await read({ body: (_: unknown, query: Record<string, string>) => slice(of, { ...query, limit: String(limit) }) })
    expect([paged.requests, paged.found]).toEqual([requests, without.found])
  }
  // With the same page each time, or with very many pages, later versions may be missing: all are read one by one.
  const same = await read({ body: old.slice(0, 500) })
  expect([same.requests, same.found]).toEqual([523, without.found])
  const small = await read({ body: (_: unknown, query: Record<string, string>) => slice([...old, ...all], { ...query, limit: '5' }) })
  expect([small.requests, small.found]).toEqual([575, without.found])
  // What is not such a list, or not in its form, is none; what is not needed of it is not read.
  const unchecked = { checkAnswer: undefined }
  const other = await read({ body: { schemas: all } }, names, unchecked)
  expect([other.requests, other.found]).toEqual([522, without.found])
  const early = (_: unknown, query: Record<string, string>) =>
    query.offset === '0'
      ? slice(
          all.map(({ subject }) => ({ ...schema(subject, 1), subject })),
          query,
        )
      : [{}]
  const half = await read({ body: early }, names, unchecked)
  expect([half.requests, half.found]).toEqual([523, without.found])
  const foreign = await read({ body: [...all, { subject: 'foreign' }] }, names, unchecked)
  expect([foreign.requests, foreign.found]).toEqual([2, without.found])
  await expect(read({ status: 401, body: {} })).rejects.toThrow('GET /schemas was rejected (401)')
  // A few are read one by one.
  expect((await read({ body: [] }, names.slice(0, 5))).requests).toBe(6)
})

test('listed schemas that are too large together are read one by one, in their latest version', async () => {
  const names = Array.from({ length: 20 }, (_, i) => `topic-${i}-value`)
  const schema = (subject: string, version: number) => ({
    subject,
    version,
    id: 17,
    schema: JSON.stringify({ type: 'string', doc: `v${version}` }),
  })
  await using replay = await startReplay({
    checkAnswer: checkAgainst('schema-registry'),
    recordings: [
      { path: '/schemas', body: [1, 2].flatMap((version) => names.map((name) => schema(name, version))) },
      ...names.map((name) => ({ path: `/subjects/${name}/versions/latest`, body: schema(name, 2) })),
    ],
  })
  const lines: string[] = []
  const log = async (line: string) => void lines.push(line)
  const registry = new SchemaRegistry({ ...CONTEXT, log, settings: {} as never }, replay.url, 10 * schema('', 1).schema.length)
  await registry.prepareLatest(new Set(names), { all: names.length })
  expect(await Promise.all(names.map(async (name) => (await registry.readLatest(name)).version))).toEqual(names.map(() => 2))
  expect([replay.problems, lines]).toEqual([[], ['Together, the latest schemas are too large: 10 of them are read one by one.']])
})
