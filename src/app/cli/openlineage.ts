import { randomUUID } from 'node:crypto'
import type { ColumnFlow, FileReport, LineageReport, StatementReport } from './report.ts'

/** OpenLineage events, one per line, for each statement that writes something. */

const PRODUCER = 'urn:tablinum'
const SPEC = 'https://openlineage.io/spec'
const facet = (path: string) => ({ _producer: PRODUCER, _schemaURL: `${SPEC}/facets/${path}` })

export const formatOpenLineage = ({ files, dialect }: LineageReport, { namespace }: { namespace: string }): string => {
  const eventTime = new Date().toISOString()
  return files
    .flatMap((file) =>
      file.statements
        .filter(({ targets }) => targets.length > 0)
        .map((statement) => `${JSON.stringify(toRunEvent(file, statement, { eventTime, dialect, namespace }))}\n`),
    )
    .join('')
}

const toRunEvent = (
  { file }: FileReport,
  { line, sources, targets, outputs, columns, sql }: StatementReport,
  { eventTime, dialect, namespace }: { eventTime: string; dialect: string; namespace: string },
) => ({
  eventType: 'COMPLETE',
  eventTime,
  run: { runId: randomUUID(), facets: {} },
  job: {
    namespace,
    name: `${file}:${line}`,
    facets: { sql: { ...facet('1-1-0/SQLJobFacet.json#/$defs/SQLJobFacet'), query: sql, dialect } },
  },
  inputs: sources.map((name) => ({ namespace, name })),
  outputs: targets.map((name) => {
    const own = columns.filter(({ to }) => to.table === name)
    const fields = [...new Set([...(targets.length === 1 ? (outputs ?? []) : []), ...own.map(({ to }) => to.column)])].filter(
      (each) => each !== null,
    )
    return {
      namespace,
      name,
      facets: {
        ...(fields.length > 0
          ? {
              schema: {
                ...facet('1-1-1/SchemaDatasetFacet.json#/$defs/SchemaDatasetFacet'),
                fields: fields.map((each) => ({ name: each })),
              },
            }
          : {}),
        columnLineage: columnLineage(own, namespace),
      },
    }
  }),
  producer: PRODUCER,
  schemaURL: `${SPEC}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
})

const TRANSFORMATIONS = {
  identity: { type: 'DIRECT', subtype: 'IDENTITY' },
  expression: { type: 'DIRECT', subtype: 'TRANSFORMATION' },
  aggregation: { type: 'DIRECT', subtype: 'AGGREGATION' },
  filter: { type: 'INDIRECT', subtype: 'FILTER' },
}

const columnLineage = (columns: readonly ColumnFlow[], namespace: string) => {
  const input = ({ from, kind }: ColumnFlow) => ({
    namespace,
    name: from.table,
    field: from.column,
    transformations: [{ ...TRANSFORMATIONS[kind], description: '', masking: false }],
  })
  const into = Map.groupBy(
    columns.filter(({ to }) => to.column !== null),
    ({ to }) => to.column!,
  )
  const filters = columns.filter(({ to }) => to.column === null)
  return {
    ...facet('1-2-0/ColumnLineageDatasetFacet.json#/$defs/ColumnLineageDatasetFacet'),
    fields: Object.fromEntries([...into].map(([column, flows]) => [column, { inputFields: flows.map(input) }])),
    ...(filters.length > 0 ? { dataset: filters.map(input) } : {}),
  }
}
