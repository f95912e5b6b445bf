import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { findMissing } from './datahub-check.ts'
import {
  ASSET,
  CHART,
  COMMA,
  createMatrix,
  createNames,
  dataset,
  EDITED,
  field,
  NESTED,
  ODD,
  proposal,
  schema,
  serialized,
  UNICODE,
  USED,
} from './datahub-shapes.ts'

const PATH = '/integration/datahub/events'

const send = async (app: TestApp, events: readonly object[], pipeline?: string) => {
  const sent = pipeline ? events.map((event) => ({ ...event, systemMetadata: { pipelineName: pipeline } })) : events
  const { status, body, text } = await app.call('POST', PATH, { body: sent })
  if (status !== 200) throw new Error(text)
  const integration = await findIntegration(app, pipeline ?? 'DataHub')
  const { failed } = await runSync(app, integration)
  if (failed instanceof Error) throw failed
  return { integration, rejected: body.rejected as string[] }
}

const findIntegration = async (app: TestApp, name: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from integrations where name = ${name}`.execute(app.db)
  return rows[0]!.id
}

const listLosses = async (app: TestApp, integration: string): Promise<string[]> => {
  const { body } = await app.call('GET', `/integration/integrations/${integration}/losses?page_size=1000`)
  return body.results.map(({ line }: { line: string }) => line)
}

const findAll = async (app: TestApp, urn: string) => {
  const { rows } = await sql<{ id: string }>`select id from resources where display_metadata ->> 'urn' = ${urn} order by id`.execute(app.db)
  return Promise.all(rows.map(async ({ id }) => (await app.call('GET', `/resource/all/${id}`)).body))
}

const findOne = async (app: TestApp, urn: string) => {
  const found = await findAll(app, urn)
  expect([urn, found.length]).toEqual([urn, 1])
  return found[0]
}

const listColumns = async (app: TestApp, urn: string) => {
  const { id } = await findOne(app, urn)
  const { rows } = await sql<{ title: string; tags: string[]; description: string | null }>`
    with recursive below as (
      select r.* from resources r where r.parent = ${id} union all select r.* from below b join resources r on r.parent = b.id
    )
    select b.title, b.description, array(select t.name from tags t where t.id = any(b.tags) order by 1) as tags from below b
    where b.entity_type = 'column' order by b.title
  `.execute(app.db)
  return rows
}

const countVersions = async (app: TestApp) => {
  const { rows } = await sql`select sum(version)::int as versions, max(updated_at) as updated, count(*)::int as n from resources`.execute(
    app.db,
  )
  return rows[0]
}

test('every type of entity with every common aspect arrives or is named', async () => {
  await using app = await createTestApp()
  const events = createMatrix()
  const { integration, rejected } = await send(app, events)
  expect([rejected, await findMissing(app, integration, events)]).toEqual([[], []])
  const [table] = await findAll(app, dataset('s3', 'matrix/orders'))
  expect(table).toMatchObject({ description: 'Documented.', deprecation: { reason: 'Old.' } })
  expect(table.display_metadata).toMatchObject({
    ownership_types: { 'urn:li:corpuser:etl': 'steward', 'urn:li:corpGroup:platform': 'DATAOWNER' },
    aspects: { futureAspect: { anything: ['at', 'all', { deep: null }] } },
  })
  const before = await countVersions(app)
  await send(app, events.toReversed())
  expect(await countVersions(app)).toEqual(before)
})

test('names, nested fields, charts, edits and assets of every kind arrive or are named', async () => {
  await using app = await createTestApp()
  const events = createNames()
  const { integration } = await send(app, events.toReversed())
  expect(await findMissing(app, integration, events)).toEqual([])
  const titles = async (urn: string) => (await listColumns(app, urn)).map(({ title }) => title).sort()
  expect(await titles(COMMA)).toEqual(['100% sure', 'a,b', 'c(d)', 'half (open'])
  expect(await titles(dataset('excel', 'copy'))).toEqual(['f0', 'f1', 'f2', 'f3'])
  expect(await titles(ODD)).toEqual(['arr[0]', '[Total.Sales]', 'Sales [EUR]', 'Sales [USD]', 'x'].sort())
  const nested = new Map((await listColumns(app, NESTED)).map((each) => [each.title, each]))
  expect([nested.get('entry')?.tags, nested.get('items')?.description, nested.get('same')?.tags]).toEqual([
    ['Late'],
    'Outer.',
    ['First', 'Second'],
  ])
  expect((await findAll(app, UNICODE))[0]).toMatchObject({ title: 'données/été été/😀' })
  const used = new Map((await listColumns(app, USED)).map((each) => [each.title, each]))
  expect(used.get('count')).toMatchObject({ tags: ['Measure'], description: 'How many.' })
  expect((await listColumns(app, EDITED))[0]).toMatchObject({ title: 'note', tags: ['Edited'], description: 'Edited.' })
  const [asset, product, chart] = await Promise.all([ASSET, 'urn:li:dataProduct:assets', CHART].map((urn) => findOne(app, urn)))
  expect([asset.collections, chart.collections, chart.title]).toEqual([[product.id], [product.id], 'Chart'])
  const [comma] = await findAll(app, COMMA)
  expect(comma).toMatchObject({ row_count: 7, external_usage: 11, title: 'Sales, by region (2024).xlsx/Sheet 1' })
  const losses = await listLosses(app, integration)
  for (const lost of [
    'nowhere,PROD',
    'another field has the same name',
    `${dataset('x', 'gone')}: it was removed`,
    'urn:li:container:gone: it was removed',
  ])
    expect(losses.some((line) => line.includes(lost)) || lost).toBe(true)
  const { rows } = await sql`
    select from datahub_aspects where value::text like '%@example.com%' union all select from resources where display_metadata::text like '%@example.com%'
  `.execute(app.db)
  expect(rows).toEqual([])
  const before = await countVersions(app)
  await send(app, events)
  expect(await countVersions(app)).toEqual(before)
})

test('a wrong event loses only itself and stays in the report, also when it is a patch or in a batch of the sink', async () => {
  await using app = await createTestApp()
  const [one, other] = [dataset('x', 'one'), dataset('x', 'other')]
  const wrong = [
    { entityUrn: one, aspectName: 'ownership', aspect: { value: '{' } },
    { entityUrn: 'no urn', aspectName: 'status', aspect: { json: {} } },
    proposal(one, 'globalTags', [{ op: 'test', path: '/tags', value: 1 }], 'PATCH'),
    proposal(one, 'globalTags', { not: 'a list' }, 'PATCH'),
    proposal(one, 'globalTags', {}, 'MERGE'),
    7,
  ]
  const events = [...wrong.slice(0, 3), proposal(one, 'datasetProperties', { name: 'One' }), ...wrong.slice(3)] as object[]
  const { status, body } = await app.call('POST', PATH, { body: [...events, proposal(other, 'status', { removed: false })] })
  expect([status, body.received, body.rejected.length]).toEqual([200, 4, wrong.length])
  const integration = await findIntegration(app, 'DataHub')
  await runSync(app, integration)
  expect((await findAll(app, one))[0].title).toBe('One')
  expect(await findAll(app, other)).toHaveLength(1)
  const expected = [`an event of ${one} ownership: aspect.value is not valid JSON.`, 'an event: must be an object']
  const losses = await listLosses(app, integration)
  for (const line of expected) expect(losses.some((each) => each.startsWith(line)) || losses).toBe(true)
  await app.call('POST', PATH, { body: events })
  await runSync(app, integration)
  expect(await listLosses(app, integration)).toEqual(losses)

  const batch = { proposals: [wrong[0], serialized(one, 'datasetProperties', { name: 'Two' })] }
  const sent = await request(app, 'POST', '/aspects?action=ingestProposalBatch', batch)
  expect(sent).toEqual({ status: 200, body: { value: one } })
  expect((await request(app, 'POST', '/aspects?action=ingestProposalBatch', { proposals: [wrong[0]] })).status).toBe(400)
  const open = [
    { urn: one, status: { value: 7 } },
    { urn: one, datasetProperties: { value: { name: 'Three' } } },
  ]
  expect((await request(app, 'POST', '/openapi/v3/entity/dataset', open)).body).toEqual([{ urn: one }])
  await runSync(app, integration)
  expect((await findAll(app, one))[0].title).toBe('Three')
})

const request = async (app: TestApp, method: 'POST' | 'PATCH' | 'DELETE', url: string, payload?: object) => {
  const response = await app.fastify.inject({ method, url, payload, headers: { authorization: `Bearer ${app.token}` } })
  return { status: response.statusCode, body: response.json() }
}

test('the sink patches and deletes as the client does', async () => {
  await using app = await createTestApp()
  const [table, upstream, accented] = [dataset('s3', 'patched'), dataset('s3', 'up,stream'), dataset('s3', 'été')]
  const keys = { tags: ['attribution␟source', 'tag'] }
  const tag = (name: string, source = '') => ({
    ...{ op: 'add', path: `/tags/${source}/urn:li:tag:${name}` },
    value: { tag: `urn:li:tag:${name}`, ...(source ? { attribution: { source } } : {}) },
  })
  const patches = [
    serialized(table, 'globalTags', { patch: [tag('A'), tag('B', 'urn:li:corpuser:x'), tag('B')], arrayPrimaryKeys: keys }, 'PATCH'),
    serialized(
      table,
      'globalTags',
      { patch: [{ op: 'remove', path: '/tags/*/urn:li:tag:B', value: {} }], arrayPrimaryKeys: keys },
      'PATCH',
    ),
    serialized(
      table,
      'upstreamLineage',
      [{ op: 'add', path: `/upstreams/${encodeURIComponent(upstream)}`, value: { type: 'COPY' } }],
      'PATCH',
    ),
    serialized(
      table,
      'ownership',
      [
        {
          op: 'add',
          path: '/owners/urn:li:corpuser:a/CUSTOM/urn:li:ownershipType:x',
          value: { owner: 'urn:li:corpuser:a', type: 'CUSTOM' },
        },
        { op: 'add', path: '/owners/urn:li:corpuser:b/NONE', value: { owner: 'urn:li:corpuser:b', type: 'NONE' } },
        { op: 'remove', path: '/owners/urn:li:corpuser:a/CUSTOM/urn:li:ownershipType:x' },
      ],
      'PATCH',
    ),
  ]
  expect((await request(app, 'POST', '/aspects?action=ingestProposalBatch', { proposals: patches })).status).toBe(200)
  const viaOpenApi = [{ urn: table, datasetProperties: { value: { patch: [{ op: 'add', path: '/description', value: 'Patched.' }] } } }]
  expect((await request(app, 'PATCH', '/openapi/v3/entity/dataset?async=false', viaOpenApi)).status).toBe(200)
  // With one proposal, the client sends the letters of the URN as escape sequences.
  const escaped = { ...serialized(accented, 'datasetProperties', { name: 'Summer' }), entityUrn: accented.replaceAll('é', '\\u00e9') }
  expect((await request(app, 'POST', '/aspects?action=ingestProposal', { proposal: escaped })).body).toEqual({ value: accented })
  const integration = await findIntegration(app, 'DataHub')
  await runSync(app, integration)
  const [patched] = await findAll(app, table)
  const { body: tags } = await app.call('GET', '/tag/')
  expect(tags.results.filter(({ id }: { id: string }) => patched.tags.includes(id)).map(({ name }: { name: string }) => name)).toEqual([
    'A',
  ])
  expect([patched.description, patched.display_metadata.unmatched_owners]).toEqual(['Patched.', ['urn:li:corpuser:b']])
  const { rows } = await sql<{ title: string }>`
    select u.title from lineage_edges e join resources u on u.id = e.upstream where e.downstream = ${patched.id}
  `.execute(app.db)
  expect(rows).toEqual([{ title: 'up,stream' }])

  expect((await request(app, 'POST', '/entities?action=delete', { urn: accented })).status).toBe(200)
  const path = `/openapi/v3/entity/dataset/${encodeURIComponent(table)}`
  expect((await request(app, 'DELETE', path)).body).toEqual([{ urn: table }])
  await send(app, [proposal(dataset('s3', 'kept'), 'status', { removed: false })])
  expect([(await findAll(app, table))[0].stale, (await findAll(app, accented))[0].stale]).toEqual([true, true])
})

test('what a pipeline says about entities that another one describes is added to those', async () => {
  await using app = await createTestApp()
  const [table, bucket, derived] = [dataset('snowflake', 'shop.public.orders'), dataset('s3', 'bucket/orders'), dataset('s3', 'derived')]
  const TERM = 'urn:li:glossaryTerm:Revenue'
  await send(
    app,
    [
      proposal(table, 'datasetProperties', { name: 'orders' }),
      proposal(table, 'schemaMetadata', schema('id', '[version=2.0].[type=struct].[type=struct].address.[type=string].city')),
      proposal(bucket, 'datasetProperties', { name: 'orders.json' }),
      proposal(bucket, 'schemaMetadata', schema('raw')),
      proposal(TERM, 'glossaryTermInfo', { name: 'Revenue', definition: 'Money.' }),
      proposal('urn:li:domain:sales', 'domainProperties', { name: 'Sales' }),
    ],
    'warehouse',
  )
  const { id: owner } = await app.createUser('editor')
  const { integration } = await send(
    app,
    [
      proposal(table, 'globalTags', { tags: [{ tag: 'urn:li:tag:Gold' }] }),
      proposal(table, 'ownership', {
        owners: [{ owner: `urn:li:corpuser:editor-${owner}@example.com` }, { owner: 'urn:li:corpuser:nobody' }],
      }),
      proposal(table, 'glossaryTerms', { terms: [{ urn: TERM }] }),
      proposal(table, 'domains', { domains: ['urn:li:domain:sales'] }),
      proposal(table, 'siblings', { siblings: [dataset('dbt', 'shop.orders_model'), bucket], primary: true }),
      proposal(table, 'editableDatasetProperties', { description: 'All orders.' }),
      proposal(table, 'editableSchemaMetadata', {
        editableSchemaFieldInfo: [
          { fieldPath: 'address.city', description: 'Town.', globalTags: { tags: [{ tag: 'urn:li:tag:Place' }] } },
          { fieldPath: 'unknown', description: 'Nowhere.' },
        ],
      }),
      proposal(derived, 'datasetProperties', { name: 'derived' }),
      proposal(derived, 'upstreamLineage', {
        upstreams: [{ dataset: bucket }],
        fineGrainedLineages: [
          { upstreams: [field(bucket, 'raw')], downstreams: [field(derived, 'x')] },
          { upstreams: [field(bucket, 'new')], downstreams: [field(derived, 'x')] },
        ],
      }),
    ],
    'annotations',
  )
  const orders = await findOne(app, table)
  const [term, domain] = await Promise.all([TERM, 'urn:li:domain:sales', bucket].map((urn) => findOne(app, urn)))
  expect(orders).toMatchObject({ description: 'All orders.', owners: [owner], terms: [term.id], collections: [domain.id] })
  expect((await listColumns(app, table)).find(({ title }) => title === 'city')).toMatchObject({ tags: ['Place'], description: 'Town.' })
  const losses = await listLosses(app, integration)
  for (const lost of [
    'urn:li:corpuser:nobody',
    'the field unknown',
    'column lineage from',
    `${table}: the relation with ${dataset('dbt', 'shop.orders_model')}`,
  ])
    expect(losses.some((line) => line.includes(lost)) || lost).toBe(true)
  const { rows } = await sql<{ edge: string }>`
    select u.title || ' > ' || d.title as edge from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream order by 1
  `.execute(app.db)
  expect(rows.map(({ edge }) => edge).sort()).toEqual(['orders.json > derived', 'raw > x'])
  const before = await countVersions(app)
  await runSync(app, integration)
  await runSync(app, await findIntegration(app, 'warehouse'))
  expect(await countVersions(app)).toEqual(before)

  expect((await app.call('DELETE', `/integration/integrations/${integration}`)).status).toBeLessThan(300)
  const [after] = await findAll(app, table)
  expect([after.description, after.owners, after.terms, after.tags].map((value) => value ?? [])).toEqual([[], [], [], []])
})
