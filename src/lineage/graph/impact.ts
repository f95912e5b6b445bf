import { Readable } from 'node:stream'
import type { Context } from '../../platform/context/context.ts'
import { toCsvLine } from '../../platform/core/csv.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { paginateInMemory } from '../../platform/lists/read-page.ts'
import { findNeighbours, findNestedColumns, type GraphLevel, type NodeInfo } from '../edges/links.ts'
import { findAffected } from './affected.ts'
import type { Affected, ImpactQuery, ImpactSummary, NodeBrief, Owner } from './graph-schema.ts'
import { matchesNodeFilter } from './neighbour-counts.ts'
import { HiddenNodeNames, toGraphNodes, toHiddenNode } from './nodes.ts'
import { resolveOwners } from './owners.ts'
import { expandStartNodes, getStartNode, parseNodeFilter } from './start-nodes.ts'
import { type TraversalOptions, type TraversalStep, tracePath, traverse } from './traverse.ts'

/** Everything downstream, with the path to it. */
export interface Reachability {
  readonly level: GraphLevel
  readonly steps: ReadonlyMap<string, TraversalStep>
  /** The affected resources, nearest first. */
  readonly affected: readonly TraversalStep[]
  readonly truncated: boolean
}

const MAX_AFFECTED = 100_000

export const findDownstream = async (
  ctx: Context,
  from: readonly string[],
  level: GraphLevel,
  {
    depth = Number.POSITIVE_INFINITY,
    limit = MAX_AFFECTED,
    counts = () => true,
    next = nextStep(ctx, level),
  }: Partial<Pick<TraversalOptions, 'depth' | 'limit' | 'counts' | 'next'>> = {},
): Promise<Reachability> => {
  const { steps, truncated: cut } = await traverse(ctx, {
    from,
    depth,
    limit,
    counts,
    next,
  })
  const affected = [...steps.values()].filter(({ node, distance }) => distance > 0 && node.visible && counts(node))
  affected.sort((a, b) => compare(toSortKey(a), toSortKey(b)))
  return { level, steps, affected, truncated: cut }
}

const nextStep =
  (ctx: Context, level: GraphLevel): TraversalOptions['next'] =>
  (nodes) =>
    level === 'column' ? findAffected(ctx, nodes) : findNeighbours(ctx, nodes, { level, direction: 'down' })

type SortKey = readonly [distance: number, title: string, id: string]

/** The sort key. Titles are cut because they are part of the cursor. */
const toSortKey = ({ distance, node }: TraversalStep): SortKey => [distance, node.title_full.slice(0, 1000).toWellFormed(), node.id]

const compare = ([near, title, id]: SortKey, [far, other, another]: SortKey): number =>
  near - far || order(title, other) || order(id, another)

const order = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1)

const ORDER = [
  { name: 'distance', type: 'number' },
  { name: 'title_full', type: 'text' },
  { name: 'id', type: 'id' },
] as const

export const getImpact = async (ctx: Context, query: ImpactQuery, page: PageRequest) => {
  const found = await findImpact(ctx, query)
  const { results: affected, ...head } = paginateInMemory(page, {
    rows: found.affected,
    order: ORDER,
    positionOf: (step) => toSortKey(step).map(String),
    passed: ([distance, title, id]) => {
      const at: SortKey = [Number(distance), String(title), String(id)]
      const next = found.affected.findIndex((step) => compare(toSortKey(step), at) > 0)
      return next < 0 ? found.affected.length : next
    },
  })
  const [results, summary] = await Promise.all([toAffected(ctx, found, affected, new HiddenNodeNames()), summarizeImpact(ctx, found)])
  return { ...head, results, level: found.level, truncated: found.truncated, summary }
}

const findImpact = async (ctx: Context, query: ImpactQuery): Promise<Reachability> => {
  const nodeFilter = parseNodeFilter(query)
  const node = await getStartNode(ctx, query.resource_id)
  const columns = query.column ? await findNamedColumns(ctx, node, query.column) : undefined
  const level = query.level ?? (columns || node.entity_type === 'column' ? 'column' : 'table')
  const from = columns && level === 'column' ? columns : await expandStartNodes(ctx, node, level)
  return findDownstream(ctx, from, level, { depth: query.depth, counts: (each) => matchesNodeFilter(nodeFilter, each) })
}

