import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { redactLiterals } from '../../sources/connectors/shared/statement.ts'
import { assertWithinRowLimit } from '../../sources/integrations/estimate.ts'
import { withSourceConnection } from '../../sources/integrations/with-source-connection.ts'
import { recordPiiViewed } from '../pii/mask-columns.ts'
import { MAX_CELL_LENGTH } from '../source-tables/cell.ts'
import { getSourceTableById } from '../source-tables/source-table.ts'
import { type ResolvedQuery, resolveQuery } from './resolve-query.ts'
import type { DataQuery, DataQueryResult } from './schema.ts'

const DEFAULT_ROWS = 100
const TIMEOUT_MS = 20_000 // a user is waiting
const MAX_RECORDED_LENGTH = 4_000

/** Runs a SELECT of the caller in the source of a table. Nothing of the result is stored; the audit log records the query before it runs. */
export const runDataQuery = async (
  ctx: Context,
  id: string,
  { sql: text, limit = DEFAULT_ROWS, show_pii = false }: DataQuery,
): Promise<DataQueryResult> => {
  const table = await getSourceTableById(ctx, id)
  const query = await resolveQuery(ctx, table, text, show_pii)
  await recordQuery(ctx, table, text, query)
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const signal = ctx.limits.signal ? AbortSignal.any([ctx.limits.signal, timeout]) : timeout
  const { columns, rows, truncated } = await withSourceConnection(ctx, table.integration, signal, async (source) => {
    if (source.dialect !== query.dialect) throw conflict(translatable('The type of the integration has changed. Run the query again.'))
    await assertWithinRowLimit(source, query.sql, { rows: null })
    return source.query(query.sql, { timeout_ms: TIMEOUT_MS, max_rows: limit })
  })
  return {
    resource_id: id,
    asked_at: ctx.now.toISOString(),
    columns: columns.map(({ name, type }) => ({ name, native_type: type })),
    rows: rows.map((row) =>
      row.map((cell) => (typeof cell === 'string' && cell.length > MAX_CELL_LENGTH ? `${cell.slice(0, MAX_CELL_LENGTH)}…` : cell)),
    ),
    truncated,
    masked: query.tables.flatMap(({ table, columns }) =>
      columns.filter(({ masked }) => masked).map(({ name }) => `${table.path.at(-1)}.${name}`),
    ),
  }
}

/** Only in the audit log: the text names tables that others who see this table may not see. Without literal values, which may be personal data. */
const recordQuery = async (
  ctx: Context,
  { integration, integration_name }: { readonly integration: string; readonly integration_name: string },
  text: string,
  { dialect, tables }: ResolvedQuery,
): Promise<void> => {
  await inTransaction(ctx, (ctx) =>
    recordEvent(ctx, {
      kind: 'data_queried',
      resource: { type: 'data_query', title: integration_name, integration_id: integration },
      payload: {
        sql: redactLiterals(text, dialect).slice(0, MAX_RECORDED_LENGTH),
        tables: tables.map(({ table }) => table.id),
      },
    }),
  )
  for (const { table, columns } of tables) await recordPiiViewed(ctx, table, columns)
}
