import type { Context } from '../../platform/context/context.ts'
import { type Direction, findLinks, findNeighbours, findNodeInfo, type LinkOptions, type NodeInfo } from '../edges/links.ts'
import { buildGraph } from './build-graph.ts'
import type { Graph, GraphNode, GraphQuery } from './graph-schema.ts'
import { getJobGraph } from './job-graph.ts'
import { countNeighbours, matchesNodeFilter, type NeighbourCounts, type NodeFilter } from './neighbour-counts.ts'
import { HiddenNodeNames, toGraphNodes, toHiddenNode } from './nodes.ts'
import { expandStartNodes, getStartNode, parseNodeFilter } from './start.ts'
import { traverse } from './traverse.ts'

const DIRECTIONS: Record<Graph['direction'], readonly Direction[]> = { UPSTREAM: ['up'], DOWNSTREAM: ['down'], BOTH: ['up', 'down'] }

interface ReachedNode {
  readonly distance: number
  readonly directions: readonly Direction[]
  /** The directions in which it is reachable only through hidden nodes. */
  readonly beyond: readonly Direction[]
  readonly visible: boolean
  readonly wanted: boolean
}

/** The lineage graph around a resource: nearest nodes first, with counts of what is left out. */
export const getGraph = async (ctx: Context, query: GraphQuery): Promise<Graph> => {
  const { direction = 'BOTH', depth = 3, level = 'table', limit = 500, include_filters: filters = false } = query
  const wanted = parseNodeFilter(query)
  const start = await getStartNode(ctx, query.resource_id)
  const ofJob = start.entity_type === 'job' ? await getJobGraph(ctx, query, start, wanted) : undefined
  if (ofJob) return ofJob
  const from = (await expandStartNodes(ctx, start, level)).slice(0, limit)
  const linkOptions = (way: Direction): LinkOptions => ({ level, direction: way, filters })
  const traversals = await Promise.all(
    DIRECTIONS[direction].map(async (way) => ({
      way,
      ...(await traverse(ctx, {
        from,
        start,
        depth,
        limit,
        counts: (place) => matchesNodeFilter(wanted, place),
        next: (nodes, known) => findNeighbours(ctx, nodes, { ...linkOptions(way), limit: limit + known }),
      })),
    })),
  )
  const found = new Map<string, ReachedNode>()
  for (const { way, steps } of traversals)
    for (const [id, { place, distance, via_hidden: beyond }] of steps) {
      const other = found.get(id)
      found.set(id, {
        distance: Math.min(distance, other?.distance ?? distance),
        directions: distance === 0 ? [] : [...(other?.directions ?? []), way],
        beyond: beyond ? [...(other?.beyond ?? []), way] : (other?.beyond ?? []),
        visible: place.visible,
        wanted: distance === 0 || matchesNodeFilter(wanted, place),
      })
    }
  const nearest = [...found].sort(([a, one], [b, two]) => one.distance - two.distance || (a < b ? -1 : 1))
  const all = nearest.filter(([, { visible, wanted }]) => visible && wanted)
  const shown = new Map(all.slice(0, limit))
  const passed = new Map(nearest.filter(([, { visible, wanted }]) => !visible || !wanted))
  const inside = [...shown.keys(), ...passed.keys()]
  const [down, up, briefs] = await Promise.all([
    countNeighbours(ctx, inside, linkOptions('down'), wanted),
    countNeighbours(ctx, inside, linkOptions('up'), wanted),
    toGraphNodes(ctx, [...shown.keys()]),
  ])
  const { hiddenNodes: hops, edges, truncated: cut } = buildGraph({ shown, passed, links: down.links })
  const unseen = ({ links, hidden: unseen }: NeighbourCounts) => [
    ...unseen.filter(({ node }) => shown.has(node)),
    ...links.filter(({ node, other }) => shown.has(node) && passed.get(other)?.visible === false && !hops.has(other)),
  ]
  const [moreDown, moreUp] = await Promise.all([
    addHiddenNeighbours(ctx, down.more, unseen(down), linkOptions('down'), wanted, shown),
    addHiddenNeighbours(ctx, up.more, unseen(up), linkOptions('up'), wanted, shown),
  ])
  const hiddenNames = new HiddenNodeNames()
  const nodes: GraphNode[] = []
  for (const [id, { distance, directions: ways }] of nearest) {
    const place = { distance, direction: toDirection(ways) }
    const brief = briefs.get(id)
    if (brief) nodes.push({ ...brief, ...place, more_upstream: moreUp.get(id) ?? 0, more_downstream: moreDown.get(id) ?? 0 })
    else if (hops.has(id)) nodes.push({ ...toHiddenNode(hiddenNames.getName(id)), ...place, more_upstream: 0, more_downstream: 0 })
  }
  const nameOf = (id: string) => (hops.has(id) ? hiddenNames.getName(id) : id)
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

const toDirection = (ways: readonly Direction[]): GraphNode['direction'] =>
  ways.length === 0 ? null : ways.length === 2 ? 'BOTH' : ways[0] === 'up' ? 'UPSTREAM' : 'DOWNSTREAM'

const MAX_NEIGHBOURS_CHECKED = 50 // neighbours of a hidden node to check for a visible one
const MAX_VISIBLE_STEPS = 10
const MAX_VISIBLE_NODES = 2_000

/** Counts a hidden neighbour as "more" when it leads to something that cannot be reached through visible nodes. */
const addHiddenNeighbours = async (
  ctx: Context,
  more: NeighbourCounts['more'],
  unseen: NeighbourCounts['hidden'],
  options: LinkOptions,
  wanted: NodeFilter,
  shown: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, number>> => {
  if (unseen.length === 0) return more
  const counts = (place: NodeInfo) => matchesNodeFilter(wanted, place)
  const ahead = await findLinks(ctx, [...new Set(unseen.map(({ other }) => other))], { ...options, limit: MAX_NEIGHBOURS_CHECKED })
  const nodeInfos = await findNodeInfo(ctx, [...new Set(ahead.map(({ other }) => other))])
  const ends = ahead.filter(({ other }) => !shown.has(other) && nodeInfos.get(other)?.visible && counts(nodeInfos.get(other)!))
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
  for (const { node, other } of unseen) if (leadingNodes.has(other)) all.set(node, (all.get(node) ?? 0) + 1)
  return all
}
