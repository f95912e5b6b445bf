/** The metrics a monitor can measure, as data. */
export interface MetricType {
  readonly metric_type: string
  /** Used in the default name of a monitor. */
  readonly label: string
  /** The entity type it applies to; any if absent. */
  readonly of?: 'table' | 'column'
  readonly unit: '' | ' %' | ' h'
  /** Requires a numeric column. */
  readonly numeric?: true
  /** Values are pushed, not measured by Tablinum. */
  readonly pushed?: true
  /** Counts what should not be there: without other limits, none is allowed. */
  readonly check?: true
  /** Is known from syncs, so no source is queried. */
  readonly from_catalog?: true
  /** Needs a column with dates or timestamps. */
  readonly dated?: true
  /** Counts rows, of which a sample is stored. */
  readonly sampled?: true
}

const ALL = [
  { metric_type: 'row_count', label: 'Row count', of: 'table', unit: '' },
  { metric_type: 'freshness', label: 'Freshness', of: 'table', unit: ' h', dated: true },
  { metric_type: 'custom_sql', label: 'Custom SQL', of: 'table', unit: '' },
  { metric_type: 'null_percentage', label: 'Null percentage', of: 'column', unit: ' %' },
  { metric_type: 'unique_percentage', label: 'Unique percentage', of: 'column', unit: ' %' },
  { metric_type: 'cardinality', label: 'Cardinality', of: 'column', unit: '' },
  { metric_type: 'min', label: 'Minimum', of: 'column', unit: '', numeric: true },
  { metric_type: 'max', label: 'Maximum', of: 'column', unit: '', numeric: true },
  { metric_type: 'mean', label: 'Mean', of: 'column', unit: '', numeric: true },
  { metric_type: 'row_count_change', label: 'Row count change', of: 'table', unit: ' %' },
  { metric_type: 'partition_freshness', label: 'Partition freshness', of: 'table', unit: ' h', dated: true },
  { metric_type: 'partition_gaps', label: 'Missing partitions', of: 'table', unit: '', check: true, dated: true },
  { metric_type: 'partition_row_count', label: 'Partition row count', of: 'table', unit: '', dated: true },
  { metric_type: 'duplicates', label: 'Duplicate rows', of: 'table', unit: '', check: true, sampled: true },
  { metric_type: 'schema', label: 'Schema changes', of: 'table', unit: '', check: true, from_catalog: true },
  { metric_type: 'accepted_values', label: 'Unexpected values', of: 'column', unit: '', check: true, sampled: true },
  { metric_type: 'pattern', label: 'Pattern mismatches', of: 'column', unit: '', check: true, sampled: true },
  { metric_type: 'range', label: 'Values out of range', of: 'column', unit: '', numeric: true, check: true, sampled: true },
  { metric_type: 'referential', label: 'Missing references', of: 'column', unit: '', check: true, sampled: true },
  { metric_type: 'pushed', label: 'Reported value', unit: '', pushed: true },
] as const satisfies readonly MetricType[]

export const METRIC_TYPES = ALL.map(({ metric_type }) => metric_type)
const BY_NAME: ReadonlyMap<string, MetricType> = new Map(ALL.map((each) => [each.metric_type, each]))

export const getMetricType = (metric_type: string): MetricType => {
  const found = BY_NAME.get(metric_type)
  if (!found) throw new Error(`unknown metric type ${metric_type}`)
  return found
}

/** The metric of a monitor created without one. */
export const getDefaultMetric = (entity_type: string, config?: { readonly query_select?: string | null } | null): string => {
  if (entity_type === 'table') return config?.query_select ? 'custom_sql' : 'row_count'
  return entity_type === 'column' ? 'null_percentage' : 'pushed'
}
