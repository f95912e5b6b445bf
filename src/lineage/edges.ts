import { mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { invalid } from '../errors.ts'
import { type Activity, recordActivities } from '../history/record.ts'
import { newId } from '../id.ts'
import { type End, findManualPairs, insertManual, lockEnds, type ManualRow } from './store.ts'

/** The only writer of manual edges. Edges derived from queries (derived.ts) are in the same table. */

/** Data flows from `from_id` to `to_id`. */
export interface Pair {
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
  pairs: readonly Pair[],
  names: { readonly from: string; readonly to: string } = { from: 'from_entity', to: 'to_entity' },
): Promise<ManualEdge[]> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'catalog.write')
    if (pairs.length === 0) return []
    const ends = await lockEnds(ctx.db, ctx.actor, [...new Set(pairs.flatMap(({ from_id, to_id }) => [from_id, to_id]))])
    for (const { from_id, to_id } of pairs) {
      if (!ends.has(from_id)) throw invalid({ [names.from]: [`Resource ${from_id} was not found.`] })
      if (!ends.has(to_id)) throw invalid({ [names.to]: [`Resource ${to_id} was not found.`] })
      if (from_id === to_id) throw invalid({ [names.to]: ['A resource cannot be its own source. Choose two different resources.'] })
    }
    const wanted = new Map(pairs.map(({ from_id, to_id }) => [keyOf(from_id, to_id), { upstream: from_id, downstream: to_id }]))
    const created = await insertManual(
      ctx,
      [...wanted.values()].map((pair) => ({ id: newId(), mirror_id: newId(), ...pair })),
    )
    const rows = await findManualPairs(ctx.db, [...wanted.values()])
    await recordActivities(
      ctx,
      rows.filter(({ id }) => created.has(id)).flatMap((edge) => stated('lineage_created', edge, ends)),
    )
    const found = new Map(rows.map((row) => [keyOf(row.upstream, row.downstream), { ...row, created: created.has(row.id) }]))
    return pairs.map(({ from_id, to_id }) => found.get(keyOf(from_id, to_id))!)
  })

/** The pairs that have no manual edge yet, without duplicates. */
export const findNewPairs = async (ctx: Context, pairs: readonly Pair[]): Promise<Pair[]> => {
  const wanted = new Map(pairs.map((pair) => [keyOf(pair.from_id, pair.to_id), pair]))
  const known = await findManualPairs(
    ctx.db,
    pairs.map(({ from_id, to_id }) => ({ upstream: from_id, downstream: to_id })),
  )
  for (const { upstream, downstream } of known) wanted.delete(keyOf(upstream, downstream))
  return [...wanted.values()]
}

export const keyOf = (...parts: readonly (string | number)[]): string => parts.join(' ')

/** One activity for each endpoint, so that both logs show the edge. The second is a child of the first. */
export const stated = (
  activity_type: 'lineage_created' | 'lineage_deleted',
  { upstream, downstream }: Pick<ManualRow, 'upstream' | 'downstream'>,
  ends: ReadonlyMap<string, End>,
): Activity[] => {
  const [from, to] = [ends.get(upstream)!, ends.get(downstream)!]
  const id = newId()
  const flow = (end: End, other: End, field: string) => ({
    ...about(end),
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
export const about = ({ id, entity_type, title, icon, integration }: End) => ({
  resource_id: id,
  resource_type: entity_type,
  resource_title: title,
  resource_icon: icon,
  integration_id: integration,
})
