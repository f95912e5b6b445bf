import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Graph, GraphEdge, GraphNode, GraphQuery } from './graph-schema.ts'
import { findPlaces, type Place } from './links.ts'
import { describeNodes } from './nodes.ts'
import { survey, type Wanted, wants } from './survey.ts'

/**
 * The graph around a job. Lineage edges run from its inputs directly to its outputs and bypass the job itself, so inputs and outputs are taken
 * from what its runs reported. Undefined for a job with only inputs or only outputs: such a job is an endpoint of its edges, like any resource.
 */
export const readJobGraph = async (ctx: Context, query: GraphQuery, job: Place, wanted: Wanted): Promise<Graph | undefined> => {
  const flows = await findFlowsOf(ctx, job.id)
  if (!flows || flows.inputs.length === 0 || flows.outputs.length === 0) return undefined
  const { direction = 'BOTH', depth = 3, level = 'table', limit = 500 } = query
  const places = await findPlaces(ctx, [...new Set([...flows.inputs, ...flows.outputs])])
  const seen = (ids: readonly string[]) =>
    ids.filter((id) => {
      const place = places.get(id)
      return place?.visible && wants(wanted, place)
    })
  const sides = { up: seen(flows.inputs), down: seen(flows.outputs) }
  const asked = { up: direction === 'DOWNSTREAM' ? [] : sides.up, down: direction === 'UPSTREAM' ? [] : sides.down }
  const shown = [...new Set([...asked.up, ...asked.down])].slice(0, limit - 1)
  const isShown = new Set(shown)
  const [above, below, briefs] = await Promise.all([
    survey(ctx, shown, { level: 'table', way: 'up' }, wanted),
    survey(ctx, shown, { level: 'table', way: 'down' }, wanted),
    describeNodes(ctx, [job.id, ...shown]),
  ])
  const left = (ids: readonly string[]) => ids.filter((id) => !isShown.has(id)).length
  const nodes = [job.id, ...shown].flatMap((id): GraphNode[] => {
    const brief = briefs.get(id)
    if (!brief) return []
    if (id === job.id) return [{ ...brief, distance: 0, direction: null, more_upstream: left(sides.up), more_downstream: left(sides.down) }]
    const [up, down] = [asked.up.includes(id), asked.down.includes(id)]
    const side = up && down ? 'BOTH' : up ? 'UPSTREAM' : 'DOWNSTREAM'
    return [{ ...brief, distance: 1, direction: side, more_upstream: above.more.get(id) ?? 0, more_downstream: below.more.get(id) ?? 0 }]
  })
  const ends = new Set(nodes.map(({ id }) => id))
  const edges = [
    ...asked.up.map((id) => ({ from: id, to: job.id, ...PROOF })),
    ...asked.down.map((id) => ({ from: job.id, to: id, ...PROOF })),
  ].filter(({ from, to }) => ends.has(from) && ends.has(to))
  return {
    resource_id: job.id,
    direction,
    depth,
    level,
    nodes,
    edges,
    truncated: shown.length < new Set([...asked.up, ...asked.down]).size,
    totals: {
      nodes: nodes.length,
      edges: edges.length,
      hidden: 0,
      more: nodes.reduce((sum, { more_upstream, more_downstream }) => sum + more_upstream + more_downstream, 0),
    },
  }
}

const PROOF: Omit<GraphEdge, 'from' | 'to'> = { is_manual: false, is_derived: true, kinds: ['table'], queries: 1, indirect: false }

interface JobFlows {
  readonly inputs: readonly string[]
  readonly outputs: readonly string[]
}

const findFlowsOf = async (ctx: Context, job: string): Promise<JobFlows | undefined> => {
  const { rows } = await sql<JobFlows>`
    select f.flows -> 'inputs' as inputs, f.flows -> 'outputs' as outputs from openlineage_flows f where f.resource_id = ${job}
  `.execute(ctx.db, ctx.limits)
  return rows[0]
}
