import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findByFullTitle, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { findMissing } from './datahub-check.ts'
import { createOtherEvents } from './datahub-events.ts'

const dataset = (name: string, platform = 'snowflake') => `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`
const field = (of: string, path: string) => `urn:li:schemaField:(${of},${path})`
const proposal = (entityUrn: string, aspectName: string, json: object, changeType = 'UPSERT') => ({
  entityType: entityUrn.split(':')[2],
  entityUrn,
  changeType,
  aspectName,
  aspect: { json },
})

const [DATABASE, SCHEMA, ORDERS, RAW] = [
  'urn:li:container:db',
  'urn:li:container:schema',
  dataset('shop.public.orders'),
  dataset('lake.raw.orders', 'hive'),
]
const [DASHBOARD, CHART, FLOW] = ['urn:li:dashboard:(looker,7)', 'urn:li:chart:(looker,8)', 'urn:li:dataFlow:(airflow,daily,PROD)']
const JOB = `urn:li:dataJob:(${FLOW},load)`
const TERM = 'urn:li:glossaryTerm:Finance.Revenue'

const createEvents = (email: string) => [
  proposal(DATABASE, 'containerProperties', { name: 'shop' }),
  proposal(DATABASE, 'subTypes', { typeNames: ['Database'] }),
  proposal(SCHEMA, 'containerProperties', { name: 'public' }),
  proposal(SCHEMA, 'subTypes', { typeNames: ['Schema'] }),
  proposal(SCHEMA, 'container', { container: DATABASE }),
  proposal(ORDERS, 'container', { container: SCHEMA }),
  proposal(ORDERS, 'datasetProperties', { name: 'orders', description: 'One row per order.', customProperties: { team: 'sales' } }),
  proposal(ORDERS, 'ownership', { owners: [{ owner: `urn:li:corpuser:${email}` }, { owner: 'urn:li:corpuser:nobody' }] }),
  proposal(ORDERS, 'globalTags', { tags: [{ tag: 'urn:li:tag:Gold' }] }),
  proposal(ORDERS, 'glossaryTerms', { terms: [{ urn: TERM }] }),
  proposal(TERM, 'glossaryTermInfo', { name: 'Revenue', definition: 'Money earned.' }),
  proposal(ORDERS, 'schemaMetadata', {
    primaryKeys: ['id'],
    fields: [
      { fieldPath: 'id', nativeDataType: 'NUMBER', nullable: false },
      {
        fieldPath: '[version=2.0].[type=struct].[type=struct].address.[type=string].city',
        nativeDataType: 'VARCHAR',
        description: 'Town.',
      },
    ],
  }),
  proposal(ORDERS, 'upstreamLineage', {
    upstreams: [{ dataset: RAW, type: 'TRANSFORMED' }],
    fineGrainedLineages: [
      { upstreams: [field(RAW, 'order_id')], downstreams: [field(ORDERS, 'id')], transformOperation: 'IDENTITY' },
      { upstreams: [field(RAW, 'order_id')], downstreams: [field('urn:li:mlModel:(x,y,PROD)', 'z')] },
    ],
  }),
  proposal(DASHBOARD, 'dashboardInfo', { title: 'Sales', description: '', charts: [CHART], dashboardUrl: 'https://bi.example.com/7' }),
  proposal(CHART, 'chartInfo', { title: 'Revenue by city', inputs: [{ string: ORDERS }] }),
  proposal(CHART, 'inputFields', {
    fields: [{ schemaFieldUrn: field(ORDERS, '[version=2.0].[type=struct].[type=struct].address.[type=string].city') }],
  }),
  proposal(FLOW, 'dataFlowInfo', { name: 'daily' }),
  proposal(JOB, 'dataJobInfo', { name: 'load', type: 'SQL' }),
  proposal(JOB, 'dataJobInputOutput', { inputDatasets: [], inputDatasetEdges: [{ destinationUrn: RAW }], outputDatasets: [ORDERS] }),
  proposal('urn:li:mlModel:(x,y,PROD)', 'mlModelProperties', { name: 'churn' }),
]

const PATH = '/integration/datahub/events'

const send = async (app: TestApp, events: readonly object[]): Promise<{ integration: string; log: string }> => {
  const { status, body, text } = await app.call('POST', PATH, { body: events })
  if (status !== 200) throw new Error(text)
  return syncDatahub(app, body.jobs[0].id)
}

