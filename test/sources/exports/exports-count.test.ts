import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { convertOpenMetadata } from '../../../src/sources/exports/openmetadata.ts'
import { readRecords } from '../../../src/sources/exports/read-export.ts'
import { convertSecoda } from '../../../src/sources/exports/secoda.ts'
import { runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const label = (tagFQN: string, source = 'Classification') => ({ tagFQN, source, labelType: 'Manual', state: 'Confirmed' })
const TABLES = ['orders', 'customers', 'raw'].map((name, i) => ({
  ...{ id: `t${i}`, name, fullyQualifiedName: `wh.shop.public.${name}`, serviceType: 'Postgres', tableType: 'Regular', version: 0.3 },
  columns: [
    { name: 'id', dataType: 'INT', constraint: 'PRIMARY_KEY', fullyQualifiedName: `wh.shop.public.${name}.id`, ordinalPosition: 1 },
    { name: 'ref', dataType: 'INT', constraint: 'NOT_NULL', tags: [label('PII.Sensitive'), label('Business.Ref', 'Glossary')] },
    {
      name: 'body',
      dataType: 'STRUCT',
      children: [{ name: 'a', dataType: 'ARRAY', children: [{ name: 'b', dataType: 'INT', profile: { nullCount: 1 } }] }],
    },
  ],
  tableConstraints:
    name === 'orders' ? [{ constraintType: 'FOREIGN_KEY', columns: ['ref'], referredColumns: ['wh.shop.public.customers.id'] }] : [],
  owners: [{ id: 'nobody', type: 'user', name: 'nobody' }],
}))
const edge = (from: string, to: string, columns: string[] = []) => ({
  fromEntity: { id: from, type: 'table', fullyQualifiedName: `wh.shop.public.${TABLES[Number(from.slice(1))]?.name}` },
  toEntity: { id: to, type: 'table', fullyQualifiedName: `wh.shop.public.${TABLES[Number(to.slice(1))]?.name}` },
  columns: columns.map((name) => ({ fromColumns: [`wh.shop.public.raw.${name}`], toColumn: `wh.shop.public.orders.${name}` })),
  pipeline: { id: 'p1', type: 'pipeline' },
})

const OPEN_METADATA = {
  'tables.json': { data: TABLES, paging: { total: 3 } },
  'charts.json': [{ id: 'c1', name: 'c', fullyQualifiedName: 'bi.c', serviceType: 'Looker', extension: { team: 'bi' } }],
  'dashboards.json': [
    { id: 'b1', name: 'b', fullyQualifiedName: 'bi.b', serviceType: 'Looker', charts: [{ id: 'c1' }], extension: { tier: '1' } },
  ],
  'pipelines.json': [
    {
      ...{ id: 'p1', name: 'daily', fullyQualifiedName: 'airflow.daily', serviceType: 'Airflow', extension: { sla: '6h' } },
      tasks: [
        {
          name: 'a',
          tags: [label('Tier.One'), label('Business.Ref', 'Glossary')],
          owners: [{ type: 'user', name: 'taskowner' }],
          startDate: 'x',
        },
      ],
    },
  ],
  'glossaryTerms.json': [{ id: 'g', name: 'Ref', fullyQualifiedName: 'Business.Ref', extension: { steward: 'x' } }],
  'containers.json': [{ id: 's', name: 'file', fullyQualifiedName: 's3.bucket.file', serviceType: 'S3', parent: { name: 'bucket' } }],
  // Since version 1.6 nodes and edges are objects; the lineage of the other end has the same edge without columns.
  'lineage.json': [
    { nodes: {}, upstreamEdges: { e1: edge('t2', 't0', ['id', 'ref']) }, downstreamEdges: {} },
    { nodes: { x: { entity: { id: 't2', entityType: 'table' } } }, upstreamEdges: {}, downstreamEdges: { e1: edge('t2', 't0') } },
  ],
}

const SECODA = {
  'integrations.json': [{ id: 'i', type: 'postgres' }],
  'resources.json': {
    results: [
      { id: 'db', entity_type: 'database', title: 'crm', integration: 'i' },
      {
        id: 't1',
        entity_type: 'table',
        title: 'people',
        title_full: 'crm.app.people',
        parent: 'db',
        integration: 'i',
        row_count: 7,
        external_usage: 3,
      },
      {
        id: 't2',
        entity_type: 'table',
        title: 'raw',
        title_full: 'crm.app.raw',
        integration: 'i',
        description: 'D.',
        definition: 'Raw rows.',
      },
      { id: 'c1', entity_type: 'column', title: 'email', parent: 't1', owners: ['u1'], pii: true, collections: ['col'] },
      { id: 'c2', entity_type: 'column', title: 'mail', parent: 't2' },
      { id: 'q', entity_type: 'query', title: 'Q', definition: 'select 1', parent: 't1' },
      { id: 'ch', entity_type: 'chart', title: 'Chart', integration: 'i' },
      { id: 'col', entity_type: 'collection', title: 'Customers' },
    ],
  },
  'lineage.json': [
    { from_entity: 't2', to_entity: 't1', direction: 'DOWNSTREAM' },
    { from_entity: 'c2', to_entity: 'c1', direction: 'DOWNSTREAM' },
    { from_entity: 'c1', to_entity: 'ch', direction: 'DOWNSTREAM' },
    { from_entity: 't1', to_entity: 'q', direction: 'DOWNSTREAM' },
  ],
}

const load = (files: Readonly<Record<string, unknown>>) =>
  Object.entries(files).map(([name, content]) => readRecords(name, `\uFEFF${JSON.stringify(content)}`))

const send = async (app: TestApp, events: readonly object[]) => {
  const { status, body, text } = await app.call('POST', '/integration/datahub/events', { body: events })
  if (status !== 200) throw new Error(text)
  const { rows } = await sql<{ integration: string }>`select integration from integration_syncs where id = ${body.jobs[0].id}`.execute(
    app.db,
  )
  const { failed } = await runSync(app, rows[0]!.integration)
  if (failed instanceof Error) throw failed
}

const count = async (app: TestApp) => {
  const { rows } = await sql<{ type: string; n: number }>`
    select entity_type as type, count(*)::int as n from resources where integration is not null group by 1
  `.execute(app.db)
  const edges = await sql<{ n: number }>`select count(*)::int as n from lineage_edges`.execute(app.db)
  return { ...Object.fromEntries(rows.map(({ type, n }) => [type, n])), edges: edges.rows[0]!.n }
}

const find = async (app: TestApp, title: string) => {
  const { rows } = await sql<{ facts: object; row_count: number; external_usage: number; terms: string[]; tags: string[] }>`
    select display_metadata as facts, row_count, external_usage, terms, tags from resources where title = ${title} and entity_type <> 'database'
  `.execute(app.db)
  return rows[0]!
}

const expectNamed = (lines: readonly string[], ...losses: string[]) => {
  for (const lost of losses) expect(lines.some((line) => line.includes(lost)) || lost).toBe(true)
}

test('an export of OpenMetadata arrives complete, or the report names what does not', async () => {
  await using app = await createTestApp()
  const { events, losses, counts } = convertOpenMetadata(load(OPEN_METADATA), 'OpenMetadata')
  await send(app, events)
  expect(Object.fromEntries(counts)).toMatchObject({ table: 3, column: 15, chart: 1, dashboard: 1, task: 1, 'lineage edge': 1 })
  // Three tables and a file; the edge of two tables, of two columns, and of the chart in its dashboard.
  expect(await count(app)).toMatchObject({ table: 4, column: 15, chart: 1, dashboard: 1, job: 1, job_group: 1, edges: 4 })
  expect(await find(app, 'orders')).toMatchObject({ facts: { foreign_keys: [{ columns: ['ref'], referenced_columns: ['id'] }] } })
  expect((await find(app, 'ref')).facts).toMatchObject({ nullable: false })
  for (const [title, properties] of [
    ['c', { team: 'bi' }],
    ['b', { tier: '1' }],
    ['daily', { sla: '6h' }],
    ['Ref', { steward: 'x' }],
  ] as const)
    expect([title, (await find(app, title)).facts]).toMatchObject([title, { custom_properties: properties }])
  const task = await find(app, 'a')
  expect([task.tags.length, task.terms.length, task.facts]).toMatchObject([1, 1, { unmatched_owners: ['urn:li:corpuser:taskowner'] }])
  expectNamed(
    losses.lines,
    'the field pipeline of each lineage edge',
    'the field profile of each column',
    'startDate of each task',
    'it is in bucket',
  )
})

test('an export of Secoda arrives complete, or the report names what does not', async () => {
  await using app = await createTestApp()
  const { events, losses } = convertSecoda(load(SECODA), 'Secoda')
  await send(app, events)
  expect(await count(app)).toMatchObject({ table: 2, column: 2, chart: 1, query: 1, collection: 1, edges: 2 })
  expect(await find(app, 'people')).toMatchObject({ row_count: 7, external_usage: 3 })
  expect((await find(app, 'raw')).facts).toMatchObject({ custom_properties: { definition: 'Raw rows.' } })
  expect((await find(app, 'email')).facts).toMatchObject({ unmatched_owners: ['urn:li:corpuser:u1'] })
  expectNamed(
    losses.lines,
    ...['email: its collection Customers', 'the field pii of each column', 'Q: that it is in crm.app.people'],
    ...['lineage from email (column) to Chart (chart)', 'lineage from crm.app.people (table) to Q (query)'],
  )
})
