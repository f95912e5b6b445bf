import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import { recordActivities } from '../../platform/history/record.ts'
import { deleteManualEdge, findManualEdge, lockEdgeEnds, type ManualRow } from './edge-rows.ts'
import { addManualEdges, manualEdgeActivities } from './edges.ts'
import type { LineageCreate, LineageEntry } from './schema.ts'

/** Manual lineage. An edge has two entries, one for each direction, which are created and deleted together. */

export const createLineageEntry = async (ctx: Context, { from_entity, to_entity, direction }: LineageCreate): Promise<LineageEntry> => {
  const [from, to] = [parseId(from_entity)!, parseId(to_entity)!]
  return inTransaction(ctx, async (ctx) => {
    const [edge] =
      direction === 'DOWNSTREAM'
        ? await addManualEdges(ctx, [{ from_id: from, to_id: to }])
        : await addManualEdges(ctx, [{ from_id: to, to_id: from }], { from: 'to_entity', to: 'from_entity' })
    return toLineageEntry(edge!, direction)
  })
}

export const getLineageEntry = async (ctx: Context, id: string): Promise<LineageEntry> => {
  const edge = await findManualEdge(ctx.db, ctx.actor, id)
  if (!edge) throw notFound('lineage entry', id)
  return toLineageEntry(edge, edge.id === id ? 'DOWNSTREAM' : 'UPSTREAM')
}

export const deleteLineageEntry = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const edge = await findManualEdge(ctx.db, ctx.actor, id)
    if (!edge) throw notFound('lineage entry', id)
    requireIfMatch(ctx, computeEtag(edge))
    const ends = await lockEdgeEnds(ctx.db, ctx.actor, [edge.upstream, edge.downstream])
    // Another request may have deleted it in the meantime.
    if (ends.size < 2 || !(await deleteManualEdge(ctx.db, edge.id))) throw notFound('lineage entry', id)
    await recordActivities(ctx, manualEdgeActivities('lineage_deleted', edge, ends))
  })

export const toLineageEntry = (edge: ManualRow, direction: LineageEntry['direction']): LineageEntry => {
  const down = direction === 'DOWNSTREAM'
  return {
    id: down ? edge.id : edge.mirror_id,
    created_at: edge.created_at,
    updated_at: edge.updated_at,
    from_entity: down ? edge.upstream : edge.downstream,
    to_entity: down ? edge.downstream : edge.upstream,
    direction,
    is_manual: true,
  }
}
