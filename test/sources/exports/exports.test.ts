import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { importFromCommand } from '../../../src/app/cli/import-from.ts'
import { migrateCommand } from '../../../src/app/cli/migrate.ts'
import { convertOpenMetadata } from '../../../src/sources/exports/openmetadata.ts'
import { readRecords } from '../../../src/sources/exports/read-export.ts'
import { convertSecoda } from '../../../src/sources/exports/secoda.ts'
import { runSync } from '../../support/sources.ts'
import { createTestApp, type TestApp } from '../../support/test-app.ts'

const API = 'http://localhost:8585/api/v1'

/** Records as OpenMetadata's API returns them. */
const OPEN_METADATA = {
  'users.json': { data: [{ id: 'u1', name: 'ada', email: 'ADMIN', href: `${API}/users/u1` }], paging: { total: 1 } },
  'databases.json': [{ id: 'd1', name: 'shop', fullyQualifiedName: 'wh.shop', serviceType: 'Snowflake', href: `${API}/databases/d1` }],
  'databaseSchemas.json': [{ id: 's1', name: 'public', fullyQualifiedName: 'wh.shop.public', serviceType: 'Snowflake' }],
  'tables.json': [
    {
      id: 't1',
      name: 'orders',
      fullyQualifiedName: 'wh.shop.public.orders',
      serviceType: 'Snowflake',
      databaseSchema: { id: 's1', type: 'databaseSchema' },
      description: 'One row per order.',
      tableType: 'Regular',
      columns: [
        { name: 'id', dataType: 'NUMBER', constraint: 'PRIMARY_KEY', tags: [{ tagFQN: 'PII.None', source: 'Classification' }] },
        { name: 'address', dataType: 'STRUCT', children: [{ name: 'city', dataTypeDisplay: 'varchar(20)', description: 'Town.' }] },
      ],
      owners: [
        { id: 'u1', type: 'user', name: 'ada' },
        { id: 'x', type: 'team', name: 'data', displayName: 'Data' },
      ],
      tags: [
        { tagFQN: 'Tier.Gold', source: 'Classification' },
        { tagFQN: 'Business.Order', source: 'Glossary' },
      ],
      domains: [{ id: 'dom', type: 'domain', name: 'Sales', fullyQualifiedName: 'Sales' }],
      votes: { upVotes: 3 },
    },
    {
      id: 't2',
      name: 'my.raw',
      fullyQualifiedName: 'wh.shop.public."my.raw"',
      serviceType: 'Snowflake',
      columns: [{ name: 'id', dataType: 'NUMBER' }],
    },
    { id: 't4', name: 'far', fullyQualifiedName: 'wh."my.db".other.far', serviceType: 'Snowflake' },
    { id: 't3', name: 'gone', fullyQualifiedName: 'wh.shop.public.gone', serviceType: 'Snowflake', deleted: true },
  ],
  'charts.jsonl': '{"id":"c1","name":"c","displayName":"Revenue","fullyQualifiedName":"bi.c","serviceType":"Looker"}\n',
  'dashboards.json': [
    {
      id: 'b1',
      name: 'b',
      displayName: 'Sales board',
      fullyQualifiedName: 'bi.b',
      serviceType: 'Looker',
      charts: [{ id: 'c1', type: 'chart' }],
    },
  ],
  'pipelines.json': [
    {
      id: 'p1',
      name: 'daily',
      fullyQualifiedName: 'airflow.daily',
      serviceType: 'Airflow',
      tasks: [{ name: 'a', downstreamTasks: ['b'] }, { name: 'b' }],
    },
  ],
  'glossaries.json': [{ id: 'g1', name: 'Business', fullyQualifiedName: 'Business', href: `${API}/glossaries/g1` }],
  'glossaryTerms.json': [
    {
      id: 'g2',
      name: 'Order',
      fullyQualifiedName: 'Business.Order',
      description: 'A sale.',
      glossary: { id: 'g1' },
      href: `${API}/glossaryTerms/g2`,
    },
  ],
  'mlmodels.json': [{ id: 'm1', name: 'churn', fullyQualifiedName: 'ml.churn', href: `${API}/mlmodels/m1` }],
  'lineage.json': [
    {
      entity: { id: 't1', type: 'table', fullyQualifiedName: 'wh.shop.public.orders' },
      nodes: [
        { id: 't2', type: 'table' },
        { id: 'c1', type: 'chart' },
      ],
      upstreamEdges: [
        {
          fromEntity: 't2',
          toEntity: 't1',
          lineageDetails: { columnsLineage: [{ fromColumns: ['wh.shop.public."my.raw".id'], toColumn: 'wh.shop.public.orders.id' }] },
        },
        { fromEntity: 'nowhere', toEntity: 't1' },
      ],
      downstreamEdges: [{ fromEntity: 't1', toEntity: 'c1' }],
    },
  ],
}

