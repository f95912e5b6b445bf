import type { Context } from '../context.ts'
import { putDerivedEdges } from '../lineage/derived.ts'
import { partsOf } from '../sync/item.ts'
import { proofOf, targetsOf } from './flows.ts'
import { takeFlows } from './store.ts'

/** Deletes the flows of a deleted integration's jobs. Works in batches; returns how many jobs and runs were affected. */
export const withdrawFlows = async (ctx: Context, integration: string, most: number): Promise<number> => {
  const taken = await takeFlows(ctx.db, integration, most)
  for (const { resource_id, key, flows } of taken) {
    const [first, kind, ...names] = partsOf(key) ?? []
    if (first !== '' || kind !== 'job') continue // flows of a run have already been merged into its job
    const [namespace = '', name = ''] = names
    const query = { sql: proofOf('job', { namespace, name }), dialect: 'openlineage', engine_version: 'openlineage', statements: [] }
    await putDerivedEdges(ctx, { query, targets: targetsOf(flows, resource_id), edges: [] }, { replace: [] })
  }
  return taken.length
}
