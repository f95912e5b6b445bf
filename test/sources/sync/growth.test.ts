import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createResources } from '../../../src/catalog/resources/create.ts'
import { addManualEdges } from '../../../src/lineage/edges/edges.ts'
import { newId } from '../../../src/platform/core/id.ts'
import type { Item } from '../../../src/sources/sync/item.ts'
import { reconcile } from '../../../src/sources/sync/reconcile.ts'
import { uploadArtifacts } from '../../support/dbt.ts'
import { createDataset, createOpenLineageEvent, FACETS } from '../../support/openlineage.ts'
import { createTestIntegration, runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'
import { importLines } from '../../support/transfer.ts'

const ITEMS = 9_000
const LINES = 4_000
const CATALOG_RESOURCES = 3_000
const [JOBS, JOBS_AT_ONCE, MORE_JOBS] = [800, 200, 40]
const [EDGES, MORE_EDGES] = [3_000, 40]
const [MODELS, COLUMNS] = [600, 4]

/** A source that nobody has synced before: one folder with many dashboards. */
async function* listMany(count: number): AsyncGenerator<Item, void> {
  yield { key: 'folder', entity_type: 'dashboard_group', fields: { title: 'Folder' } }
  for (let n = 1; n < count; n += 1)
    yield { key: `dashboard ${n}`, parent: 'folder', entity_type: 'dashboard', fields: { title: `Dashboard ${n}` } }
}

const createIntegration = async ({ db }: TestApp): Promise<string> => {
  const id = newId()
  await db
    .insertInto('integrations')
    .values({ id, name: 'BI', type: 'connector', created_at: new Date(), updated_at: new Date() })
    .execute()
  return id
}

const sync = (app: TestApp, id: string, count: number) =>
  reconcile(app.ctx, { id, sync_id: newId(), whole: true }, listMany(count), async () => {})

/** Index entries read since the statistics were last reset, including those of rows that did not match. */
const countRead = async ({ db }: TestApp): Promise<number> => {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ read: number }>`
    select sum(idx_tup_read)::int as read from pg_stat_user_indexes where relname in ('resources', 'resource_origins')
  `.execute(db)
  return rows[0]!.read
}

const CONNECTIONS = 4

