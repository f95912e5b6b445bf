import { type Context, inTransaction, mustMatch } from '../context.ts'
import { notFound } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { recordActivities } from '../history/record.ts'
import { readId } from '../id.ts'
import { addManualEdges, stated } from './edges.ts'
import type { LineageCreate, LineageEntry } from './schema.ts'
import { findManual, lockEnds, type ManualRow, removeManual } from './store.ts'

/** Manual lineage. An edge has two entries, one for each direction, which are created and deleted together. */

export const createEntry = async (ctx: Context, { from_entity, to_entity, direction }: LineageCreate): Promise<LineageEntry> => {
  const [from, to] = [readId(from_entity)!, readId(to_entity)!]
  return inTransaction(ctx, async (ctx) => {
    const [edge] =
      direction === 'DOWNSTREAM'
        ? await addManualEdges(ctx, [{ from_id: from, to_id: to }])
        : await addManualEdges(ctx, [{ from_id: to, to_id: from }], { from: 'to_entity', to: 'from_entity' })
    return toEntry(edge!, direction)
  })
}

export const readEntry = async (ctx: Context, id: string): Promise<LineageEntry> => {
  const edge = await findManual(ctx.db, ctx.actor, id)
  if (!edge) throw notFound('lineage entry', id)
  return toEntry(edge, edge.id === id ? 'DOWNSTREAM' : 'UPSTREAM')
}

export const removeEntry = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const edge = await findManual(ctx.db, ctx.actor, id)
    if (!edge) throw notFound('lineage entry', id)
    mustMatch(ctx, etagOf(edge))
    const ends = await lockEnds(ctx.db, ctx.actor, [edge.upstream, edge.downstream])
    // Another request may have deleted it in the meantime.
    if (ends.size < 2 || !(await removeManual(ctx.db, edge.id))) throw notFound('lineage entry', id)
    await recordActivities(ctx, stated('lineage_deleted', edge, ends))
  })

export const toEntry = (edge: ManualRow, direction: LineageEntry['direction']): LineageEntry => {
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
