import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { edgesAtNodeSql, idsTable, type Link, nestedColumnsSql } from '../edges/links.ts'

/**
 * What a change of these resources affects, at the finest known level: what is computed from a column, and, where no column lineage is known,
 * everything downstream of its table. A table that is affected as a whole includes all of its columns. A job that reports only tables gives
 * way to a query between the same tables whose columns are known: it usually is what the job runs.
 */
export const findAffected = async (ctx: Context, nodes: readonly string[]): Promise<readonly Link[]> => {
  if (nodes.length === 0) return []
  const { rows } = await sql<Link>`
    select l.node, l.other, bool_or(l.manual) as manual, count(distinct l.query) as queries,
      coalesce(string_agg(distinct l.kind, ',') filter (where not l.whole), string_agg(distinct l.kind, ',')) as kinds, bool_and(l.whole) as whole
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
      where e.query is null or not (${hasColumnsSql(sql`e.query`)} or exists (
        select from lineage_queries q cross join lateral (
          select o.query from lineage_edges o
          where ${edgesAtNodeSql(sql`o.upstream`, sql`coalesce(r.parent, n.node)`)} and o.downstream = e.downstream and o.kind = 'table' offset 0
        ) o
        where q.id = e.query and q.statements -> 0 ->> 'kind' = 'job' and o.query <> e.query and ${hasColumnsSql(sql`o.query`)}
      ))
    ) l where l.other <> l.node group by l.node, l.other order by l.node, l.other
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Whether it is known which columns of the table the query reads. */
const hasColumnsSql = (query: RawBuilder<unknown>): RawBuilder<unknown> => sql`exists (
  select from lineage_edges f join resources c on c.id = f.upstream
  where f.query = ${query} and f.kind <> 'table' and c.parent = coalesce(r.parent, n.node)
)`