const SECODA = {
  'users.json': [{ id: 'u1', email: 'ADMIN' }],
  'tags.json': { results: [{ id: 'tag1', name: 'Silver' }] },
  'integrations.json': [{ id: 'i1', type: 'postgres' }],
  'resources.json': {
    results: [
      { id: 'db', entity_type: 'database', title: 'crm', integration: 'i1' },
      { id: 'sc', entity_type: 'schema', title: 'app', parent: 'db', integration: 'i1' },
      {
        ...{
          id: 't1',
          entity_type: 'table',
          title: 'people',
          title_full: 'crm.app.people',
          parent: 'sc',
          integration: 'i1',
          owners: ['u1', 'u2'],
        },
        ...{ tags: ['tag1', 'tag2'], description: 'Everybody.', collections: ['col'], verified: true },
      },
      { id: 't2', entity_type: 'table', title: 'raw', title_full: 'crm.app.raw', parent: 'sc', integration: 'i1' },
      { id: 'c1', entity_type: 'column', title: 'email', parent: 't1', native_type: 'text' },
      { id: 'c2', entity_type: 'column', title: 'mail', parent: 't2', native_type: 'text' },
      { id: 'col', entity_type: 'collection', title: 'Customers' },
      { id: 'doc', entity_type: 'document', title: 'How to' },
      { id: 'feed', entity_type: 'announcement', title: 'News' },
    ],
  },
  'lineage.json': [
    { from_entity: 't2', to_entity: 't1', direction: 'DOWNSTREAM' },
    { from_entity: 'c1', to_entity: 'c2', direction: 'UPSTREAM' },
    { from_entity: 't2', to_entity: 'nowhere', direction: 'DOWNSTREAM' },
  ],
}

const load = (files: Readonly<Record<string, unknown>>, email: string) =>
  Object.entries(files).map(([name, content]) =>
    readRecords(name, (typeof content === 'string' ? content : JSON.stringify(content)).replaceAll('ADMIN', email)),
  )

const sendEvents = async (app: TestApp, events: readonly object[]) => {
  const { status, body, text } = await app.call('POST', '/integration/datahub/events', { body: events })
  if (status !== 200) throw new Error(text)
  const { rows } = await sql<{ integration: string }>`select integration from integration_syncs where id = ${body.jobs[0].id}`.execute(
    app.db,
  )
  const { failed } = await runSync(app, rows[0]!.integration)
  if (failed instanceof Error) throw failed
}

const readCatalog = async (app: TestApp, title_full: string) => {
  const { rows } = await sql<{ id: string }>`select id from resources where title_full = ${title_full}`.execute(app.db)
  expect([title_full, rows.length]).toEqual([title_full, 1])
  return (await app.call('GET', `/resource/all/${rows[0]!.id}`)).body
}

const readEdges = async (app: TestApp) =>
  (
    await sql<{ edge: string }>`
      select u.title_full || ' > ' || d.title_full as edge from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream order by 1
    `.execute(app.db)
  ).rows.map(({ edge }) => edge)

test('exports of OpenMetadata and Secoda become resources with owners, tags, terms and lineage', async () => {
  await using app = await createTestApp()
  const { id: owner } = await app.createUser('editor')
  const email = `editor-${owner}@example.com`
  const openMetadata = convertOpenMetadata(load(OPEN_METADATA, email), 'OpenMetadata')
  const secoda = convertSecoda(load(SECODA, email), 'Secoda')
  await sendEvents(app, openMetadata.events)
  await sendEvents(app, secoda.events)

  const orders = await readCatalog(app, 'shop.public.orders')
  const [term, domain] = [await readCatalog(app, 'Business.Order'), await readCatalog(app, 'Sales')]
  expect(orders).toMatchObject({ description: 'One row per order.', owners: [owner], terms: [term.id], collections: [expect.any(String)] })
  expect([orders.collections.length, domain.title]).toEqual([1, 'Sales'])
  expect(orders.display_metadata.unmatched_owners).toEqual(['urn:li:corpGroup:Data'])
  // Its database and schema are not in the export.
  expect(await readCatalog(app, 'my.db.other.far')).toMatchObject({ title: 'far', entity_type: 'table' })
  expect((await readCatalog(app, 'shop.public.orders.address.city')).description).toBe('Town.')
  const people = await readCatalog(app, 'crm.app.people')
  expect(people).toMatchObject({ description: 'Everybody.', owners: [owner] })
  expect((await app.call('GET', `/tag/${people.tags[0]}`)).body.name).toBe('Silver')
  expect(await readEdges(app)).toEqual(
    [
      'crm.app.raw > crm.app.people',
      'crm.app.raw.mail > crm.app.people.email',
      'daily.a > daily.b',
      'shop.public.my.raw > shop.public.orders',
      'shop.public.my.raw.id > shop.public.orders.id',
      'shop.public.orders > Sales board.Revenue',
      'Sales board.Revenue > Sales board',
    ].toSorted(),
  )
  for (const lost of ['votes', 'gone: it was deleted', 'ml.churn', '"nowhere"'])
    expect(openMetadata.losses.lines.some((line) => line.includes(lost)) || lost).toBe(true)
  for (const lost of ['tag2', 'nowhere', 'verified']) expect(secoda.losses.lines.some((line) => line.includes(lost)) || lost).toBe(true)
})

test('a dry run prints what would be imported, and sends nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'export-'))
  const output: string[] = []
  const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    output.push(String(text))
    return true
  })
  try {
    for (const [name, content] of Object.entries(SECODA)) await writeFile(join(folder, name), JSON.stringify(content))
    expect(await importFromCommand.run(['secoda', '--dry-run', folder])).toBe(0)
    const printed = output.splice(0)
    expect(await migrateCommand.run(['secoda', '--dry-run', folder])).toBe(0)
    expect(output).toEqual(printed)
    await writeFile(join(folder, 'broken.json'), '{"id": 1}\n{')
    await expect(importFromCommand.run(['secoda', '--dry-run', folder])).rejects.toThrow('line 2 is invalid')
    await expect(importFromCommand.run(['amundsen', folder])).rejects.toThrow('Expected one of openmetadata, secoda')
  } finally {
    write.mockRestore()
    await rm(folder, { recursive: true })
  }
  expect(output.join('')).toContain('table: 2\n')
  expect(output.join('')).toContain('Not taken over: News: there is no place for records of type announcement.')
})
