import type { HealthStatus } from '../../catalog/records/health.ts'
import { and, exact, type FilterJson, isSet, or, type Scope, scopeFilters } from './scope.ts'

/**
 * What the insights count, declared as filters of the catalog: the list behind a number is `/resource/catalog` with the same filter.
 * Archived resources are not counted.
 */
interface Metric {
  readonly entity_type: 'table' | 'column'
  readonly where?: FilterJson
  /** Counted together, because each status depends on other tables. */
  readonly health?: HealthStatus
  /** Also the sum of their rows and bytes. */
  readonly sized?: true
}

const described = or(isSet('description'), isSet('definition'))

const METRICS = {
  tables: { entity_type: 'table', sized: true },
  tables_described: { entity_type: 'table', where: described },
  tables_owned: { entity_type: 'table', where: or(isSet('owners'), isSet('owners_groups')) },
  tables_verified: { entity_type: 'table', where: exact('verified', true) },
  tables_deprecated: { entity_type: 'table', where: isSet('deprecation') },
  tables_stale: { entity_type: 'table', where: exact('stale', true), sized: true },
  tables_unused: { entity_type: 'table', where: and(exact('external_usage', 0), exact('internal_usage', 0)), sized: true },
  tables_incident: { entity_type: 'table', health: 'incident' },
  tables_warning: { entity_type: 'table', health: 'warning' },
  tables_ok: { entity_type: 'table', health: 'ok' },
  tables_unknown: { entity_type: 'table', health: 'unknown' },
  columns: { entity_type: 'column' },
  columns_described: { entity_type: 'column', where: described },
  columns_with_terms: { entity_type: 'column', where: isSet('terms') },
  columns_pii: { entity_type: 'column', where: exact('pii', true) },
} as const satisfies Record<string, Metric>

export type MetricName = keyof typeof METRICS
export const METRIC_NAMES = Object.keys(METRICS) as MetricName[]
export const HEALTH_METRICS: Readonly<Record<HealthStatus, MetricName>> = {
  incident: 'tables_incident',
  warning: 'tables_warning',
  ok: 'tables_ok',
  unknown: 'tables_unknown',
}

export const getMetric = (name: MetricName): Metric => METRICS[name]

/** The metrics of an entity type that are counted by their own condition. */
export const metricsOf = (entity_type: Metric['entity_type']): MetricName[] =>
  METRIC_NAMES.filter((name) => METRICS[name].entity_type === entity_type && !getMetric(name).health)

/** The filter of everything that is counted, and of one metric. */
export const baseFilter = (scope: Scope, entity_type: Metric['entity_type']): FilterJson =>
  and(exact('entity_type', entity_type), exact('archived', false), ...scopeFilters(scope))
export const metricFilter = (scope: Scope, name: MetricName): FilterJson => {
  const { entity_type, where, health } = getMetric(name)
  return and(
    exact('entity_type', entity_type),
    exact('archived', false),
    ...scopeFilters(scope),
    ...(where ? [where] : []),
    ...(health ? [exact('health', health)] : []),
  )
}

/** Columns have no owners of their own, so they are not counted by owner. */
export const countsColumns = (scope: Scope['type'] | 'schema'): boolean => scope !== 'owner'

/** Sums besides the counts. */
const SUMS = ['rows', 'bytes', 'stale_rows', 'stale_bytes', 'unused_rows', 'unused_bytes', 'queries', 'views'] as const
export type SumName = (typeof SUMS)[number]

/** All numbers of a scope, by name. Absent: not counted. */
export type Numbers = Readonly<Partial<Record<MetricName | SumName, number>>>
export const NUMBER_NAMES: readonly (MetricName | SumName)[] = [...METRIC_NAMES, ...SUMS]

/** If a scope has no tables or columns. */
export const buildZeroNumbers = (scope: Scope['type'] | 'schema'): Numbers =>
  Object.fromEntries(NUMBER_NAMES.filter((name) => countsColumns(scope) || !name.startsWith('columns')).map((name) => [name, 0]))
