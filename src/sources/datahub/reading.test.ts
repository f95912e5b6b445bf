import { expect, test } from 'vitest'
import { parseEvents } from './change.ts'
import { applyPatch } from './patch.ts'
import { EntityStore } from './stored-aspects.ts'
import { getPlatform, getUrnParts, parseFieldPath, parseFieldUrn } from './urn.ts'

test.each([
  ['id', ['id']],
  ['address.city', ['address', 'city']],
  ['[version=2.0].[type=struct].[type=string].id', ['id']],
  ['[version=2.0].[key=True].[type=struct].[type=array].[type=struct].items.[type=long].price', ['items', 'price']],
  ['[version=2.0].[type=string]', ['[version=2.0].[type=string]']],
  ['Sales [USD]', ['Sales [USD]']],
  ['[Total.Sales].x', ['[Total.Sales]', 'x']],
  ['[version=2.0].[type=map(a.b)].[type=string].[x', ['[x']],
])('the field path %s is %j', (path, names) => {
  expect(parseFieldPath(path)).toEqual(names)
})

test('URNs are split at the commas outside of parentheses', () => {
  const dataset = 'urn:li:dataset:(urn:li:dataPlatform:snowflake,shop.public.orders,PROD)'
  expect(getUrnParts(dataset)).toEqual(['urn:li:dataPlatform:snowflake', 'shop.public.orders', 'PROD'])
  expect(getUrnParts('urn:li:tag:a%3Ab:c')).toEqual(['a:b:c'])
  expect([getPlatform(dataset), getPlatform('urn:li:chart:(looker,dashboard_elements.2)'), getPlatform('urn:li:tag:x')]).toEqual([
    'snowflake',
    'looker',
    undefined,
  ])
  expect(parseFieldUrn(`urn:li:schemaField:(${dataset},[version=2.0].[type=long].id)`)).toEqual({ dataset, path: ['id'] })
})

test('names in URNs may have commas, parentheses and percent signs', () => {
  const sheet = 'urn:li:dataset:(urn:li:dataPlatform:excel,a, b (c.xlsx,PROD)'
  expect(getUrnParts(sheet)).toEqual(['urn:li:dataPlatform:excel', 'a, b (c.xlsx', 'PROD'])
  expect(parseFieldUrn(`urn:li:schemaField:(${sheet},50%_x, y%2Cz)`)).toEqual({ dataset: sheet, path: ['50%_x, y,z'] })
  expect(getUrnParts('urn:li:chart:(looker,a,b)')).toEqual(['looker', 'a,b'])
  expect(getUrnParts('urn:li:dataFlow:(airflow,a,b,prod)')).toEqual(['airflow', 'a,b', 'prod'])
  expect(parseFieldUrn('urn:li:schemaField:(urn:li:chart:(looker,a),f)')).toEqual({ dataset: 'urn:li:chart:(looker,a)', path: ['f'] })
})

