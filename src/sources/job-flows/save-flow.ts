import { saveDerivedEdges } from '../../lineage/edges/derived.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { findFlowTargets, flowEdges, hasNoFlows, isSameFlows, type JobFlows, NO_FLOWS } from './flows.ts'
import { deleteFlows, saveFlows } from './job-flow-rows.ts'
import { toFlowQuery } from './withdraw.ts'

export interface FlowUpdate {
  /** The resource that reports the flows. */
  readonly owner: string
  /** The same, if it is a job, which stands in for an end that is missing. */
  readonly job?: string
  readonly before?: JobFlows
  readonly after: JobFlows
  /** All other derived edges into the owner go as well. */
  readonly replace?: boolean
  /** Told apart by it: jobs of two integrations may have the same key and write the same table. */
  readonly integration?: string
}

/** Saves the flows that the resource with this key reports, and their edges, if they changed. */
export const saveFlow = async (
  ctx: Context,
  key: string,
  { owner, job, before = NO_FLOWS, after, replace = false, integration }: FlowUpdate,
): Promise<void> => {
  if (isSameFlows(before, after)) return
  await inTransaction(ctx, async (ctx) => {
    if (hasNoFlows(after)) await deleteFlows(ctx.db, [owner])
    else await saveFlows(ctx.db, new Map([[owner, after]]))
    const query = toFlowQuery(key, integration)
    if (!query) return
    await saveDerivedEdges(
      ctx,
      {
        query: { ...query, statements: [{ kind: 'job', start: 0, end: query.sql.length, job }] },
        targets: [...new Set([...findFlowTargets(before, job), ...findFlowTargets(after, job)])],
        edges: flowEdges(after, job, query.sql.length),
      },
      { replace: replace ? [owner] : [] },
    )
  })
}
