import { sql } from 'kysely'
import { findField } from '../../catalog/records/fields.ts'
import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { SourceTable } from '../source-tables/source-table.ts'
import type { ProfileRow } from './profile-rows.ts'
import type { ColumnTrends, ProfileHistory } from './schema.ts'

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
      distinct_approximate = excluded.distinct_approximate, source = null, reported_by = null
  `.execute(db)
}

/** What a run of a pipeline counted in a table or column, or wrote to a table. */
export interface ReportedPoint {
  readonly resource_id: string
  readonly table_id: string
  readonly profiled_at: string
  readonly reported_by: string | null
  readonly rows_read: number
  readonly row_count?: number | undefined
  readonly nulls?: number | undefined
  readonly distinct_values?: number | undefined
  readonly rows_written?: number | undefined
  readonly bytes_written?: number | undefined
}

const REPORTED_COUNTS = ['row_count', 'nulls', 'distinct_values', 'rows_written', 'bytes_written'] as const

/** Adds reported counts to the history: a newer profile of the same day stays, and only what it does not have is added. */
export const mergeProfileHistory = async (db: Db, points: readonly ReportedPoint[]): Promise<void> => {
  if (points.length === 0) return
  const counts = REPORTED_COUNTS.map((name) => {
    const [old, added] = [sql.ref(`h.${name}`), sql.ref(`excluded.${name}`)]
    return sql`${sql.ref(name)} = case when excluded.profiled_at >= h.profiled_at then coalesce(${added}, ${old}) else coalesce(${old}, ${added}) end`
  })
  // What was only written says nothing about the content.
  const isCount = sql`(excluded.row_count is not null or excluded.nulls is not null) and (excluded.profiled_at >= h.profiled_at or h.rows_read = 0)`
  const described = ['profiled_at', 'sampled', 'rows_read', 'source', 'reported_by'].map(
    (name) => sql`${sql.ref(name)} = case when ${isCount} then ${sql.ref(`excluded.${name}`)} else ${sql.ref(`h.${name}`)} end`,
  )
  await sql`
    insert into profile_history as h (resource_id, day, table_id, profiled_at, sampled, rows_read, row_count, nulls, distinct_values, rows_written,
      bytes_written, source, reported_by)
    select x.resource_id, (x.profiled_at at time zone 'UTC')::date, x.table_id, x.profiled_at, 'all', x.rows_read, x.row_count, x.nulls,
      x.distinct_values, x.rows_written, x.bytes_written, 'openlineage', x.reported_by
    from json_to_recordset(${JSON.stringify(points)}::text::json) as x(
      resource_id uuid, table_id uuid, profiled_at timestamptz, rows_read bigint, row_count bigint, nulls bigint, distinct_values bigint,
      rows_written bigint, bytes_written bigint, reported_by uuid)
    on conflict (resource_id, day) do update set ${sql.join([...described, ...counts])}
  `.execute(db)
}

/** Of a table: its row counts. Of a column: nulls and distinct values. Oldest first. */
export const getProfileHistory = async (ctx: Context, id: string, days: number): Promise<ProfileHistory> => {
  if (!(await findVisibleRows(ctx, [id])).has(id)) throw notFound('resource', id)
  const { rows } = await sql<ProfileHistory['points'][number]>`
    select to_char(h.day, 'YYYY-MM-DD') as day, h.profiled_at, h.sampled, h.rows_read, h.row_count, h.nulls,
      case when h.rows_read > 0 then round(100.0 * h.nulls / h.rows_read, 2)::float8 end as null_percentage, h.distinct_values,
      coalesce(h.distinct_approximate, false) as distinct_approximate, h.rows_written, h.bytes_written,
      coalesce(h.source, 'profile') as source
    from profile_history h where h.resource_id = ${id} and h.day > ${ctx.now}::timestamptz::date - ${days}::int order by h.day
  `.execute(ctx.db, ctx.limits)
  return { resource_id: id, points: rows }
}

const MAX_TREND_COLUMNS = 1_000
const TREND_POINTS = 14

/** The last profiles of each column of a table that has at least two. */
export const getColumnTrends = async (ctx: Context, table: string): Promise<ColumnTrends> => {
  if (!(await findVisibleRows(ctx, [table])).has(table)) throw notFound('resource', table)
  const { rows } = await sql<{ id: string } & ColumnTrends[string]>`
    select c.id, array_agg(h.null_percentage order by h.day) as null_percentage, array_agg(h.distinct_values::float8 order by h.day) as distinct_values
    from (
      select r.id from resources r where r.parent = ${table} and r.entity_type = 'column' and ${visibleTo(ctx.actor)}
      order by ${findField('sort_order')!.value('r')}, r.id limit ${sql.lit(MAX_TREND_COLUMNS)}
    ) c cross join lateral (
      select h.day, round(100.0 * h.nulls / h.rows_read, 2)::float8 as null_percentage, h.distinct_values from profile_history h
      where h.resource_id = c.id and h.rows_read > 0 order by h.day desc limit ${sql.lit(TREND_POINTS)}
    ) h group by c.id having count(*) > 1
  `.execute(ctx.db, ctx.limits)
  return Object.fromEntries(rows.map(({ id, ...trend }) => [id, trend]))
}

/** Runs every hour: deletes what is too old, and what belongs to deleted resources. */
export const deleteOldProfileHistory = async ({ db, now }: Context): Promise<void> => {
  await deleteInBatches(db, 'profile_history', sql`day < ${now}::timestamptz::date - ${sql.lit(KEPT_DAYS)}`)
  await deleteInBatches(db, 'profile_history', sql`not exists (select from resources r where r.id = profile_history.resource_id)`)
}
