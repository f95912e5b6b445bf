import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { findNodeInfo, type NodeInfo } from '../edges/links.ts'
import type { Graph, GraphNode, GraphQuery } from './graph-schema.ts'
import { JOB_EDGE } from './insert-jobs.ts'
import { countNeighbours, matchesNodeFilter, type NodeFilter } from './neighbour-counts.ts'
import { toGraphNodes } from './nodes.ts'

/**
 * The graph around a job. Lineage edges run from its inputs directly to its outputs and bypass the job itself, so inputs and outputs are taken
 * from what its runs reported. Undefined for a job with only inputs or only outputs: such a job is an endpoint of its edges, like any resource.
 */
export const findJobGraph = async (ctx: Context, query: GraphQuery, job: NodeInfo, filter: NodeFilter): Promise<Graph | undefined> => {
  const flows = await findJobFlows(ctx, job.id)
  if (!flows || flows.inputs.length === 0 || flows.outputs.length === 0) return undefined
  const { direction = 'BOTH', depth = 3, level = 'table', limit = 500 } = query
  const nodeInfos = await findNodeInfo(ctx, [...new Set([...flows.inputs, ...flows.outputs])])
  const filterVisible = (ids: readonly string[]) =>
    ids.filter((id) => {
      const node = nodeInfos.get(id)
      return node?.visible && matchesNodeFilter(filter, node)
    })
  const sides = { up: filterVisible(flows.inputs), down: filterVisible(flows.outputs) }
  const requested = { up: direction === 'DOWNSTREAM' ? [] : sides.up, down: direction === 'UPSTREAM' ? [] : sides.down }
  const shown = [...new Set([...requested.up, ...requested.down])].slice(0, limit - 1)
  const isShown = new Set(shown)
  const [above, below, briefs] = await Promise.all([
    countNeighbours(ctx, shown, { level: 'table', direction: 'up' }, filter),
    countNeighbours(ctx, shown, { level: 'table', direction: 'down' }, filter),
    toGraphNodes(ctx, [job.id, ...shown]),
  ])
  const countHidden = (ids: readonly string[]) => ids.filter((id) => !isShown.has(id)).length
  const nodes = [job.id, ...shown].flatMap((id): GraphNode[] => {
    const brief = briefs.get(id)
    if (!brief) return []
    if (id === job.id)
      return [{ ...brief, distance: 0, direction: null, more_upstream: countHidden(sides.up), more_downstream: countHidden(sides.down) }]
    const [up, down] = [requested.up.includes(id), requested.down.includes(id)]
    const side = up && down ? 'BOTH' : up ? 'UPSTREAM' : 'DOWNSTREAM'
    return [{ ...brief, distance: 1, direction: side, more_upstream: above.more.get(id) ?? 0, more_downstream: below.more.get(id) ?? 0 }]
  })
  const ends = new Set(nodes.map(({ id }) => id))
  const edges = [
    ...requested.up.map((id) => ({ from: id, to: job.id, ...JOB_EDGE })),
    ...requested.down.map((id) => ({ from: job.id, to: id, ...JOB_EDGE })),
  ].filter(({ from, to }) => ends.has(from) && ends.has(to))
  return {
    resource_id: job.id,
    direction,
    depth,
    level,
    nodes,
    edges,
    truncated: shown.length < new Set([...requested.up, ...requested.down]).size,
    totals: {
      nodes: nodes.length,
      edges: edges.length,
      hidden: 0,
      more: nodes.reduce((sum, { more_upstream, more_downstream }) => sum + more_upstream + more_downstream, 0),
    },
  }
}

interface JobFlows {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

const findJobFlows = async (ctx: Context, job: string): Promise<JobFlows | undefined> => {
  const { rows } = await sql<JobFlows>`
    select f.flows -> 'inputs' as inputs, f.flows -> 'outputs' as outputs from openlineage_flows f where f.resource_id = ${job}
  `.execute(ctx.db, ctx.limits)
  return rows[0]
}
