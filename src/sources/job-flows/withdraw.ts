import { saveDerivedEdges } from '../../lineage/edges/derived.ts'
import type { Context } from '../../platform/context/context.ts'
import { splitItemKey } from '../sync/item.ts'
import { findFlowTargets, toFlowEvidence } from './flows.ts'
import { popFlows } from './job-flow-rows.ts'

/** Deletes the flows of a deleted integration's jobs. Works in batches; returns how many jobs and runs were affected. */
export const withdrawFlows = async (ctx: Context, integration: string, limit: number): Promise<number> => {
  const withdrawn = await popFlows(ctx.db, integration, limit)
  for (const { resource_id, key, flows } of withdrawn) {
    const query = toFlowQuery(key, flows.pairs ? integration : undefined)
    if (!query) continue // flows of a run have already been merged into its job
    const lineage = { query: { ...query, statements: [] }, targets: findFlowTargets(flows, resource_id), edges: [] }
    await saveDerivedEdges(ctx, lineage, { replace: [] })
  }
  return withdrawn.length
}

/** What stands in place of a query as the evidence of these flows, by the key of the job or entity that reported them. */
export const toFlowQuery = (key: string, integration?: string): { sql: string; dialect: string; engine_version: string } | undefined => {
  const [first = '', kind, ...names] = splitItemKey(key) ?? []
  if (first.startsWith('urn:li:')) return { sql: `datahub ${first}`, dialect: 'datahub', engine_version: 'datahub' }
  if (first !== '')
    return { sql: `connector ${integration ? `${integration} ` : ''}${key}`, dialect: 'connector', engine_version: 'connector' }
  if (kind === 'dbt job') return { sql: `dbt ${integration ?? ''} ${names[0] ?? ''}`, dialect: 'dbt_job', engine_version: 'dbt_job' }
  if (kind !== 'job') return undefined
  const [namespace = '', name = ''] = names
  return { sql: toFlowEvidence('job', { namespace, name }), dialect: 'openlineage', engine_version: 'openlineage' }
}
