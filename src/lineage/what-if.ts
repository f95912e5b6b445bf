import type { Context } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { readId } from '../id.ts'
import { findEffects } from './effects.ts'
import { countOwners, describeAffected, type Reach, reach } from './impact.ts'
import { findColumnsBelow, findPlaces, type Link } from './links.ts'
import { Aliases, describeNodes } from './nodes.ts'
import { ownersOf } from './owners.ts'
import { getPlace } from './start.ts'
import { commentOn } from './what-if-comment.ts'
import { compareManifest } from './what-if-manifest.ts'
import type { Break, Change, WhatIf, WhatIfAnswer } from './what-if-schema.ts'
import { compareQuery, type Proposal } from './what-if-sql.ts'

/** What a change would break. Nothing is written: the graph is traversed as it would be after the change. */

const MOST_BREAKS = 1_000
const MOST_OWNERS = 100

export const askWhatIf = async (ctx: Context, body: WhatIf): Promise<WhatIfAnswer> => {
  const proposal = await readProposal(ctx, body)
  const roots = new Map(proposal.changes.filter(({ change }) => change !== 'column_rewired').map((change) => [change.id, change]))
  const found = await reach(ctx, [...roots.keys()], 'column', { next: await changedGraph(ctx, proposal) })
  const listed = found.affected.slice(0, MOST_BREAKS)
  const places = found.affected.map(({ place }) => place)
  const [described, owners] = await Promise.all([describeAffected(ctx, found, listed, new Aliases()), ownersOf(ctx, places)])
  const breaks = described.map((each): Break => {
    const cause = roots.get(each.path[0]!.id)!
    return { ...each, reason: reasonOf(found, each.id, each.path, cause), cause: cause.id }
  })
  const answer = {
    changes: [...proposal.changes],
    breaks,
    owners: countOwners(owners).slice(0, MOST_OWNERS),
    totals: {
      breaks: places.length,
      certain: breaks.filter(({ certain }) => certain).length,
      by_entity_type: countTypes(found),
      unowned: owners.filter((list) => !list).length,
    },
    unresolved: [...proposal.unresolved],
    notes: [...proposal.notes],
    truncated: found.truncated || places.length > breaks.length,
  }
  return { ...answer, comment: commentOn(answer) }
}

const readProposal = async (ctx: Context, body: WhatIf): Promise<Proposal> => {
  const parts = [
    ...(body.dropped_tables?.length || body.dropped_columns?.length || body.renamed_columns?.length ? [await namedChanges(ctx, body)] : []),
    ...(body.sql ? [await compareQuery(ctx, { ...body, sql: body.sql })] : []),
    ...(body.manifest ? [await compareManifest(ctx, body.manifest)] : []),
  ]
  if (parts.length === 0)
    throw invalid({ sql: ['Describe a change: set at least one of sql, dropped_columns, renamed_columns, dropped_tables or manifest.'] })
  return {
    changes: [...new Map(parts.flatMap(({ changes }) => changes).map((change) => [change.id, change])).values()],
    queries: parts.flatMap(({ queries }) => queries),
    unresolved: parts.flatMap(({ unresolved }) => unresolved),
    notes: parts.flatMap(({ notes }) => notes),
  }
}

const namedChanges = async (ctx: Context, body: WhatIf): Promise<Proposal> => {
  const { dropped_columns = [], renamed_columns = [], dropped_tables = [] } = body
  const table = body.table_id ? await getPlace(ctx, body.table_id, 'table_id') : undefined
  const own = table ? await describeNodes(ctx, await findColumnsBelow(ctx, table.id)) : new Map<string, never>()
  const find = async (name: string, field: string): Promise<string> => {
    const id = readId(name)
    if (id && (await findPlaces(ctx, [id])).get(id)?.visible) return id
    const titled = [...own.values()].find(({ title }) => title === name) ?? [...own.values()].find(({ title }) => sameTitle(title, name))
    if (titled) return titled.id
    if (id) throw notFound('resource', id)
    throw invalid({
      [field]: [
        table ? `${table.title_full} has no column "${name}".` : `"${name}" is not a UUID. To reference columns by title, set table_id.`,
      ],
    })
  }
  const changes: Change[] = []
  const add = async (id: string, change: Change['change'], detail: string) => {
    const place = (await findPlaces(ctx, [id])).get(id)!
    changes.push({ id, title_full: place.title_full, entity_type: place.entity_type, change, detail })
  }
  for (const text of dropped_tables) {
    const place = await getPlace(ctx, text, 'dropped_tables')
    await add(place.id, 'table_dropped', 'would be dropped')
    for (const id of await findColumnsBelow(ctx, place.id)) await add(id, 'column_dropped', `would be dropped with ${place.title_full}`)
  }
  for (const name of dropped_columns) await add(await find(name, 'dropped_columns'), 'column_dropped', 'would be dropped')
  for (const { column, to } of renamed_columns)
    await add(await find(column, 'renamed_columns'), 'column_renamed', `would be renamed to ${to}`)
  return { changes, queries: [], unresolved: [], notes: [] }
}

const sameTitle = (title: string | null, name: string): boolean => title?.toLowerCase() === name.toLowerCase()

/** The graph after the change: tables with a changed query get the links of that query instead of their current derived ones. */
const changedGraph = async (ctx: Context, { queries }: Proposal) => {
  const renewed = new Set<string>()
  const fresh = new Map<string, Link[]>()
  for (const { table, links } of queries) {
    for (const id of [table, ...(await findColumnsBelow(ctx, table))]) renewed.add(id)
    for (const link of links) {
      fresh.set(link.node, [...(fresh.get(link.node) ?? []), link])
      if (link.kinds !== 'table') continue
      for (const node of await findColumnsBelow(ctx, link.node))
        fresh.set(node, [...(fresh.get(node) ?? []), { ...link, node, whole: true }])
    }
  }
  return async (nodes: readonly string[]): Promise<Link[]> => [
    ...(await findEffects(ctx, nodes)).filter(({ other, manual }) => manual || !renewed.has(other)),
    ...nodes.flatMap((node) => fresh.get(node) ?? []),
  ]
}

/** Explains the last step of the path. */
const reasonOf = ({ steps }: Reach, id: string, path: Break['path'], cause: Change): string => {
  const { link } = steps.get(id)!
  const before = path.at(-2)!
  const source = before.title_full ?? 'a resource you cannot see'
  const fate = before.id === cause.id ? cause.detail : 'would lose its own source'
  if (link!.whole) return `Depends on the table of ${source}, which ${fate}. It is unknown which columns it uses.`
  if (link!.kinds === 'filter') return `Its rows are filtered by ${source}, which ${fate}.`
  return `Gets its data from ${source}, which ${fate}.`
}

const countTypes = ({ affected }: Reach): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { place } of affected) counts[place.entity_type] = (counts[place.entity_type] ?? 0) + 1
  return counts
}