/** The same for all connections of the app, and with rows that were read without an index. */
const countReadOf = async ({ db }: TestApp, table: string): Promise<number> => {
  await Promise.all(Array.from({ length: CONNECTIONS }, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.2)`.execute(db)))
  const { rows } = await sql<{ read: number }>`
    select (t.seq_tup_read + (select sum(i.idx_tup_read) from pg_stat_user_indexes i where i.relid = t.relid))::int as read
    from pg_stat_user_tables t where t.relname = ${table}
  `.execute(db)
  return rows[0]!.read
}

const columnNames = Array.from({ length: COLUMNS }, (_, i) => `c${i}`)

/** Each reports another job. */
const createJobEvents = (count: number, first = 0) => {
  const schema = FACETS.schema(columnNames.map((name) => ({ name })))
  return Array.from({ length: count }, (_, i) =>
    createOpenLineageEvent({
      name: `job ${first + i}`,
      inputs: [createDataset('s3://lake', `raw ${first + i}`, schema)],
      outputs: [createDataset('s3://lake', `made ${first + i}`, schema)],
    }),
  )
}

/** A dbt project of which each model reads the one before. */
const createManifest = (models: number) => {
  const common = { package_name: 'shop', original_file_path: 'models/all.yml', tags: [], meta: {}, description: '' }
  const config = { enabled: true, materialized: 'table', tags: [], meta: {} }
  const columns = Object.fromEntries(columnNames.map((name) => [name, { name, description: '', meta: {}, data_type: 'int', tags: [] }]))
  const nodes = Array.from({ length: models }, (_, i) => ({
    ...{ ...common, config, columns, unique_id: `model.shop.m${i}`, resource_type: 'model', name: `m${i}`, alias: `m${i}` },
    ...{ database: 'dev', schema: 'public', relation_name: `"dev"."public"."m${i}"` },
    depends_on: { macros: [], nodes: i > 0 ? [`model.shop.m${i - 1}`] : [] },
    raw_code: `select * from {{ ref('m${i - 1}') }}`,
    compiled_code: i > 0 ? `select ${columnNames.join(', ')} from "dev"."public"."m${i - 1}"` : 'select 1 as c0',
  }))
  return {
    metadata: {
      ...{ dbt_schema_version: 'https://schemas.getdbt.com/dbt/manifest/v12.json', dbt_version: '1.9.0' },
      ...{ generated_at: '2026-01-02T03:04:05.000000Z', project_name: 'shop', adapter_type: 'postgres' },
    },
    nodes: Object.fromEntries(nodes.map((node) => [node.unique_id, node])),
    ...{ sources: {}, exposures: {}, metrics: {}, semantic_models: {}, groups: {}, macros: {} },
  }
}

test('the first sync of a large source reads each key once, although Postgres has not counted its rows yet', async () => {
  await using app = await createTestApp()
  const other = await createIntegration(app)
  await sync(app, other, CATALOG_RESOURCES)
  await sql`analyze`.execute(app.db)
  const before = await countRead(app)
  await sync(app, await createIntegration(app), ITEMS)
  expect((await countRead(app)) - before).toBeLessThan(10 * ITEMS)
})

test('a file that is imported again at once looks up each key once', async () => {
  await using app = await createTestApp()
  await sync(app, await createIntegration(app), CATALOG_RESOURCES)
  await sql`analyze`.execute(app.db)
  const integration = newId()
  const schema = { databuilder_id: 'schema', entity_type: 'schema', title: 'schema' }
  const tables = Array.from({ length: LINES }, (_, n) => ({
    databuilder_id: `t${n}`,
    parent_databuilder_id: 'schema',
    entity_type: 'table',
    title: `t${n}`,
  }))
  await importLines(app, [schema, ...tables], { integration })
  const before = await countRead(app)
  expect((await importLines(app, [schema, ...tables], { integration })).body).toMatchObject({ created: 0, unchanged: LINES + 1 })
  expect((await countRead(app)) - before).toBeLessThan(10 * LINES)
})

test('an event of a new job does not read what all others have', async () => {
  await using app = await createTestApp()
  await sql`analyze`.execute(app.db)
  const send = async (path: string, body: unknown) => expect((await app.call('POST', path, { body })).status).toBeLessThan(300)
  const [before, resourcesBefore] = [await countReadOf(app, 'lineage_queries'), await countReadOf(app, 'resources')]
  for (let n = 0; n < JOBS; n += JOBS_AT_ONCE) await send('/lineage/batch', createJobEvents(JOBS_AT_ONCE, n))
  expect((await countReadOf(app, 'resources')) - resourcesBefore).toBeLessThan(1_000 * JOBS)
  const between = await countReadOf(app, 'lineage_queries')
  expect(between - before).toBeLessThan(10 * JOBS)
  for (const event of createJobEvents(MORE_JOBS, JOBS)) await send('/lineage', event)
  expect((await countReadOf(app, 'lineage_queries')) - between).toBeLessThan(50 * MORE_JOBS)
})

test('a manual edge does not read all others', async () => {
  await using app = await createTestApp()
  const { id: hub } = await app.createResource({ title: 'hub', entity_type: 'table' })
  const ids = Array.from({ length: EDGES + MORE_EDGES }, newId)
  await createResources(
    app.ctx,
    ids.map((id, i) => ({ id, title: `t${i}`, entity_type: 'table' })),
  )
  await addManualEdges(
    app.ctx,
    ids.slice(0, EDGES).map((id) => ({ from_id: hub, to_id: id })),
  )
  await sql`analyze`.execute(app.db)
  const before = await countReadOf(app, 'lineage_edges')
  for (const id of ids.slice(EDGES)) {
    const body = { from_entity: hub, to_entity: id, direction: 'DOWNSTREAM' }
    expect((await app.call('POST', '/lineage/manual', { body })).status).toBe(201)
  }
  expect((await countReadOf(app, 'lineage_edges')) - before).toBeLessThan(100 * MORE_EDGES)
})

test('a model of dbt does not read the lineage of all others', async () => {
  await using app = await createTestApp()
  await sql`analyze`.execute(app.db)
  const id = await createTestIntegration(app, 'dbt', {})
  expect((await uploadArtifacts(app, id, { 'manifest.json': createManifest(MODELS) })).status).toBe(200)
  const before = await countReadOf(app, 'lineage_edges')
  expect((await runSync(app, id)).report).toMatchObject({ lineage: { read: MODELS } })
  expect((await countReadOf(app, 'lineage_edges')) - before).toBeLessThan(2_000 * MODELS)
})