const syncDatahub = async (app: TestApp, job: string) => {
  const { rows } = await sql<{ integration: string }>`select integration from integration_syncs where id = ${job}`.execute(app.db)
  const { integration } = rows[0]!
  const { failed } = await runSync(app, integration)
  if (failed instanceof Error) throw failed
  const { body } = await app.call('GET', `/background_jobs/${job}`)
  return { integration, log: JSON.stringify(body.logs) }
}

const findByUrn = async (app: TestApp, urn: string) => {
  const { rows } = await sql<{ id: string }>`select id from resources where display_metadata ->> 'urn' = ${urn}`.execute(app.db)
  return rows[0] && (await app.call('GET', `/resource/all/${rows[0].id}`)).body
}

const listEdges = async (app: TestApp) => {
  const { rows } = await sql<{ edge: string }>`
    select u.title_full || ' > ' || d.title_full as edge from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
    order by 1
  `.execute(app.db)
  return rows.map(({ edge }) => edge)
}

test('events of DataHub connectors become resources, with what could not be taken over in the log', async () => {
  await using app = await createTestApp()
  const { id: owner } = await app.createUser('editor')
  const events = createEvents(`editor-${owner}@example.com`)
  const { integration, log } = await send(app, events)
  const orders = await findByUrn(app, ORDERS)
  const term = await findByUrn(app, TERM)
  expect(orders).toMatchObject({
    title_full: 'shop.public.orders',
    entity_type: 'table',
    description: 'One row per order.',
    owners: [owner],
  })
  expect([orders.display_metadata.custom_properties, orders.terms, term.description]).toEqual([
    { team: 'sales' },
    [term.id],
    'Money earned.',
  ])
  const { body: tag } = await app.call('GET', `/tag/${orders.tags[0]}`)
  expect(tag.name).toBe('Gold')
  expect(await findByFullTitle(app, 'shop.public.orders.address.city')).toMatchObject({ description: 'Town.', native_type: 'VARCHAR' })
  expect(await findByUrn(app, DASHBOARD)).toMatchObject({ title: 'Sales', url: 'https://bi.example.com/7' })
  expect(await findByUrn(app, CHART)).toMatchObject({ title: 'Revenue by city', parent: (await findByUrn(app, DASHBOARD)).id })
  expect(await findByUrn(app, JOB)).toMatchObject({ title: 'load', entity_type: 'job', parent: (await findByUrn(app, FLOW)).id })
  expect(await listEdges(app)).toEqual([
    'Sales.Revenue by city > Sales',
    'lake.raw.orders > shop.public.orders',
    'lake.raw.orders > shop.public.orders',
    'lake.raw.orders.order_id > shop.public.orders.id',
    'shop.public.orders > Sales.Revenue by city',
    'shop.public.orders.address.city > Sales.Revenue by city',
  ])
  for (const lost of ['urn:li:corpuser:nobody', 'entities of type mlModel', 'column lineage from']) expect(log).toContain(lost)

  await app.call('PATCH', `/resource/all/${orders.id}`, { body: { description: 'Written by a person.' } })
  const versions = async () => (await sql<{ n: number }>`select sum(version)::int as n from resources`.execute(app.db)).rows[0]!.n
  const before = await versions()
  await send(app, events)
  expect(await versions()).toBe(before)
  await send(app, [proposal(ORDERS, 'datasetProperties', { name: 'orders', description: 'Changed in the source.' })])
  expect((await findByUrn(app, ORDERS)).description).toBe('Written by a person.')

  await send(app, [proposal(ORDERS, 'deprecation', { deprecated: true, note: 'Use the mart.', actor: 'urn:li:corpuser:x' })])
  expect((await findByUrn(app, ORDERS)).deprecation).toEqual({ reason: 'Use the mart.', replacement_id: null, since: expect.any(String) })
  await send(app, [proposal(ORDERS, 'deprecation', { deprecated: false, note: '', actor: 'urn:li:corpuser:x' })])
  expect((await findByUrn(app, ORDERS)).deprecation).toBeNull()

  await send(app, [
    proposal(CHART, 'status', { removed: true }),
    proposal(ORDERS, 'upstreamLineage', [{ op: 'remove', path: `/upstreams/${RAW}` }], 'PATCH'),
    { entityUrn: JOB, changeType: 'DELETE', aspectName: 'dataJobInputOutput' },
  ])
  expect((await findByUrn(app, CHART)).stale).toBe(true)
  expect(await listEdges(app)).toEqual(['lake.raw.orders > shop.public.orders', 'lake.raw.orders.order_id > shop.public.orders.id'])

  expect((await app.call('DELETE', `/integration/integrations/${integration}`)).status).toBeLessThan(300)
  expect((await sql`select from datahub_aspects`.execute(app.db)).rows).toEqual([])
})