const findNamedColumns = async (ctx: Context, { id, title_full }: NodeInfo, text: string): Promise<string[]> => {
  const columns = await toGraphNodes(ctx, await findNestedColumns(ctx, id))
  return text
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean)
    .map((name) => {
      const same = (one: string) => [...columns.values()].find(({ title }) => title === one || title?.toLowerCase() === one.toLowerCase())
      const column = columns.get(parseId(name) ?? '') ?? same(name)
      if (!column)
        throw invalid({ column: [translatable('{table} has no column "{name}".', { table: title_full, name: name.slice(0, 200) })] })
      return column.id
    })
}

/** One of the shortest paths; resources the caller may not see become hidden nodes. */
const toPath = (ids: readonly string[], nodes: ReadonlyMap<string, NodeBrief>, hiddenNames: HiddenNodeNames): NodeBrief[] =>
  ids.map((id) => nodes.get(id) ?? toHiddenNode(hiddenNames.getName(id)))

export const toAffected = async (
  ctx: Context,
  { steps }: Reachability,
  affected: readonly TraversalStep[],
  hiddenNames: HiddenNodeNames,
): Promise<Affected[]> => {
  const paths = affected.map(({ node }) => tracePath(steps, node.id))
  const [nodes, owners] = await Promise.all([
    toGraphNodes(ctx, [...new Set(paths.flat())]),
    resolveOwners(
      ctx,
      affected.map(({ node }) => node),
    ),
  ])
  return affected.flatMap(({ node, distance }, i) => {
    const graphNode = nodes.get(node.id)
    if (!graphNode) return [] // deleted since the traversal
    const certain = paths[i]!.every((each) => !steps.get(each)!.link?.whole)
    return [{ ...graphNode, distance, certain, owners: owners[i] ?? [], path: toPath(paths[i]!, nodes, hiddenNames) }]
  })
}

const MAX_OWNERS = 100
const DASHBOARDS = ['dashboard', 'chart', 'report']

const summarizeImpact = async (ctx: Context, { affected }: Reachability): Promise<ImpactSummary> => {
  const owners = await resolveOwners(
    ctx,
    affected.map(({ node }) => node),
  )
  const by_entity_type = new Counts()
  const by_distance = new Counts()
  for (const { node, distance } of affected) {
    by_entity_type.add(node.entity_type)
    by_distance.add(distance)
  }
  return {
    total: affected.length,
    by_entity_type: Object.fromEntries(by_entity_type),
    by_distance: Object.fromEntries(by_distance),
    by_owner: countOwners(owners).slice(0, MAX_OWNERS),
    unowned: owners.filter((list) => !list).length,
    dashboards: DASHBOARDS.reduce((sum, type) => sum + (by_entity_type.get(type) ?? 0), 0),
  }
}

/** How many resources each owner has, most first. */
export const countOwners = (owners: readonly (readonly Owner[] | undefined)[]): (Owner & { count: number })[] => {
  const counts = new Map<string, Owner & { count: number }>()
  for (const list of owners)
    for (const each of list ?? []) {
      const neighbours = counts.get(each.id)
      if (neighbours) neighbours.count += 1
      else counts.set(each.id, { ...each, count: 1 })
    }
  return [...counts.values()].sort((a, b) => b.count - a.count || order(a.id, b.id))
}

class Counts extends Map<string | number, number> {
  add(key: string | number): void {
    this.set(key, (this.get(key) ?? 0) + 1)
  }
}

const CHUNK = 1_000
const CSV_HEADER = ['id', 'title_full', 'entity_type', 'distance', 'certain', 'owners', 'path']

/** The impact as CSV, with all rows. */
export const exportImpact = async (ctx: Context, query: ImpactQuery): Promise<Readable> => {
  const found = await findImpact(ctx, query)
  return Readable.from(csvLines(ctx, found))
}

async function* csvLines(ctx: Context, found: Reachability): AsyncGenerator<string> {
  yield toCsvLine(CSV_HEADER)
  const hiddenNames = new HiddenNodeNames()
  for (let at = 0; at < found.affected.length; at += CHUNK) {
    const rows = await toAffected(ctx, found, found.affected.slice(at, at + CHUNK), hiddenNames)
    yield rows
      .map(({ id, title_full, entity_type, distance, certain, owners, path }) =>
        toCsvLine([
          id,
          title_full!,
          entity_type!,
          String(distance),
          String(certain),
          owners.map(({ id, name, email }) => email ?? name ?? id).join('; '),
          path.map(({ id, title_full }) => title_full ?? id).join(' > '),
        ]),
      )
      .join('')
  }
  // A CSV file has no other place for this.
  if (found.truncated) yield toCsvLine(['', `Truncated: only the first ${MAX_AFFECTED.toLocaleString('en')} resources are listed.`])
}
