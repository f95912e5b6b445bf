import type { Db } from '../../platform/db/connect.ts'
import { addTask } from '../../platform/queue/add-task.ts'
import type { CheckTargets } from './checks.ts'
import type { Dataset, Event, RunEvent } from './event.ts'
import { runKey } from './names.ts'
import { parseColumnMetrics, parseStatistics, parseWritten } from './parse-metrics.ts'

export const REPORTED_METRICS_TASK = 'reported_metrics'

/** What a run counted in a column. */
export interface ColumnMetrics {
  readonly id: string
  readonly nulls: number
  /** With and without a value. */
  readonly rows?: number | undefined
  readonly distinct?: number | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly mean?: number | undefined
  readonly quantiles?: Readonly<Record<string, number>> | undefined
}

/** What a run counted in a table, and what it wrote to it. */
export interface TableMetrics {
  readonly table: string
  readonly at: string
  readonly run: string | undefined
  readonly row_count?: number | undefined
  readonly rows_written?: number | undefined
  readonly bytes_written?: number | undefined
  readonly columns: readonly ColumnMetrics[]
}

export interface ReportedMetrics {
  readonly tables: readonly TableMetrics[]
}

/** Queues what runs counted, in the same transaction: it becomes profiles. One entry for each table and day. */
export const queueMetrics = async (
  db: Db,
  events: readonly Event[],
  ids: CheckTargets & { readonly byKey: { get(key: string): string | undefined } },
): Promise<void> => {
  const found = new Map<string, TableMetrics>()
  for (const event of events.toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0)))
    if (event.kind === 'run')
      for (const metrics of toMetrics(event, ids, ids.byKey.get(runKey(event.run.id)))) {
        const key = `${metrics.table} ${metrics.at.slice(0, 10)}`
        found.set(key, mergeMetrics(found.get(key), metrics))
      }
  if (found.size > 0) await addTask(db, REPORTED_METRICS_TASK, { tables: [...found.values()] } satisfies ReportedMetrics)
}

/** Whether an event has results of columns, which are found by their names. */
export const hasColumnResults = ({ inputs, outputs }: Event): boolean =>
  [...inputs, ...outputs].some(({ facets, use }) => COLUMN_FACETS.some((name) => name in facets || name in use))
const COLUMN_FACETS = ['dataQualityAssertions', 'dataQualityMetrics']

const toMetrics = (event: RunEvent, targets: CheckTargets, run: string | undefined): TableMetrics[] =>
  [...event.inputs, ...event.outputs].flatMap((dataset) => {
    const table = targets.table(dataset)
    const written = event.type === 'COMPLETE' ? parseWritten(dataset) : {}
    const counted = parseStatistics(dataset)
    const columns = toColumns(dataset, counted.row_count, targets)
    // A run that replaces a table wrote all of its rows.
    const row_count = counted.row_count ?? (isReplaced(dataset) ? written.rows_written : undefined)
    if (!table || (row_count === undefined && columns.length === 0 && Object.keys(written).length === 0)) return []
    return [{ table, at: event.time, run, row_count, ...written, columns }]
  })

const isReplaced = ({ facets }: Dataset): boolean =>
  ['CREATE', 'OVERWRITE', 'TRUNCATE'].includes(String(facets.lifecycleStateChange?.lifecycleStateChange))

/** Without the number of nulls there is no profile: it cannot be told from the others. */
const toColumns = (dataset: Dataset, rows: number | undefined, targets: CheckTargets): ColumnMetrics[] =>
  parseColumnMetrics(dataset).flatMap(({ name, count, nulls: counted, distinct, min, max, sum, quantiles }) => {
    const id = targets.column(dataset, name)
    const nulls = counted ?? (rows !== undefined && count !== undefined && count <= rows ? rows - count : undefined)
    if (!id || nulls === undefined) return []
    const values = count ?? (rows === undefined ? undefined : rows - nulls)
    const mean = sum !== undefined && values !== undefined && values > 0 ? sum / values : undefined
    return [{ id, nulls, distinct, min, max, mean, quantiles, ...(values === undefined ? {} : { rows: values + nulls }) }]
  })

/** What a later event does not report stays. */
const mergeMetrics = (before: TableMetrics | undefined, { columns, ...after }: TableMetrics): TableMetrics => ({
  ...before,
  ...(Object.fromEntries(Object.entries(after).filter(([, value]) => value !== undefined)) as Omit<TableMetrics, 'columns'>),
  columns: [...new Map([...(before?.columns ?? []), ...columns].map((column) => [column.id, column])).values()],
})
