import type { Graph, GraphEdge, GraphNode } from './queries.ts'

/** A graph response and the node it was requested for. */
export interface GraphResponse {
  readonly id: string
  readonly graph: Graph
}

/** Several responses merged into one graph. */
export interface MergedGraph {
  readonly nodes: ReadonlyMap<string, GraphNode>
  readonly edges: readonly GraphEdge[]
}

interface Degrees {
  upstream: number
  downstream: number
}

/** The number of neighbors of each node. A job between tables is not counted itself: the tables beyond it are, as in `more_…`. */
const countDegrees = (all: Iterable<GraphEdge>, nodes: ReadonlyMap<string, GraphNode>): Map<string, Degrees> => {
  const degrees = new Map<string, Degrees>()
  const of = (id: string) => degrees.get(id) ?? degrees.set(id, { upstream: 0, downstream: 0 }).get(id)!
  for (const { from, to } of throughJobs([...all], nodes)) {
    of(from).downstream++
    of(to).upstream++
  }
  return degrees
}

type Ends = Pick<GraphEdge, 'from' | 'to'>

const throughJobs = (edges: readonly GraphEdge[], nodes: ReadonlyMap<string, GraphNode>): Iterable<Ends> => {
  const isJob = (id: string) => nodes.get(id)?.entity_type === 'job'
  const outputs = Map.groupBy(
    edges.filter(({ from }) => isJob(from)),
    ({ from }) => from,
  )
  if (outputs.size === 0) return edges
  const withInputs = new Set(edges.flatMap(({ to }) => (outputs.has(to) ? [to] : [])))
  const pairs = new Map<string, Ends>()
  for (const { from, to } of edges) {
    if (withInputs.has(from)) continue
    for (const end of withInputs.has(to) ? outputs.get(to)! : [{ to }]) pairs.set(`${from}~${end.to}`, { from, to: end.to })
  }
  return pairs.values()
}

/** IDs of hidden nodes are unique only within one response. */
const qualifyHiddenIds = ({ id, graph }: GraphResponse): Graph => {
  if (graph.totals.hidden === 0) return graph
  const named = (name: string) => (name.startsWith('hidden-') ? `${name}@${id}-${graph.direction}` : name)
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, id: named(node.id) })),
    edges: graph.edges.map((edge) => ({ ...edge, from: named(edge.from), to: named(edge.to) })),
  }
}

/**
 * Merges the first response with those of the expanded boxes. An expansion whose box is gone, because the one leading to it was collapsed,
 * adds nothing. Neighbors one response counts as "more" may be in another, so the counts are recomputed.
 */
export const mergeGraphs = (first: GraphResponse, steps: readonly GraphResponse[]): MergedGraph => {
  if (steps.length === 0) return { nodes: new Map(first.graph.nodes.map((node) => [node.id, node])), edges: first.graph.edges }
  const nodes = new Map<string, GraphNode>()
  const edges = new Map<string, GraphEdge>()
  const all = new Map<string, Degrees>()
  const add = (response: GraphResponse) => {
    const graph = qualifyHiddenIds(response)
    for (const node of graph.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node)
    const degrees = countDegrees(graph.edges, nodes)
    for (const node of graph.nodes) {
      const { upstream = 0, downstream = 0 } = degrees.get(node.id) ?? {}
      const before = all.get(node.id)
      all.set(node.id, {
        upstream: Math.max(before?.upstream ?? 0, upstream + node.more_upstream),
        downstream: Math.max(before?.downstream ?? 0, downstream + node.more_downstream),
      })
    }
    for (const edge of graph.edges) edges.set(`${edge.from}~${edge.to}`, edge)
  }
  add(first)
  const groups = () => new Set([...nodes.values()].flatMap(({ id, group }) => (group ? [id, group.id] : [id])))
  let waiting = steps
  for (let shownIds = groups(); ; shownIds = groups()) {
    const reached = waiting.filter(({ id }) => shownIds.has(id))
    if (reached.length === 0) break
    for (const response of reached) add(response)
    waiting = waiting.filter((response) => !reached.includes(response))
  }
  const drawn = countDegrees(edges.values(), nodes)
  for (const [id, node] of nodes) {
    const { upstream = 0, downstream = 0 } = drawn.get(id) ?? {}
    const total = all.get(id)!
    nodes.set(id, {
      ...node,
      more_upstream: Math.max(0, total.upstream - upstream),
      more_downstream: Math.max(0, total.downstream - downstream),
    })
  }
  return { nodes, edges: [...edges.values()] }
}
