import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import { edgesAtNodeSql, edgesSql, idsTable, kindsSql, type Link, type LinkOptions, linksSql, type NodeInfo } from '../edges/links.ts'

/** Which nodes a caller wants to see. Others are traversed but not shown. */
export interface NodeFilter {
  readonly entity_types?: readonly string[]
  readonly without?: readonly string[]
  readonly integrations?: readonly string[]
  readonly include_archived: boolean
}

export const matchesNodeFilter = (filter: NodeFilter, { entity_type, integration, archived }: NodeInfo): boolean =>
  (filter.entity_types?.includes(entity_type) ?? true) &&
  !filter.without?.includes(entity_type) &&
  (filter.integrations === undefined || (integration !== null && filter.integrations.includes(integration))) &&
  (filter.include_archived || !archived)

const nodeFilterSql = ({ entity_types, without, integrations, include_archived }: NodeFilter): RawBuilder<unknown> | undefined => {
  const conditions = [
    ...(entity_types ? [sql`r.entity_type = any(${entity_types}::text[])`] : []),
    ...(without ? [sql`not r.entity_type = any(${without}::text[])`] : []),
    ...(integrations ? [sql`r.integration = any(${integrations}::uuid[])`] : []),
    ...(include_archived ? [] : [sql`not r.archived`]),
  ]
  return conditions.length === 0 ? undefined : sql.join(conditions, sql` and `)
}

export interface NeighbourCounts {
  /** Between the nodes themselves. */
  readonly links: readonly Link[]
  /** How many further neighbours each node has that the caller sees and that match the filter. */
  readonly more: ReadonlyMap<string, number>
  /** Neighbours the caller may not see. */
  readonly hidden: readonly { readonly node: string; readonly other: string }[]
}

const MAX_HIDDEN = 1_000
const MANY_EDGES = 2_000

/**
 * Exact neighbour counts for every node. For a node with very many edges only the direct links to the other nodes are looked up, and its
 * neighbours are counted without replacing columns by their tables; without `exact`, it counts as one that has more.
 */
export const countNeighbours = async (
  ctx: Context,
  nodes: readonly string[],
  options: LinkOptions,
  filter: NodeFilter,
  exact = true,
): Promise<NeighbourCounts> => {
  const { near, far, kinds } = edgesSql(options)
  const all = seesEverything(ctx.actor)
  const condition = nodeFilterSql(filter)
  const plain = all && condition === undefined
  const nodeInfoSql = plain
    ? sql``
    : sql`left join lateral (
        select ${visibleTo(ctx.actor)} as visible, ${condition ?? sql`true`} as matches from resources r where r.id = l.other offset 0
      ) r on not l.inside`
  const { rows } = await sql<Link & { what: 'link' | 'more' | 'unseen'; n: number }>`
    with nodes as materialized (
      select n.node, (
        select count(*) > ${MANY_EDGES} from (
          select from lineage_edges e where ${edgesAtNodeSql(near, sql`n.node`)} and ${kinds} limit ${MANY_EDGES + 1}
        ) e
      ) as many from ${idsTable(nodes)} n(node)
    ), found as materialized (
      select l.*, n.node is not null as inside
      from (${linksSql(sql`(select node from nodes where not many)`, nodes.length, options)}) l left join nodes n on n.node = l.other
      union all
      ${
        exact
          ? sql`select n.node, e.other, null, null, null, i.node is not null from nodes n cross join lateral (
              select ${far} as other from lineage_edges e where ${edgesAtNodeSql(near, sql`n.node`)} and ${kinds} group by ${near}, ${far} offset 0
            ) e left join nodes i on i.node = e.other where n.many`
          : sql`select n.node, i.node, null, null, null, true from nodes n join nodes i on i.node <> n.node
              where n.many and exists (select from lineage_edges e where ${near} = n.node and ${far} = i.node and ${kinds} offset 0)`
      }
    ), links as (
      select l.*, ${plain ? sql`true` : sql`r.visible and r.matches`} as beyond, ${plain ? sql`false` : sql`not r.visible`} as unseen
      from found l ${nodeInfoSql}
    )
    select 'link' as what, l.node, l.other, coalesce(l.manual, x.manual) as manual, coalesce(l.queries, x.queries) as queries,
      coalesce(l.kinds, x.kinds) as kinds, 0 as n
    from found l left join lateral (
      select bool_or(e.query is null) as manual, count(e.query) as queries, ${kindsSql(options)} as kinds
      from lineage_edges e where l.manual is null and ${near} = l.node and ${far} = l.other and ${kinds}
    ) x on true
    where l.inside
    union all
    select 'more', node, null, null, null, null, count(*) from links where not inside and beyond group by node
    ${exact ? sql`` : sql`union all select 'more', node, null, null, null, null, 1 from nodes where many`}
    union all
    (select 'unseen', node, other, null, null, null, 0 from links where not inside and unseen limit ${MAX_HIDDEN})
  `.execute(ctx.db, ctx.limits)
  return {
    links: rows.filter(({ what }) => what === 'link'),
    more: new Map(rows.filter(({ what }) => what === 'more').map(({ node, n }) => [node, n])),
    hidden: rows.filter(({ what }) => what === 'unseen'),
  }
}
