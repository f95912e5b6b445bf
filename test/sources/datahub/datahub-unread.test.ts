import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { dataset, field, proposal, schema } from './datahub-shapes.ts'

const build = async (app: TestApp, events: readonly object[]) => {
  const { status, text } = await app.call('POST', '/integration/datahub/events', { body: events })
  if (status !== 200) throw new Error(text)
  const { rows } = await sql<{ id: string }>`select id from integrations where type = 'datahub' order by id desc limit 1`.execute(app.db)
  const { failed } = await runSync(app, rows[0]!.id)
  if (failed instanceof Error) throw failed
  const { rows: losses } = await sql<{ line: string }>`select line from integration_losses where integration = ${rows[0]!.id}`.execute(
    app.db,
  )
  return losses.map(({ line }) => line)
}

// biome-ignore lint/suspicious/noExplicitAny: facts of any shape
type Facts = any

const readFacts = async (app: TestApp) => {
  const { rows } = await sql<{ title: string; facts: Facts }>`select title, display_metadata as facts from resources`.execute(app.db)
  return { ofTitle: (title: string) => rows.find((row) => row.title === title)?.facts, text: JSON.stringify(rows) }
}

const [ORDERS, LOOSE] = [dataset('postgres', 'shop.public.orders'), dataset('s3', 'bucket/loose')]
const CONTAINER = 'urn:li:container:space'
const stamp = { time: 5, actor: 'urn:li:corpuser:etl' }

