import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { DiscoveryContext, QueryableSource, WithSource } from '../connectors/shared/connector.ts'
import { type ColumnMapping, mapColumns, requireSqlColumn } from './columns.ts'
import { columnsSql, goBack, type LogTable, newestSql, pageSql, toLogRow, toPosition } from './log-table.ts'
import { deleteOldExecutions, findPosition, lockQueryLog, savePosition } from './query-log-rows.ts'
import { type SavedRows, saveLogRows } from './save-rows.ts'

const PAGE_ROWS = 10_000
const MAX_PAGE_ROWS = 160_000 // of one second
const MAX_ROWS = 2_000_000 // of one sync; the next one continues
const TIMEOUT_MS = 300_000
const FIRST_DAYS = 30
const KEPT_DAYS = 90
/** Entries may be written late, with the time at which their query started. What was read before is not counted again. */
const OVERLAP_HOURS = 2

/** What a table has, for a test of the connection. */
export const checkLogTable = (table: LogTable, signal: AbortSignal, withSource: WithSource): Promise<string> =>
  withSource(table.integration, signal, async (source) => {
    const mapping = await findColumns(source, table)
    const newest = await findNewest(source, table, mapping)
    const columns = Object.entries(mapping).map(([field, column]) => `${field} = ${column}`)
    return `${table.name} can be read: ${columns.join(', ')}. ${newest ? `The newest entry is of ${newest}.` : 'It has no entries yet.'}`
  })

/** Saves what is new in the table. Each page is one transaction with its position, so an interrupted sync continues where it stopped. */
export const readLogTable = async (
  ctx: Context,
  id: string,
  table: LogTable,
  { signal, log, withSource }: DiscoveryContext,
): Promise<void> => {
  if (!withSource) throw new Error('The query log connector needs connections to other integrations.')
  const total = { rows: 0, executions: 0, statements: 0 }
  const skipped = new Map<string, number>()
  await withSource(table.integration, signal, async (source) => {
    const mapping = await findColumns(source, table)
    const name = JSON.stringify([table.integration, table.path, mapping.time])
    let from = await findStart(ctx, id, name, source, table, mapping)
    let limit = PAGE_ROWS
    while (from !== undefined && total.rows < MAX_ROWS) {
      signal.throwIfAborted()
      const { rows } = await source.query(pageSql(source.dialectSql, table, mapping, from, limit), {
        timeout_ms: TIMEOUT_MS,
        max_rows: limit,
      })
      const page = rows.map((cells, i) => ({ line: total.rows + i + 1, row: toLogRow(mapping, cells) }))
      const last = findLast(page, mapping)
      const saved = await inTransaction(ctx, async (ctx) => {
        await lockQueryLog(ctx.db, id)
        const saved = await saveLogRows(ctx, id, page, mapping)
        if (last !== undefined) await savePosition(ctx, id, name, last)
        return saved
      })
      addCounts(total, skipped, saved)
      const isFull = rows.length >= limit
      if (isFull && last === from && limit < MAX_PAGE_ROWS) limit *= 2
      else if (isFull && last === from) throw invalid({ 'credentials.time_column': [`has too many entries of the same time, ${from}.`] })
      else {
        from = isFull ? last : undefined
        limit = PAGE_ROWS
      }
    }
  })
  const n = (count: number) => count.toLocaleString('en')
  await deleteOldExecutions(ctx.db, id, KEPT_DAYS)
  await log(`Read ${n(total.rows)} rows of ${table.name}: ${n(total.executions)} new executions of ${n(total.statements)} new statements.`)
  for (const [reason, rows] of skipped) await log(`Skipped ${n(rows)} ${rows === 1 ? 'row' : 'rows'}: ${reason}.`)
}

const findColumns = async ({ query, dialectSql }: QueryableSource, table: LogTable): Promise<ColumnMapping> => {
  const { columns } = await query(columnsSql(dialectSql, table), { timeout_ms: TIMEOUT_MS, max_rows: 1 })
  const names = columns.map(({ name }) => name)
  const mapping = mapColumns(names, table.columns)
  requireSqlColumn(names, mapping)
  if (mapping.time === undefined)
    throw invalid({ 'credentials.time_column': ['is required: without a time, it is not known which entries are new.'] })
  return mapping
}

const findNewest = async ({ query, dialectSql }: QueryableSource, table: LogTable, mapping: ColumnMapping): Promise<string | undefined> => {
  const { rows } = await query(newestSql(dialectSql, table, mapping), { timeout_ms: TIMEOUT_MS, max_rows: 1 })
  const newest = rows[0]?.[0]
  if (newest === null || newest === undefined) return undefined
  const position = toPosition(String(newest))
  if (position === undefined) throw invalid({ 'credentials.time_column': ['does not contain timestamps.'] })
  return position
}

/** The first time, the last days of the log are read. Undefined: it is empty. */
const findStart = async (
  ctx: Context,
  id: string,
  name: string,
  source: QueryableSource,
  table: LogTable,
  mapping: ColumnMapping,
): Promise<string | undefined> => {
  const position = await findPosition(ctx.db, id, name)
  if (position !== undefined) return goBack(position, OVERLAP_HOURS)
  const newest = await findNewest(source, table, mapping)
  return newest === undefined ? undefined : goBack(newest, 24 * FIRST_DAYS)
}

const findLast = (page: readonly { readonly row: Readonly<Record<string, unknown>> }[], mapping: ColumnMapping): string | undefined => {
  const time = page.at(-1)?.row[mapping.time!]
  return time === null || time === undefined ? undefined : toPosition(String(time))
}

const addCounts = (
  total: { rows: number; executions: number; statements: number },
  skipped: Map<string, number>,
  saved: SavedRows,
): void => {
  total.rows += saved.rows
  total.executions += saved.executions
  total.statements += saved.statements
  for (const { reason, rows } of saved.skipped) skipped.set(reason, (skipped.get(reason) ?? 0) + rows)
}
