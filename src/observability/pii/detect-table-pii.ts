import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { ConnectedSource } from '../../sources/integrations/with-source-connection.ts'
import type { SourceTable } from '../source-tables/source-table.ts'
import { sampleValuesSql } from '../source-tables/statements.ts'
import { detectPii, MIN_CONFIDENCE } from './detect-pii.ts'
import { type DetectedColumn, findSuggestedColumns, savePiiSuggestions } from './pii-suggestion-rows.ts'
import { findPiiRule } from './rules.ts'
import { acceptConfidentSuggestions } from './suggestions.ts'

const SAMPLE_ROWS = 300
const BATCH_COLUMNS = 100
const TIMEOUT_MS = 60_000

/**
 * Checks the names and some values of a table's columns for personal data and saves suggestions. The values are not used anywhere else. Columns
 * that are already flagged are skipped. Returns the status (`open` or `accepted`) of the columns with suggestions.
 */
export const detectTablePii = async (ctx: Context, source: ConnectedSource, table: SourceTable): Promise<ReadonlyMap<string, string>> => {
  const columns = table.columns.filter(({ pii }) => !pii)
  const { dialectSql } = source
  const { from } = dialectSql.sample(table.path, { rows: SAMPLE_ROWS, of: table.row_count, kind: table.native_type })
  const found: DetectedColumn[] = []
  for (let at = 0; at < columns.length; at += BATCH_COLUMNS) {
    const some = columns.slice(at, at + BATCH_COLUMNS)
    const read = some.filter(({ native_type }) => !dialectSql.isBooleanType(native_type))
    const { rows } =
      read.length === 0
        ? { rows: [] }
        : await source.query(sampleValuesSql(dialectSql, read, from, SAMPLE_ROWS), { timeout_ms: TIMEOUT_MS, max_rows: SAMPLE_ROWS })
    for (const { id, name } of some) {
      const i = read.findIndex((column) => column.id === id)
      if (i < 0) continue // booleans cannot be personal data
      const values = rows.flatMap((row) => (row[i] === null || row[i] === undefined ? [] : [String(row[i])]))
      const detection = detectPii(name, values)
      if (detection && detection.confidence >= MIN_CONFIDENCE) found.push({ resource_id: id, ...detection })
    }
  }
  const ids = columns.map(({ id }) => id)
  await inTransaction(ctx, (ctx) => savePiiSuggestions(ctx, table.integration, ids, found))
  const { accept_from } = await findPiiRule(ctx, table.integration)
  if (accept_from !== null) await acceptConfidentSuggestions(ctx, table.integration, accept_from)
  return findSuggestedColumns(ctx.db, ids)
}
