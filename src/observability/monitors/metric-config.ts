import { getDialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import { findSqlDialect } from '../../sources/integrations/sql-dialect.ts'
import type { MetricType } from '../monitor-model/metric-types.ts'
import type { TargetRow } from '../monitor-model/monitor-rows.ts'
import type { MetricConfig, MonitorEdit } from '../monitor-model/schema.ts'
import { allowsCustomSql } from '../runs/custom-sql.ts'

/** What a metric needs to know. Pure. */

/** Without empty values; texts are trimmed, except the accepted ones. */
export const normalizeConfig = (input: NonNullable<MonitorEdit['metric_config']>): MetricConfig =>
  Object.fromEntries(
    Object.entries(input).flatMap(([name, value]) => {
      const clean = typeof value === 'string' ? value.trim() : value
      return clean === null || clean === undefined || clean === '' ? [] : [[name, clean]]
    }),
  ) as MetricConfig

/** The metric that each of these fields belongs to. */
const METRIC_OF_FIELD: Partial<Record<keyof MetricConfig, string>> = {
  days: 'partition_gaps',
  values: 'accepted_values',
  pattern: 'pattern',
  min_value: 'range',
  max_value: 'range',
  columns: 'duplicates',
  references: 'referential',
  allowed: 'schema',
}

interface ConfigProblem {
  readonly field: keyof MetricConfig
  readonly message: string
}

export const findConfigProblem = (
  { metric_type }: MetricType,
  { native_type, ...target }: TargetRow,
  config: MetricConfig,
): ConfigProblem | undefined => {
  for (const [field, metric] of Object.entries(METRIC_OF_FIELD) as [keyof MetricConfig, string][])
    if (config[field] !== undefined && metric !== metric_type) return { field, message: `can only be used with ${metric}.` }
  const { values, pattern, min_value, max_value, references, where } = config
  const name = findSqlDialect(target) ?? 'postgres'
  const dialect = getDialectSql(name)
  switch (metric_type) {
    case 'accepted_values':
      if (!values) return { field: 'values', message: 'is required.' }
      return dialect.isNumericType(native_type) && values.some((value) => value.trim() === '' || !Number.isFinite(Number(value)))
        ? { field: 'values', message: 'must be numbers, because the column holds numbers.' }
        : undefined
    case 'pattern':
      if (pattern === undefined) return { field: 'pattern', message: 'is required.' }
      return dialect.matches ? undefined : { field: 'pattern', message: explainNoPattern(name) }
    case 'range':
      if (min_value === undefined && max_value === undefined) return { field: 'min_value', message: 'or max_value is required.' }
      return min_value !== undefined && max_value !== undefined && min_value > max_value
        ? { field: 'min_value', message: 'must not be greater than max_value.' }
        : undefined
    case 'referential':
      return references === undefined ? { field: 'references', message: 'is required.' } : undefined
    case 'schema':
      return where === undefined ? undefined : { field: 'where', message: 'cannot be used with schema, which reads no rows.' }
    default:
      return undefined
  }
}

const explainNoPattern = (dialect: string): string =>
  `cannot be used because this source has no regular expressions. ${
    allowsCustomSql(dialect)
      ? 'Use custom_sql.'
      : 'Use accepted_values for a list of values or range for numbers, or monitor the mean of a computed column that is 0 or 1.'
  }`