test('events that no connector would write are rejected by field, or do not stop the sync', async () => {
  await using app = await createTestApp()
  const event = { ...proposal(ORDERS, 'datasetProperties', {}) }
  const deepText = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
  for (const [wrong, field] of [
    [{ ...event, changeType: 'constructor' }, 'events[0].changeType'],
    [{ ...event, changeType: { toString: 1 } }, 'events[0].changeType'],
    [{ ...event, aspectName: '*' }, 'events[0].aspectName'],
    [{ ...event, aspectName: 'a'.repeat(10_000) }, 'events[0].aspectName'],
    [{ ...event, entityType: 'data set' }, 'events[0].entityType'],
    [{ ...event, changeType: 'PATCH', aspect: { json: [{ op: 'add', path: '/a'.repeat(50), value: 1 }] } }, 'patch'],
  ] as const) {
    const { status, body } = await app.call('POST', PATH, { body: [wrong] })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([400, [field]])
  }
  const deep = await app.call('POST', PATH, { body: [{ ...event, aspect: { value: deepText } }] })
  expect([deep.status, deep.body.code]).toEqual([400, 'malformed_json'])

  const [one, other] = ['urn:li:glossaryTerm:One', 'urn:li:glossaryTerm:Other']
  const containers = Array.from({ length: 120 }, (_, i) => `urn:li:container:nested${i}`)
  const { log } = await send(app, [
    { ...event, entityType: 'constructor', entityUrn: 'urn:li:constructor:x' },
    { ...event, entityType: 'toString', entityUrn: 'urn:li:toString:x' },
    proposal(one, 'glossaryTermInfo', { name: 'One', definition: '' }),
    proposal(one, 'glossaryTerms', { terms: [{ urn: other }, { urn: one }] }),
    proposal(other, 'glossaryTerms', { terms: [{ urn: one }] }),
    ...containers.flatMap((urn, i) => [
      proposal(urn, 'containerProperties', { name: `c${i}` }),
      proposal(urn, 'container', { container: containers[i + 1] ?? urn }),
    ]),
    proposal(ORDERS, 'schemaMetadata', { fields: [{ fieldPath: 'a.'.repeat(3000) }, { fieldPath: 'id' }] }),
    proposal(ORDERS, 'datasetProfile', { timestampMillis: { toString: 1 }, rowCount: 1 }),
    proposal(ORDERS, 'datasetProfile', { timestampMillis: { valueOf: 1 }, rowCount: 2 }),
    proposal(ORDERS, 'upstreamLineage', {
      fineGrainedLineages: [{ upstreams: [field(RAW, 'id')], downstreams: [field(ORDERS, 'id')], transformOperation: { toString: 1 } }],
    }),
  ])
  expect(log).toContain('entities of type constructor')
  expect(await findByUrn(app, ORDERS)).toMatchObject({ row_count: 2, children_count: 2 })
  expect((await findByUrn(app, containers[60]!)).title).toBe('c60')
})

