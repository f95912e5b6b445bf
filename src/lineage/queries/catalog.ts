import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { anyOf } from '../../platform/db/opaque-params.ts'
import { integrationsVisibleTo, visibleTo } from '../../platform/permissions/permissions.ts'

/** Catalog queries of name resolution. Private to this module. */

export interface TableRow {
  readonly id: string
  readonly created_at: string
  readonly updated_at: string
  readonly title: string
  readonly title_full: string
  readonly schema: string | null
  readonly database: string | null
  readonly native_type: string | null
  readonly integration: string | null
  readonly integration_title: string | null
  readonly integration_type: string | null
  /** A chart, whose result is not stored in columns of its own. */
  readonly is_chart?: boolean
}

const visibleNames = (ctx: Context, alias?: string) => visibleTo(ctx.names_for ?? ctx.actor, alias)

const tableSql = (
  ctx: Context,
) => sql`r.id, r.created_at, r.updated_at, r.title, r.title_full, r.schema, r.database, r.native_type, r.integration,
  case when ${integrationsVisibleTo(ctx.actor, 'i')} then i.name end as integration_title, i.type as integration_type`

// `is not distinct from` keeps the planner from scanning the index of all tables and joining it with the few rows that match the title.
const findTables = async (ctx: Context, where: RawBuilder<unknown>, entity_type: 'table' | 'chart' = 'table'): Promise<TableRow[]> => {
  const { rows } = await sql<TableRow>`
    select ${tableSql(ctx)} from resources r left join integrations i on i.id = r.integration
    where ${where} and r.entity_type is not distinct from ${sql.lit(entity_type)} and ${visibleNames(ctx)} order by r.id
  `.execute(ctx.db, ctx.limits)
  return [...rows]
}

export const findTable = async (ctx: Context, id: string): Promise<TableRow | undefined> => (await findTables(ctx, sql`r.id = ${id}`))[0]

/** Charts as the targets of their queries, by ID. */
export const findCharts = async (ctx: Context, ids: readonly string[]): Promise<Map<string, TableRow>> => {
  const charts = await findTables(ctx, sql`r.id = ${anyOf(ids)}`, 'chart')
  return new Map(charts.map((chart) => [chart.id, { ...chart, is_chart: true }]))
}

/** Tables with one of these titles, case-insensitive. Those in a dashboard group or a job are data sets of another tool, which SQL cannot name. */
export const findTablesByTitle = (ctx: Context, titles: readonly string[]): Promise<TableRow[]> =>
  titles.length === 0
    ? Promise.resolve([])
    : findTables(
        ctx,
        sql`lower(r.title) collate "C" = any(array(select lower(t) from unnest(${titles}::text[]) t))
          and coalesce((select p.entity_type from resources p where p.id = r.parent), '') not in ('dashboard_group', 'job_group', 'job')`,
      )

/** The names of the partitions that were reported, of those of these tables that are partitioned. */
export const findPartitionNames = async (ctx: Context, tables: readonly string[]): Promise<Map<string, string[]>> => {
  if (tables.length === 0) return new Map()
  const { rows } = await sql<{ id: string; names: string[] }>`
    select r.id, array(select jsonb_path_query(r.display_metadata, 'lax $.partition_bounds[*].name') #>> '{}') as names
    from resources r where r.id = ${anyOf(tables)} and r.display_metadata ?| array['partition_key', 'partition_bounds'] and ${visibleNames(ctx)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, names }) => [id, names]))
}

const MAX_SHARDS = 20

/** Tables whose title continues with a number, the last ones first. */
export const findNewestShards = async (ctx: Context, prefix: string, schema: string | null): Promise<TableRow[]> => {
  const from = prefix.toLowerCase()
  const rows = await findTables(
    ctx,
    sql`r.id in (
      select s.id from resources s where lower(s.title) collate "C" >= ${`${from}0`} and lower(s.title) collate "C" < ${`${from}:`}
        and s.entity_type = 'table' and (${schema}::text is null or lower(s.schema) = lower(${schema})) and ${visibleNames(ctx, 's')}
      order by lower(s.title) collate "C" desc limit ${MAX_SHARDS}
    )`,
  )
  return rows.sort((a, b) => (a.title < b.title ? 1 : -1))
}

export interface ColumnRow {
  readonly id: string
  readonly parent: string
  readonly created_at: string
  readonly updated_at: string
  readonly title: string
  readonly native_type: string | null
  readonly type: string | null
}

/** The columns of these tables, by table, in the order their source reported, else in the order they were created. */
export const findTableColumns = async (ctx: Context, tables: readonly string[]): Promise<ColumnRow[]> => {
  if (tables.length === 0) return []
  const { rows } = await sql<ColumnRow>`
    select r.id, r.parent, r.created_at, r.updated_at, r.title, r.native_type, coalesce(r.details ->> 'type', r.native_type) as type
    from resources r where r.parent = ${anyOf(tables)} and r.entity_type = 'column' and ${visibleNames(ctx)}
    order by r.parent, case when jsonb_typeof(r.details -> 'sort_order') = 'number' then (r.details -> 'sort_order')::numeric end nulls last,
      r.created_at, r.id
  `.execute(ctx.db, ctx.limits)
  return [...rows]
}
