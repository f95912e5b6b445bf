import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { edgesAtNodeSql, idsTable, type Link, nestedColumnsSql } from '../edges/links.ts'

/**
 * What a change of these resources affects, at the finest known level: what is computed from a column, and, where no column lineage is known,
 * everything downstream of its table. A table that is affected as a whole includes all of its columns.
 */
export const findAffected = async (ctx: Context, nodes: readonly string[]): Promise<readonly Link[]> => {
  if (nodes.length === 0) return []
  const { rows } = await sql<Link>`
    select l.node, l.other, bool_or(l.manual) as manual, count(distinct l.query) as queries, string_agg(distinct l.kind, ',') as kinds,
      bool_and(l.whole) as whole
    from (
      select n.node, e.downstream as other, e.query is null as manual, e.query, e.kind, false as whole
      from ${idsTable(nodes)} n(node) cross join lateral (select n.node as id union all ${nestedColumnsSql(sql`n.node`)}) m
      cross join lateral (
        select e.downstream, e.query, e.kind from lineage_edges e
        where ${edgesAtNodeSql(sql`e.upstream`, sql`m.id`)} and (e.query is null or e.kind <> 'table') offset 0
      ) e
      union all
      select n.node, e.downstream, e.query is null, e.query, e.kind, r.parent is not null
      from ${idsTable(nodes)} n(node)
      left join lateral (select r.parent from resources r where r.id = n.node and r.entity_type = 'column' offset 0) r on true
      cross join lateral (
        select e.downstream, e.query, e.kind from lineage_edges e
        where ${edgesAtNodeSql(sql`e.upstream`, sql`coalesce(r.parent, n.node)`)} and (e.query is null or e.kind = 'table') offset 0
      ) e
      where e.query is null or not exists (
        select from lineage_edges f join resources c on c.id = f.upstream
        where f.query = e.query and f.kind <> 'table' and c.parent = coalesce(r.parent, n.node)
      )
    ) l where l.other <> l.node group by l.node, l.other order by l.node, l.other
  `.execute(ctx.db, ctx.limits)
  return rows
}