test('the REST sink of DataHub can send to the root of the server', async () => {
  await using app = await createTestApp()
  const call = async (method: 'GET' | 'POST', url: string, payload?: object, token = app.token) => {
    const response = await app.fastify.inject({ method, url, payload, headers: { authorization: `Bearer ${token}` } })
    return { status: response.statusCode, body: response.json() }
  }
  expect((await call('GET', '/config')).body).toMatchObject({ noCode: 'true', patchCapable: true })
  const { aspect: _, ...about } = proposal(ORDERS, 'datasetProperties', {})
  const single = { ...about, aspect: { value: JSON.stringify({ description: 'Single.' }), contentType: 'application/json' } }
  expect(await call('POST', '/aspects?action=ingestProposal', { proposal: single })).toEqual({ status: 200, body: { value: ORDERS } })
  const batch = [{ ...single, systemMetadata: { pipelineName: 'nightly' } }]
  expect((await call('POST', '/aspects?action=ingestProposalBatch', { proposals: batch })).status).toBe(200)
  const snapshot = { urn: RAW, aspects: [{ 'com.linkedin.dataset.DatasetProperties': { description: 'Snapshot.' } }] }
  const entity = { value: { 'com.linkedin.metadata.snapshot.DatasetSnapshot': snapshot } }
  expect((await call('POST', '/entities?action=ingest', { entity })).status).toBe(200)
  const checkpoint = proposal('urn:li:dataJob:(urn:li:dataFlow:(file,nightly,PROD),state)', 'datahubIngestionCheckpoint', {
    timestampMillis: 2,
    state: { urns: [] },
  })
  await call('POST', '/aspects?action=ingestProposal', { proposal: checkpoint })
  const asked = await call('POST', '/aspects?action=getTimeseriesAspectValues', {
    urn: checkpoint.entityUrn,
    aspect: checkpoint.aspectName,
  })
  expect(JSON.parse(asked.body.value.values[0].aspect.value).state).toEqual({ urns: [] })
  const none = await call('POST', '/aspects?action=getTimeseriesAspectValues', { urn: ORDERS, aspect: checkpoint.aspectName })
  expect(none.body.value.values).toEqual([])
  const [viaOpenApi, used] = [dataset('open.api.t'), { bucket: 1, duration: 'DAY', resource: ORDERS, metrics: { totalSqlQueries: 3 } }]
  const open = [{ urn: viaOpenApi, datasetProperties: { value: { description: 'OpenAPI.' } }, status: { value: { removed: false } } }]
  expect(await call('POST', '/openapi/v3/entity/dataset?async=false', open)).toEqual({ status: 200, body: [{ urn: viaOpenApi }] })
  expect((await call('POST', '/openapi/v3/entity/dataset', [{ urn: viaOpenApi, status: {} }])).status).toBe(400)
  expect((await call('POST', '/usageStats?action=batchIngest', { buckets: [used] })).status).toBe(200)
  const { body } = await app.call('GET', '/integration/integrations?type=datahub')
  expect(body.results.map(({ name }: { name: string }) => name).sort()).toEqual(['DataHub', 'nightly'])
  for (const { id } of body.results) await runSync(app, id)
  expect([(await findByUrn(app, RAW)).description, (await findByUrn(app, ORDERS)).description]).toEqual(['Snapshot.', 'Single.'])
  expect((await findByUrn(app, viaOpenApi)).description).toBe('OpenAPI.')
  expect(await findByUrn(app, checkpoint.entityUrn)).toBeUndefined()
  const { token: viewer } = await app.createUser('viewer')
  expect((await call('POST', '/aspects?action=ingestProposal', { proposal: single }, viewer)).status).toBe(403)
  expect((await call('POST', '/aspects?action=other', { proposal: single })).status).toBe(400)
})

test('a client reads only the state of its pipelines, and only if it sees everything that they reported', async () => {
  await using app = await createTestApp()
  const ask = async (urn: string, aspect: string, token: string) => {
    const url = '/aspects?action=getTimeseriesAspectValues'
    const response = await app.fastify.inject({
      method: 'POST',
      url,
      payload: { urn, aspect },
      headers: { authorization: `Bearer ${token}` },
    })
    return response.json().value.values.length
  }
  const state = proposal('urn:li:dataJob:(urn:li:dataFlow:(file,nightly,PROD),state)', 'datahubIngestionCheckpoint', {
    timestampMillis: 2,
    state: { urns: [ORDERS] },
  })
  const sent = await app.call('POST', '/integration/datahub/events', { body: [...createEvents('ada@example.com'), state] })
  expect(sent.status).toBe(200)
  const { results } = (await app.call('GET', '/integration/integrations?type=datahub')).body
  await runSync(app, results[0].id)
  const editor = await app.createUser('editor')
  expect(await ask(state.entityUrn, state.aspectName, editor.token)).toBe(1)
  // What a table is, the catalog says to those who may see it.
  expect(await ask(ORDERS, 'schemaMetadata', editor.token)).toBe(0)

  const team = await app.createTeam(true)
  const orders = await findByUrn(app, ORDERS)
  expect((await app.call('PATCH', `/resource/all/${orders.id}`, { body: { teams: [team] } })).status).toBe(200)
  expect((await app.call('GET', `/resource/all/${orders.id}`, { token: editor.token })).status).toBe(404)
  expect(await ask(state.entityUrn, state.aspectName, editor.token)).toBe(0)
  expect(await ask(state.entityUrn, state.aspectName, app.token)).toBe(1)
})

