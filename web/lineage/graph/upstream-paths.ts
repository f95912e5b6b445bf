import type { Graph, GraphNode } from './queries.ts'

/** The shortest path from each upstream resource to the start, by resource ID. */
export const upstreamPaths = ({ resource_id, nodes, edges }: Pick<Graph, 'resource_id' | 'nodes' | 'edges'>) => {
  const nodesById = new Map(nodes.map((node) => [node.id, node]))
  const sources = Map.groupBy(edges, ({ to }) => to)
  const start = nodesById.get(resource_id)
  const paths = new Map<string, readonly GraphNode[]>(start ? [[start.id, [start]]] : [])
  // A Map iterates in insertion order, including entries added during the loop: a breadth-first traversal.
  for (const [id, path] of paths)
    for (const { from } of sources.get(id) ?? []) {
      const node = nodesById.get(from)
      if (node && !paths.has(from)) paths.set(from, [node, ...path])
    }
  return paths
}
