import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, permissionDenied } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { can } from '../../platform/permissions/permissions.ts'
import { withSourceConnection } from '../../sources/integrations/with-source-connection.ts'
import { findPendingColumns } from '../pii/pii-suggestion-rows.ts'
import { getSourceTableById } from '../source-tables/source-table.ts'
import { displaySql } from '../source-tables/statements.ts'
import type { Preview } from './schema.ts'

const PREVIEW_ROWS = 50
const MAX_VALUE_LENGTH = 2_000
const TIMEOUT_MS = 15_000
/** Stands for a value that was not read. */
const MASK = '•••'

/**
 * The first rows of a table. PII columns are not read unless a user who can edit the table requests them, which is recorded. Columns with a
 * pending PII suggestion are hidden from users who cannot edit the table, because they cannot decide on it.
 */
export const previewTable = async (ctx: Context, id: string, show_pii: boolean): Promise<Preview> => {
  const table = await getSourceTableById(ctx, id)
  if (show_pii && !can(ctx.actor, 'catalog.write'))
    throw permissionDenied(translatable('Columns marked as PII are only shown to users who can edit the table.'))
  if (!table.preview_enabled)
    throw conflict(
      translatable('Previews are turned off for {integration}. An admin can turn them on in the settings of the integration.', {
        integration: table.integration_name,
      }),
    )
  if (table.columns.length === 0) throw conflict(translatable('This table has no columns yet. Sync its source first.'))
  const pending = can(ctx.actor, 'catalog.write')
    ? new Set<string>()
    : await findPendingColumns(
        ctx.db,
        table.columns.map(({ id }) => id),
      )
  const columns = table.columns.map((column) => ({ ...column, masked: (column.pii && !show_pii) || pending.has(column.id) }))
  const read = columns.filter(({ masked }) => !masked)
  const { rows, truncated } = await withSourceConnection(
    ctx,
    table.integration,
    ctx.limits.signal ?? AbortSignal.timeout(TIMEOUT_MS),
    (source) => {
      const { dialectSql } = source
      const items = read.map(({ name, native_type }) => displaySql(dialectSql, name, native_type, MAX_VALUE_LENGTH))
      const sql = `select ${items.length === 0 ? '1' : items.join(', ')} from ${dialectSql.table(table.path)} ${dialectSql.limit(PREVIEW_ROWS + 1)}`
      return source.query(sql, { timeout_ms: TIMEOUT_MS, max_rows: PREVIEW_ROWS })
    },
  )
  const revealed = columns.filter(({ pii, masked }) => pii && !masked)
  if (revealed.length > 0)
    await inTransaction(ctx, (ctx) =>
      recordEvent(ctx, {
        kind: 'pii_viewed',
        resource: { id, type: 'table', title: table.title, integration_id: table.integration },
        payload: { columns: revealed.map(({ name }) => name) },
      }),
    )
  const indexById = new Map(read.map(({ id }, i) => [id, i]))
  return {
    resource_id: id,
    asked_at: ctx.now.toISOString(),
    columns: columns.map(({ id, name, title, native_type, pii, masked }) => ({ resource_id: id, name, title, native_type, pii, masked })),
    rows: rows.map((row) => columns.map(({ id, masked }) => (masked ? MASK : (row[indexById.get(id)!] ?? null)))),
    truncated,
  }
}
