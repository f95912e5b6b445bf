import { queryHash, saveAllDerivedEdges } from '../../lineage/edges/derived.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { isSameFlows, type JobFlows, NO_FLOWS } from '../job-flows/flows.ts'
import { toEdgeChange } from '../job-flows/save-flow.ts'
import { toFlowQuery, withdrawFlowEdges } from '../job-flows/withdraw.ts'
import { type AddedFlow, deleteAddedFlow, popAddedFlows, saveAddedFlowRow } from './added-flow-rows.ts'

/**
 * Lineage that a pipeline reports for a resource of another integration. That integration and other pipelines may report lineage of the same
 * resource, so each pipeline has its own record and its own evidence.
 */
export const saveAddedFlow = async (ctx: Context, integration: string, before: AddedFlow | undefined, after: AddedFlow): Promise<void> => {
  const isSameOwner = before?.resource_id === after.resource_id
  if (before && isSameOwner && isSameFlows(before.flows, after.flows)) return
  const query = toFlowQuery(after.key, integration)
  if (!query) return
  await inTransaction(ctx, async (ctx) => {
    if (before && !isSameOwner) await withdrawFlowEdges(ctx, query, before.flows)
    const sync_id = ctx.part_of?.type === 'sync' ? ctx.part_of.id : null
    await saveAddedFlowRow(ctx.db, integration, sync_id, after)
    const flows = { before: isSameOwner ? before.flows : NO_FLOWS, after: after.flows }
    // Earlier versions did not tell pipelines apart.
    await saveAllDerivedEdges(ctx, [toEdgeChange(query, flows, { instead_of: before ? [] : [queryHash(toFlowQuery(after.key)!.sql)] })])
  })
}

export const withdrawAddedFlow = (ctx: Context, integration: string, { key, flows }: AddedFlow): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await deleteAddedFlow(ctx.db, integration, key)
    await withdrawEdges(ctx, integration, key, flows)
  })

/** Withdraws a batch, of a deleted integration or of an undone sync. Returns how many there were. */
export const withdrawAddedFlows = (ctx: Context, integration: string, limit: number, sync_id?: string): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const withdrawn = await popAddedFlows(ctx.db, integration, limit, sync_id)
    for (const { key, flows } of withdrawn) await withdrawEdges(ctx, integration, key, flows)
    return withdrawn.length
  })

const withdrawEdges = async (ctx: Context, integration: string, key: string, flows: JobFlows): Promise<void> => {
  const query = toFlowQuery(key, integration)
  if (query) await withdrawFlowEdges(ctx, query, flows)
}
