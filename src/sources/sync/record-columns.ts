import type { Context } from '../../platform/context/context.ts'
import { addedColumn, diffColumn, findReordered, type ReportedColumn } from './column-changes.ts'
import { findColumnPositions, findDescribedTables, recordColumnChanges, type TableColumnChange } from './schema-change-rows.ts'

/** Finds how a batch of written columns differs from what the source reported before, and adds it to the schema history. */

export interface SchemaHistoryOptions {
  /** Null for what a source pushes. */
  readonly sync_id: string | null
  /** Whether the source lists the item with this key now. */
  readonly isListed: (key: string) => boolean
}

export interface WrittenColumn {
  readonly id: string
  readonly table_id: string
  readonly fields: ReportedColumn & { readonly sort_order?: unknown }
  /** What the source reported last time; undefined if the column is new or was missing. */
  readonly before?: ReportedColumn & { readonly sort_order?: unknown }
}

/** Must be called in the transaction that wrote the columns. Returns the number of tables whose columns changed. */
export const recordWrittenColumns = async (
  ctx: Context,
  { sync_id, isListed }: SchemaHistoryOptions,
  columns: readonly WrittenColumn[],
): Promise<number> => {
  const added = columns.filter(({ before }) => !before)
  const described = await findDescribedTables(
    ctx.db,
    sync_id,
    [...new Set(added.map(({ table_id }) => table_id))],
    added.map(({ id }) => id),
  )
  const changes: TableColumnChange[] = [
    ...added.flatMap(({ id, table_id, fields }) => (described.has(table_id) ? [{ table_id, ...addedColumn(id, { ...fields }) }] : [])),
    ...columns.flatMap(({ id, table_id, fields, before }) =>
      before ? diffColumn(id, before, fields).map((change) => ({ table_id, ...change })) : [],
    ),
    ...(await findMovedColumns(ctx, columns, isListed)),
  ]
  return recordColumnChanges(ctx, sync_id, changes)
}

/** Of tables with columns at another position. Columns that are new or that the source no longer lists do not count. */
const findMovedColumns = async (
  ctx: Context,
  columns: readonly WrittenColumn[],
  isListed: SchemaHistoryOptions['isListed'],
): Promise<TableColumnChange[]> => {
  const written = new Map(columns.map((column) => [column.id, column]))
  const moved = columns.filter(
    ({ fields, before }) =>
      typeof before?.sort_order === 'number' && typeof fields.sort_order === 'number' && before.sort_order !== fields.sort_order,
  )
  const positions = await findColumnPositions(ctx.db, [...new Set(moved.map(({ table_id }) => table_id))])
  const compared = positions.flatMap((position) => {
    const column = written.get(position.id)
    if (column ? !column.before : !isListed(position.key)) return []
    const before = column ? column.before!.sort_order : position.after
    return typeof before === 'number' ? [{ ...position, before }] : []
  })
  return [...Map.groupBy(compared, ({ table_id }) => table_id)].flatMap(([table_id, of]) =>
    findReordered(of).map((change) => ({ table_id, ...change })),
  )
}
