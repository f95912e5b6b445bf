import { sql } from 'kysely'
import { findVisibleRows } from '../../catalog/resources/report.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import type { SourceTable } from '../source-tables/source-table.ts'
import type { ProfileRow } from './profile-rows.ts'
import type { ProfileHistory } from './schema.ts'

/** Profiles over time: the counts of the last profile of each day. Values are not kept, so nothing has to be removed when a column becomes PII. */
const KEPT_DAYS = 400

/** Saved with the profiles of columns; the last one of a day counts. */
export const saveProfileHistory = async (db: Db, { id, row_count }: SourceTable, rows: readonly ProfileRow[]): Promise<void> => {
  const [first] = rows
  if (!first) return
  const { profiled_at, sampled, rows_read } = first
  const ofTable = { resource_id: id, table_id: id, profiled_at, sampled, rows_read, row_count: sampled === 'all' ? rows_read : row_count }
  await sql`
    insert into profile_history (resource_id, day, table_id, profiled_at, sampled, rows_read, row_count, nulls, distinct_values, distinct_approximate)
    select x.resource_id, (x.profiled_at at time zone 'UTC')::date, x.table_id, x.profiled_at, x.sampled, x.rows_read, x.row_count, x.nulls,
      x.distinct_values, x.distinct_approximate
    from json_to_recordset(${JSON.stringify([ofTable, ...rows])}::text::json) as x(
      resource_id uuid, table_id uuid, profiled_at timestamptz, sampled text, rows_read bigint, row_count bigint, nulls bigint,
      distinct_values bigint, distinct_approximate boolean)
    on conflict (resource_id, day) do update set table_id = excluded.table_id, profiled_at = excluded.profiled_at, sampled = excluded.sampled,
      rows_read = excluded.rows_read, row_count = excluded.row_count, nulls = excluded.nulls, distinct_values = excluded.distinct_values,
      distinct_approximate = excluded.distinct_approximate
  `.execute(db)
}

/** Of a table: its row counts. Of a column: nulls and distinct values. Oldest first. */
export const getProfileHistory = async (ctx: Context, id: string, days: number): Promise<ProfileHistory> => {
  if (!(await findVisibleRows(ctx, [id])).has(id)) throw notFound('resource', id)
  const { rows } = await sql<ProfileHistory['points'][number]>`
    select to_char(h.day, 'YYYY-MM-DD') as day, h.profiled_at, h.sampled, h.rows_read, h.row_count, h.nulls,
      case when h.rows_read > 0 then round(100.0 * h.nulls / h.rows_read, 2)::float8 end as null_percentage, h.distinct_values,
      coalesce(h.distinct_approximate, false) as distinct_approximate
    from profile_history h where h.resource_id = ${id} and h.day > ${ctx.now}::timestamptz::date - ${days}::int order by h.day
  `.execute(ctx.db, ctx.limits)
  return { resource_id: id, points: rows }
}

/** Runs every hour: deletes what is too old, and what belongs to deleted resources. */
export const deleteOldProfileHistory = async ({ db, now }: Context): Promise<void> => {
  await deleteInBatches(db, 'profile_history', sql`day < ${now}::timestamptz::date - ${sql.lit(KEPT_DAYS)}`)
  await deleteInBatches(db, 'profile_history', sql`not exists (select from resources r where r.id = profile_history.resource_id)`)
}
