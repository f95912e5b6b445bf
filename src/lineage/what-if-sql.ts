import { sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { invalid } from '../errors.ts'
import type { Statement } from '../sql/index.ts'
import { bindTables } from './bind.ts'
import { findTable } from './catalog.ts'
import { Reader } from './engine.ts'
import { edgesOf } from './flows.ts'
import { previewLineage } from './from-query.ts'
import type { Link } from './links.ts'
import { describeNodes } from './nodes.ts'
import type { FromQuery, QueryLineage } from './schema.ts'
import type { Derived } from './store.ts'
import type { Change, Unresolved } from './what-if-schema.ts'

/** A table with a changed query, and the links into it according to that query. */
export interface NewQuery {
  readonly table: string
  readonly links: readonly Link[]
}

/** The proposed changes. */
export interface Proposal {
  readonly changes: readonly Change[]
  readonly queries: readonly NewQuery[]
  readonly unresolved: readonly Unresolved[]
  readonly notes: readonly string[]
}

/** Compares a changed query with the catalog. */
export const compareQuery = async (ctx: Context, query: FromQuery): Promise<Proposal> => {
  const lineage = await previewLineage(ctx, query)
  const table = lineage.target_table
  if (!table?.id)
    throw invalid({
      table_id: [
        table
          ? `Table ${table.title} is not in the catalog. Set table_id to the table the SQL writes.`
          : 'The SQL does not write to a table. Set table_id to the target table.',
      ],
    })
  const columns = await findOwnColumns(ctx, table.id)
  const [{ outputs, defines, edges }, before] = await Promise.all([
    readAgain(ctx, query, lineage, table.id),
    findSources(ctx, [...columns.keys()]),
  ])
  const after = sourcesIn(edges)
  const nodes = await describeNodes(ctx, [...new Set([...before.values(), ...after.values()].flat())])
  const named = (ids: readonly string[]) =>
    ids
      .map((id) => nodes.get(id)?.title_full ?? id)
      .sort()
      .join(', ')
  const given = outputs && new Set(outputs.map((name) => name.toLowerCase()))
  const changes = [...columns].flatMap(([id, { title, title_full }]): Change[] => {
    const about = { id, title_full, entity_type: 'column' }
    const [then, now] = [before.get(id) ?? [], after.get(id) ?? []]
    // An INSERT may omit a column that other queries fill; a query that defines the table may not.
    if (given && !given.has(title.toLowerCase()) && (defines || then.length > 0))
      return [{ ...about, change: 'column_lost', detail: 'is no longer returned by the changed query' }]
    if (then.length === 0 || (then.length === now.length && then.every((each) => now.includes(each)))) return []
    const detail = `gets its values from ${named(now) || 'no column'} instead of ${named(then)}`
    return [{ ...about, change: 'column_rewired', detail }]
  })
  const titled = table.schema_name ? `${table.schema_name}.${table.title}` : table.title
  return {
    changes,
    queries: [{ table: table.id, links: edges.map(toLink) }],
    unresolved: lineage.unresolved.map(({ name, reason }) => ({ table: titled, name, reason })),
    notes: [
      ...(given ? [] : [`The columns returned by the query of ${titled} are unknown, so lost columns cannot be detected.`]),
      ...(lineage.incomplete ? [`The query of ${titled} was parsed only partly (limit reached: ${lineage.incomplete}).`] : []),
    ],
  }
}

interface Column {
  readonly title: string
  readonly title_full: string
}

const findOwnColumns = async (ctx: Context, table: string): Promise<Map<string, Column>> => {
  const { rows } = await sql<Column & { id: string }>`
    select r.id, r.title, r.title_full from resources r
    where r.parent = ${table} and r.entity_type = 'column' and ${visibleTo(ctx.actor)} order by r.title, r.id
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map((row) => [row.id, row]))
}

/** The current source columns of each column, as far as the caller sees them. */
const findSources = async (ctx: Context, columns: readonly string[]): Promise<Map<string, string[]>> => {
  const { rows } = await sql<{ id: string; sources: string[] }>`
    select e.downstream as id, array_agg(distinct e.upstream) as sources
    from lineage_edges e join resources r on r.id = e.upstream
    where e.downstream = any(${columns}::uuid[]) and e.kind in ('identity', 'expression', 'aggregation') and ${visibleTo(ctx.actor)}
    group by e.downstream
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, sources }) => [id, sources]))
}

const sourcesIn = (edges: readonly Derived[]): Map<string, string[]> => {
  const sources = new Map<string, string[]>()
  for (const { upstream, downstream, kind } of edges)
    if (kind !== 'table' && kind !== 'filter') sources.set(downstream, [...(sources.get(downstream) ?? []), upstream])
  return sources
}

const toLink = ({ upstream, downstream, kind }: Derived): Link => ({
  node: upstream,
  other: downstream,
  manual: false,
  queries: 1,
  kinds: kind,
  whole: false,
})

interface Again {
  /** The columns it returns, with stars expanded; undefined when a star cannot be expanded. */
  readonly outputs: readonly string[] | undefined
  /** It defines the table, rather than only adding rows. */
  readonly defines: boolean
  /** The edges into the table: from columns, and from tables whose columns are unknown. */
  readonly edges: readonly Derived[]
}

const readAgain = async (ctx: Context, query: FromQuery, lineage: QueryLineage, table_id: string): Promise<Again> => {
  const [database, schema] = [query.default_database || null, query.default_schema || null]
  const table = (await findTable(ctx, table_id))!
  using reader = new Reader(ctx, { sql: query.sql, dialect: lineage.dialect, database, schema })
  const { asked, analysis: first } = await reader.read()
  const home = { integration: table.integration, database: database ?? table.database, schema: schema ?? table.schema }
  const binding = await bindTables(ctx, asked, lineage.dialect, home)
  const written = first.statements.flatMap(({ targets }) => targets.map(({ name }) => name))
  const own = written.findLast((name) => binding.of(name).table?.id === table.id) ?? written.at(-1)
  if (own) binding.set(own, table)
  else binding.result = { name: [], table, candidates: [] }
  await binding.learnColumns(ctx)
  const { analysis } = await reader.read(binding.known)
  const fills = ({ targets, outputs }: Statement) =>
    outputs !== null && (own ? targets.some(({ name }) => binding.of(name).table?.id === table.id) : targets.length === 0)
  const last = analysis.statements.findLast(fills)
  const edges = edgesOf(analysis.statements, binding)
  const finer = new Set(edges.filter(({ kind }) => kind !== 'table').map(({ statement }) => statement))
  return {
    outputs: last?.outputs?.every((name) => name !== null) ? (last.outputs as string[]) : undefined,
    defines: last !== undefined && (last.kind.startsWith('create') || last.kind === 'select'),
    edges: edges.filter(({ kind, statement }) => kind !== 'table' || !finer.has(statement)),
  }
}
