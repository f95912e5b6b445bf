import type { Context } from '../../platform/context/context.ts'
import { assertWithinRowLimit } from '../../sources/integrations/estimate.ts'
import { withSourceConnection } from '../../sources/integrations/with-source-connection.ts'
import { guessTimestampColumn } from '../monitor-model/timestamp-column.ts'
import { assertRowsReadable, type MaskedColumn, maskColumns, recordPiiViewed } from '../pii/mask-columns.ts'
import { MASK, MAX_CELL_LENGTH } from '../source-tables/cell.ts'
import { getSourceTableById } from '../source-tables/source-table.ts'
import { displaySql } from '../source-tables/statements.ts'
import { buildFilterSql, buildSortSql, findPreviewColumn } from './preview-sql.ts'
import type { Preview, PreviewQuery } from './schema.ts'

const PREVIEW_ROWS = 50
const TIMEOUT_MS = 15_000

/** The first rows of a table, or the first of a filter or sort order. Columns that are masked are not read, and nothing is filtered or sorted by them. */
export const previewTable = async (ctx: Context, id: string, query: PreviewQuery = {}): Promise<Preview> => {
  const table = await getSourceTableById(ctx, id)
  const show_pii = query.show_pii ?? false
  const columns = await maskColumns(ctx, table, show_pii)
  assertRowsReadable(table)
  const sort = query.sort_by === undefined ? undefined : findPreviewColumn(columns, 'sort_by', query.sort_by)
  const filter = query.filter_by === undefined ? undefined : findPreviewColumn(columns, 'filter_by', query.filter_by)
  const read = columns.filter(({ masked }) => !masked)
  const { rows, truncated, table_name } = await withSourceConnection(
    ctx,
    table.integration,
    ctx.limits.signal ?? AbortSignal.timeout(TIMEOUT_MS),
    async (source) => {
      const { dialectSql } = source
      const items = read.map(({ name, native_type }) => displaySql(dialectSql, name, native_type, MAX_CELL_LENGTH))
      const sorted = sort && buildSortSql(dialectSql, sort, query.sort_direction ?? 'asc', table.row_count)
      const conditions = [
        ...(filter ? [buildFilterSql(dialectSql, filter, query.filter_operator ?? 'equals', query.filter_value ?? '')] : []),
        ...(sorted?.where ? [sorted.where] : []),
      ]
      const sql = [
        `select ${items.length === 0 ? '1' : items.join(', ')} from ${dialectSql.table(table.path)}`,
        ...(conditions.length === 0 ? [] : [`where ${conditions.join(' and ')}`]),
        ...(sorted ? [`order by ${sorted.orderBy}`] : []),
        dialectSql.limit(PREVIEW_ROWS + 1, sorted !== undefined),
      ].join(' ')
      // The first rows cost little; a sort or a filter may scan the whole table.
      if (sorted || filter) await assertWithinRowLimit(source, sql, { rows: table.row_count })
      const found = await source.query(sql, { timeout_ms: TIMEOUT_MS, max_rows: PREVIEW_ROWS })
      return { ...found, table_name: dialectSql.table(table.path) }
    },
  )
  await recordPiiViewed(ctx, table, columns)
  const indexById = new Map(read.map(({ id }, i) => [id, i]))
  return {
    resource_id: id,
    table_name,
    asked_at: ctx.now.toISOString(),
    columns: columns.map(({ id, name, title, native_type, pii, masked }) => ({ resource_id: id, name, title, native_type, pii, masked })),
    newest_by: findNewestBy(read),
    rows: rows.map((row) => columns.map(({ id, masked }) => (masked ? MASK : (row[indexById.get(id)!] ?? null)))),
    truncated,
  }
}

/** The column that says when a row was written, as far as its name tells. */
const findNewestBy = (columns: readonly MaskedColumn[]): string | null => {
  const name = guessTimestampColumn(columns.map(({ name, native_type }) => ({ title: name, native_type })))
  return columns.find((column) => column.name === name)?.id ?? null
}
