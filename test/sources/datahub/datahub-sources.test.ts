import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { findUnaccounted } from './datahub-count.ts'
import { dataset, field, proposal } from './datahub-shapes.ts'
import { SHOWN, SOURCES } from './datahub-sources.ts'

const build = async (app: TestApp): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from integrations where type = 'datahub' order by id desc limit 1`.execute(app.db)
  const { failed } = await runSync(app, rows[0]!.id)
  if (failed instanceof Error) throw failed
  return rows[0]!.id
}

const sendFile = async (app: TestApp, events: readonly object[]): Promise<string> => {
  const { status, text } = await app.call('POST', '/integration/datahub/events', { body: events })
  if (status !== 200) throw new Error(text)
  return build(app)
}

test('everything in the shapes of sources without a recording arrives or is named', async () => {
  await using app = await createTestApp()
  const events = Object.values(SOURCES).flatMap((create) => create())
  const integration = await sendFile(app, events)
  expect(await findUnaccounted(app, integration, events)).toEqual([])
  const titles = async (urn: string) => {
    const { rows } = await sql<{ title: string; description: string | null }>`
      select c.title, c.description from resources c join resources t on t.id = c.parent where t.display_metadata ->> 'urn' = ${urn} order by 1
    `.execute(app.db)
    return rows.map(({ title, description }) => (description ? `${title}: ${description}` : title))
  }
  expect(await titles(SHOWN.KAFKA)).toEqual(['field_foo: Foo.', 'id: Partition.'])
  expect(await titles(SHOWN.MODE)).toEqual(['computed', 'constant', 'id'])
  expect(await titles(SHOWN.TARGET)).toEqual(['id', 'only_written', 'x'])
  const { rows } = await sql<{ facts: Record<string, unknown>; description: string }>`
    select display_metadata as facts, description from resources where display_metadata ->> 'urn' = ${SHOWN.KAFKA}
  `.execute(app.db)
  expect(rows[0]).toMatchObject({ description: 'Described.', facts: { custom_properties: { string: 'kept' } } })
  const { rows: jobs } = await sql<{ id: string }>`select id from resources where display_metadata ->> 'urn' = ${SHOWN.JOB}`.execute(app.db)
  const { body: runs } = await app.call('GET', `/resource/all/${jobs[0]!.id}/runs`)
  expect(runs.results).toMatchObject([
    { title: 'finished', state: 'FAILED', started_at: '2023-11-14T22:13:20.000Z', duration_seconds: 60 },
    { title: 'running', state: 'RUNNING', started_at: '2023-11-14T22:13:20.000Z', ended_at: null },
  ])
  const { body: tags } = await app.call('GET', '/tag/?name=mlflow')
  expect(tags.results).toMatchObject([{ name: 'mlflow_production', description: 'In production.', color: '#308613' }])
  const { rows: losses } = await sql<{ line: string }>`select line from integration_losses where integration = ${integration}`.execute(
    app.db,
  )
  const lines = losses.map(({ line }) => line)
  for (const named of [
    `${SHOWN.NESTED}: a field without a name`,
    'only.a.source.parquet,PROD), because entities of type mlFeature are not imported',
    'with itself',
    'only fields of datasets, charts and dashboards are resources',
    'only.in.a.contract',
    ...SHOWN.NOTED,
    `the relation with ${SHOWN.NOTED[7]}`,
    'the relation with urn:li:tag:OfAttribute',
    'the relation with urn:li:glossaryTerm:OfAttribute',
    `${SHOWN.SCORED}: lineage with ${SHOWN.FEATURE}`,
    'its container urn:li:container:never-described, which no event describes',
    `${SHOWN.TERM}: its term group urn:li:glossaryNode:undescribed, which no event describes`,
    `${SHOWN.GUIDE}: its document urn:li:document:undescribed, which no event describes`,
    `${SHOWN.USED}: the owner urn:li:corpuser:only-by-type`,
    `${SHOWN.USED}: 20 of 120 userCounts of the aspect datasetUsageStatistics`,
    `${field(SHOWN.USED, 'part')}: the relation with ${field(dataset('logical', 'model'), 'part')}`,
    `${SHOWN.METRIC}: the owner urn:li:corpuser:metric-owner`,
    'entities of type platformResource, which say something to DataHub only',
  ])
    expect(lines.some((line) => line.includes(named)) || named).toBe(true)
  expect(lines.filter((line) => line.startsWith(SHOWN.USED) && line.includes('with itself'))).toEqual([])
  const readFacts = async (urn: string) => {
    const { rows } = await sql<{
      facts: unknown
    }>`select display_metadata as facts from resources where display_metadata ->> 'urn' = ${urn}`.execute(app.db)
    return rows[0]!.facts
  }
  expect(await readFacts(SHOWN.TERM)).toMatchObject({ aspects: { schemaMetadata: { fields: [{ fieldPath: 'of_term' }] } } })
  expect(await readFacts(SHOWN.USED)).toMatchObject({
    ownership_types: { 'urn:li:corpuser:listed': 'Keeper', 'urn:li:corpuser:only-by-type': 'Keeper' },
  })
  const { rows: edges } = await sql<{ edge: string }>`
    select u.title || ' > ' || d.title as edge from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
    where d.title in ('Net revenue', 'Sales', 'whole')
  `.execute(app.db)
  expect(edges.map(({ edge }) => edge).toSorted()).toEqual([
    ...['amount > Net revenue', 'part > whole', 'refunds > Net revenue', 'returned > Sales', 'sold > Net revenue', 'sold > Sales'],
  ])
})

test('ends of lineage in unusual places become edges, and a deleted key deletes the entity', async () => {
  await using app = await createTestApp()
  const urn = 'urn:li:dataset:(urn:li:dataPlatform:s3,deleted,PROD)'
  await sendFile(app, [
    ...SOURCES.relations!(),
    { entityUrn: urn, aspectName: 'datasetProperties', aspect: { json: { name: 'deleted' } } },
    { entityUrn: urn, aspectName: 'datasetKey', changeType: 'DELETE', aspect: null },
  ])
  const { rows } = await sql<{ edge: string }>`
    select u.title || ' > ' || d.title as edge from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
  `.execute(app.db)
  expect(rows.map(({ edge }) => edge).sort()).toEqual(['parent > id', 'patched > out', 'scored > whole/output'])
  const { rows: tagged } = await sql<{ title: string; name: string }>`
    select r.title, t.name from resources r join tags t on t.id = any(r.tags) where r.entity_type = 'column'
  `.execute(app.db)
  expect(tagged).toEqual([{ title: 'parent', name: 'Patched' }])
  const { rows: deleted } = await sql`select from resources where title = 'deleted'`.execute(app.db)
  expect(deleted).toEqual([])
})

test('charts have the fields they compute, containers the kind of their platform, and a job what one end of its columns names', async () => {
  await using app = await createTestApp()
  const [orders, copy] = [dataset('s3', 'bucket/orders'), dataset('s3', 'bucket/copy')]
  const [chart, board] = ['urn:li:chart:(sigma,c)', 'urn:li:dashboard:(sigma,d)']
  const job = 'urn:li:dataJob:(urn:li:dataFlow:(spark,app,PROD),one-sided)'
  const computed = field(chart, 'Total (EUR)')
  const events = [
    ...['s3', 'tableau', 'bigquery'].flatMap((platform) =>
      ['Folder', 'Project'].flatMap((type) => {
        const urn = `urn:li:container:${platform}-${type}`
        return [
          proposal(urn, 'containerProperties', { name: `${platform} ${type}` }),
          proposal(urn, 'dataPlatformInstance', { platform: `urn:li:dataPlatform:${platform}` }),
          proposal(urn, 'subTypes', { typeNames: [type] }),
        ]
      }),
    ),
    proposal(orders, 'datasetProperties', { name: 'orders', created: { time: 1_600_000_000_000 } }),
    proposal(orders, 'editableDatasetProperties', { name: 'Orders of customers' }),
    proposal(orders, 'schemaMetadata', {
      fields: [{ fieldPath: 'amount', nativeDataType: '', type: { type: { 'com.linkedin.schema.NumberType': {} } } }],
    }),
    proposal(orders, 'datasetProfile', { timestampMillis: 6, rowCount: 3, partitionSpec: { type: 'PARTITION', partition: 'day=1' } }),
    proposal(copy, 'datasetProfile', { timestampMillis: 6, rowCount: 4, partitionSpec: { type: 'FULL_TABLE', partition: 'x' } }),
    proposal(copy, 'datasetUsageStatistics', { timestampMillis: 6, totalSqlQueries: 9_000_000_000 }),
    proposal(chart, 'chartInfo', { title: 'Sales', description: '' }),
    proposal(chart, 'inputFields', {
      fields: [
        { schemaFieldUrn: field(orders, 'amount') },
        {
          schemaFieldUrn: computed,
          schemaField: { fieldPath: 'Total (EUR)', nativeDataType: 'Number', globalTags: { tags: [{ tag: 'urn:li:tag:Measure' }] } },
        },
      ],
    }),
    proposal(board, 'dashboardInfo', { title: 'Board', description: '', charts: [chart] }),
    proposal(board, 'inputFields', { fields: [{ schemaFieldUrn: computed }] }),
    proposal(board, 'dashboardUsageStatistics', { timestampMillis: 5, viewsCount: 70, eventGranularity: { unit: 'DAY', multiple: 1 } }),
    proposal(chart, 'chartUsageStatistics', { timestampMillis: 5, viewsCount: 90_000 }),
    proposal(job, 'dataJobInputOutput', {
      ...{ inputDatasets: [dataset('s3', 'bucket/other')], outputDatasets: [copy] },
      fineGrainedLineages: [{ upstreamType: 'FIELD_SET', upstreams: [field(orders, 'amount')], downstreamType: 'FIELD', downstreams: [] }],
    }),
  ]
  const integration = await sendFile(app, events)
  expect(await findUnaccounted(app, integration, events)).toEqual([])
  const { rows: types } = await sql<{ title: string; entity_type: string }>`
    select title, entity_type from resources where display_metadata ->> 'urn' like 'urn:li:container:%' order by 1
  `.execute(app.db)
  expect(Object.fromEntries(types.map(({ title, entity_type }) => [title, entity_type]))).toEqual({
    'bigquery Folder': 'dashboard_group',
    'bigquery Project': 'database',
    's3 Folder': 'database',
    's3 Project': 'database',
    'tableau Folder': 'dashboard_group',
    'tableau Project': 'dashboard_group',
  })
  const find = async (urn: string) => {
    const { rows } = await sql<{ id: string }>`select id from resources where display_metadata ->> 'urn' = ${urn}`.execute(app.db)
    return (await app.call('GET', `/resource/all/${rows[0]!.id}`)).body
  }
  const table = await find(orders)
  expect(table).toMatchObject({ title: 'Orders of customers', row_count: null })
  expect(table.display_metadata).toMatchObject({
    name_in_source: 'orders',
    created_at: '2020-09-13T12:26:40.000Z',
    profile: { rowCount: 3 },
  })
  expect(await find(copy)).toMatchObject({ row_count: 4, external_usage: 2_147_483_647 })
  expect((await find(board)).external_usage).toBe(70)
  // All views ever are no usage of today: the next total tells how many there were since.
  const { rows: counted } = await sql`select u.calls from query_uses u where u.query_id = ${(await find(chart)).id}`.execute(app.db)
  expect(counted).toEqual([{ calls: 90_000 }])
  const { rows: columns } = await sql<{ column: string }>`
    select p.title || '.' || c.title || ': ' || coalesce(c.native_type, '') || coalesce(' #' || (select t.name from tags t where t.id = any(c.tags)), '') as column
    from resources c join resources p on p.id = c.parent where c.entity_type = 'column' order by 1
  `.execute(app.db)
  expect(columns.map(({ column }) => column)).toEqual(['Orders of customers.amount: number', 'Sales.Total (EUR): Number #Measure'])
  const { rows: edges } = await sql<{ edge: string }>`
    select u.title || ' > ' || d.title as edge from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream order by 1
  `.execute(app.db)
  expect(edges.map(({ edge }) => edge).toSorted()).toEqual([
    ...[
      'Orders of customers > Sales',
      'Orders of customers > bucket/copy',
      'Sales > Board',
      'Total (EUR) > Board',
      'amount > Sales',
      'bucket/other > bucket/copy',
    ],
  ])
  // The chart shows its columns as a table does.
  const { body: graph } = await app.call('GET', `/lineage/graph?resource_id=${(await find(board)).id}&direction=UPSTREAM&level=column`)
  expect(graph.nodes.map(({ title }: { title: string }) => title)).toContain('Total (EUR)')
})

test('characters that cannot be stored cost no event', async () => {
  await using app = await createTestApp()
  const urn = 'urn:li:dataset:(urn:li:dataPlatform:csv,nul,PROD)'
  const aspect = { json: { name: 'a\u0000b', description: 'c\ud800d' } }
  await sendFile(app, [{ entityUrn: urn, aspectName: 'datasetProperties', aspect }])
  const { rows } = await sql`select title, description from resources where display_metadata ->> 'urn' = ${urn}`.execute(app.db)
  expect(rows).toEqual([{ title: 'a\ufffdb', description: 'c\ufffdd' }])
})

test('the REST sink leads to the same catalog as a file', async () => {
  const list = async (app: TestApp) => {
    const { rows } =
      await sql`select databuilder_id, title, description, native_type, entity_type from resources where integration is not null order by 1`.execute(
        app.db,
      )
    return rows
  }
  const events = Object.values(SOURCES).flatMap((create) => create()) as { proposedSnapshot?: object }[]
  await using file = await createTestApp()
  await sendFile(file, events)
  await using app = await createTestApp()
  const post = async (url: string, payload: object) => {
    const { statusCode, body } = await app.fastify.inject({
      method: 'POST',
      url,
      payload,
      headers: { authorization: `Bearer ${app.token}` },
    })
    expect([statusCode, body]).toEqual([200, expect.any(String)])
  }
  for (const event of events)
    if (event.proposedSnapshot) await post('/entities?action=ingest', { entity: { value: event.proposedSnapshot } })
    else await post('/aspects?action=ingestProposal', { proposal: event })
  await build(app)
  expect(await list(app)).toEqual(await list(file))
})

/** Events that DataHub's own connectors emit. They belong to another project and are not part of this one. */
const SAMPLES = ['../../../..', '../../../../..']
  .map((up) => join(import.meta.dirname, up, 'shared/connectors/datahub-events'))
  .find(existsSync)

test('a count of its own finds everything of recorded events as well', async () => {
  if (!SAMPLES) return
  const files = globSync('*/*.json', { cwd: SAMPLES }).toSorted()
  // All of them take minutes.
  const chosen = files.filter((file) => file.includes(process.env.DATAHUB_SAMPLES ?? 'fivetran_snowflake'))
  const missing: string[] = []
  for (const file of chosen) {
    await using app = await createTestApp()
    const events = JSON.parse(readFileSync(join(SAMPLES, file), 'utf8'))
    for (const lost of await findUnaccounted(app, await sendFile(app, events), events)) missing.push(`${file}: ${lost}`)
  }
  expect(missing).toEqual([])
})

test('a loss report with more lines than are stored says how many more there are', async () => {
  await using app = await createTestApp()
  const sources = Array.from({ length: 100_050 }, (_, i) => `urn:li:dataset:(urn:li:dataPlatform:s3,f${i},PROD)`)
  const integration = await sendFile(app, [
    proposal('urn:li:mlFeature:(churn,age)', 'mlFeatureProperties', { sources }),
    proposal(dataset('s3', 'kept'), 'datasetProperties', { name: 'kept' }),
  ])
  const { rows } = await sql<{ line: string }>`
    select line from integration_losses where integration = ${integration} order by number
  `.execute(app.db)
  expect(rows).toHaveLength(100_000)
  // One line says that features are not imported.
  expect(rows.at(-1)!.line).toBe('52 more: the report has at most 100,000 lines.')
}, 120_000)