test('patches name the entries of lists by their keys', () => {
  const upstream = (dataset: string) => ({ dataset, type: 'COPY' })
  const before = { upstreams: [upstream('urn:li:dataset:a')], customProperties: { owner: 'x', kept: 'y' } }
  const after = applyPatch(before, [
    { op: 'add', path: '/upstreams/urn:li:dataset:b', value: { type: 'VIEW' } },
    { op: 'remove', path: '/upstreams/urn:li:dataset:a' },
    { op: 'remove', path: '/customProperties/owner' },
    { op: 'add', path: '/customProperties/a~1b', value: '1' },
    { op: 'add', path: '/fineGrainedLineages/NONE/down/NONE/up', value: { confidenceScore: 1 } },
    { op: 'add', path: '/fineGrainedLineages/SUM/down/urn:li:query:q/other', value: {} },
    { op: 'add', path: '/__proto__/polluted', value: true },
  ])
  expect(after).toEqual({
    upstreams: [{ dataset: 'urn:li:dataset:b', type: 'VIEW' }],
    customProperties: { kept: 'y', 'a/b': '1' },
    fineGrainedLineages: [
      { transformOperation: 'NONE', downstreams: ['down'], upstreams: ['up'], confidenceScore: 1 },
      { transformOperation: 'SUM', downstreams: ['down'], upstreams: ['other'], query: 'urn:li:query:q' },
    ],
  })
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('patches add URNs to lists that do not exist yet', () => {
  const after = applyPatch({ title: 'Board' }, [
    { op: 'add', path: '/charts/urn:li:chart:(a,b)', value: 'urn:li:chart:(a,b)' },
    { op: 'add', path: '/charts/urn:li:chart:(a,c)', value: 'urn:li:chart:(a,c)' },
    { op: 'remove', path: '/charts/urn:li:chart:(a,b)' },
    { op: 'remove', path: '/datasets/urn:li:dataset:a' },
    { op: 'add', path: '/assets/urn:li:dataset:a', value: { outputPort: true } },
  ])
  expect(after).toEqual({
    title: 'Board',
    charts: ['urn:li:chart:(a,c)'],
    datasets: [],
    assets: [{ destinationUrn: 'urn:li:dataset:a', outputPort: true }],
  })
})

test('a patch is bounded: the length of paths, and operations on long lists', () => {
  const deep = { op: 'add', path: '/a'.repeat(1000), value: 1 }
  expect(() => applyPatch({}, [deep])).toThrow('must not have a path of more than 20 parts')
  const upstreams = Array.from({ length: 20_000 }, (_, i) => ({ dataset: `urn:li:dataset:${i}` }))
  const operations = Array.from({ length: 2_000 }, (_, i) => ({ op: 'add', path: `/upstreams/urn:li:dataset:${i}`, value: {} }))
  expect(() => applyPatch({ upstreams }, operations)).toThrow('Send the whole aspect with changeType UPSERT instead')
  expect(applyPatch({}, [{ op: 'add', path: '/toString/a', value: 1 }])).toEqual({ toString: { a: 1 } })
})

test('proposals in the JSON of Avro are read as well, with their letters', () => {
  const urn = 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)'
  const text = Buffer.from('{"description": "Größe"}').toString('latin1')
  const event = {
    ...{ auditHeader: null, entityType: 'dataset', entityKeyAspect: null, changeType: 'UPSERT' },
    ...{ entityUrn: { string: urn }, aspectName: { string: 'datasetProperties' } },
    aspect: { 'com.linkedin.pegasus2avro.mxe.GenericAspect': { value: text, contentType: 'application/json' } },
    systemMetadata: { 'com.linkedin.pegasus2avro.mxe.SystemMetadata': { pipelineName: { string: 'kafka' }, runId: { string: 'r' } } },
  }
  expect(parseEvents([event])).toEqual({
    rejected: [],
    changes: [
      {
        ...{ urn, entity_type: 'dataset', aspect: 'datasetProperties', change: 'upsert', value: { description: 'Größe' } },
        ...{ pipeline: 'kafka', run: 'r' },
      },
    ],
  })
})

test('snapshots and proposals are the same changes', () => {
  const urn = 'urn:li:dataset:(urn:li:dataPlatform:kafka,orders,PROD)'
  const expected = { urn, entity_type: 'dataset', aspect: 'datasetProperties', change: 'upsert', value: { description: 'Orders.' } }
  expect(
    parseEvents([
      {
        proposedSnapshot: {
          'com.linkedin.pegasus2avro.metadata.snapshot.DatasetSnapshot': {
            urn,
            aspects: [{ 'com.linkedin.pegasus2avro.dataset.DatasetProperties': { description: 'Orders.' } }],
          },
        },
      },
      { entityUrn: urn, aspectName: 'datasetProperties', changeType: 'UPSERT', aspect: { json: { description: 'Orders.' } } },
      { entityUrn: urn, aspectName: 'datasetProperties', aspect: { value: '{"description":"Orders."}', contentType: 'application/json' } },
    ]).changes,
  ).toMatchObject([expected, expected, expected])
})

test('aspects of any size are read from the store as they were added', () => {
  const store = new EntityStore()
  const large = (i: number) => ({ fields: Array.from({ length: 40 }, (_, at) => ({ fieldPath: `Größe_${at}`, of: i })) })
  const add = (i: number, aspect: string, value: object) =>
    store.add({ urn: `urn:li:dataset:${i}`, entity_type: 'dataset', aspect, text: JSON.stringify(value), changed_at: '2026-01-01' })
  for (let i = 0; i < 150; i += 1) {
    add(i, 'schemaMetadata', large(i))
    add(i, 'deprecation', { deprecated: i % 2 === 0 })
  }
  for (const i of [0, 149, 0]) {
    const { aspects, changedAt } = store.get(`urn:li:dataset:${i}`)!
    expect([aspects.size, aspects.has('status'), [...aspects.keys()]]).toEqual([2, false, ['schemaMetadata', 'deprecation']])
    expect([...aspects]).toEqual([
      ['schemaMetadata', large(i)],
      ['deprecation', { deprecated: i % 2 === 0 }],
    ])
    expect([...(changedAt ?? [])]).toEqual([['deprecation', '2026-01-01']])
  }
})