test('what the readers of aspects do not use is kept with the resource or column', async () => {
  await using app = await createTestApp()
  const losses = await build(app, [
    proposal(ORDERS, 'schemaMetadata', {
      ...schema(
        {
          fieldPath: 'id',
          nativeDataType: 'int',
          jsonProps: '{"logicalType":"uuid"}',
          jsonPath: '$.id',
          recursive: false,
          lastModified: stamp,
        },
        { fieldPath: 'big', nativeDataType: 'text', jsonProps: JSON.stringify({ doc: 'x'.repeat(20_000) }) },
      ),
      platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '{"type":"record"}', documentSchemaHash: 'abc' } },
    }),
    proposal(ORDERS, 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: 'id', description: 'Ours.', rank: 'edited-rank' }],
    }),
    proposal(field(ORDERS, 'id'), 'deprecation', { deprecated: true, note: 'Old.', replacement: 'urn:li:schemaField:new' }),
    proposal(ORDERS, 'upstreamLineage', {
      upstreams: [{ dataset: LOOSE, type: 'TRANSFORMED', query: 'urn:li:query:made-it', auditStamp: stamp }],
      fineGrainedLineages: [
        { upstreams: [field(LOOSE, 'a')], downstreams: [field(ORDERS, 'id')], confidenceScore: 0.5, upstreamType: 'FIELD_SET' },
      ],
    }),
    proposal(ORDERS, 'datasetUsageStatistics', {
      ...{ timestampMillis: 5, totalSqlQueries: 2, uniqueUserCount: 1, eventGranularity: { unit: 'DAY', multiple: 1 } },
      partitionSpec: { type: 'FULL_TABLE', partition: 'FULL_TABLE_SNAPSHOT' },
    }),
    proposal(ORDERS, 'datasetProperties', { name: 'orders', description: 'From the source.', lastModified: stamp }),
    proposal(ORDERS, 'editableDatasetProperties', { description: 'From people.', created: stamp }),
    proposal(ORDERS, 'viewProperties', {
      viewLogic: 'select {{ 1 }}',
      formattedViewLogic: 'select 1',
      viewLanguage: 'SQL',
      materialized: false,
    }),
    proposal(ORDERS, 'browsePathsV2', { path: [{ id: 'team' }, { id: 'sales' }] }),
    proposal(LOOSE, 'browsePaths', { paths: ['/prod/s3/bucket'] }),
    proposal(LOOSE, 'documentation', { documentations: [{ documentation: 'First.' }, { documentation: 'Second.' }] }),
    proposal(CONTAINER, 'containerProperties', { name: 'Space' }),
    proposal('urn:li:chart:(looker,1)', 'chartInfo', {
      title: 'Chart',
      chartUrl: 'https://one.example.com',
      externalUrl: 'https://two.example.com',
    }),
    proposal('urn:li:chart:(looker,1)', 'container', { container: CONTAINER }),
    proposal('urn:li:chart:(looker,1)', 'browsePathsV2', { path: [{ id: CONTAINER, urn: CONTAINER }, { id: 'Inner' }] }),
    proposal('urn:li:chart:(looker,2)', 'chartInfo', { title: 'Placed' }),
    proposal('urn:li:chart:(looker,2)', 'container', { container: CONTAINER }),
    proposal('urn:li:chart:(looker,2)', 'browsePathsV2', { path: [{ id: CONTAINER, urn: CONTAINER }] }),
    proposal('urn:li:tag:Gold', 'tagProperties', { name: 'Gold' }),
    proposal('urn:li:tag:Gold', 'institutionalMemory', { elements: [{ url: 'https://wiki.example.com', description: 'Wiki' }] }),
  ])
  const { ofTitle } = await readFacts(app)
  expect(ofTitle('id')).toMatchObject({
    deprecation: { replacement: 'urn:li:schemaField:new' },
    aspects: {
      schemaMetadata: { jsonProps: '{"logicalType":"uuid"}', jsonPath: '$.id' },
      editableSchemaMetadata: { rank: 'edited-rank' },
    },
  })
  expect(ofTitle('orders')).toMatchObject({
    description_in_source: 'From the source.',
    folders: ['team', 'sales'],
    aspects: {
      schemaMetadata: { platformSchema: { 'com.linkedin.schema.KafkaSchema': { documentSchema: '{"type":"record"}' } } },
      upstreamLineage: {
        upstreams: [{ dataset: LOOSE, query: 'urn:li:query:made-it' }],
        fineGrainedLineages: [{ upstreams: [field(LOOSE, 'a')], downstreams: [field(ORDERS, 'id')], confidenceScore: 0.5 }],
      },
      datasetUsageStatistics: { uniqueUserCount: 1 },
      viewProperties: { formattedViewLogic: 'select 1', viewLanguage: 'SQL' },
    },
  })
  expect(Object.keys(ofTitle('id').aspects.schemaMetadata)).toEqual(['jsonPath', 'jsonProps'])
  // Only who wrote it when, and what is the same in every aspect.
  expect(ofTitle('orders').aspects).not.toHaveProperty('datasetProperties')
  expect(ofTitle('orders').aspects.upstreamLineage.upstreams).toEqual([{ dataset: LOOSE, query: 'urn:li:query:made-it' }])
  expect(ofTitle('orders').aspects.datasetUsageStatistics).toEqual({ uniqueUserCount: 1 })
  expect(ofTitle('bucket/loose')).toMatchObject({ folders: ['prod', 's3', 'bucket'], documentations: ['Second.'] })
  expect(ofTitle('Chart')).toMatchObject({ folders: ['Space', 'Inner'], other_urls: ['https://two.example.com'] })
  expect(ofTitle('Placed')).not.toHaveProperty('folders')
  for (const named of [
    `${ORDERS} big: jsonProps of the aspect schemaMetadata, together larger than 10,000 characters.`,
    'urn:li:tag:Gold: institutionalMemory, because entities of type tag are not imported.',
  ])
    expect(losses).toContain(named)
})

