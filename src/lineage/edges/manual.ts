import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import { recordActivities } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { deleteManualEdgeRows, findManualEdges, lockEdgeEnds, type ManualRow } from './edge-rows.ts'
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
  const [edge] = await findManualEdges(ctx.db, ctx.actor, [id])
  if (!edge) throw notFound('lineage entry', id)
  return toLineageEntry(edge, edge.id === id ? 'DOWNSTREAM' : 'UPSTREAM')
}

export const deleteLineageEntry = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const [edge] = await findManualEdges(ctx.db, ctx.actor, [id])
    if (!edge) throw notFound('lineage entry', id)
    requireIfMatch(ctx, computeEtag(edge))
    if ((await deleteEdges(ctx, [edge])) === 0) throw notFound('lineage entry', id)
  })

/** Deletes those of these entries that the actor sees. Returns how many edges were deleted. */
export const deleteManualEdges = (ctx: Context, ids: readonly string[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    return deleteEdges(ctx, await findManualEdges(ctx.db, ctx.actor, ids))
  })

const deleteEdges = async (ctx: Context, edges: readonly ManualRow[]): Promise<number> => {
  const ends = await lockEdgeEnds(ctx.db, ctx.actor, [...new Set(edges.flatMap(({ upstream, downstream }) => [upstream, downstream]))])
  // Another request may have deleted a resource or an edge in the meantime.
  const complete = edges.filter(({ upstream, downstream }) => ends.has(upstream) && ends.has(downstream))
  const deleted = await deleteManualEdgeRows(
    ctx.db,
    complete.map(({ id }) => id),
  )
  await recordActivities(
    ctx,
    complete.filter(({ id }) => deleted.has(id)).flatMap((edge) => manualEdgeActivities('lineage_deleted', edge, ends)),
  )
  return deleted.size
}

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
