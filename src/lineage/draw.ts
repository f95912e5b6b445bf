import type { GraphEdge } from './graph-schema.ts'
import type { Link, Way } from './links.ts'

/** Builds the visible graph from the nodes and links of a traversal. Pure. */

export interface Drawn {
  /** Nodes the caller may not see, on a path to something that is reachable only through them. */
  readonly hops: ReadonlySet<string>
  readonly edges: readonly GraphEdge[]
  /** There are more edges than the response may contain. */
  readonly cut: boolean
}

export interface Drawing {
  /** With the directions in which each node is reachable only through hidden nodes. */
  readonly shown: ReadonlyMap<string, { readonly beyond: readonly Way[] }>
  /** Traversed but not shown: hidden from the caller, or visible and excluded by the filters. */
  readonly passed: ReadonlyMap<string, { readonly visible: boolean; readonly beyond: readonly Way[] }>
  /** Between all of these, in the direction of the data flow. */
  readonly links: readonly Link[]
}

const MOST_EDGES = 50_000

export const draw = ({ shown, passed, links }: Drawing): Drawn => {
  const after = Map.groupBy(links, ({ node }) => node)
  const before = Map.groupBy(links, ({ other }) => other)
  const hops = { down: hopsOf('down', { shown, passed }, before), up: hopsOf('up', { shown, passed }, after) }
  const isHop = (id: string) => hops.down.has(id) || hops.up.has(id)
  const edges = new Map<string, GraphEdge>()
  const add = (from: string, to: string, edge: Omit<GraphEdge, 'from' | 'to'>): void => {
    const key = `${from} ${to}`
    if (from !== to && !edges.has(key) && edges.size <= MOST_EDGES) edges.set(key, { from, to, ...edge })
  }
  /** Edges into a hidden node are shown from any node; edges out of it only to nodes that are reachable in no other way. */
  const told = (near: string, far: string, way: Way): boolean =>
    hops[way].has(far) ? shown.has(near) || hops[way].has(near) : hops[way].has(near) && shown.get(far)?.beyond.includes(way) === true
  for (const link of links) {
    const { node, other } = link
    if (shown.has(node) && shown.has(other)) add(node, other, { ...proofOf(link), indirect: false })
    else if (told(node, other, 'down') || told(other, node, 'up')) add(node, other, { ...proofOf(link, true), indirect: false })
  }
  for (const { node, other } of links)
    if ((shown.has(node) || isHop(node)) && passed.get(other)?.visible)
      for (const end of behind(other, after, shown, passed)) if (shown.has(node) || told(node, end, 'down')) add(node, end, INDIRECT)
  return { hops: new Set([...hops.down, ...hops.up]), edges: [...edges.values()].slice(0, MOST_EDGES), cut: edges.size > MOST_EDGES }
}

const INDIRECT = { is_manual: false, is_derived: false, kinds: [], queries: 0, indirect: true }

/** Why an edge exists. With `nameless` (one of its endpoints is hidden) the details are left out. */
export const proofOf = ({ manual, queries, kinds }: Pick<Link, 'manual' | 'queries' | 'kinds'>, nameless = false) => ({
  is_manual: manual,
  is_derived: queries > 0,
  kinds: nameless ? [] : ((kinds?.split(',') ?? []) as GraphEdge['kinds']),
  queries: nameless ? 0 : queries,
})

type Neighbours = ReadonlyMap<string, readonly Link[]>

/** Traces back from every node reachable only through hidden nodes; hidden nodes that lead nowhere are not revealed at all. */
const hopsOf = (way: Way, { shown, passed }: Omit<Drawing, 'links'>, nearer: Neighbours): Set<string> => {
  const hops = new Set<string>()
  const queue = [...shown].filter(([, { beyond }]) => beyond.includes(way)).map(([id]) => id)
  const seen = new Set(queue)
  for (let at = queue.pop(); at !== undefined; at = queue.pop())
    for (const { node, other } of nearer.get(at) ?? []) {
      const id = way === 'down' ? node : other
      const through = passed.get(id)
      if (!through?.beyond.includes(way) || seen.has(id)) continue
      seen.add(id)
      queue.push(id)
      if (!through.visible) hops.add(id)
    }
  return hops
}

/** The nearest shown nodes behind one that the filters exclude. */
const behind = (id: string, after: Neighbours, shown: Drawing['shown'], passed: Drawing['passed']): Set<string> => {
  const ends = new Set<string>()
  const seen = new Set([id])
  const queue = [id]
  for (let at = queue.pop(); at !== undefined; at = queue.pop())
    for (const { other } of after.get(at) ?? []) {
      if (shown.has(other)) ends.add(other)
      else if (!seen.has(other) && passed.get(other)?.visible) {
        seen.add(other)
        queue.push(other)
      }
    }
  return ends
}