test('events of a run that do not name the pipeline belong to it as well', async () => {
  await using app = await createTestApp()
  const emit = (aspectName: string, json: object, systemMetadata: object) => ({ ...proposal(ORDERS, aspectName, json), systemMetadata })
  const events = [
    emit('datasetProperties', { description: 'Orders.' }, { runId: 'r1' }),
    emit('status', { removed: false }, { runId: 'r1', pipelineName: 'hourly' }),
    emit('subTypes', { typeNames: ['Table'] }, { runId: 'no-run-id-provided', pipelineName: 'other' }),
    emit('browsePaths', { paths: [] }, { runId: 'no-run-id-provided' }),
  ]
  expect((await app.call('POST', PATH, { body: events })).status).toBe(200)
  const { rows } = await sql<{ name: string; aspects: string[] }>`
    select i.name, array_agg(a.aspect order by a.aspect) as aspects from datahub_aspects a join integrations i on i.id = a.integration group by 1 order by 1
  `.execute(app.db)
  expect(Object.fromEntries(rows.map(({ name, aspects }) => [name, aspects]))).toEqual({
    DataHub: ['browsePaths'],
    hourly: ['datasetProperties', 'status'],
    other: ['subTypes'],
  })
})

test.each([
  ['no object', [1], 'events[0]'],
  ['no URN', [{ aspectName: 'status', aspect: { json: {} } }], 'events[0].entityUrn'],
  ['no aspect', [{ entityUrn: ORDERS, aspectName: 'status' }, { entityUrn: ORDERS }], 'events[0].aspect'],
  ['an unknown change', [proposal(ORDERS, 'status', {}, 'MERGE')], 'events[0].changeType'],
  ['broken JSON', [{ entityUrn: ORDERS, aspectName: 'status', aspect: { value: '{' } }], 'events[0].aspect.value'],
])('a request whose events all have %s is rejected', async (_, events, place) => {
  await using app = await createTestApp()
  const { status, body } = await app.call('POST', PATH, { body: events })
  expect([status, Object.keys(body.errors)]).toEqual([400, [place]])
  expect((await sql`select from datahub_aspects`.execute(app.db)).rows).toEqual([])
})

/** Events that DataHub's own connectors emit. They belong to another project and are not part of this one. */
const SAMPLES = ['../../../..', '../../../../..']
  .map((up) => join(import.meta.dirname, up, 'shared/connectors/datahub-events'))
  .find(existsSync)

test('everything in recorded events arrives or is named in the loss report', async () => {
  if (!SAMPLES) return
  const missing: string[] = []
  const files = globSync('*/*.json', { cwd: SAMPLES }).toSorted()
  // All of them take minutes.
  const chosen = process.env.DATAHUB_SAMPLES ? files.filter((file) => file.includes(process.env.DATAHUB_SAMPLES!)) : firstOfEach(files)
  for (const file of chosen) {
    await using app = await createTestApp()
    const events = JSON.parse(readFileSync(join(SAMPLES, file), 'utf8'))
    const { integration } = await send(app, events)
    for (const lost of await findMissing(app, integration, events)) missing.push(`${file}: ${lost}`)
  }
  expect(missing).toEqual([])
})

const firstOfEach = (files: readonly string[]): string[] =>
  [...Map.groupBy(files, (file) => file.split('/')[0]).values()].map(([file]) => file!)

test('shapes of other connectors arrive or are named in the loss report', async () => {
  await using app = await createTestApp()
  const { events, expected } = createOtherEvents()
  const { integration } = await send(app, events)
  expect(await findMissing(app, integration, events)).toEqual([])
  const { body } = await app.call('GET', `/integration/integrations/${integration}/losses?page_size=1000`)
  const lines = body.results.map(({ line }: { line: string }) => line)
  for (const lost of expected.losses) expect(lines.some((line: string) => line.includes(lost)) || lost).toBe(true)
  const [table, domain, product] = await Promise.all([expected.table, expected.domain, expected.product].map((urn) => findByUrn(app, urn)))
  expect([table.collections.toSorted(), domain.entity_type]).toEqual([[domain.id, product.id].toSorted(), 'collection'])
  expect(table.display_metadata.unmatched_owners).toEqual(['urn:li:corpGroup:data'])
  expect((await findByUrn(app, expected.chart)).external_usage).toBe(12)
  const { token: viewer } = await app.createUser('viewer')
  expect((await app.call('GET', `/integration/integrations/${integration}/losses`, { token: viewer })).status).toBe(403)
})
