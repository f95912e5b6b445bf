import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, permissionDenied } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { can } from '../../platform/permissions/permissions.ts'
import type { SourceColumn, SourceTable } from '../source-tables/source-table.ts'
import { findPendingColumns } from './pii-suggestion-rows.ts'

export interface MaskedColumn extends SourceColumn {
  /** Its values must not be read. */
  readonly masked: boolean
}

/**
 * The columns of a table that may be read for the caller. PII columns are not read unless a user who can edit the table requests them. Columns
 * with a pending PII suggestion are hidden from users who cannot edit the table, because they cannot decide on it.
 */
export const maskColumns = async (ctx: Context, { columns }: SourceTable, show_pii: boolean): Promise<MaskedColumn[]> => {
  const writes = can(ctx.actor, 'catalog.write')
  if (show_pii && !writes) throw permissionDenied(translatable('Columns marked as PII are only shown to users who can edit the table.'))
  const pending = writes
    ? new Set<string>()
    : await findPendingColumns(
        ctx.db,
        columns.map(({ id }) => id),
      )
  return columns.map((column) => ({ ...column, masked: (column.pii && !show_pii) || pending.has(column.id) }))
}

/** Rows of a table are only read for people if an admin turned previews on for its source. */
export const assertRowsReadable = ({ preview_enabled, integration_name, columns }: SourceTable): void => {
  if (!preview_enabled)
    throw conflict(
      translatable('Previews are turned off for {integration}. An admin can turn them on in the settings of the integration.', {
        integration: integration_name,
      }),
    )
  if (columns.length === 0) throw conflict(translatable('This table has no columns yet. Sync its source first.'))
}

/** Records that the caller was shown the PII columns that are not masked. */
export const recordPiiViewed = async (ctx: Context, table: SourceTable, columns: readonly MaskedColumn[]): Promise<void> => {
  const revealed = columns.filter(({ pii, masked }) => pii && !masked)
  if (revealed.length === 0) return
  await inTransaction(ctx, (ctx) =>
    recordEvent(ctx, {
      kind: 'pii_viewed',
      resource: { id: table.id, type: 'table', title: table.title, integration_id: table.integration },
      payload: { columns: revealed.map(({ name }) => name) },
    }),
  )
}
