import { can } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { conflict, denied } from '../errors.ts'
import { recordActivity } from '../history/record.ts'
import { withSource } from '../integrations/open.ts'
import { placeOfTable } from './place.ts'
import type { Preview } from './schema.ts'
import { shownOf } from './statements.ts'
import { findUndecided } from './store.ts'

const ROWS = 50
const LONGEST = 2_000
const TIMEOUT_MS = 15_000
/** Stands for a value that was not read. */
const MASK = '•••'

/**
 * The first rows of a table. PII columns are not read unless a user who can edit the table requests them, which is recorded. Columns with a
 * pending PII suggestion are hidden from users who cannot edit the table, because they cannot decide on it.
 */
export const previewTable = async (ctx: Context, id: string, show_pii: boolean): Promise<Preview> => {
  const table = await placeOfTable(ctx, id)
  if (show_pii && !can(ctx.actor, 'catalog.write')) throw denied('Columns marked as PII are only shown to users who can edit the table.')
  if (!table.preview_enabled)
    throw conflict(`Previews are turned off for ${table.integration_name}. An admin can turn them on in the settings of the integration.`)
  if (table.columns.length === 0) throw conflict('This table has no columns yet. Sync its source first.')
  const undecided = can(ctx.actor, 'catalog.write')
    ? new Set<string>()
    : await findUndecided(
        ctx.db,
        table.columns.map(({ id }) => id),
      )
  const columns = table.columns.map((column) => ({ ...column, masked: (column.pii && !show_pii) || undecided.has(column.id) }))
  const read = columns.filter(({ masked }) => !masked)
  const { rows, truncated } = await withSource(ctx, table.integration, ctx.limits.signal ?? AbortSignal.timeout(TIMEOUT_MS), (source) => {
    const { words } = source
    const items = read.map(({ name, native_type }) => shownOf(words, name, native_type, LONGEST))
    const sql = `select ${items.length === 0 ? '1' : items.join(', ')} from ${words.table(table.path)} ${words.limit(ROWS + 1)}`
    return source.ask(sql, { timeout_ms: TIMEOUT_MS, max_rows: ROWS })
  })
  const shown = columns.filter(({ pii, masked }) => pii && !masked)
  if (shown.length > 0)
    await inTransaction(ctx, (ctx) =>
      recordActivity(ctx, {
        activity_type: 'pii_viewed',
        resource_id: id,
        resource_type: 'table',
        resource_title: table.title,
        integration_id: table.integration,
        changes: [{ field: 'columns', from: null, to: shown.map(({ name }) => name) }],
      }),
    )
  const at = new Map(read.map(({ id }, i) => [id, i]))
  return {
    resource_id: id,
    asked_at: ctx.now.toISOString(),
    columns: columns.map(({ id, name, title, native_type, pii, masked }) => ({ resource_id: id, name, title, native_type, pii, masked })),
    rows: rows.map((row) => columns.map(({ id, masked }) => (masked ? MASK : (row[at.get(id)!] ?? null)))),
    truncated,
  }
}
