import type { Graph, GraphNode } from './queries.ts'

/** The shortest way from each upstream resource to the start, by the id of the resource. */
export const upstreamPaths = ({ resource_id, nodes, edges }: Pick<Graph, 'resource_id' | 'nodes' | 'edges'>) => {
  const known = new Map(nodes.map((node) => [node.id, node]))
  const sources = Map.groupBy(edges, ({ to }) => to)
  const start = known.get(resource_id)
  const paths = new Map<string, readonly GraphNode[]>(start ? [[start.id, [start]]] : [])
  // A map is walked in the order of its entries, and those added on the way come last: nearest first.
  for (const [id, path] of paths)
    for (const { from } of sources.get(id) ?? []) {
      const node = known.get(from)
      if (node && !paths.has(from)) paths.set(from, [node, ...path])
    }
  return paths
}
