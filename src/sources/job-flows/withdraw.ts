import { saveDerivedEdges } from '../../lineage/edges/derived.ts'
import type { Context } from '../../platform/context/context.ts'
import { splitItemKey } from '../sync/item.ts'
import { findFlowTargets, toFlowEvidence } from './flows.ts'
import { popFlows } from './job-flow-rows.ts'

/** Deletes the flows of a deleted integration's jobs. Works in batches; returns how many jobs and runs were affected. */
export const withdrawFlows = async (ctx: Context, integration: string, limit: number): Promise<number> => {
  const withdrawn = await popFlows(ctx.db, integration, limit)
  for (const { resource_id, key, flows } of withdrawn) {
    const [first, kind, ...names] = splitItemKey(key) ?? []
    if (first !== '' || kind !== 'job') continue // flows of a run have already been merged into its job
    const [namespace = '', name = ''] = names
    const query = { sql: toFlowEvidence('job', { namespace, name }), dialect: 'openlineage', engine_version: 'openlineage', statements: [] }
    await saveDerivedEdges(ctx, { query, targets: findFlowTargets(flows, resource_id), edges: [] }, { replace: [] })
  }
  return withdrawn.length
}
