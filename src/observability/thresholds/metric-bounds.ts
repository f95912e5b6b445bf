/** Bounds that follow from the metric alone. */
export type Metric = {
  readonly kind: 'percentage' | 'freshness' | 'count' | 'value'
  readonly lowest: number
  readonly highest: number
}

const COUNT_METRICS =
  /count(?!_change)|cardinality|duration|cost|credit|volume|storage|^(duplicates|schema|accepted_values|pattern|range|referential)$/

export const getMetricBounds = (metric_type: string): Metric => {
  if (/percentage|rate/.test(metric_type)) return { kind: 'percentage', lowest: 0, highest: 100 }
  if (metric_type === 'freshness') return { kind: 'freshness', lowest: 0, highest: Number.POSITIVE_INFINITY }
  if (COUNT_METRICS.test(metric_type)) return { kind: 'count', lowest: 0, highest: Number.POSITIVE_INFINITY }
  return { kind: 'value', lowest: Number.NEGATIVE_INFINITY, highest: Number.POSITIVE_INFINITY }
}

export const clampToMetric = (metric: Metric, value: number): number => Math.min(metric.highest, Math.max(metric.lowest, value))
