import { findDeprecations } from '../../catalog/listing/deprecations.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { formatText, type Translatable, translatable } from '../../platform/core/translatable.ts'
import { findNestedColumns, findNodeInfo, type Link } from '../edges/links.ts'
import { findAffected } from '../graph/affected.ts'
import { countOwners, findDownstream, type Reachability, toAffected } from '../graph/impact.ts'
import { HiddenNodeNames, toGraphNodes } from '../graph/nodes.ts'
import { resolveOwners } from '../graph/owners.ts'
import { getStartNode } from '../graph/start-nodes.ts'
import { formatPullRequestComment } from './what-if-comment.ts'
import { compareManifest } from './what-if-manifest.ts'
import type { Break, Change, WhatIf, WhatIfAnswer } from './what-if-schema.ts'
import { compareQuery, type Proposal } from './what-if-sql.ts'

/** What a change would break. Nothing is written: the graph is traversed as it would be after the change. */

const MAX_BREAKS = 1_000
const MAX_OWNERS = 100

export const simulateChange = async (ctx: Context, body: WhatIf): Promise<WhatIfAnswer> => {
  const proposal = await parseProposal(ctx, body)
  const roots = new Map(proposal.changes.filter(({ change }) => change !== 'column_rewired').map((change) => [change.id, change]))
  const found = await findDownstream(ctx, [...roots.keys()], 'column', { next: await buildChangedGraph(ctx, proposal) })
  const listed = found.affected.slice(0, MAX_BREAKS)
  const nodeInfos = found.affected.map(({ node }) => node)
  const [described, owners] = await Promise.all([toAffected(ctx, found, listed, new HiddenNodeNames()), resolveOwners(ctx, nodeInfos)])
  const breaks = described.map((each): Break => {
    const cause = roots.get(each.path[0]!.id)!
    const reason = explainBreak(found, each.id, each.path, cause)
    return { ...each, reason: formatText(reason), reason_translatable: reason, cause: cause.id }
  })
  const result = {
    changes: [...proposal.changes],
    breaks,
    owners: countOwners(owners).slice(0, MAX_OWNERS),
    totals: {
      breaks: nodeInfos.length,
      certain: breaks.filter(({ certain }) => certain).length,
      by_entity_type: countEntityTypes(found),
      unowned: owners.filter((list) => !list).length,
    },
    unresolved: [...proposal.unresolved],
    warnings: await findDeprecations(ctx, [...roots.keys(), ...proposal.queries.flatMap(({ table, sources }) => [table, ...sources])]),
    notes: [...proposal.notes],
    truncated: found.truncated || nodeInfos.length > breaks.length,
  }
  return { ...result, comment: formatPullRequestComment(result) }
}

const parseProposal = async (ctx: Context, body: WhatIf): Promise<Proposal> => {
  const parts = [
    ...(body.dropped_tables?.length || body.dropped_columns?.length || body.renamed_columns?.length
      ? [await parseNamedChanges(ctx, body)]
      : []),
    ...(body.sql ? [await compareQuery(ctx, { ...body, sql: body.sql })] : []),
    ...(body.manifest ? [await compareManifest(ctx, body.manifest)] : []),
  ]
  if (parts.length === 0)
    throw invalid({
      sql: [translatable('Describe a change: set at least one of sql, dropped_columns, renamed_columns, dropped_tables or manifest.')],
    })
  return {
    changes: [...new Map(parts.flatMap(({ changes }) => changes).map((change) => [change.id, change])).values()],
    queries: parts.flatMap(({ queries }) => queries),
    unresolved: parts.flatMap(({ unresolved }) => unresolved),
    notes: parts.flatMap(({ notes }) => notes),
  }
}

