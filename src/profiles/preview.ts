import { can } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { conflict, denied } from '../errors.ts'
import { withSource } from '../integrations/open.ts'
import { placeOfTable } from './place.ts'
import type { Preview } from './schema.ts'
import { shownOf } from './statements.ts'

const ROWS = 50
const LONGEST = 2_000
const TIMEOUT_MS = 15_000
/** Stands for a value nobody has read. */
const MASK = '•••'

/** The first rows of a table. What is marked PII is not even read, unless somebody who may write the table asks for it. */
export const previewTable = async (ctx: Context, id: string, show_pii: boolean): Promise<Preview> => {
  const table = await placeOfTable(ctx, id)
  if (show_pii && !can(ctx.actor, 'catalog.write')) throw denied('Columns marked PII are shown to those who may write the table.')
  if (table.columns.length === 0) throw conflict('No columns of this table are known: sync its source first.')
  const columns = table.columns.map((column) => ({ ...column, masked: column.pii && !show_pii }))
  const read = columns.filter(({ masked }) => !masked)
  const { rows, truncated } = await withSource(ctx, table.integration, ctx.limits.signal ?? AbortSignal.timeout(TIMEOUT_MS), (source) => {
    const { words } = source
    const items = read.map(({ name, native_type }) => shownOf(words, name, native_type, LONGEST))
    const sql = `select ${items.length === 0 ? '1' : items.join(', ')} from ${words.table(table.path)} ${words.limit(ROWS + 1)}`
    return source.ask(sql, { timeout_ms: TIMEOUT_MS, max_rows: ROWS })
  })
  const at = new Map(read.map(({ id }, i) => [id, i]))
  return {
    resource_id: id,
    asked_at: ctx.now.toISOString(),
    columns: columns.map(({ id, name, title, native_type, pii, masked }) => ({ resource_id: id, name, title, native_type, pii, masked })),
    rows: rows.map((row) => columns.map(({ id, masked }) => (masked ? MASK : (row[at.get(id)!] ?? null)))),
    truncated,
  }
}
