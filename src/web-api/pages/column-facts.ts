import { sql } from 'kysely'
import { findField } from '../../catalog/records/fields.ts'
import { healthSql } from '../../catalog/records/health.ts'
import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import { type Direction, edgesAtNodeSql, edgesSql } from '../../lineage/edges/links.ts'
import type { Context } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { can, visibleTo } from '../../platform/permissions/permissions.ts'
import { findForeignKeys, getSourceName } from '../../sources/relationships/foreign-keys.ts'
import type { ColumnFacts } from './schema.ts'

type FactsRow = Omit<ColumnFacts, 'references'> & { id: string; title: string; key: string | null }

/** What is known about the columns of a table besides their records, by column ID; with a limit, of its first columns. */
export const getColumnFacts = async (ctx: Context, table: string, limit?: number): Promise<Record<string, ColumnFacts>> => {
  if (!(await findVisibleRows(ctx, [table])).has(table)) throw notFound('resource', table)
  const [rows, references] = await Promise.all([findFacts(ctx, table, limit), findReferences(ctx, table)])
  return Object.fromEntries(
    rows.map(({ id, title, key, ...facts }) => [id, { ...facts, references: references.get(getSourceName(title, key)) ?? null }]),
  )
}

const findFacts = async (ctx: Context, table: string, limit: number | undefined): Promise<FactsRow[]> => {
  // In the order of the list of columns.
  const first = limit === undefined ? sql`` : sql`order by ${findField('sort_order')!.value('r')}, r.id limit ${sql.lit(limit)}`
  const suspicion = can(ctx.actor, 'catalog.write')
    ? sql`(select json_build_object('class', s.class, 'confidence', s.confidence) from pii_suggestions s
        where s.resource_id = r.id and s.status = 'open' and not r.pii order by s.confidence desc, s.id limit 1)`
    : sql`null`
  const { rows } = await sql<FactsRow>`
    select r.id, r.title, o.key, ${healthSql(ctx.actor)} as health,
      case when p.rows_read > 0 then round(100.0 * p.nulls / p.rows_read, 2)::float end as null_percentage,
      p.distinct_values, coalesce(p.distinct_approximate, false) as distinct_approximate, ${suspicion} as suspected_pii,
      ${countNeighboursSql(ctx, 'up')} as upstream, ${countNeighboursSql(ctx, 'down')} as downstream,
      (select count(*)::int from comments c where c.resource_id = r.id and c.thread = c.id and c.resolved_at is null) as discussions,
      case when coalesce(r.description, '') <> '' then coalesce(s.type, 'person') end as described_by
    from resources r left join resource_origins o on o.resource_id = r.id left join column_profiles p on p.resource_id = r.id
    left join lateral (
      select i.type from (
        select o.integration where o.reported_values ->> 'description' = r.description
        union all
        select f.integration from resource_field_suggestions f where f.resource_id = r.id and f.reported_values ->> 'description' = r.description
      ) s join integrations i on i.id = s.integration limit 1
    ) s on true
    where r.parent = ${table} and r.entity_type = 'column' and ${visibleTo(ctx.actor)} ${first}
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** As many as the lineage graph of the column shows next to it. */
const countNeighboursSql = ({ actor }: Context, direction: Direction) => {
  const { near, far, kinds } = edgesSql({ level: 'column', direction })
  return sql`(select count(distinct ${far})::int from lineage_edges e join resources n on n.id = ${far}
    where ${edgesAtNodeSql(near, sql`r.id`)} and ${kinds} and ${visibleTo(actor, 'n')})`
}

/** The column that each foreign key column refers to, by its name in the source. */
const findReferences = async (ctx: Context, table: string): Promise<Map<string, NonNullable<ColumnFacts['references']>>> => {
  const foreignKeys = await findForeignKeys(ctx, [table])
  const targets = await findVisibleRows(
    ctx,
    foreignKeys.map(({ to }) => to),
  )
  return new Map(
    foreignKeys.flatMap(({ from_columns, to, to_columns }) =>
      from_columns.map((column, i) => [column, { table_id: to, table: targets.get(to)!.title, column: to_columns[i] ?? null }] as const),
    ),
  )
}
