import { queryHash, saveDerivedEdges } from '../../lineage/edges/derived.ts'
import { type ParsedLineage, parseQueryLineage, saveQueryLineage } from '../../lineage/queries/from-query.ts'
import { ENGINE_VERSION } from '../../lineage/queries/parse-sql.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { TableGrowth } from '../../platform/db/analyze-growth.ts'
import { hashText } from '../sync/item.ts'
import { deleteSourceQueries, findSourceQueries, type SourceQueries, saveSourceQueries } from './dbt-rows.ts'
import { findUpstreamTables } from './match-tables.ts'
import type { DbtConsumer, DbtTable, Project } from './project.ts'

/** The resources of a project's nodes in the catalog. */
export interface LineageTargets {
  /** Resources by unique ID: its own, and those of a warehouse. */
  readonly ids: ReadonlyMap<string, string>
  /** Number of known columns of each: the more are known, the more SQL can be resolved. */
  readonly columns: (id: string) => number
}

export interface LineageCounts {
  readonly read: number
  readonly unreadable: number
}

/**
 * Updates the lineage of a project: column lineage from its compiled SQL, the rest from `depends_on`. Only nodes that changed since last time are
 * parsed. When a node changes, its previous lineage is replaced; lineage from views, users and other queries stays.
 */
export const updateProjectLineage = async (
  ctx: Context,
  integration: string,
  project: Project,
  targets: LineageTargets,
): Promise<LineageCounts> => {
  const upstream = findUpstreamTables(project)
  const before = await findSourceQueries(ctx.db, integration)
  const counts = { read: 0, unreadable: 0 }
  const handled = new Set<string>()
  const [queries, edges] = [new TableGrowth('lineage_queries'), new TableGrowth('lineage_edges')]
  for (const node of [...project.tables, ...project.uses]) {
    const target = targets.ids.get(node.unique_id)
    // An ephemeral model is not a table SQL could fill: only its `depends_on` is used.
    const [compiled, sql] = 'relation' in node && node.relation ? [node.compiled, node.sql] : [null, null]
    // The SQL may name tables the project does not declare.
    if (!target || handled.has(target) || (node.depends_on.length === 0 && !sql)) continue
    handled.add(target)
    const from = [...upstream(node.depends_on)].flatMap((id) => targets.ids.get(id) ?? []).filter((id) => id !== target)
    // A partial run compiles only the selected models: for others, earlier lineage stays valid while their source code is unchanged.
    const written = hashText(JSON.stringify([project.dialect, node.raw, [...from].sort()]))
    const read = hashText(JSON.stringify([ENGINE_VERSION, sql, [target, ...from].map(targets.columns)]))
    const fingerprint = `${written} ${compiled ? 'compiled' : sql ? 'rendered' : 'raw'} ${read}`
    const previous = before.get(target)
    if (previous && (previous.fingerprint === fingerprint || (!compiled && previous.fingerprint.startsWith(`${written} compiled`))))
      continue
    const unreadable = await saveNodeLineage(ctx, { integration, project, node, target, from, compiled: sql, fingerprint, previous })
    if (sql) counts[unreadable ? 'unreadable' : 'read'] += 1
    await queries.add(ctx.db, 1)
    await edges.add(ctx.db, from.length + targets.columns(target))
  }
  for (const { target, hashes } of before.values())
    if (!handled.has(target)) {
      await saveDerivedEdges(ctx, { query: { ...NO_QUERY, sql: '' }, targets: [target], edges: [] }, { replace: [], instead_of: hashes })
      await deleteSourceQueries(ctx.db, integration, target)
    }
  return counts
}

const NO_QUERY = { dialect: 'dbt', engine_version: 'dbt', statements: [] }

interface NodeLineage {
  readonly integration: string
  readonly fingerprint: string
  readonly project: Project
  readonly node: DbtTable | DbtConsumer
  readonly target: string
  readonly from: readonly string[]
  readonly compiled: string | null
  readonly previous: SourceQueries | undefined
}

/** The lineage of a node's compiled SQL; undefined if it has none or it cannot be parsed. */
const parseCompiled = async (ctx: Context, { project, node, target, compiled }: NodeLineage): Promise<ParsedLineage | undefined> => {
  if (!compiled) return undefined
  const relation = ('relation' in node && node.relation) || []
  const [database, schema] = relation.length === 3 ? relation : [undefined, relation.at(-2)]
  try {
    return await parseQueryLineage(ctx, {
      sql: compiled,
      dialect: project.dialect,
      table_id: target,
      default_database: database,
      default_schema: schema,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return undefined
  }
}

/**
 * Writes both kinds of lineage in one transaction, so that the target always has its upstream. The SQL is parsed before it. Returns whether it
 * could not be parsed.
 */
const saveNodeLineage = async (ctx: Context, written: NodeLineage): Promise<boolean> => {
  const { integration, fingerprint, node, target, from, compiled, previous } = written
  const read = await parseCompiled(ctx, written)
  const unreadable = compiled !== null && !read
  const sql = node.raw ?? `${node.unique_id} depends on ${node.depends_on.join(', ')}`
  const former = (previous?.hashes ?? []).filter((hash) => hash !== queryHash(sql) && (!compiled || hash !== queryHash(compiled)))
  await inTransaction(ctx, async (ctx) => {
    const lineage = read && (await saveQueryLineage(ctx, read, { replace: false, instead_of: former }))
    const sqlTables = new Set(lineage?.source_tables.map(({ id }) => id))
    const isWaiting = lineage?.unresolved.some(({ type, reason }) => type === 'table' && reason === 'not_in_catalog')
    const hashes = compiled && read ? [queryHash(compiled)] : []
    const rest = from.filter((id) => !sqlTables.has(id))
    // Nothing to write, and nothing written before.
    if (rest.length > 0 || previous) {
      const span = { statement: 0, span_start: 0, span_end: sql.length }
      await saveDerivedEdges(
        ctx,
        {
          query: { ...NO_QUERY, sql, statements: [{ kind: 'dbt', start: 0, end: sql.length }] },
          targets: [target],
          edges: rest.map((upstream) => ({ upstream, downstream: target, kind: 'table' as const, ...span })),
        },
        { replace: [], instead_of: unreadable ? [...former, queryHash(compiled)] : former },
      )
    }
    await saveSourceQueries(ctx.db, integration, {
      target,
      // A table that is not in the catalog may be added later: then the SQL is parsed again.
      fingerprint: isWaiting ? `${fingerprint} waits` : fingerprint,
      hashes: rest.length > 0 ? [...hashes, queryHash(sql)] : hashes,
    })
  })
  return unreadable
}
