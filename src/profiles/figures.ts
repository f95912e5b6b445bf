import type { Cell } from '../integrations/connectors/connector.ts'
import type { Words } from '../integrations/connectors/words.ts'
import type { Histogram, TopValues } from './schema.ts'
import { type Bounded, momentBounds, numberBounds, type Summed } from './statements.ts'

/** Converts query results to profiles. Pure. */
export interface Binned extends Bounded {
  readonly edges: readonly string[]
}

/** The bins of a column, if it can have any. */
export const bounded = (words: Words, column: Summed): Binned | undefined => {
  const { native_type, min, max, withheld } = column
  if (withheld || min === null || max === null) return undefined
  const edges = (inner: readonly string[]) => [min, ...inner, max]
  if (words.isNumericType(native_type)) {
    const inner = numberBounds(Number(min), Number(max))?.map(String)
    return inner && { ...column, bounds: inner, edges: edges(inner) }
  }
  if (!words.isTemporalType(native_type)) return undefined
  const inner = momentBounds(min, max)
  return inner && { ...column, bounds: inner.map(words.moment), edges: edges(inner) }
}

/** Converts counts below each bound to counts per bin. */
export const histogramOf = (columns: readonly Binned[], row: readonly Cell[]): Map<string, Histogram> => {
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

export const toppedOf = (columns: readonly Summed[], rows: readonly (readonly Cell[])[]): Map<string, TopValues> => {
  const found = new Map<string, TopValues>(columns.map(({ id }) => [id, []]))
  for (const [column, value, n] of rows) found.get(columns[Number(column)]?.id ?? '')?.push({ value: String(value), count: Number(n) })
  for (const values of found.values()) values.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
  return found
}
