import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { deleteInBatches, runInBatches } from '../../platform/db/in-batches.ts'
import type { ColumnProfilesTable } from '../../platform/db/tables/profiles.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'

/** SQL of column profiles. */
export type ProfileRow = Selectable<ColumnProfilesTable>

export const saveProfiles = (db: Db, rows: readonly ProfileRow[]): Promise<void> => writeProfiles(db, rows, sql`true`)

/** What a pipeline reported: a newer profile stays. */
export const saveReportedProfiles = async (db: Db, rows: readonly ProfileRow[]): Promise<void> => {
  if (rows.length > 0) await writeProfiles(db, rows, sql`column_profiles.profiled_at <= excluded.profiled_at`)
}

const writeProfiles = async (db: Db, rows: readonly ProfileRow[], replaces: RawBuilder<unknown>): Promise<void> => {
  await sql`
    insert into column_profiles (resource_id, table_id, profiled_at, job, sampled, rows_read, nulls, distinct_values, distinct_approximate, withheld,
      min, max, mean, histogram, top_values, source, reported_by, quantiles)
    select x.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as x(
      resource_id uuid, table_id uuid, profiled_at timestamptz, job uuid, sampled text, rows_read bigint, nulls bigint, distinct_values bigint,
      distinct_approximate boolean, withheld text, min text, max text, mean double precision, histogram jsonb, top_values jsonb, source text,
      reported_by uuid, quantiles jsonb)
    on conflict (resource_id) do update set table_id = excluded.table_id, profiled_at = excluded.profiled_at, job = excluded.job,
      sampled = excluded.sampled, rows_read = excluded.rows_read, nulls = excluded.nulls, distinct_values = excluded.distinct_values,
      distinct_approximate = excluded.distinct_approximate, withheld = excluded.withheld, min = excluded.min, max = excluded.max,
      mean = excluded.mean, histogram = excluded.histogram, top_values = excluded.top_values, source = excluded.source,
      reported_by = excluded.reported_by, quantiles = excluded.quantiles
    where ${replaces}
  `.execute(db)
}

export type ProfileWithColumn = ProfileRow & { title: string; native_type: string | null; pii: boolean; visible_run: string | null }

/** Profiles of the column, or of the columns of the table, that the actor can see. */
export const findProfiles = async (ctx: Context, id: string): Promise<ProfileWithColumn[]> => {
  const { rows } = await sql<ProfileWithColumn>`
    select p.*, (select n.id from resources n where n.id = p.reported_by and ${visibleTo(ctx.actor, 'n')}) as visible_run, r.title, r.native_type, r.pii or coalesce(t.pii, false) and not exists (
        select from resources m where m.parent = t.id and m.entity_type = 'column' and m.pii) as pii
    from column_profiles p join resources r on r.id = p.resource_id left join resources t on t.id = r.parent
    where (p.resource_id = ${id} or p.table_id = ${id}) and ${visibleTo(ctx.actor)}
    order by (r.details ->> 'sort_order')::int, r.id
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Deletes profiles and suggestions of deleted resources, and values of columns that were flagged as PII since. */
export const deleteForbiddenProfiles = async ({ db }: Context): Promise<void> => {
  // First, because values of PII columns must not stay stored.
  await runInBatches(async (limit) => {
    const { numAffectedRows } = await sql`
      update column_profiles p set withheld = 'pii', min = null, max = null, mean = null, histogram = null, top_values = null, quantiles = null
      where p.ctid = any(array(
        select p.ctid from column_profiles p join resources r on r.id = p.resource_id where r.pii and p.withheld is distinct from 'pii' limit ${limit}))
    `.execute(db)
    return Number(numAffectedRows ?? 0)
  })
  for (const table of ['column_profiles', 'pii_suggestions'])
    await deleteInBatches(db, table, sql`not exists (select from resources r where r.id = ${sql.ref(`${table}.resource_id`)})`)
}