const parseNamedChanges = async (ctx: Context, body: WhatIf): Promise<Proposal> => {
  const { dropped_columns = [], renamed_columns = [], dropped_tables = [] } = body
  const table = body.table_id ? await getStartNode(ctx, body.table_id, 'table_id') : undefined
  const own = table ? await toGraphNodes(ctx, await findNestedColumns(ctx, table.id)) : new Map<string, never>()
  const find = async (name: string, field: string): Promise<string> => {
    const id = parseId(name)
    if (id && (await findNodeInfo(ctx, [id])).get(id)?.visible) return id
    const titled = [...own.values()].find(({ title }) => title === name) ?? [...own.values()].find(({ title }) => sameTitle(title, name))
    if (titled) return titled.id
    if (id) throw notFound('resource', id)
    throw invalid({
      [field]: [
        table
          ? translatable('{table} has no column "{name}".', { table: table.title_full, name })
          : `"${name}" is not a UUID. To reference columns by title, set table_id.`,
      ],
    })
  }
  const changes: Change[] = []
  const add = async (id: string, change: Change['change'], detail: Translatable) => {
    const node = (await findNodeInfo(ctx, [id])).get(id)!
    changes.push({
      id,
      title_full: node.title_full,
      entity_type: node.entity_type,
      change,
      detail: formatText(detail),
      detail_translatable: detail,
    })
  }
  for (const text of dropped_tables) {
    const node = await getStartNode(ctx, text, 'dropped_tables')
    await add(node.id, 'table_dropped', translatable('would be dropped'))
    for (const id of await findNestedColumns(ctx, node.id))
      await add(id, 'column_dropped', translatable('would be dropped with {table}', { table: node.title_full }))
  }
  for (const name of dropped_columns) await add(await find(name, 'dropped_columns'), 'column_dropped', translatable('would be dropped'))
  for (const { column, to } of renamed_columns)
    await add(await find(column, 'renamed_columns'), 'column_renamed', translatable('would be renamed to {name}', { name: to }))
  return { changes, queries: [], unresolved: [], notes: [] }
}

const sameTitle = (title: string | null, name: string): boolean => title?.toLowerCase() === name.toLowerCase()

/** The graph after the change: tables with a changed query get the links of that query instead of their current derived ones. */
const buildChangedGraph = async (ctx: Context, { queries }: Proposal) => {
  const changedTables = new Set<string>()
  const fresh = new Map<string, Link[]>()
  for (const { table, links } of queries) {
    for (const id of [table, ...(await findNestedColumns(ctx, table))]) changedTables.add(id)
    for (const link of links) {
      fresh.set(link.node, [...(fresh.get(link.node) ?? []), link])
      if (link.kinds !== 'table') continue
      for (const node of await findNestedColumns(ctx, link.node))
        fresh.set(node, [...(fresh.get(node) ?? []), { ...link, node, whole: true }])
    }
  }
  return async (nodes: readonly string[]): Promise<Link[]> => [
    ...(await findAffected(ctx, nodes)).filter(({ other, manual }) => manual || !changedTables.has(other)),
    ...nodes.flatMap((node) => fresh.get(node) ?? []),
  ]
}

/** Explains the last step of the path. */
const explainBreak = ({ steps }: Reachability, id: string, path: Break['path'], cause: Change): Translatable => {
  const { link } = steps.get(id)!
  const before = path.at(-2)!
  const source = before.title_full ?? translatable('a resource you cannot see')
  const consequence = before.id === cause.id ? cause.detail_translatable : translatable('would lose its own source')
  if (link!.whole)
    return translatable('Depends on the table of {source}, which {consequence}. It is unknown which columns it uses.', {
      source,
      consequence,
    })
  if (link!.kinds === 'filter') return translatable('Its rows are filtered by {source}, which {consequence}.', { source, consequence })
  return translatable('Gets its data from {source}, which {consequence}.', { source, consequence })
}

const countEntityTypes = ({ affected }: Reachability): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { node } of affected) counts[node.entity_type] = (counts[node.entity_type] ?? 0) + 1
  return counts
}
