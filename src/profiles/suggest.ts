import { type Context, inTransaction } from '../context.ts'
import type { OpenSource } from '../integrations/open.ts'
import { acceptSure } from './decide.ts'
import { LEAST_CONFIDENCE, suspect } from './pii.ts'
import type { PlacedTable } from './place.ts'
import { findRule } from './rules.ts'
import { valuesSql } from './statements.ts'
import { findSuspected, putSuggestions, type Suspected } from './store.ts'

const ROWS = 300
const COLUMNS_AT_ONCE = 100
const TIMEOUT_MS = 60_000

/**
 * Checks the names and some values of a table's columns for personal data and saves suggestions. The values are not used anywhere else. Columns
 * that are already flagged are skipped. Returns the status (`open` or `accepted`) of the columns with suggestions.
 */
export const lookForPii = async (ctx: Context, source: OpenSource, table: PlacedTable): Promise<ReadonlyMap<string, string>> => {
  const columns = table.columns.filter(({ pii }) => !pii)
  const { words } = source
  const { from } = words.sample(table.path, { rows: ROWS, of: table.row_count, kind: table.native_type })
  const found: Suspected[] = []
  for (let at = 0; at < columns.length; at += COLUMNS_AT_ONCE) {
    const some = columns.slice(at, at + COLUMNS_AT_ONCE)
    const read = some.filter(({ native_type }) => !words.isBooleanType(native_type))
    const { rows } =
      read.length === 0 ? { rows: [] } : await source.ask(valuesSql(words, read, from, ROWS), { timeout_ms: TIMEOUT_MS, max_rows: ROWS })
    for (const { id, name } of some) {
      const i = read.findIndex((column) => column.id === id)
      if (i < 0) continue // booleans cannot be personal data
      const values = rows.flatMap((row) => (row[i] === null || row[i] === undefined ? [] : [String(row[i])]))
      const suspicion = suspect(name, values)
      if (suspicion && suspicion.confidence >= LEAST_CONFIDENCE) found.push({ resource_id: id, ...suspicion })
    }
  }
  const ids = columns.map(({ id }) => id)
  await inTransaction(ctx, (ctx) => putSuggestions(ctx, table.integration, ids, found))
  const { accept_from } = await findRule(ctx, table.integration)
  if (accept_from !== null) await acceptSure(ctx, table.integration, accept_from)
  return findSuspected(ctx.db, ids)
}
