import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import { assertWithinRowLimit } from '../../sources/integrations/estimate.ts'
import { withSourceConnection } from '../../sources/integrations/with-source-connection.ts'
import { findPendingColumns } from '../pii/pii-suggestion-rows.ts'
import { findMetricQueries, type MetricQuery } from '../runs/metric-queries.ts'
import { buildFailingRowsStatement, SEPARATE_METRICS } from '../runs/metric-sql.ts'
import { getSourceTableById, type SourceColumn, type SourceTable } from '../source-tables/source-table.ts'
import { displaySql } from '../source-tables/statements.ts'

const MAX_ROWS = 10
const MAX_COLUMNS = 50
const TIMEOUT_MS = 15_000

/**
 * Stores a sample of the rows behind a measurement, if previews are on for the source. Columns that are personal data, or may be, are not read.
 * A source that cannot be queried is not an error: the measurement counts, the sample is an extra.
 */
export const captureFailingRows = async (ctx: Context, { measurement }: { readonly measurement: string }): Promise<void> => {
  const { rows: found } = await sql<{ monitor: string }>`
    select s.monitor from monitor_measurements s where s.id = ${measurement}`.execute(ctx.db)
  const query = found[0] && (await findMetricQueries(ctx, [found[0].monitor])).get(found[0].monitor)
  if (!query || query.problem !== undefined) return
  try {
    const table = await getSourceTableById(ctx, query.relation)
    if (table.preview_enabled) await saveSample(ctx, measurement, table.id, await readSample(ctx, query, table))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
  }
}

interface Sample {
  readonly column_ids: readonly string[]
  readonly rows: readonly (readonly unknown[])[]
  readonly counts: readonly number[] | null
  readonly truncated: boolean
}

const readSample = async (ctx: Context, query: MetricQuery, table: SourceTable): Promise<Sample> => {
  const columns = await findStorableColumns(ctx, query, table)
  const isCounted = SEPARATE_METRICS.includes(query.metric_type)
  const { rows, truncated } = await withSourceConnection(ctx, table.integration, AbortSignal.timeout(TIMEOUT_MS), async (source) => {
    const { dialectSql } = source
    const items = columns.map(({ name, native_type }) => displaySql(dialectSql, name, native_type))
    const select = buildFailingRowsStatement(dialectSql, table.path, query, { items, rows: MAX_ROWS + 1 })
    await assertWithinRowLimit(source, select, { rows: query.rows })
    return source.query(select, { timeout_ms: TIMEOUT_MS, max_rows: MAX_ROWS })
  })
  return {
    column_ids: columns.map(({ id }) => id),
    rows: rows.map((row) => (isCounted ? row.slice(1) : row).slice(0, columns.length)),
    counts: isCounted ? rows.map(([count]) => Number(count)) : null,
    truncated,
  }
}

/** The columns that are shown: the checked one first, or the key. None with personal data, also if that is only suspected. */
const findStorableColumns = async (
  ctx: Context,
  { metric_type, column, key_columns = [] }: MetricQuery,
  { columns }: SourceTable,
): Promise<SourceColumn[]> => {
  const first = metric_type === 'duplicates' ? key_columns : column === undefined ? [] : [column]
  const chosen = [
    ...columns.filter(({ name }) => first.includes(name)),
    ...(SEPARATE_METRICS.includes(metric_type) ? [] : columns.filter(({ name }) => !first.includes(name))),
  ].slice(0, MAX_COLUMNS)
  const pending = await findPendingColumns(
    ctx.db,
    chosen.map(({ id }) => id),
  )
  return chosen.filter(({ id, pii }) => !pii && !pending.has(id))
}

const saveSample = async (
  ctx: Context,
  measurement: string,
  table_id: string,
  { column_ids, rows, counts, truncated }: Sample,
): Promise<void> => {
  await sql`
    insert into failing_rows (measurement, table_id, column_ids, rows, counts, truncated, captured_at)
    select s.id, ${table_id}, ${column_ids}::uuid[], ${JSON.stringify(rows)}::text::jsonb, ${counts && JSON.stringify(counts)}::text::jsonb,
      ${String(truncated)}::text::boolean, ${ctx.now}::timestamptz
    from monitor_measurements s where s.id = ${measurement}
    on conflict (measurement) do nothing
  `.execute(ctx.db)
}

const RETENTION = '14 days'

/** Deletes old samples, and those with a column that was marked as personal data since or for whose source previews were turned off. */
export const deleteFailingRows = ({ db, now }: Context): Promise<void> =>
  deleteInBatches(
    db,
    'failing_rows',
    sql`captured_at < ${now}::timestamptz - ${RETENTION}::interval
      or exists (select from resources r where r.id = any(failing_rows.column_ids || failing_rows.table_id) and r.pii)
      or not exists (select from resources t join integrations i on i.id = t.integration where t.id = failing_rows.table_id and i.preview_enabled)`,
  )
