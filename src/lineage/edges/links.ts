import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'

/** The SQL of graph traversal: neighbours of nodes. Private to this module. */

/** `table`: columns are replaced by their tables. `column`: every resource is itself a node, and table-level edges connect only tables. */
export type GraphLevel = 'table' | 'column'
/** `down`: in the direction of the data flow. `up`: against it. */
export type Direction = 'down' | 'up'

/** All edges between a node and one neighbour, in the direction of the traversal. */
export interface Link {
  readonly node: string
  readonly other: string
  readonly manual: boolean
  /** The number of queries the link was derived from, and the kinds of its edges. */
  readonly queries: number
  readonly kinds: string | null
  /** For a column: it is only known that something depends on its table. */
  readonly whole?: boolean
}

export interface LinkOptions {
  readonly level: GraphLevel
  readonly direction: Direction
  /** Maximum number of neighbours for each node, in the order of their IDs. */
  readonly limit?: number
  /** At column level: include edges from a column to the table whose rows it filters. */
  readonly filters?: boolean
}

/**
 * The edges of a node, written as a range of one value so that the planner always uses the index that begins with this column. With equality
 * and half of all edges at one table, it read all edges for every other table.
 */
export const edgesAtNodeSql = (end: RawBuilder<unknown>, node: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`${end} between ${node} and ${node}`

export const edgesSql = ({ level, direction, filters = false }: LinkOptions) => {
  const [near, far] = direction === 'down' ? [sql`e.upstream`, sql`e.downstream`] : [sql`e.downstream`, sql`e.upstream`]
  const kinds = level === 'table' ? sql`e.kind = 'table'` : filters ? sql`e.kind <> 'table'` : sql`e.kind not in ('table', 'filter')`
  return { near, far, kinds: sql`(e.query is null or ${kinds})` }
}

/**
 * Column edges of a query always come with an edge between their tables, so at table level only table edges are followed; only manual edges
 * can start or end at a column without its table. Every join is an index lookup for each row (enforced by `offset 0`): the planner cannot know
 * how few rows a neighbourhood has and would otherwise scan the whole catalog.
 */
export const linksSql = (nodes: RawBuilder<unknown>, count: number, options: LinkOptions): RawBuilder<unknown> => {
  const { near, far, kinds } = edgesSql(options)
  const own = sql`
    select n.node, e.other, e.manual, e.queries, e.kinds from ${nodes} n(node) cross join lateral (
      select ${far} as other, bool_or(e.query is null) as manual, count(e.query) as queries, ${kindsSql(options)} as kinds
      from lineage_edges e where ${edgesAtNodeSql(near, sql`n.node`)} and ${kinds} group by ${near}, ${far} ${limitSql(count, options)}
    ) e`
  if (options.level === 'column') return sql`select l.node, l.other, l.manual, l.queries, l.kinds from (${own}) l`
  return sql`
    select l.node, l.other, bool_or(l.manual) as manual, sum(l.queries)::bigint as queries, max(l.kinds) as kinds from (
      select s.node, ${TABLE_OF_OTHER_SQL} as other, s.manual, s.queries, s.kinds
      from (${own} union all ${manualColumnEdgesSql(nodes, count, options, sql`0, null`)}) s ${TABLE_LOOKUP_SQL}
    ) l where l.other <> l.node group by l.node, l.other`
}

/** The kinds of a link's edges. Between tables there is only one, so no sort is needed. */
export const kindsSql = ({ level }: LinkOptions): RawBuilder<unknown> =>
  level === 'table' ? sql`max(e.kind)` : sql`string_agg(distinct e.kind, ',')`

/** Only the pairs of neighbours, without edge details; a pair may occur several times. */
const pairsSql = (nodes: RawBuilder<unknown>, count: number, options: LinkOptions): RawBuilder<unknown> => {
  const { near, far, kinds } = edgesSql(options)
  const edges = sql`from lineage_edges e where ${edgesAtNodeSql(near, sql`n.node`)} and ${kinds}`
  const own = sql`
    select n.node, e.other, e.manual from ${nodes} n(node) cross join lateral (
      ${
        options.limit === undefined
          ? sql`select ${far} as other, e.query is null as manual ${edges} offset 0`
          : sql`select ${far} as other, bool_or(e.query is null) as manual ${edges} group by ${near}, ${far} ${limitSql(count, options)}`
      }
    ) e`
  if (options.level === 'column') return own
  return sql`
    select l.node, l.other from (
      select s.node, ${TABLE_OF_OTHER_SQL} as other from (${own} union all ${manualColumnEdgesSql(nodes, count, options)}) s ${TABLE_LOOKUP_SQL}
    ) l where l.other <> l.node`
}

const limitSql = (count: number, { level, direction, limit }: LinkOptions): RawBuilder<unknown> => {
  const { near, far } = edgesSql({ level, direction })
  return limit === undefined ? sql`` : sql`order by ${near}, ${far} limit ${hideValueOfFew(count, sql`${limit}::int`)}`
}

/** Up to this many nodes, planning a statement takes longer than running it. */
const FEW_NODES = 100

/** Hides a parameter from the planner, which then keeps one plan for any few nodes. For many, the plan depends on how many there are. */
const hideValueOfFew = (count: number, value: RawBuilder<unknown>): RawBuilder<unknown> =>
  count <= FEW_NODES ? sql`(select ${value})` : value

/** The table of a column or nested field that has a manual edge. */
const TABLE_OF_OTHER_SQL = sql`coalesce(t.id, s.other)`
const TABLE_LOOKUP_SQL = sql`left join lateral (
  select case when p.entity_type = 'column' then p.parent else p.id end as id
  from resources r join resources p on p.id = r.parent where s.manual and r.id = s.other and r.entity_type = 'column' offset 0
) t on true`

/**
 * The manual edges of the columns of tables, including nested fields. When there are few manual edges in total, all of them are scanned;
 * otherwise the columns of these tables are collected and their edges found in one pass.
 */
const manualColumnEdgesSql = (nodes: RawBuilder<unknown>, count: number, options: LinkOptions, rest?: RawBuilder<unknown>) => {
  const { near, far } = edgesSql(options)
  const found = sql`e.other, true${rest ? sql`, ${rest}` : sql``}`
  const manual = hideValueOfFew(count, sql`${count * 10}::int`)
  return sql`
  (with size as materialized (
    select count(*) <= ${manual} as little from (select from lineage_edges e where e.query is null limit ${manual} + 1) e
  ), columns as materialized (
    select n.node, c.id, c.children_count from ${nodes} n(node) cross join lateral (
      select c.id, c.children_count from resources c where c.parent = n.node and c.entity_type = 'column' offset 0
    ) c where not (select little from size)
  ), members as materialized (
    select node, id from columns
    union all
    select c.node, f.id from columns c cross join lateral (
      select f.id from resources f where f.parent = c.id and f.entity_type = 'column' offset 0
    ) f where c.children_count > 0
  )
  select m.node, ${found} from (
    select ${near} as id, ${far} as other from lineage_edges e
    where e.query is null and not (select little from size) and ${near} = any(array(select id from members)) offset 0
  ) e join members m on m.id = e.id
  union all
  select n.node, ${found} from (
    select ${near} as id, ${far} as other from lineage_edges e where e.query is null and (select little from size) offset 0
  ) e
  cross join lateral (select c.parent from resources c where c.id = e.id and c.entity_type = 'column' offset 0) c
  left join lateral (select p.parent from resources p where p.id = c.parent and p.entity_type = 'column' offset 0) p on true
  join ${nodes} n(node) on n.node = coalesce(p.parent, c.parent))`
}

/** The columns of a table, including nested fields. */
export const nestedColumnsSql = (table: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select c.id from resources c where c.parent = ${table} and c.entity_type = 'column'
  union all
  select f.id from resources c
  cross join lateral (select f.id from resources f where f.parent = c.id and f.entity_type = 'column' offset 0) f
  where c.parent = ${table} and c.entity_type = 'column' and c.children_count > 0
  offset 0`

/** Sent as one text: with tens of thousands of IDs the driver takes longer to encode an array than Postgres to look them up. */
export const idsTable = (ids: readonly string[]): RawBuilder<unknown> =>
  sql`unnest(${hideValueOfFew(ids.length, sql`${`{${ids.join(',')}}`}::text::uuid[]`)})`

/** The links from these nodes to their neighbours. */
export const findLinks = async (ctx: Context, nodes: readonly string[], options: LinkOptions): Promise<readonly Link[]> => {
  if (nodes.length === 0) return []
  const { rows } = await sql<Link>`
    with nodes as materialized (select node from ${idsTable(nodes)} n(node))
    select * from (${linksSql(sql`nodes`, nodes.length, options)}) l order by l.node, l.other
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** What a traversal needs to know about a resource. */
export interface NodeInfo {
  readonly id: string
  readonly entity_type: string
  readonly title_full: string
  readonly parent: string | null
  readonly integration: string | null
  readonly archived: boolean
  /** Its owners: users and groups. */
  readonly users: readonly string[] | null
  readonly groups: readonly string[] | null
  readonly visible: boolean
}

const nodeInfoSql = (ctx: Context) => sql`r.id, r.entity_type, r.title_full, r.parent, r.integration, r.archived, r.owners as users,
  r.owners_groups as groups, ${visibleTo(ctx.actor)} as visible`

export const findNodeInfo = async (ctx: Context, ids: readonly string[]): Promise<Map<string, NodeInfo>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<NodeInfo>`
    select ${nodeInfoSql(ctx)} from ${idsTable(ids)} n(id) cross join lateral (select r.* from resources r where r.id = n.id offset 0) r
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A resource next to a node. */
export interface Neighbour extends NodeInfo {
  readonly node: string
}

/**
 * The neighbours of these nodes, each once, with the first node it is linked to, in the order of `findLinks`. A traversal of tens of thousands
 * of nodes spends most of its time on transferring rows, so none is sent twice and none has more columns than needed.
 */
export const findNeighbours = async (ctx: Context, nodes: readonly string[], options: LinkOptions): Promise<readonly Neighbour[]> => {
  if (nodes.length === 0) return []
  const { rows } = await sql<Neighbour>`
    with nodes as materialized (select node from ${idsTable(nodes)} n(node))
    select l.node, ${nodeInfoSql(ctx)} from (
      select l.* from (
        select distinct on (l.other) l.node, l.other from (${pairsSql(sql`nodes`, nodes.length, options)}) l order by l.other, l.node
      ) l order by l.node, l.other
    ) l cross join lateral (select r.* from resources r where r.id = l.other offset 0) r
    order by l.node, l.other
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** The columns of a table in their order, including nested fields. */
export const findNestedColumns = async (ctx: Context, table: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from (${nestedColumnsSql(sql`${table}::uuid`)}) c join resources r on r.id = c.id where ${visibleTo(ctx.actor)}
    order by case when jsonb_typeof(r.details -> 'sort_order') = 'number' then (r.details -> 'sort_order')::numeric end nulls last,
      r.created_at, r.id
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => id)
}
