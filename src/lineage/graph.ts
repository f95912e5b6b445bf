import type { Context } from '../context.ts'
import { draw } from './draw.ts'
import type { Graph, GraphNode, GraphQuery } from './graph-schema.ts'
import { readJobGraph } from './job-graph.ts'
import { findLinks, findNeighbours, findPlaces, type LinkOptions, type Place, type Way } from './links.ts'
import { Aliases, describeNodes, hiddenNode } from './nodes.ts'
import { beginAt, getPlace, wantedOf } from './start.ts'
import { type Survey, survey, type Wanted, wants } from './survey.ts'
import { walk } from './walk.ts'

const WAYS: Record<Graph['direction'], readonly Way[]> = { UPSTREAM: ['up'], DOWNSTREAM: ['down'], BOTH: ['up', 'down'] }

interface Found {
  readonly distance: number
  readonly ways: readonly Way[]
  /** The directions in which it is reachable only through hidden nodes. */
  readonly beyond: readonly Way[]
  readonly visible: boolean
  readonly wanted: boolean
}

/** The lineage graph around a resource: nearest nodes first, with counts of what is left out. */
export const readGraph = async (ctx: Context, query: GraphQuery): Promise<Graph> => {
  const { direction = 'BOTH', depth = 3, level = 'table', limit = 500, include_filters: filters = false } = query
  const wanted = wantedOf(query)
  const start = await getPlace(ctx, query.resource_id)
  const ofJob = start.entity_type === 'job' ? await readJobGraph(ctx, query, start, wanted) : undefined
  if (ofJob) return ofJob
  const from = (await beginAt(ctx, start, level)).slice(0, limit)
  const around = (way: Way): LinkOptions => ({ level, way, filters })
  const walks = await Promise.all(
    WAYS[direction].map(async (way) => ({
      way,
      ...(await walk(ctx, {
        from,
        start,
        depth,
        limit,
        counts: (place) => wants(wanted, place),
        next: (nodes, known) => findNeighbours(ctx, nodes, { ...around(way), most: limit + known }),
      })),
    })),
  )
  const found = new Map<string, Found>()
  for (const { way, steps } of walks)
    for (const [id, { place, distance, beyond }] of steps) {
      const other = found.get(id)
      found.set(id, {
        distance: Math.min(distance, other?.distance ?? distance),
        ways: distance === 0 ? [] : [...(other?.ways ?? []), way],
        beyond: beyond ? [...(other?.beyond ?? []), way] : (other?.beyond ?? []),
        visible: place.visible,
        wanted: distance === 0 || wants(wanted, place),
      })
    }
  const nearest = [...found].sort(([a, one], [b, two]) => one.distance - two.distance || (a < b ? -1 : 1))
  const all = nearest.filter(([, { visible, wanted }]) => visible && wanted)
  const shown = new Map(all.slice(0, limit))
  const passed = new Map(nearest.filter(([, { visible, wanted }]) => !visible || !wanted))
  const inside = [...shown.keys(), ...passed.keys()]
  const [down, up, briefs] = await Promise.all([
    survey(ctx, inside, around('down'), wanted),
    survey(ctx, inside, around('up'), wanted),
    describeNodes(ctx, [...shown.keys()]),
  ])
  const { hops, edges, cut } = draw({ shown, passed, links: down.links })
  const unseen = ({ links, unseen }: Survey) => [
    ...unseen.filter(({ node }) => shown.has(node)),
    ...links.filter(({ node, other }) => shown.has(node) && passed.get(other)?.visible === false && !hops.has(other)),
  ]
  const [moreDown, moreUp] = await Promise.all([
    withHops(ctx, down.more, unseen(down), around('down'), wanted, shown),
    withHops(ctx, up.more, unseen(up), around('up'), wanted, shown),
  ])
  const aliases = new Aliases()
  const nodes: GraphNode[] = []
  for (const [id, { distance, ways }] of nearest) {
    const place = { distance, direction: directionOf(ways) }
    const brief = briefs.get(id)
    if (brief) nodes.push({ ...brief, ...place, more_upstream: moreUp.get(id) ?? 0, more_downstream: moreDown.get(id) ?? 0 })
    else if (hops.has(id)) nodes.push({ ...hiddenNode(aliases.of(id)), ...place, more_upstream: 0, more_downstream: 0 })
  }
  const nameOf = (id: string) => (hops.has(id) ? aliases.of(id) : id)
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
    truncated: unfinished || cut || all.length > shown.size || walks.some((each) => each.cut),
    totals: {
      nodes: nodes.length,
      edges: between.length,
      hidden: nodes.filter(({ hidden }) => hidden).length,
      more: nodes.reduce((sum, { more_upstream, more_downstream }) => sum + more_upstream + more_downstream, 0),
    },
  }
}

const directionOf = (ways: readonly Way[]): GraphNode['direction'] =>
  ways.length === 0 ? null : ways.length === 2 ? 'BOTH' : ways[0] === 'up' ? 'UPSTREAM' : 'DOWNSTREAM'

const ENOUGH = 50 // neighbours of a hidden node to check for a visible one
const FAR = 10
const MANY = 2_000

/** Counts a hidden neighbour as "more" when it leads to something that cannot be reached through visible nodes. */
const withHops = async (
  ctx: Context,
  more: Survey['more'],
  unseen: Survey['unseen'],
  options: LinkOptions,
  wanted: Wanted,
  shown: ReadonlyMap<string, unknown>,
): Promise<ReadonlyMap<string, number>> => {
  if (unseen.length === 0) return more
  const counts = (place: Place) => wants(wanted, place)
  const ahead = await findLinks(ctx, [...new Set(unseen.map(({ other }) => other))], { ...options, most: ENOUGH })
  const places = await findPlaces(ctx, [...new Set(ahead.map(({ other }) => other))])
  const ends = ahead.filter(({ other }) => !shown.has(other) && places.get(other)?.visible && counts(places.get(other)!))
  if (ends.length === 0) return more
  const inSight = await walk(ctx, {
    from: [...shown.keys()],
    depth: FAR,
    limit: shown.size + MANY,
    counts,
    next: (nodes) => findNeighbours(ctx, nodes, { ...options, most: MANY }),
    stays_in_sight: true,
  })
  if (inSight.cut) return more
  const leading = new Set(ends.filter(({ other }) => !inSight.steps.has(other)).map(({ node }) => node))
  const all = new Map(more)
  for (const { node, other } of unseen) if (leading.has(other)) all.set(node, (all.get(node) ?? 0) + 1)
  return all
}
