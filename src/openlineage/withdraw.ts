import type { Context } from '../context.ts'
import { putDerivedEdges } from '../lineage/derived.ts'
import { partsOf } from '../sync/item.ts'
import { proofOf, targetsOf } from './flows.ts'
import { takeFlows } from './store.ts'

/** An integration that is deleted takes what flowed through its jobs with it. Some at a time; answers with how many jobs and runs there were. */
export const withdrawFlows = async (ctx: Context, integration: string, most: number): Promise<number> => {
  const taken = await takeFlows(ctx.db, integration, most)
  for (const { resource_id, key, flows } of taken) {
    const [first, kind, ...names] = partsOf(key) ?? []
    if (first !== '' || kind !== 'job') continue // a run: what it told so far is its job's
    const [namespace = '', name = ''] = names
    const query = { sql: proofOf('job', { namespace, name }), dialect: 'openlineage', engine_version: 'openlineage', statements: [] }
    await putDerivedEdges(ctx, { query, targets: targetsOf(flows, resource_id), edges: [] }, { replace: [] })
  }
  return taken.length
}
