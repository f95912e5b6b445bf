import { toCount } from '../../platform/core/json-value.ts'
import type { Dataset } from './event.ts'
import { toBoundedText, toJsonObject } from './json-values.ts'

/** What tools counted in datasets. Pure. */

/** Without those that are not counts. */
const toCounts = <Name extends string>(values: Readonly<Record<Name, unknown>>): Partial<Record<Name, number>> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => {
      const count = toCount(value)
      return count === undefined ? [] : [[name, count]]
    }),
  ) as Partial<Record<Name, number>>

/** The content of a dataset. */
export const parseStatistics = ({ facets, use }: Dataset): { row_count?: number; byte_size?: number } => {
  const quality = use.dataQualityMetrics ?? facets.dataQualityMetrics
  return toCounts({ row_count: quality?.rowCount, byte_size: quality?.bytes })
}

/** What a run wrote to a dataset, not its total content. */
export const parseWritten = ({ use: { outputStatistics } }: Dataset): { rows_written?: number; bytes_written?: number } =>
  toCounts({ rows_written: outputStatistics?.rowCount, bytes_written: outputStatistics?.size })

/** What a tool counted in a column. */
interface ParsedColumnMetrics {
  readonly name: string
  /** Values, without nulls. */
  readonly count: number | undefined
  readonly nulls: number | undefined
  readonly distinct: number | undefined
  readonly sum: number | undefined
  readonly min: string | undefined
  readonly max: string | undefined
  readonly quantiles: Readonly<Record<string, number>> | undefined
}

const MAX_METRICS = 2000
const MAX_VALUE_LENGTH = 200
const MAX_QUANTILES = 20

export const parseColumnMetrics = ({ facets, use }: Dataset): ParsedColumnMetrics[] =>
  Object.entries(toJsonObject((use.dataQualityMetrics ?? facets.dataQualityMetrics)?.columnMetrics))
    .slice(0, MAX_METRICS)
    .map(([name, metrics]) => {
      const { count, nullCount, distinctCount, sum, min, max, quantiles } = toJsonObject(metrics)
      const numbers = Object.entries(toJsonObject(quantiles)).filter(([, value]) => Number.isFinite(value))
      return {
        ...{ name, count: toCount(count), nulls: toCount(nullCount), distinct: toCount(distinctCount) },
        ...{ sum: Number.isFinite(sum) ? (sum as number) : undefined, min: toValue(min), max: toValue(max) },
        quantiles: numbers.length > 0 ? (Object.fromEntries(numbers.slice(0, MAX_QUANTILES)) as Record<string, number>) : undefined,
      }
    })

const toValue = (value: unknown): string | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? String(value) : toBoundedText(value, MAX_VALUE_LENGTH)
