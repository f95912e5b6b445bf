import { type RawBuilder, sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'

/** The SQL of walking: what stands next to what. Private to this room. */

/** `table`: columns stand for their tables. `column`: every resource stands for itself, and edges between whole tables are left to tables. */
export type Level = 'table' | 'column'
/** With the data, or against it. */
export type Way = 'down' | 'up'

/** Everything that is said about one resource and the next, in the way that is walked. */
export interface Link {
  readonly node: string
  readonly other: string
  readonly manual: boolean
  /** How many queries say so, and how the values travel. */
  readonly queries: number
  readonly kinds: string | null
  /** Of a column: it is only known that something depends on its table. */
  readonly whole?: boolean
}

export interface LinkOptions {
  readonly level: Level
  readonly way: Way
  /** At most so many neighbours of each node, in the order of their IDs. */
  readonly most?: number
  /** At column level: edges from a column to the table whose rows it decides. */
  readonly filters?: boolean
}

/**
 * The edges of a node, as a range of one value: the planner then takes the index that begins with this end, whatever it believes of how the
 * edges are spread. Where half of them are one table's, equality made it read all edges for every other table.
 */
export const endsAt = (end: RawBuilder<unknown>, node: RawBuilder<unknown>): RawBuilder<unknown> => sql`${end} between ${node} and ${node}`

export const edgesSql = ({ level, way, filters = false }: LinkOptions) => {
  const [near, far] = way === 'down' ? [sql`e.upstream`, sql`e.downstream`] : [sql`e.downstream`, sql`e.upstream`]
  const kinds = level === 'table' ? sql`e.kind = 'table'` : filters ? sql`e.kind <> 'table'` : sql`e.kind not in ('table', 'filter')`
  return { near, far, kinds: sql`(e.query is null or ${kinds})` }
}

/**
 * A query's edges between columns come with its edge between their tables, so tables are walked by those alone; only what people state can
 * begin or end at a column without its table. Every join is a look-up in an index for each row (`offset 0` keeps it so): the planner cannot
 * know how few rows a neighbourhood has, and would rather read the whole catalog once.
 */
export const linksSql = (nodes: RawBuilder<unknown>, count: number, options: LinkOptions): RawBuilder<unknown> => {
  const { near, far, kinds } = edgesSql(options)
  const own = sql`
    select n.node, e.other, e.manual, e.queries, e.kinds from ${nodes} n(node) cross join lateral (
      select ${far} as other, bool_or(e.query is null) as manual, count(e.query) as queries, ${kindsSql(options)} as kinds
      from lineage_edges e where ${endsAt(near, sql`n.node`)} and ${kinds} group by ${near}, ${far} ${limitSql(options)}
    ) e`
  if (options.level === 'column') return sql`select l.node, l.other, l.manual, l.queries, l.kinds from (${own}) l`
  return sql`
    select l.node, l.other, bool_or(l.manual) as manual, sum(l.queries)::bigint as queries, max(l.kinds) as kinds from (
      select s.node, ${TABLE_OF_OTHER} as other, s.manual, s.queries, s.kinds
      from (${own} union all ${manualOfColumns(nodes, count, options, sql`0, null`)}) s ${LOOK_UP_TABLE}
    ) l where l.other <> l.node group by l.node, l.other`
}

/** The kinds of a link's edges: between tables there is only one, and nothing to sort. */
export const kindsSql = ({ level }: LinkOptions): RawBuilder<unknown> =>
  level === 'table' ? sql`max(e.kind)` : sql`string_agg(distinct e.kind, ',')`

/** Who stands next to whom, and nothing about how; a pair may come several times. */
const pairsSql = (nodes: RawBuilder<unknown>, count: number, options: LinkOptions): RawBuilder<unknown> => {
  const { near, far, kinds } = edgesSql(options)
  const edges = sql`from lineage_edges e where ${endsAt(near, sql`n.node`)} and ${kinds}`
  const own = sql`
    select n.node, e.other, e.manual from ${nodes} n(node) cross join lateral (
      ${
        options.most === undefined
          ? sql`select ${far} as other, e.query is null as manual ${edges} offset 0`
          : sql`select ${far} as other, bool_or(e.query is null) as manual ${edges} group by ${near}, ${far} ${limitSql(options)}`
      }
    ) e`
  if (options.level === 'column') return own
  return sql`
    select l.node, l.other from (
      select s.node, ${TABLE_OF_OTHER} as other from (${own} union all ${manualOfColumns(nodes, count, options)}) s ${LOOK_UP_TABLE}
    ) l where l.other <> l.node`
}

const limitSql = ({ level, way, most }: LinkOptions): RawBuilder<unknown> => {
  const { near, far } = edgesSql({ level, way })
  return most === undefined ? sql`` : sql`order by ${near}, ${far} limit ${most}`
}

/** A column that somebody named, or a field inside of it, stands for its table. */
const TABLE_OF_OTHER = sql`coalesce(t.id, s.other)`
const LOOK_UP_TABLE = sql`left join lateral (
  select case when p.entity_type = 'column' then p.parent else p.id end as id
  from resources r join resources p on p.id = r.parent where s.manual and r.id = s.other and r.entity_type = 'column' offset 0
) t on true`

/**
 * What people said of the columns of tables, and of the fields inside of them. Where people said little, all of it is looked through for
 * these tables; else their columns are gathered, and all of their edges found in one pass.
 */
const manualOfColumns = (nodes: RawBuilder<unknown>, count: number, options: LinkOptions, rest?: RawBuilder<unknown>) => {
  const { near, far } = edgesSql(options)
  const found = sql`e.other, true${rest ? sql`, ${rest}` : sql``}`
  return sql`
  (with said as materialized (
    select count(*) <= ${count * 10} as little from (select from lineage_edges e where e.query is null limit ${count * 10 + 1}) e
  ), columns as materialized (
    select n.node, c.id, c.children_count from ${nodes} n(node) cross join lateral (
      select c.id, c.children_count from resources c where c.parent = n.node and c.entity_type = 'column' offset 0
    ) c where not (select little from said)
  ), members as materialized (
    select node, id from columns
    union all
    select c.node, f.id from columns c cross join lateral (
      select f.id from resources f where f.parent = c.id and f.entity_type = 'column' offset 0
    ) f where c.children_count > 0
  )
  select m.node, ${found} from (
    select ${near} as id, ${far} as other from lineage_edges e
    where e.query is null and not (select little from said) and ${near} = any(array(select id from members)) offset 0
  ) e join members m on m.id = e.id
  union all
  select n.node, ${found} from (
    select ${near} as id, ${far} as other from lineage_edges e where e.query is null and (select little from said) offset 0
  ) e
  cross join lateral (select c.parent from resources c where c.id = e.id and c.entity_type = 'column' offset 0) c
  left join lateral (select p.parent from resources p where p.id = c.parent and p.entity_type = 'column' offset 0) p on true
  join ${nodes} n(node) on n.node = coalesce(p.parent, c.parent))`
}

/** The columns of a table, and the fields inside of them. */
export const columnsBelow = (table: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select c.id from resources c where c.parent = ${table} and c.entity_type = 'column'
  union all
  select f.id from resources c
  cross join lateral (select f.id from resources f where f.parent = c.id and f.entity_type = 'column' offset 0) f
  where c.parent = ${table} and c.entity_type = 'column' and c.children_count > 0
  offset 0`

/** As one text: to write out a list of tens of thousands one by one takes the driver longer than Postgres needs to look them up. */
export const given = (ids: readonly string[]): RawBuilder<unknown> => sql`unnest(${`{${ids.join(',')}}`}::text::uuid[])`

/** What comes next of these nodes. */
export const findLinks = async (ctx: Context, nodes: readonly string[], options: LinkOptions): Promise<readonly Link[]> => {
  if (nodes.length === 0) return []
  const { rows } = await sql<Link>`
    with nodes as materialized (select node from ${given(nodes)} n(node))
    select * from (${linksSql(sql`nodes`, nodes.length, options)}) l order by l.node, l.other
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** What a walk has to know of a resource. */
export interface Place {
  readonly id: string
  readonly entity_type: string
  readonly title_full: string
  readonly parent: string | null
  readonly integration: string | null
  readonly archived: boolean
  /** Its owners: people and groups. */
  readonly users: readonly string[] | null
  readonly groups: readonly string[] | null
  readonly visible: boolean
}

const placeSql = (ctx: Context) => sql`r.id, r.entity_type, r.title_full, r.parent, r.integration, r.archived, r.owners as users,
  r.owners_groups as groups, ${visibleTo(ctx.actor)} as visible`

export const findPlaces = async (ctx: Context, ids: readonly string[]): Promise<Map<string, Place>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Place>`
    select ${placeSql(ctx)} from ${given(ids)} n(id) cross join lateral (select r.* from resources r where r.id = n.id offset 0) r
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

/** A resource next to a node. */
export interface Neighbour extends Place {
  readonly node: string
}

/**
 * What stands next to these nodes, each once: beside the first of them that it is linked to. In the order of `findLinks`. A walk over tens of
 * thousands spends most of its time on rows that travel: none travels twice, and none with more than the walk has to know.
 */
export const findNeighbours = async (ctx: Context, nodes: readonly string[], options: LinkOptions): Promise<readonly Neighbour[]> => {
  if (nodes.length === 0) return []
  const { rows } = await sql<Neighbour>`
    with nodes as materialized (select node from ${given(nodes)} n(node))
    select l.node, ${placeSql(ctx)} from (
      select l.* from (
        select distinct on (l.other) l.node, l.other from (${pairsSql(sql`nodes`, nodes.length, options)}) l order by l.other, l.node
      ) l order by l.node, l.other
    ) l cross join lateral (select r.* from resources r where r.id = l.other offset 0) r
    order by l.node, l.other
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** The columns of a table in their order, with the fields inside of them. */
export const findColumnsBelow = async (ctx: Context, table: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select r.id from (${columnsBelow(sql`${table}::uuid`)}) c join resources r on r.id = c.id where ${visibleTo(ctx.actor)}
    order by case when jsonb_typeof(r.details -> 'sort_order') = 'number' then (r.details -> 'sort_order')::numeric end nulls last,
      r.created_at, r.id
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ id }) => id)
}