/** An entity of each type that has an aspect. */
const HOLDERS: readonly (readonly [string, readonly string[]])[] = [
  [
    ORDERS,
    [
      ...[
        'status',
        'container',
        'subTypes',
        'dataPlatformInstance',
        'browsePathsV2',
        'ownership',
        'globalTags',
        'glossaryTerms',
        'domains',
      ],
      ...[
        'datasetProperties',
        'editableDatasetProperties',
        'schemaMetadata',
        'editableSchemaMetadata',
        'upstreamLineage',
        'viewProperties',
      ],
      ...['datasetKey', 'datasetProfile', 'datasetUsageStatistics', 'operation', 'institutionalMemory', 'documentation', 'deprecation'],
      'neverHeardOf',
    ],
  ],
  [CONTAINER, ['containerProperties', 'editableContainerProperties', 'containerKey']],
  ['urn:li:chart:(looker,1)', ['chartInfo', 'editableChartProperties', 'chartUsageStatistics', 'chartKey', 'inputFields']],
  ['urn:li:dashboard:(looker,1)', ['dashboardInfo', 'editableDashboardProperties', 'dashboardUsageStatistics', 'dashboardKey']],
  ['urn:li:dataFlow:(airflow,a,PROD)', ['dataFlowInfo', 'editableDataFlowProperties', 'dataFlowKey']],
  ['urn:li:dataJob:(urn:li:dataFlow:(airflow,a,PROD),b)', ['dataJobInfo', 'editableDataJobProperties', 'dataJobInputOutput', 'dataJobKey']],
  [
    'urn:li:dataProcessInstance:1',
    [
      ...['dataProcessInstanceProperties', 'dataProcessInstanceRelationships', 'dataProcessInstanceRunEvent', 'dataProcessInstanceKey'],
      ...['dataProcessInstanceInput', 'dataProcessInstanceOutput'],
    ],
  ],
  ['urn:li:query:1', ['queryProperties', 'querySubjects', 'queryUsageStatistics', 'queryKey']],
  ['urn:li:metric:(urn:li:dataPlatform:dbt,shop,revenue)', ['metricInfo', 'metricUpstreams', 'metricRelationships', 'metricKey']],
  ['urn:li:semanticModel:(urn:li:dataPlatform:dbt,shop,sales)', ['semanticModelInfo', 'semanticModelKey']],
  ['urn:li:glossaryTerm:t', ['glossaryTermInfo', 'glossaryTermKey']],
  ['urn:li:glossaryNode:n', ['glossaryNodeInfo', 'glossaryNodeKey']],
  ['urn:li:assertion:1', ['assertionInfo', 'assertionRunEvent', 'assertionKey']],
  ['urn:li:domain:d', ['domainProperties', 'domainKey']],
  ['urn:li:dataProduct:p', ['dataProductProperties', 'dataProductKey']],
  ['urn:li:document:d', ['documentInfo', 'documentKey']],
]

test('a field that no reader knows is kept, whatever the aspect', async () => {
  await using app = await createTestApp()
  const aspects = HOLDERS.flatMap(([urn, names]) => names.map((name) => ({ urn, name })))
  const losses = await build(
    app,
    aspects.map(({ urn, name }) => proposal(urn, name, { laterVersion: `kept of ${name}` })),
  )
  const { text } = await readFacts(app)
  const isNamed = (name: string) => text.includes(`kept of ${name}"`) || losses.some((line) => line.includes(`kept of ${name}`))
  expect(aspects.filter(({ name }) => !isNamed(name)).map(({ name }) => name)).toEqual([])
})

const RECORDED = join(import.meta.dirname, '../../../../shared/connectors/datahub-events')

test.skipIf(!existsSync(RECORDED))('what recorded fields and paths have beside their names arrives', { timeout: 120_000 }, async () => {
  for (const file of globSync(join(RECORDED, '*/*.json'))) {
    const events: Facts[] = JSON.parse(readFileSync(file, 'utf8'))
    const expected = events.flatMap(({ aspectName, aspect, proposedSnapshot }) => {
      const snapshot: Facts = Object.values(proposedSnapshot ?? {})[0]
      const aspects = snapshot
        ? snapshot.aspects.flatMap((each: Facts) => Object.values(each))
        : [aspectName === 'schemaMetadata' ? aspect?.json : {}]
      return aspects.flatMap((each: Facts) =>
        (Array.isArray(each?.fields) ? each.fields : []).flatMap(({ jsonProps }: Facts) => jsonProps?.string ?? jsonProps ?? []),
      )
    })
    if (expected.length === 0) continue
    await using app = await createTestApp()
    await build(app, events)
    const { text } = await readFacts(app)
    const missing = new Set(expected).difference(new Set(expected.filter((each) => text.includes(JSON.stringify(each)))))
    expect([file, [...missing]]).toEqual([file, []])
  }
})
