import type { Direction, Link } from '../edges/links.ts'
import type { GraphEdge } from './graph-schema.ts'

/** Builds the visible graph from the nodes and links of a traversal. Pure. */

export interface BuiltGraph {
  /** Nodes the caller may not see, on a path to something that is reachable only through them. */
  readonly hiddenNodes: ReadonlySet<string>
  readonly edges: readonly GraphEdge[]
  /** There are more edges than the response may contain. */
  readonly truncated: boolean
}

export interface GraphInput {
  /** With the directions in which each node is reachable only through hidden nodes. */
  readonly shown: ReadonlyMap<string, { readonly beyond: readonly Direction[] }>
  /** Traversed but not shown: hidden from the caller, or visible and excluded by the filters. */
  readonly passed: ReadonlyMap<string, { readonly visible: boolean; readonly beyond: readonly Direction[] }>
  /** Between all of these, in the direction of the data flow. */
  readonly links: readonly Link[]
}

const MAX_EDGES = 50_000

export const buildGraph = ({ shown, passed, links }: GraphInput): BuiltGraph => {
  const after = Map.groupBy(links, ({ node }) => node)
  const before = Map.groupBy(links, ({ other }) => other)
  const hops = { down: findHiddenNodes('down', { shown, passed }, before), up: findHiddenNodes('up', { shown, passed }, after) }
  const isHiddenNode = (id: string) => hops.down.has(id) || hops.up.has(id)
  const edges = new Map<string, GraphEdge>()
  const add = (from: string, to: string, edge: Omit<GraphEdge, 'from' | 'to'>): void => {
    const key = `${from} ${to}`
    if (from !== to && !edges.has(key) && edges.size <= MAX_EDGES) edges.set(key, { from, to, ...edge })
  }
  /** Edges into a hidden node are shown from any node; edges out of it only to nodes that are reachable in no other way. */
  const isEdgeRevealed = (near: string, far: string, direction: Direction): boolean =>
    hops[direction].has(far)
      ? shown.has(near) || hops[direction].has(near)
      : hops[direction].has(near) && shown.get(far)?.beyond.includes(direction) === true
  for (const link of links) {
    const { node, other } = link
    if (shown.has(node) && shown.has(other)) add(node, other, { ...toEvidence(link), indirect: false })
    else if (isEdgeRevealed(node, other, 'down') || isEdgeRevealed(other, node, 'up'))
      add(node, other, { ...toEvidence(link, true), indirect: false })
  }
  for (const { node, other } of links)
    if ((shown.has(node) || isHiddenNode(node)) && passed.get(other)?.visible)
      for (const end of findShownBehind(other, after, shown, passed))
        if (shown.has(node) || isEdgeRevealed(node, end, 'down')) add(node, end, INDIRECT)
  return {
    hiddenNodes: new Set([...hops.down, ...hops.up]),
    edges: [...edges.values()].slice(0, MAX_EDGES),
    truncated: edges.size > MAX_EDGES,
  }
}

const INDIRECT = { is_manual: false, is_derived: false, kinds: [], queries: 0, indirect: true }

/** Why an edge exists. With `nameless` (one of its endpoints is hidden) the details are left out. */
export const toEvidence = ({ manual, queries, kinds }: Pick<Link, 'manual' | 'queries' | 'kinds'>, nameless = false) => ({
  is_manual: manual,
  is_derived: queries > 0,
  kinds: nameless ? [] : ((kinds?.split(',') ?? []) as GraphEdge['kinds']),
  queries: nameless ? 0 : queries,
})

type Neighbours = ReadonlyMap<string, readonly Link[]>

/** Traces back from every node reachable only through hidden nodes; hidden nodes that lead nowhere are not revealed at all. */
const findHiddenNodes = (direction: Direction, { shown, passed }: Omit<GraphInput, 'links'>, nearer: Neighbours): Set<string> => {
  const hops = new Set<string>()
  const queue = [...shown].filter(([, { beyond }]) => beyond.includes(direction)).map(([id]) => id)
  const seen = new Set(queue)
  for (let at = queue.pop(); at !== undefined; at = queue.pop())
    for (const { node, other } of nearer.get(at) ?? []) {
      const id = direction === 'down' ? node : other
      const through = passed.get(id)
      if (!through?.beyond.includes(direction) || seen.has(id)) continue
      seen.add(id)
      queue.push(id)
      if (!through.visible) hops.add(id)
    }
  return hops
}

/** The nearest shown nodes behind one that the filters exclude. */
const findShownBehind = (id: string, after: Neighbours, shown: GraphInput['shown'], passed: GraphInput['passed']): Set<string> => {
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
