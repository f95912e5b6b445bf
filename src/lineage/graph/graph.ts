import type { Context } from '../../platform/context/context.ts'
import { type Direction, findLinks, findNeighbours, findNodeInfo, type LinkOptions, type NodeInfo } from '../edges/links.ts'
import { buildGraph } from './build-graph.ts'
import type { Graph, GraphNode, GraphQuery } from './graph-schema.ts'
import { insertJobs } from './insert-jobs.ts'
import { findJobGraph } from './job-graph.ts'
import { countNeighbours, matchesNodeFilter, type NeighbourCounts, type NodeFilter } from './neighbour-counts.ts'
import { HiddenNodeNames, toGraphNodes, toHiddenNode } from './nodes.ts'
import { expandStartNodes, getStartNode, parseNodeFilter } from './start-nodes.ts'
import { traverse } from './traverse.ts'

const DIRECTIONS: Record<Graph['direction'], readonly Direction[]> = { UPSTREAM: ['up'], DOWNSTREAM: ['down'], BOTH: ['up', 'down'] }

interface ReachedNode {
  readonly distance: number
  readonly directions: readonly Direction[]
  /** The directions in which it is reachable only through hidden nodes. */
  readonly beyond: readonly Direction[]
  readonly visible: boolean
  readonly matches: boolean
}

/**
 * The lineage graph around a resource: nearest nodes first, with counts of what is left out. Without `exact_counts` a node with very many
 * neighbours only counts as one that has more, because counting them takes longer than everything else.
 */
export const getGraph = async (ctx: Context, query: GraphQuery, options: GraphOptions = {}): Promise<Graph> => {
  const graph = await buildGraphAround(ctx, query, options)
  return query.include_jobs && graph.level === 'table' ? insertJobs(ctx, graph, query.limit ?? DEFAULT_LIMIT) : graph
}

interface GraphOptions {
  readonly exact_counts?: boolean
}

const DEFAULT_LIMIT = 500

const buildGraphAround = async (ctx: Context, query: GraphQuery, { exact_counts = true }: GraphOptions): Promise<Graph> => {
  const { direction = 'BOTH', depth = 3, level = 'table', limit = DEFAULT_LIMIT, include_filters: filters = false } = query
  const nodeFilter = parseNodeFilter(query)
  const start = await getStartNode(ctx, query.resource_id)
  const ofJob = start.entity_type === 'job' ? await findJobGraph(ctx, query, start, nodeFilter) : undefined
  if (ofJob) return ofJob
  const from = (await expandStartNodes(ctx, start, level)).slice(0, limit)
  const linkOptions = (linkDirection: Direction): LinkOptions => ({ level, direction: linkDirection, filters })
  const traversals = await Promise.all(
    DIRECTIONS[direction].map(async (linkDirection) => ({
      linkDirection,
      ...(await traverse(ctx, {
        from,
        start,
        depth,
        limit,
        counts: (node) => matchesNodeFilter(nodeFilter, node),
        next: (nodes, knownCount) => findNeighbours(ctx, nodes, { ...linkOptions(linkDirection), limit: limit + knownCount }),
      })),
    })),
  )
  const found = new Map<string, ReachedNode>()
  for (const { linkDirection, steps } of traversals)
    for (const [id, { node, distance, via_hidden: beyond }] of steps) {
      const other = found.get(id)
      found.set(id, {
        distance: Math.min(distance, other?.distance ?? distance),
        directions: distance === 0 ? [] : [...(other?.directions ?? []), linkDirection],
        beyond: beyond ? [...(other?.beyond ?? []), linkDirection] : (other?.beyond ?? []),
        visible: node.visible,
        matches: distance === 0 || matchesNodeFilter(nodeFilter, node),
      })
    }
  const nearest = [...found].sort(([a, one], [b, two]) => one.distance - two.distance || (a < b ? -1 : 1))
  const all = nearest.filter(([, { visible, matches }]) => visible && matches)
  const shown = new Map(all.slice(0, limit))
  const passed = new Map(nearest.filter(([, { visible, matches }]) => !visible || !matches))
  const inside = [...shown.keys(), ...passed.keys()]
  const [down, up, briefs] = await Promise.all([
    countNeighbours(ctx, inside, linkOptions('down'), nodeFilter, exact_counts),
    countNeighbours(ctx, inside, linkOptions('up'), nodeFilter, exact_counts),
    toGraphNodes(ctx, [...shown.keys()]),
  ])
  const { hiddenNodes, edges, truncated: cut } = buildGraph({ shown, passed, links: down.links })
  const hidden = ({ links, hidden }: NeighbourCounts) => [
    ...hidden.filter(({ node }) => shown.has(node)),
    ...links.filter(({ node, other }) => shown.has(node) && passed.get(other)?.visible === false && !hiddenNodes.has(other)),
  ]
  const [moreDown, moreUp] = await Promise.all([
    addHiddenNeighbours(ctx, down.more, hidden(down), linkOptions('down'), nodeFilter, shown),
    addHiddenNeighbours(ctx, up.more, hidden(up), linkOptions('up'), nodeFilter, shown),
  ])
  const hiddenNames = new HiddenNodeNames()
  const nodes: GraphNode[] = []
  for (const [id, { distance, directions }] of nearest) {
    const node = { distance, direction: toDirection(directions) }
    const brief = briefs.get(id)
    if (brief) nodes.push({ ...brief, ...node, more_upstream: moreUp.get(id) ?? 0, more_downstream: moreDown.get(id) ?? 0 })
    else if (hiddenNodes.has(id)) nodes.push({ ...toHiddenNode(hiddenNames.getName(id)), ...node, more_upstream: 0, more_downstream: 0 })
  }
  const nameOf = (id: string) => (hiddenNodes.has(id) ? hiddenNames.getName(id) : id)
  const ends = new Set(nodes.map(({ id }) => id))
  const between = edges
    .map((edge) => ({ ...edge, from: nameOf(edge.from), to: nameOf(edge.to) }))
    .filter(({ from, to }) => ends.has(from) && ends.has(to)) // a node may have been deleted a moment ago
  // A node inside the depth that still has neighbours outside the response was not fully expanded.
  const unfinished = nodes.some(
    ({ id, distance, direction: side }) =>
      distance < depth &&
      ((side !== 'DOWNSTREAM' && direction !== 'DOWNSTREAM' && up.more.has(id)) ||
        (side !== 'UPSTREAM' && direction !== 'UPSTREAM' && down.more.has(id))),
  )
  return {
    resource_id: start.id,
    direction,
    depth,
    level,
    nodes,
    edges: between,
    truncated: unfinished || cut || all.length > shown.size || traversals.some((each) => each.truncated),
    totals: {
      nodes: nodes.length,
      edges: between.length,
      hidden: nodes.filter(({ hidden }) => hidden).length,
      more: nodes.reduce((sum, { more_upstream, more_downstream }) => sum + more_upstream + more_downstream, 0),
    },
  }
}

