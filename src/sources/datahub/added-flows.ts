import { type DerivedChange, queryHash, saveAllDerivedEdges } from '../../lineage/edges/derived.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { toBatches } from '../job-flows/batches.ts'
import { isSameFlows, NO_FLOWS } from '../job-flows/flows.ts'
import { toEdgeChange } from '../job-flows/save-flow.ts'
import { toFlowQuery } from '../job-flows/withdraw.ts'
import { type AddedFlow, deleteAddedFlows, findSharedEvidence, popAddedFlows, saveAddedFlowRows } from './added-flow-rows.ts'

/**
 * Lineage that a pipeline reports for a resource of another integration. That integration and other pipelines may report lineage of the same
 * resource, so each pipeline has its own record and its own evidence.
 */
export interface AddedFlowUpdate {
  readonly before?: AddedFlow | undefined
  /** Undefined: it is no longer reported. */
  readonly after?: AddedFlow | undefined
}

/** Writes what changed. */
export const saveAddedFlows = async (ctx: Context, integration: string, updates: readonly AddedFlowUpdate[]): Promise<void> => {
  const shared = await findSharedEvidence(
    ctx.db,
    updates.flatMap(({ after }) => {
      if (!after) return []
      const query = toFlowQuery(after.key)
      return query ? [{ key: after.key, resource_id: after.resource_id, hash: queryHash(query.sql) }] : []
    }),
  )
  const changed = updates.filter((update) => !isSame(update) || (update.after && shared.has(update.after.key)))
  for (const batch of toBatches(changed, ({ after }) => after?.flows ?? NO_FLOWS)) await saveBatch(ctx, integration, batch, shared)
}

const isSame = ({ before, after }: AddedFlowUpdate): boolean =>
  before?.resource_id === after?.resource_id && isSameFlows(before?.flows ?? NO_FLOWS, after?.flows ?? NO_FLOWS)

/** `shared`: evidence of earlier versions, which did not tell pipelines apart, by key. A process of one may still run during an upgrade. */
const saveBatch = (
  ctx: Context,
  integration: string,
  updates: readonly AddedFlowUpdate[],
  shared: ReadonlyMap<string, string>,
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const sync_id = ctx.part_of?.type === 'sync' ? ctx.part_of.id : null
    await deleteAddedFlows(
      ctx.db,
      integration,
      updates.flatMap(({ before, after }) => (before && !after ? [before.key] : [])),
    )
    await saveAddedFlowRows(
      ctx.db,
      integration,
      sync_id,
      updates.flatMap(({ after }) => after ?? []),
    )
    await saveAllDerivedEdges(
      ctx,
      updates.flatMap((update) => toEdgeChanges(integration, update, shared)),
    )
  })

const toEdgeChanges = (
  integration: string,
  { before, after }: AddedFlowUpdate,
  shared: ReadonlyMap<string, string> = new Map(),
): DerivedChange[] => {
  const query = toFlowQuery((after ?? before)!.key, integration)
  if (!query) return []
  const flows = { before: before?.flows ?? NO_FLOWS, after: after?.flows ?? NO_FLOWS }
  const former = after && shared.get(after.key)
  return [toEdgeChange(query, flows, { instead_of: former ? [former] : [] })]
}

/** Withdraws a batch, of a deleted integration or of an undone sync. Returns how many there were. */
export const withdrawAddedFlows = (ctx: Context, integration: string, limit: number, sync_id?: string): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const withdrawn = await popAddedFlows(ctx.db, integration, limit, sync_id)
    await saveAllDerivedEdges(
      ctx,
      withdrawn.flatMap((before) => toEdgeChanges(integration, { before })),
    )
    return withdrawn.length
  })
