import { sql } from 'kysely'
import { expect } from 'vitest'
import { newId } from '../../src/platform/core/id.ts'
import type { TestApp } from './test-app.ts'

/** The namespace of datasets that no other source knows. */
export const LAKE = 's3://lake'

/** Events as clients send them, with the names and shapes of the standard. */
const facet = (name: string, version: string) => ({
  _producer: 'https://github.com/OpenLineage/OpenLineage/tree/1.40.1/client/python',
  _schemaURL: `https://openlineage.io/spec/facets/${version}/${name}.json#/$defs/${name}`,
})

export const FACETS = {
  schema: (fields: readonly { name: string; type?: string; description?: string; fields?: unknown }[]) => ({
    schema: { ...facet('SchemaDatasetFacet', '1-1-1'), fields },
  }),
  columnLineage: (fields: object, dataset?: unknown) => ({
    columnLineage: { ...facet('ColumnLineageDatasetFacet', '1-2-0'), fields, ...(dataset ? { dataset } : {}) },
  }),
  documentation: (description: string) => ({ documentation: { ...facet('DocumentationJobFacet', '1-0-1'), description } }),
  ownership: (...names: string[]) => ({
    ownership: { ...facet('OwnershipJobFacet', '1-0-1'), owners: names.map((name) => ({ name, type: 'MAINTAINER' })) },
  }),
  sql: (query: string) => ({ sql: { ...facet('SQLJobFacet', '1-1-0'), query, dialect: 'postgres' } }),
  jobType: () => ({ jobType: { ...facet('JobTypeJobFacet', '2-0-3'), processingType: 'BATCH', integration: 'AIRFLOW', jobType: 'TASK' } }),
  nominalTime: () => ({ nominalTime: { ...facet('NominalTimeRunFacet', '1-0-1'), nominalStartTime: '2026-01-02T00:00:00Z' } }),
  errorMessage: (message: string) => ({
    errorMessage: { ...facet('ErrorMessageRunFacet', '1-0-1'), message, programmingLanguage: 'python' },
  }),
  engine: () => ({ processing_engine: { ...facet('ProcessingEngineRunFacet', '1-1-1'), name: 'Airflow', version: '3.1.0' } }),
  parent: (runId: string, name: string) => ({
    parent: { ...facet('ParentRunFacet', '1-1-0'), run: { runId }, job: { namespace: 'airflow', name } },
  }),
  symlinks: (namespace: string, name: string) => ({
    symlinks: { ...facet('SymlinksDatasetFacet', '1-0-1'), identifiers: [{ namespace, name, type: 'TABLE' }] },
  }),
  storage: () => ({ storage: { ...facet('StorageDatasetFacet', '1-0-1'), storageLayer: 'iceberg', fileFormat: 'parquet' } }),
  outputStatistics: (rowCount: number) => ({
    outputStatistics: { ...facet('OutputStatisticsOutputDatasetFacet', '1-0-2'), rowCount, size: 100 },
  }),
  dataQualityMetrics: (rowCount: number) => ({
    dataQualityMetrics: { ...facet('DataQualityMetricsInputDatasetFacet', '1-0-2'), rowCount, bytes: 512, columnMetrics: {} },
  }),
}

export const createDataset = (namespace: string, name: string, facets: object = {}, use: object = {}) => ({
  namespace,
  name,
  facets,
  ...use,
})

export interface EventOptions {
  readonly type?: string
  readonly time?: string
  readonly runId?: string
  readonly namespace?: string
  readonly name?: string
  readonly runFacets?: object
  readonly jobFacets?: object
  readonly inputs?: readonly object[]
  readonly outputs?: readonly object[]
}

export const createOpenLineageEvent = ({
  type = 'COMPLETE',
  time = '2026-01-02T03:04:05.678+01:00',
  runId = newId(),
  namespace = 'airflow',
  name = 'shop.load',
  runFacets = {},
  jobFacets = {},
  inputs = [],
  outputs = [],
}: EventOptions = {}) => ({
  eventType: type,
  eventTime: time,
  run: { runId, facets: runFacets },
  job: { namespace, name, facets: jobFacets },
  inputs,
  outputs,
  producer: 'https://github.com/OpenLineage/OpenLineage/tree/1.40.1/client/python',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
})

export const sendEvents = async (app: TestApp, ...events: unknown[]): Promise<void> => {
  for (const body of events) {
    const { status, text } = await app.call('POST', '/lineage', { body })
    expect([status, text]).toEqual([201, ''])
  }
}

/** The only resource with this title. */
export const findIdByTitle = async (app: TestApp, title: string, entity_type = 'table'): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from resources where title = ${title} and entity_type = ${entity_type}`.execute(
    app.db,
  )
  expect([title, rows.length]).toEqual([title, 1])
  return rows[0]!.id
}

/** All edges: `orders.id -> daily.id identity`. */
export const listFlows = async (app: TestApp): Promise<string[]> => {
  const { rows } = await sql<{ flow: string }>`
    select u.title_full || ' -> ' || d.title_full || ' ' || e.kind as flow
    from lineage_edges e join resources u on u.id = e.upstream join resources d on d.id = e.downstream
  `.execute(app.db)
  return rows.map(({ flow }) => flow).sort()
}
