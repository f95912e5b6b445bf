import type { Cell } from '../../sources/connectors/shared/connector.ts'
import type { DialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import { type BoundedColumn, type ColumnSummary, numberBounds, timestampBounds } from '../source-tables/statements.ts'
import type { Histogram, TopValues } from './schema.ts'

/** Converts query results to profiles. Pure. */
export interface BinnedColumn extends BoundedColumn {
  readonly edges: readonly string[]
}

/** The bins of a column, if it can have any. */
export const toBinnedColumn = (dialectSql: DialectSql, column: ColumnSummary): BinnedColumn | undefined => {
  const { native_type, min, max, withheld } = column
  if (withheld || min === null || max === null) return undefined
  const edges = (inner: readonly string[]) => [min, ...inner, max]
  if (dialectSql.isNumericType(native_type)) {
    const inner = numberBounds(Number(min), Number(max))?.map(String)
    return inner && { ...column, bounds: inner, edges: edges(inner) }
  }
  if (!dialectSql.isTemporalType(native_type)) return undefined
  const inner = timestampBounds(min, max)
  return inner && { ...column, bounds: inner.map(dialectSql.timestampLiteral), edges: edges(inner) }
}

/** Converts counts below each bound to counts per bin. */
export const toHistogram = (columns: readonly BinnedColumn[], row: readonly Cell[]): Map<string, Histogram> => {
  let at = 0
  return new Map(
    columns.map(({ id, bounds, edges }) => {
      const [set = 0, ...below] = row.slice(at, at + 1 + bounds.length).map((cell) => Number(cell ?? 0))
      at += 1 + bounds.length
      const upTo = [...below, set]
      return [id, upTo.map((n, i) => ({ from: edges[i]!, to: edges[i + 1]!, count: Math.max(0, n - (upTo[i - 1] ?? 0)) }))]
    }),
  )
}

export const toTopValues = (columns: readonly ColumnSummary[], rows: readonly (readonly Cell[])[]): Map<string, TopValues> => {
  const found = new Map<string, TopValues>(columns.map(({ id }) => [id, []]))
  for (const [column, value, n] of rows) found.get(columns[Number(column)]?.id ?? '')?.push({ value: String(value), count: Number(n) })
  for (const values of found.values()) values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return found
}
