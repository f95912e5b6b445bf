import { type DerivedChange, saveAllDerivedEdges } from '../../lineage/edges/derived.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { toBatches } from './batches.ts'
import { findFlowTargets, flowEdges, hasNoFlows, isSameFlows, type JobFlows, NO_FLOWS } from './flows.ts'
import { deleteFlows, saveFlows } from './job-flow-rows.ts'
import { type FlowQuery, toFlowQuery } from './withdraw.ts'

export interface FlowUpdate {
  /** Of the resource that reports the flows. */
  readonly key: string
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

/** Saves the flows that resources report, and their edges, where they changed. */
export const saveAllFlows = async (ctx: Context, updates: readonly FlowUpdate[]): Promise<void> => {
  const changed = updates.filter(({ before = NO_FLOWS, after }) => !isSameFlows(before, after))
  for (const batch of toBatches(changed, ({ after }) => after)) await saveChangedFlows(ctx, batch)
}

export const saveFlow = (ctx: Context, update: FlowUpdate): Promise<void> => saveAllFlows(ctx, [update])

const saveChangedFlows = (ctx: Context, updates: readonly FlowUpdate[]): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const [empty, others] = [true, false].map((isEmpty) => updates.filter(({ after }) => hasNoFlows(after) === isEmpty))
    await deleteFlows(
      ctx.db,
      empty!.map(({ owner }) => owner),
    )
    await saveFlows(ctx.db, new Map(others!.map(({ owner, after }) => [owner, after])))
    const changes = updates.flatMap(({ key, owner, before = NO_FLOWS, after, job, replace, integration }) => {
      const query = toFlowQuery(key, integration)
      return query ? toEdgeChange(query, { before, after, job }, { replace: replace ? [owner] : [] }) : []
    })
    await saveAllDerivedEdges(ctx, changes)
  })

interface FlowChange {
  readonly before: JobFlows
  readonly after: JobFlows
  readonly job?: string | undefined
}

/** Edges that have this evidence, instead of those they had before. */
export const toEdgeChange = (
  query: FlowQuery,
  { before, after, job }: FlowChange,
  { replace = [], instead_of = [] }: { readonly replace?: readonly string[]; readonly instead_of?: readonly string[] } = {},
): DerivedChange => ({
  lineage: {
    query: { ...query, statements: [{ kind: 'job', start: 0, end: query.sql.length, job }] },
    targets: [...new Set([...findFlowTargets(before, job), ...findFlowTargets(after, job)])],
    edges: flowEdges(after, job, query.sql.length),
  },
  replace,
  instead_of,
})
