import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { formatText, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { Statement } from '../../sql/index.ts'
import type { DerivedEdge } from '../edges/edge-rows.ts'
import type { Link } from '../edges/links.ts'
import type { FromQuery, QueryLineage } from '../edges/schema.ts'
import { toGraphNodes } from '../graph/nodes.ts'
import { findTable } from '../queries/catalog.ts'
import { edgesOf } from '../queries/edges-from-statements.ts'
import { previewLineage } from '../queries/from-query.ts'
import { SqlTextParser } from '../queries/parser-pool.ts'
import { resolveQueryTables } from '../queries/resolve-partitions.ts'
import type { Change, Unresolved } from './what-if-schema.ts'

/** A table with a changed query, and the links into it according to that query. */
export interface ProposedQuery {
  readonly table: string
  /** The tables it reads. */
  readonly sources: readonly string[]
  readonly links: readonly Link[]
}

/** The proposed changes. */
export interface Proposal {
  readonly changes: readonly Change[]
  readonly queries: readonly ProposedQuery[]
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
          ? translatable('Table {table} is not in the catalog. Set table_id to the table the SQL writes.', { table: table.title })
          : translatable('The SQL does not write to a table. Set table_id to the target table.'),
      ],
    })
  const columns = await findOwnColumns(ctx, table.id)
  const [{ outputs, defines, sources, edges }, before] = await Promise.all([
    parseAgain(ctx, query, lineage, table.id),
    findSources(ctx, [...columns.keys()]),
  ])
  const after = findSourcesByColumn(edges)
  const nodes = await toGraphNodes(ctx, [...new Set([...before.values(), ...after.values()].flat())])
  const named = (ids: readonly string[]) =>
    ids
      .map((id) => nodes.get(id)?.title_full ?? id)
      .sort()
      .join(', ')
  const returnedColumns = outputs && new Set(outputs.map((name) => name.toLowerCase()))
  const changes = [...columns].flatMap(([id, { title, title_full }]): Change[] => {
    const about = { id, title_full, entity_type: 'column' }
    const [then, now] = [before.get(id) ?? [], after.get(id) ?? []]
    // An INSERT may omit a column that other queries fill; a query that defines the table may not.
    if (returnedColumns && !returnedColumns.has(title.toLowerCase()) && (defines || then.length > 0))
      return [{ ...about, change: 'column_lost', ...describe(translatable('is no longer returned by the changed query')) }]
    if (then.length === 0 || (then.length === now.length && then.every((each) => now.includes(each)))) return []
    const columns = { now: named(now) || translatable('no column'), before: named(then) }
    return [{ ...about, change: 'column_rewired', ...describe(translatable('gets its values from {now} instead of {before}', columns)) }]
  })
  const tableName = table.schema_name ? `${table.schema_name}.${table.title}` : table.title
  return {
    changes,
    queries: [{ table: table.id, sources, links: edges.map(toLink) }],
    unresolved: lineage.unresolved.map(({ name, reason }) => ({ table: tableName, name, reason })),
    notes: [
      ...(returnedColumns ? [] : [`The columns returned by the query of ${tableName} are unknown, so lost columns cannot be detected.`]),
      ...(lineage.incomplete ? [`The query of ${tableName} was parsed only partly (limit reached: ${lineage.incomplete}).`] : []),
    ],
  }
}

const describe = (detail: Translatable) => ({ detail: formatText(detail), detail_translatable: detail })

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

const findSourcesByColumn = (edges: readonly DerivedEdge[]): Map<string, string[]> => {
  const sources = new Map<string, string[]>()
  for (const { upstream, downstream, kind } of edges)
    if (kind !== 'table' && kind !== 'filter') sources.set(downstream, [...(sources.get(downstream) ?? []), upstream])
  return sources
}

const toLink = ({ upstream, downstream, kind }: DerivedEdge): Link => ({
  node: upstream,
  other: downstream,
  manual: false,
  queries: 1,
  kinds: kind,
  whole: false,
})

interface ReparsedQuery {
  /** The columns it returns, with stars expanded; undefined when a star cannot be expanded. */
  readonly outputs: readonly string[] | undefined
  /** It defines the table, rather than only adding rows. */
  readonly defines: boolean
  readonly sources: readonly string[]
  /** The edges into the table: from columns, and from tables whose columns are unknown. */
  readonly edges: readonly DerivedEdge[]
}

const parseAgain = async (ctx: Context, query: FromQuery, lineage: QueryLineage, table_id: string): Promise<ReparsedQuery> => {
  const [database, schema] = [query.default_database || null, query.default_schema || null]
  const table = (await findTable(ctx, table_id))!
  using reader = new SqlTextParser(ctx, { sql: query.sql, dialect: lineage.dialect, database, schema })
  const { requestedTables, analysis: first } = await reader.read()
  const scope = { integration: table.integration, database: database ?? table.database, schema: schema ?? table.schema }
  const binding = await resolveQueryTables(ctx, requestedTables, first.statements, lineage.dialect, scope)
  const written = first.statements.flatMap(({ targets }) => targets.map(({ name }) => name))
  const own = written.findLast((name) => binding.get(name).table?.id === table.id) ?? written.at(-1)
  if (own) binding.set(own, table)
  else binding.result = { name: [], table, candidates: [] }
  await binding.loadColumns(ctx)
  const { analysis } = await reader.read(binding.knownColumns)
  const fills = ({ targets, outputs }: Statement) =>
    outputs !== null && (own ? targets.some(({ name }) => binding.get(name).table?.id === table.id) : targets.length === 0)
  const last = analysis.statements.findLast(fills)
  const edges = edgesOf(analysis.statements, binding)
  const finer = new Set(edges.filter(({ kind }) => kind !== 'table').map(({ statement }) => statement))
  return {
    outputs: last?.outputs?.every((name) => name !== null) ? (last.outputs as string[]) : undefined,
    defines: last !== undefined && (last.kind.startsWith('create') || last.kind === 'select'),
    sources: edges.flatMap(({ kind, upstream }) => (kind === 'table' ? upstream : [])),
    edges: edges.filter(({ kind, statement }) => kind !== 'table' || !finer.has(statement)),
  }
}
