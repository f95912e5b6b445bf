import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { type ColumnPairIds, type ConditionColumn, parseJoinedColumns } from './parse-conditions.ts'

/** Two columns that queries join on. */
export interface Join extends ColumnPairIds {
  readonly queries: number
}

const MAX_QUERIES = 500

interface ConditionRow extends ConditionColumn {
  readonly query: string
  readonly statement: number
  readonly start: number
  readonly end: number
}

/** The joins with these tables, as seen in queries: only those whose tables the caller can all see, because a join tells what they do. */
export const findJoins = async (ctx: Context, tables: readonly string[]): Promise<Join[]> => {
  const queries = await findQueriesWithConditions(ctx, tables)
  if (queries.size === 0) return []
  const { rows } = await sql<ConditionRow>`
    select e.query::text, e.statement, e.span_start as start, e.span_end as end, u.id, u.title, u.parent as table
    from lineage_edges e join resources u on u.id = e.upstream
    where e.query = any(${[...queries.keys()]}::bigint[]) and e.kind = 'filter' and u.entity_type = 'column' and u.parent is not null
  `.execute(ctx.db, ctx.limits)
  const found = new Map<string, ColumnPairIds & { readonly queries: Set<string> }>()
  const tableIds = new Set(tables)
  for (const columns of Map.groupBy(rows, ({ query, statement, start, end }) => `${query} ${statement} ${start} ${end}`).values()) {
    const { query, start, end } = columns[0]!
    for (const pair of parseJoinedColumns(queries.get(query)!.slice(start, end), columns)) {
      if (!tableIds.has(pair.one.table) && !tableIds.has(pair.other.table)) continue
      const key = `${pair.one.id} ${pair.other.id}`
      const join = found.get(key) ?? { ...pair, queries: new Set<string>() }
      found.set(key, join)
      join.queries.add(query)
    }
  }
  return [...found.values()].map(({ one, other, queries }) => ({ one, other, queries: queries.size }))
}

/** The text of the newest queries that have columns of these tables in their conditions. */
const findQueriesWithConditions = async (ctx: Context, tables: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ id: string; sql: string }>`
    with used as materialized (
      select distinct e.query from resources c join lineage_edges e on e.upstream = c.id
      where c.parent = any(${tables}::uuid[]) and c.entity_type = 'column' and e.kind = 'filter'
      order by e.query desc limit ${MAX_QUERIES}
    )
    select q.id::text, q.sql from used join lineage_queries q on q.id = used.query
    where not exists (
      select from lineage_edges o join resources r on r.id in (o.upstream, o.downstream) where o.query = q.id and not ${visibleTo(ctx.actor)}
    )
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row.sql]))
}
