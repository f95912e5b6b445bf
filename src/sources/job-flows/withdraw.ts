import { saveDerivedEdges } from '../../lineage/edges/derived.ts'
import type { Context } from '../../platform/context/context.ts'
import { splitItemKey } from '../sync/item.ts'
import { findFlowTargets, type JobFlows, toFlowEvidence } from './flows.ts'
import { popFlows, popFlowsOf, type StoredFlows } from './job-flow-rows.ts'

/** Deletes the flows of a deleted integration's jobs. Works in batches; returns how many jobs and runs were affected. */
export const withdrawFlows = async (ctx: Context, integration: string, limit: number): Promise<number> => {
  const withdrawn = await popFlows(ctx.db, integration, limit)
  for (const each of withdrawn) await withdrawEdgesOf(ctx, integration, each)
  return withdrawn.length
}

/** Deletes the flows of jobs that are about to be deleted: those between tables of other integrations would stay. */
export const withdrawFlowsOf = async (ctx: Context, integration: string, ids: readonly string[]): Promise<void> => {
  for (const each of await popFlowsOf(ctx.db, integration, ids)) await withdrawEdgesOf(ctx, integration, each)
}

const withdrawEdgesOf = async (ctx: Context, integration: string, { resource_id, key, flows }: StoredFlows): Promise<void> => {
  const query = toFlowQuery(key, flows.pairs ? integration : undefined)
  if (query) await withdrawFlowEdges(ctx, query, flows, resource_id) // flows of a run have already been merged into its job
}

/** Deletes the edges that have this evidence. */
const withdrawFlowEdges = async (ctx: Context, query: FlowQuery, flows: JobFlows, job?: string): Promise<void> => {
  const lineage = { query: { ...query, statements: [] }, targets: findFlowTargets(flows, job), edges: [] }
  await saveDerivedEdges(ctx, lineage, { replace: [] })
}

export interface FlowQuery {
  readonly sql: string
  readonly dialect: string
  readonly engine_version: string
}

/** What stands in place of a query as the evidence of these flows, by the key of the job or entity that reported them. */
export const toFlowQuery = (key: string, integration?: string): FlowQuery | undefined => {
  // A key that was shortened has no parts: what it begins with is enough for those without names.
  const [first = '', kind, ...names] = splitItemKey(key) ?? [key.startsWith('.') ? '' : key]
  const of = integration ? `${integration} ` : ''
  if (first.startsWith('urn:li:')) return { sql: `datahub ${of}${first}`, dialect: 'datahub', engine_version: 'datahub' }
  if (first !== '') return { sql: `connector ${of}${key}`, dialect: 'connector', engine_version: 'connector' }
  if (kind === 'dbt job') return { sql: `dbt ${integration ?? ''} ${names[0] ?? ''}`, dialect: 'dbt_job', engine_version: 'dbt_job' }
  if (kind !== 'job') return undefined
  const [namespace = '', name = ''] = names
  return { sql: toFlowEvidence('job', { namespace, name }), dialect: 'openlineage', engine_version: 'openlineage' }
}
