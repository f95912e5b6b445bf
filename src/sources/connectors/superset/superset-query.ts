import type { ItemQuery } from '../../../../connector/src/protocol.ts'
import { quoteName, toItemQuery } from '../bi/item-parts.ts'

/** A dataset of Superset: a table, or SQL (virtual). */
export interface SupersetDataset {
  readonly name: string
  readonly table: string
  readonly schema?: string
  /** The database in its server, if the user may see it. */
  readonly database?: string
  readonly dialect?: string
  readonly sql?: string
  /** Without the calculated ones, which are not in the table. */
  readonly columns: readonly string[]
  /** SQL of metrics and calculated columns by name. */
  readonly expressions: ReadonlyMap<string, string>
}

/** The columns of the dataset that a chart uses, by the parameters it was saved with. Pure, like all functions here. */
export const findUsedColumns = (params: unknown, { columns, expressions: named }: SupersetDataset): string[] => {
  const names = new Set<string>()
  const expressions: string[] = []
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      names.add(value)
      expressions.push(named.get(value) ?? '')
    } else if (Array.isArray(value)) value.forEach(visit)
    else if (value !== null && typeof value === 'object')
      for (const [key, each] of Object.entries(value)) {
        if (key === 'sqlExpression') expressions.push(String(each))
        else visit(each)
      }
  }
  if (params !== null && typeof params === 'object')
    for (const [key, value] of Object.entries(params)) if (DATA_PARAMETERS.has(key)) visit(value)
  const words = new Set(expressions.flatMap((expression) => expression.match(/[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []))
  return columns.filter((column) => names.has(column) || words.has(column))
}

/** The parameters that say which data a chart shows. */
const DATA_PARAMETERS = new Set([
  ...[
    'groupby',
    'groupby_b',
    'columns',
    'all_columns',
    'metrics',
    'metrics_b',
    'metric',
    'metric_2',
    'secondary_metric',
    'percent_metrics',
  ],
  ...[
    'adhoc_filters',
    'adhoc_filters_b',
    'x_axis',
    'x',
    'y',
    'size',
    'entity',
    'series',
    'series_columns',
    'granularity_sqla',
    'order_by_cols',
  ],
  ...[
    'groupbyRows',
    'groupbyColumns',
    'timeseries_limit_metric',
    'all_columns_x',
    'all_columns_y',
    'source',
    'target',
    'spatial',
    'latitude',
    'longitude',
  ],
])

/** What a chart reads from a virtual dataset, as Superset queries it: a selection from the SQL of the dataset. */
export const toChartQuery = (dataset: SupersetDataset, columns: readonly string[]): ItemQuery | undefined => {
  const { sql, dialect } = dataset
  if (sql === undefined || dialect === undefined || /\{[{%]/.test(sql)) return undefined
  const selected = columns.length > 0 ? columns.map((column) => quoteName(column, dialect)).join(', ') : '*'
  const inner = sql.trim().replace(/;\s*$/, '')
  return toItemQuery(`select ${selected} from (\n${inner}\n) as dataset`, dataset)
}
