import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type Activity, recordActivities } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { type EdgeEnd, findManualEdgePairs, insertManualEdges, lockEdgeEnds, type ManualRow } from './edge-rows.ts'

/** The only writer of manual edges. Edges derived from queries (derived.ts) are in the same table. */

/** Data flows from `from_id` to `to_id`. */
export interface EdgePair {
  readonly from_id: string
  readonly to_id: string
}

export interface ManualEdge extends ManualRow {
  /** It did not exist before. */
  readonly created: boolean
}

/**
 * Adds any number of edges in a few statements; a duplicate pair is the same edge. Returns edges in the order of the pairs. An endpoint that
 * does not exist, or that the actor may not see, is reported under the field name the caller uses for it.
 */
export const addManualEdges = (
  ctx: Context,
  pairs: readonly EdgePair[],
  names: { readonly from: string; readonly to: string } = { from: 'from_entity', to: 'to_entity' },
): Promise<ManualEdge[]> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    if (pairs.length === 0) return []
    const ends = await lockEdgeEnds(ctx.db, ctx.actor, [...new Set(pairs.flatMap(({ from_id, to_id }) => [from_id, to_id]))])
    for (const { from_id, to_id } of pairs) {
      if (!ends.has(from_id)) throw invalid({ [names.from]: [`Resource ${from_id} was not found.`] })
      if (!ends.has(to_id)) throw invalid({ [names.to]: [`Resource ${to_id} was not found.`] })
      if (from_id === to_id)
        throw invalid({ [names.to]: [translatable('A resource cannot be its own source. Choose two different resources.')] })
    }
    const requested = new Map(pairs.map(({ from_id, to_id }) => [joinKey(from_id, to_id), { upstream: from_id, downstream: to_id }]))
    const created = await insertManualEdges(
      ctx,
      [...requested.values()].map((pair) => ({ id: newId(), mirror_id: newId(), ...pair })),
    )
    const rows = await findManualEdgePairs(ctx.db, [...requested.values()])
    await recordActivities(
      ctx,
      rows.filter(({ id }) => created.has(id)).flatMap((edge) => manualEdgeActivities('lineage_created', edge, ends)),
    )
    const found = new Map(rows.map((row) => [joinKey(row.upstream, row.downstream), { ...row, created: created.has(row.id) }]))
    return pairs.map(({ from_id, to_id }) => found.get(joinKey(from_id, to_id))!)
  })

/** The pairs that have no manual edge yet, without duplicates. */
export const findNewPairs = async (ctx: Context, pairs: readonly EdgePair[]): Promise<EdgePair[]> => {
  const missing = new Map(pairs.map((pair) => [joinKey(pair.from_id, pair.to_id), pair]))
  const existingPairs = await findManualEdgePairs(
    ctx.db,
    pairs.map(({ from_id, to_id }) => ({ upstream: from_id, downstream: to_id })),
  )
  for (const { upstream, downstream } of existingPairs) missing.delete(joinKey(upstream, downstream))
  return [...missing.values()]
}

export const joinKey = (...parts: readonly (string | number)[]): string => parts.join(' ')

/** One activity for each endpoint, so that both logs show the edge. The second is a child of the first. */
export const manualEdgeActivities = (
  activity_type: 'lineage_created' | 'lineage_deleted',
  { upstream, downstream }: Pick<ManualRow, 'upstream' | 'downstream'>,
  ends: ReadonlyMap<string, EdgeEnd>,
): Activity[] => {
  const [from, to] = [ends.get(upstream)!, ends.get(downstream)!]
  const id = newId()
  const flow = (end: EdgeEnd, other: EdgeEnd, field: string) => ({
    ...toActivityResource(end),
    activity_type,
    related_resource_ids: [other.id],
    related_resource_type: other.entity_type,
    changes: [activity_type === 'lineage_created' ? { field, from: null, to: [other.id] } : { field, from: [other.id], to: null }],
  })
  return [
    { id, ...flow(from, to, 'downstream') },
    { parent_id: id, ...flow(to, from, 'upstream') },
  ]
}

/** The resource fields of an activity. */
export const toActivityResource = ({ id, entity_type, title, icon, integration }: EdgeEnd) => ({
  resource_id: id,
  resource_type: entity_type,
  resource_title: title,
  resource_icon: icon,
  integration_id: integration,
})
