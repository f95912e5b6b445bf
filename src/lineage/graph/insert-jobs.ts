import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { Graph, GraphEdge, GraphNode, NodeBrief } from './graph-schema.ts'
import { toGraphNodes } from './nodes.ts'

/** A job that moves data between two nodes. */
interface JobLink {
  readonly from: string
  readonly to: string
  readonly job: string
}

/** Adds the jobs between the nodes of a graph, if the caller sees them and as far as the limit allows. */
export const insertJobs = async (ctx: Context, graph: Graph, limit: number): Promise<Graph> => {
  const links = await findJobLinks(ctx, graph.edges.filter(isReplaceable))
  const jobs = [...new Set(links.map(({ job }) => job))]
  const known = new Set(graph.nodes.map(({ id }) => id))
  const added = jobs.filter((id) => !known.has(id)).slice(0, Math.max(0, limit - graph.nodes.length))
  return addJobNodes(graph, links, await toGraphNodes(ctx, added), jobs.length > added.length + jobs.filter((id) => known.has(id)).length)
}

const isReplaceable = ({ from, to, is_derived, indirect }: GraphEdge): boolean =>
  is_derived && !indirect && !from.startsWith('hidden-') && !to.startsWith('hidden-')

const findJobLinks = async (ctx: Context, edges: readonly GraphEdge[]): Promise<readonly JobLink[]> => {
  if (edges.length === 0) return []
  const ends = JSON.stringify(edges.map(({ from, to }) => ({ from, to })))
  const { rows } = await sql<JobLink>`
    select distinct p.from, p.to, r.id as job
    from json_to_recordset(${ends}::text::json) as p("from" uuid, "to" uuid)
    cross join lateral (
      select e.query from lineage_edges e
      where e.upstream = p.from and e.downstream = p.to and e.kind = 'table' and e.query is not null offset 0
    ) e
    cross join lateral (select (q.statements -> 0 ->> 'job')::uuid as job from lineage_queries q where q.id = e.query offset 0) q
    cross join lateral (select r.id from resources r where r.id = q.job and ${visibleTo(ctx.actor)} offset 0) r
    where r.id not in (p.from, p.to)
    order by 1, 2, 3
  `.execute(ctx.db, ctx.limits)
  return rows
}

/** Replaces edges that a job causes with edges to and from the job. Edges added manually stay. Pure. */
const addJobNodes = (graph: Graph, links: readonly JobLink[], briefs: ReadonlyMap<string, NodeBrief>, cut: boolean): Graph => {
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]))
  const edges = new Map(graph.edges.map((edge) => [`${edge.from} ${edge.to}`, edge]))
  const add = (from: string, to: string): void => {
    if (!edges.has(`${from} ${to}`)) edges.set(`${from} ${to}`, { from, to, ...JOB_EDGE })
  }
  for (const { from, to, job } of links) {
    const brief = briefs.get(job)
    const [start, end] = [nodes.get(from), nodes.get(to)]
    if (!start || !end || (!brief && !nodes.has(job))) continue
    if (brief && !nodes.has(job)) nodes.set(job, toJobNode(brief, start, end))
    const direct = edges.get(`${from} ${to}`)
    if (direct?.is_manual) edges.set(`${from} ${to}`, { ...direct, is_derived: false, kinds: [], queries: 0 })
    else edges.delete(`${from} ${to}`)
    add(from, job)
    add(job, to)
  }
  const all = [...nodes.values()].sort((one, two) => one.distance - two.distance)
  return {
    ...graph,
    nodes: all,
    edges: [...edges.values()],
    truncated: graph.truncated || cut,
    totals: { ...graph.totals, nodes: all.length, edges: edges.size },
  }
}

/** It stands before the one of its two ends that is farther from the start. */
const toJobNode = (brief: NodeBrief, from: GraphNode, to: GraphNode): GraphNode => {
  const { distance, direction } = from.distance > to.distance ? from : to
  return { ...brief, distance, direction, more_upstream: 0, more_downstream: 0 }
}

export const JOB_EDGE: Omit<GraphEdge, 'from' | 'to'> = {
  is_manual: false,
  is_derived: true,
  kinds: ['table'],
  queries: 1,
  indirect: false,
}
