import type { Fields } from './merge.ts'

/** How a column changed in its source. Pure. */

export const COLUMN_CHANGE_KINDS = ['added', 'dropped', 'retyped', 'renamed', 'reordered', 'nullability'] as const

export interface ColumnChange {
  readonly kind: (typeof COLUMN_CHANGE_KINDS)[number]
  readonly column_id: string
  /** Its current name. */
  readonly column: string
  readonly from: string | null
  readonly to: string | null
}

/** Values of a column as its source reports them. */
export interface ReportedColumn {
  readonly title?: unknown
  readonly native_type?: unknown
  readonly nullable?: unknown
}

/** Compares what the source reported last time with what it reports now. A value that becomes known or unknown is not a change. */
export const diffColumn = (column_id: string, before: ReportedColumn, after: ReportedColumn): ColumnChange[] => {
  const column = String(after.title ?? before.title)
  const changes: ColumnChange[] = []
  const compare = (kind: ColumnChange['kind'], from: string | undefined, to: string | undefined) => {
    if (from !== undefined && to !== undefined && from !== to) changes.push({ kind, column_id, column, from, to })
  }
  compare('renamed', toText(before.title), toText(after.title))
  compare('retyped', toText(before.native_type), toText(after.native_type))
  compare('nullability', nullabilityText(before.nullable), nullabilityText(after.nullable))
  return changes
}

const toText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const NULLABLE = 'nullable'
const NOT_NULL = 'not null'
const nullabilityText = (nullable: unknown): string | undefined =>
  typeof nullable === 'boolean' ? (nullable ? NULLABLE : NOT_NULL) : undefined
export const becameNullable = ({ to }: Pick<ColumnChange, 'to'>): boolean => to === NULLABLE

export const addedColumn = (column_id: string, fields: Fields): ColumnChange => ({
  kind: 'added',
  column_id,
  column: String(fields.title),
  from: null,
  to: toText(fields.native_type) ?? null,
})

export const droppedColumn = (column_id: string, column: string, native_type: string | null): ColumnChange => ({
  kind: 'dropped',
  column_id,
  column,
  from: native_type,
  to: null,
})

export interface ColumnPosition {
  readonly id: string
  readonly title: string
  readonly before: number
  readonly after: number
}

/**
 * The fewest columns of a table that must have moved: all others are still in the same order. So a column that was added or dropped does not
 * make every later one a moved one, although their positions differ.
 */
export const findReordered = (columns: readonly ColumnPosition[]): ColumnChange[] => {
  const ordered = columns.toSorted((a, b) => a.before - b.before)
  const kept = longestRisingRun(ordered.map(({ after }) => after))
  return ordered.flatMap(({ id, title, before, after }, i) =>
    kept.has(i) ? [] : [{ kind: 'reordered', column_id: id, column: title, from: String(before), to: String(after) }],
  )
}

/** The indexes of a longest subsequence that never falls. */
const longestRisingRun = (values: readonly number[]): Set<number> => {
  const ends: number[] = [] // for each length, the index of the smallest value that ends a run of that length
  const previous: (number | undefined)[] = []
  for (const [i, value] of values.entries()) {
    const longer = ends.findIndex((end) => values[end]! > value)
    const length = longer === -1 ? ends.length : longer
    previous[i] = ends[length - 1]
    ends[length] = i
  }
  const run = new Set<number>()
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) run.add(at)
  return run
}
