import { getGraph } from '../../lineage/graph/graph.ts'
import type { Graph, GraphNode } from '../../lineage/graph/graph-schema.ts'
import type { Context } from '../../platform/context/context.ts'
import { findSignals, type Signal } from './find-signals.ts'
import { CAUSE_KINDS, type Cause, type RootCause } from './schema.ts'

const MAX_DEPTH = 20
const MAX_NODES = 1_000
const MAX_CAUSES = 100

/** What upstream of a resource could make its values wrong, the most likely cause first. */
export const findRootCause = async (ctx: Context, resource_id: string): Promise<RootCause> => {
  const query = { resource_id, direction: 'UPSTREAM', depth: MAX_DEPTH, level: 'table', limit: MAX_NODES } as const
  const graph = await getGraph(ctx, query, { exact_counts: false })
  const visible = graph.nodes.filter(({ hidden }) => !hidden)
  const signals = await findSignals(
    ctx,
    visible.map(({ id }) => id),
  )
  const causes = toCauses(graph, signals)
  return {
    resource_id: graph.resource_id,
    checked: visible.length,
    truncated: graph.truncated || causes.length > MAX_CAUSES,
    causes: causes.slice(0, MAX_CAUSES),
  }
}

/** Signals in order, each with its way to the start of the graph. Pure. */
const toCauses = ({ nodes, edges }: Pick<Graph, 'nodes' | 'edges'>, signals: readonly Signal[]): Cause[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const next = findNextSteps(nodes, edges)
  const causes = signals.flatMap(({ node: id, ...signal }): Cause[] => {
    const node = byId.get(id)
    if (!node) return []
    const { title_full, title, entity_type, distance } = node
    return [
      {
        ...signal,
        resource_id: id,
        resource: title_full ?? title ?? '',
        entity_type: entity_type ?? 'resource',
        distance,
        path: followPath(node, byId, next),
      },
    ]
  })
  return causes.sort(
    (a, b) =>
      CAUSE_KINDS.indexOf(a.kind) - CAUSE_KINDS.indexOf(b.kind) ||
      a.distance - b.distance ||
      (a.since === b.since ? 0 : a.since > b.since ? -1 : 1) ||
      (a.resource_id < b.resource_id ? -1 : 1),
  )
}

/** For each node, the neighbour that is one step nearer to the start. */
const findNextSteps = (nodes: readonly GraphNode[], edges: Graph['edges']): ReadonlyMap<string, string> => {
  const distances = new Map(nodes.map(({ id, distance }) => [id, distance]))
  const next = new Map<string, string>()
  for (const { from, to } of edges) {
    const [far, near] = [distances.get(from), distances.get(to)]
    if (far === undefined || near === undefined || near >= far) continue
    const best = next.get(from)
    if (best === undefined || near < distances.get(best)!) next.set(from, to)
  }
  return next
}

const followPath = (start: GraphNode, byId: ReadonlyMap<string, GraphNode>, next: ReadonlyMap<string, string>): Cause['path'] => {
  const path: Cause['path'] = []
  for (let node: GraphNode | undefined = start; node; ) {
    const { id, hidden, title, entity_type } = node
    path.push({ id: hidden ? null : id, title, entity_type })
    const step = next.get(id)
    node = step === undefined ? undefined : byId.get(step)
  }
  return path
}