const toDirection = (directions: readonly Direction[]): GraphNode['direction'] =>
  directions.length === 0 ? null : directions.length === 2 ? 'BOTH' : directions[0] === 'up' ? 'UPSTREAM' : 'DOWNSTREAM'

const MAX_NEIGHBOURS_CHECKED = 50 // neighbours of a hidden node to check for a visible one
const MAX_VISIBLE_STEPS = 10
const MAX_VISIBLE_NODES = 2_000

/** Counts a hidden neighbour as "more" when it leads to something that cannot be reached through visible nodes. */
const addHiddenNeighbours = async (
  ctx: Context,
  more: NeighbourCounts['more'],
  hidden: NeighbourCounts['hidden'],
  options: LinkOptions,
  nodeFilter: NodeFilter,
  shown: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, number>> => {
  if (hidden.length === 0) return more
  const counts = (node: NodeInfo) => matchesNodeFilter(nodeFilter, node)
  const nextLinks = await findLinks(ctx, [...new Set(hidden.map(({ other }) => other))], { ...options, limit: MAX_NEIGHBOURS_CHECKED })
  const nodeInfos = await findNodeInfo(ctx, [...new Set(nextLinks.map(({ other }) => other))])
  const ends = nextLinks.filter(({ other }) => !shown.has(other) && nodeInfos.get(other)?.visible && counts(nodeInfos.get(other)!))
  if (ends.length === 0) return more
  const visible = await traverse(ctx, {
    from: [...shown.keys()],
    depth: MAX_VISIBLE_STEPS,
    limit: shown.size + MAX_VISIBLE_NODES,
    counts,
    next: (nodes) => findNeighbours(ctx, nodes, { ...options, limit: MAX_VISIBLE_NODES }),
    visible_only: true,
  })
  if (visible.truncated) return more
  const leadingNodes = new Set(ends.filter(({ other }) => !visible.steps.has(other)).map(({ node }) => node))
  const all = new Map(more)
  for (const { node, other } of hidden) if (leadingNodes.has(other)) all.set(node, (all.get(node) ?? 0) + 1)
  return all
}
