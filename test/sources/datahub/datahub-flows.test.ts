import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { HOUSEKEEPING, JOB_HANDLERS } from '../../../src/app/tasks.ts'
import type { Context } from '../../../src/platform/context/context.ts'
import { runJob } from '../../../src/platform/jobs/run.ts'
import { saveAddedFlows } from '../../../src/sources/datahub/added-flows.ts'
import { entityKey } from '../../../src/sources/datahub/items.ts'
import { saveFlow } from '../../../src/sources/job-flows/save-flow.ts'
import { runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { dataset, field, proposal, schema } from './datahub-shapes.ts'

const send = async (app: TestApp, pipeline: string, events: readonly object[]): Promise<string> => {
  const body = events.map((event) => ({ ...event, systemMetadata: { pipelineName: pipeline } }))
  const { status, text } = await app.call('POST', '/integration/datahub/events', { body })
  if (status !== 200) throw new Error(text)
  const { rows } = await sql<{ id: string }>`select id from integrations where name = ${pipeline}`.execute(app.db)
  const { failed } = await runSync(app, rows[0]!.id)
  if (failed instanceof Error) throw failed
  return rows[0]!.id
}

const listEdges = async (app: TestApp): Promise<string[]> => {
  const { rows } = await sql<{ edge: string }>`
    select u.title || ' > ' || d.title as edge from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
  `.execute(app.db)
  return rows.map(({ edge }) => edge).sort()
}

/** A warehouse of another integration, whose tables the pipeline only names. */
const [RAW, MART] = [dataset('snowflake', 'shop.public.raw'), dataset('snowflake', 'shop.public.mart')]
const createWarehouse = async (app: TestApp): Promise<void> => {
  const events = [RAW, MART].flatMap((urn) => [proposal(urn, 'schemaMetadata', schema('id')), proposal(urn, 'datasetProperties', {})])
  await send(app, 'warehouse', events)
}

const FLOW = 'urn:li:dataFlow:(airflow,daily,PROD)'
const JOB = `urn:li:dataJob:(${FLOW},load)`
const ofJob = proposal(JOB, 'dataJobInputOutput', {
  ...{ inputDatasets: [RAW], outputDatasets: [MART] },
  fineGrainedLineages: [{ upstreams: [field(RAW, 'id')], downstreams: [field(MART, 'id')] }],
})
const intoMart = proposal(MART, 'upstreamLineage', {
  upstreams: [{ dataset: RAW }],
  fineGrainedLineages: [{ upstreams: [field(RAW, 'id')], downstreams: [field(MART, 'id')] }],
})
const EDGES = ['id > id', 'raw > mart']

test.each([
  ['a job', ofJob, { entityUrn: JOB, changeType: 'DELETE', aspectName: 'dataJobInputOutput' }],
  ['a table of another integration', intoMart, { entityUrn: MART, changeType: 'DELETE', aspectName: 'upstreamLineage' }],
])('lineage that %s no longer reports between tables of another integration is withdrawn', async (_, reported, deleted) => {
  await using app = await createTestApp()
  await createWarehouse(app)
  const kept = proposal(dataset('s3', 'kept'), 'status', { removed: false })
  await send(app, 'jobs', [reported, kept])
  expect(await listEdges(app)).toEqual(EDGES)
  await send(app, 'jobs', [deleted, kept])
  expect(await listEdges(app)).toEqual([])
})

test.each([
  ['a job', ofJob],
  ['a table of another integration', intoMart],
])(
  'lineage of %s between tables of another integration goes when its sync is undone, and comes back with the next one',
  async (_, reported) => {
    await using app = await createTestApp()
    await createWarehouse(app)
    const integration = await send(app, 'jobs', [reported])
    const { rows } = await sql<{
      id: string
    }>`select id from integration_syncs where integration = ${integration} order by id desc limit 1`.execute(app.db)
    const sync_id = rows[0]!.id
    const { body: job } = await app.call('POST', `/integration/integrations/${integration}/sync/${sync_id}/undo`)
    await runJob(app.ctx, JOB_HANDLERS, job.id, { integration_id: integration, sync_id }, true)
    expect(await listEdges(app)).toEqual([])
    await runSync(app, integration)
    expect(await listEdges(app)).toEqual(EDGES)
  },
)

test('two pipelines that report lineage of a table of another integration do not withdraw that of each other', async () => {
  await using app = await createTestApp()
  await createWarehouse(app)
  await send(app, 'one', [intoMart])
  const two = await send(app, 'two', [intoMart])
  expect((await listEdges(app)).length).toBe(4)
  expect((await app.call('DELETE', `/integration/integrations/${two}`)).status).toBeLessThan(300)
  expect(await listEdges(app)).toEqual(EDGES)
  await send(app, 'one', [proposal(MART, 'upstreamLineage', { upstreams: [] })])
  expect(await listEdges(app)).toEqual([])
})

test('a pipeline does not withdraw what the integration of the table reports itself', async () => {
  await using app = await createTestApp()
  await createWarehouse(app)
  await send(app, 'warehouse', [intoMart])
  await send(app, 'two', [intoMart])
  expect((await listEdges(app)).length).toBe(4)
  await send(app, 'two', [proposal(MART, 'upstreamLineage', { upstreams: [{ dataset: RAW }] })])
  expect(await listEdges(app)).toEqual([...EDGES, 'raw > mart'])
})

const findTable = async (app: TestApp, title: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from resources where entity_type = 'table' and title = ${title}`.execute(app.db)
  return rows[0]!.id
}

test('edges that a process of the version before writes during an upgrade are replaced by the next sync', async () => {
  await using app = await createTestApp()
  await createWarehouse(app)
  const integration = await send(app, 'jobs', [intoMart])
  const [raw, mart] = [await findTable(app, 'raw'), await findTable(app, 'mart')]
  // The tables are of a source that is no DataHub pipeline.
  await sql`update resource_origins set key = 'mart' where resource_id = ${mart}::uuid`.execute(app.db)
  await saveFlow(app.ctx, { key: entityKey(MART), owner: mart, after: { inputs: [raw], outputs: [mart], columns: [] } })
  expect(await listEdges(app)).toEqual([...EDGES, 'raw > mart'])
  await runSync(app, integration)
  expect(await listEdges(app)).toEqual(EDGES)
})

test('lineage of a table that was deleted and restored is withdrawn when it is no longer reported', async () => {
  await using app = await createTestApp()
  await createWarehouse(app)
  await send(app, 'jobs', [intoMart])
  const mart = await findTable(app, 'mart')
  await app.call('DELETE', `/resource/all/${mart}`)
  const integration = await send(app, 'jobs', [proposal(MART, 'upstreamLineage', { upstreams: [] })])
  expect(await listEdges(app)).toEqual([])
  expect((await app.call('POST', `/resource/all/${mart}/restore`, { body: {} })).status).toBe(200)
  expect(await listEdges(app)).toEqual(EDGES)
  await runSync(app, integration, { confirm_removals: true })
  expect(await listEdges(app)).toEqual([])
})

test('lineage of a table that was restored after its time in the trash is saved by the next sync', async () => {
  await using app = await createTestApp()
  await createWarehouse(app)
  const integration = await send(app, 'jobs', [proposal(MART, 'upstreamLineage', { upstreams: [{ dataset: RAW }] })])
  const mart = await findTable(app, 'mart')
  await app.call('DELETE', `/resource/all/${mart}`)
  await HOUSEKEEPING.datahub_added_flows!(app.ctx)
  await sql`delete from trash_rows`.execute(app.db)
  await sql`delete from trash`.execute(app.db)
  expect((await app.call('POST', `/resource/all/${mart}/restore`, { body: { version: 1 } })).status).toBe(200)
  expect(await listEdges(app)).toEqual([])
  await runSync(app, integration)
  expect(await listEdges(app)).toEqual(['raw > mart'])
})

test('the flows of many entities are saved together', async () => {
  await using app = await createTestApp()
  await createWarehouse(app)
  const integration = await send(app, 'jobs', [proposal(dataset('s3', 'kept'), 'status', { removed: false })])
  const [raw, mart] = [await findTable(app, 'raw'), await findTable(app, 'mart')]
  const all = Array.from({ length: 250 }, (_, i) => ({
    key: entityKey(dataset('s3', `of ${i}`)),
    resource_id: mart,
    flows: { inputs: [raw], outputs: i % 50 === 0 ? [mart] : [], columns: [] },
  }))
  const transactions = { begun: 0, committed: 0 }
  const ctx: Context = { ...app.ctx, limits: { transactions } }
  await saveAddedFlows(
    ctx,
    integration,
    all.map((after) => ({ after })),
  )
  expect([transactions.committed, (await listEdges(app)).length]).toEqual([2, 5])
  await saveAddedFlows(
    ctx,
    integration,
    all.map((before, i) => ({ before, ...(i < 200 ? {} : { after: before }) })),
  )
  expect([transactions.committed, (await listEdges(app)).length]).toEqual([3, 1])
})

test('lineage is kept for entities with very long names', async () => {
  await using app = await createTestApp()
  const [from, to] = ['from', 'to'].map((name) => dataset('s3', `${'folder/'.repeat(100)}${name}`))
  await send(app, 'lake', [proposal(to!, 'upstreamLineage', { upstreams: [{ dataset: from }] })])
  expect((await listEdges(app)).length).toBe(1)
})

test('columns that lineage, tags and edits name in another letter case are those of the schema', async () => {
  await using app = await createTestApp()
  const [upper, lower] = [dataset('snowflake', 'a.b.upper'), dataset('snowflake', 'a.b.lower')]
  const tagged = { tags: [{ tag: 'urn:li:tag:PII' }] }
  await send(app, 'cases', [
    proposal(upper, 'schemaMetadata', schema('ID', 'ADDRESS', 'ADDRESS.CITY', 'Twice', 'TWICE')),
    proposal(lower, 'schemaMetadata', schema('id', 'city', 'twice')),
    proposal(lower, 'upstreamLineage', {
      upstreams: [{ dataset: upper }],
      fineGrainedLineages: [
        { upstreams: [field(upper, 'id')], downstreams: [field(lower, 'Id')] },
        { upstreams: [field(upper, 'address.city')], downstreams: [field(lower, 'CITY')] },
        { upstreams: [field(upper, 'twice')], downstreams: [field(lower, 'twice')] },
        { upstreams: [field(upper, 'Twice')], downstreams: [field(lower, 'twice')] },
      ],
    }),
    proposal(field(upper, 'id'), 'globalTags', tagged),
    proposal(upper, 'editableSchemaMetadata', { editableSchemaFieldInfo: [{ fieldPath: 'address.City', description: 'Town.' }] }),
  ])
  const { rows } = await sql<{ title: string; tags: number; description: string | null }>`
    select title, cardinality(coalesce(tags, '{}')) as tags, description from resources where entity_type = 'column' order by title collate "C"
  `.execute(app.db)
  // Of two candidates none is chosen: "twice" of the first table is a column of its own.
  expect(rows.map(({ title }) => title)).toEqual(['ADDRESS', 'CITY', 'ID', 'TWICE', 'Twice', 'city', 'id', 'twice', 'twice'])
  expect([rows[1]!.description, rows[2]!.tags]).toEqual(['Town.', 1])
  expect(await listEdges(app)).toEqual(['CITY > city', 'ID > id', 'Twice > twice', 'twice > twice', 'upper > lower'].sort())
})
