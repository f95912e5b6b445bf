import type { Context } from '../context.ts'
import { editResources, type ResourceEdition } from '../resources/edit.ts'
import { flat } from '../resources/own-fields.ts'
import { holdRows, reportResources } from '../resources/report.ts'
import type { Fields } from './merge.ts'
import { mergeOffer, metadataOf } from './offer.ts'
import { findAllSpoken, type Spoken, takeOffers } from './offer-store.ts'

/**
 * Withdraws what a deleted source suggested for other sources' resources: unchanged values are replaced by what the other sources report, or
 * cleared; edits by users stay. Works in batches inside the caller's transaction and returns how many resources were affected.
 */
export const withdrawWords = async (ctx: Context, integration: { id: string; type: string }, most: number): Promise<number> => {
  const taken = await takeOffers(ctx.db, integration.id, most)
  if (taken.size === 0) return 0
  const rows = await holdRows(ctx, [...taken.keys()])
  const spoken = await findAllSpoken(ctx.db, [...rows.keys()])
  const edits: ResourceEdition[] = []
  const reports: Parameters<typeof reportResources>[1][number][] = []
  for (const [id, row] of rows) {
    const others = spoken.get(id) ?? []
    const said = taken.get(id)!
    const data = mergeOffer(flat(row) as Fields, said, leftOf(said, others))
    if (Object.keys(data).length > 0) edits.push({ id, data })
    const { [integration.type]: facts, ...rest } = metadataOf(row)
    if (facts !== undefined && !others.some(({ source }) => source === integration.type))
      reports.push({ id, reported: { display_metadata: rest } })
  }
  if (edits.length > 0) await editResources(ctx, edits)
  await reportResources(ctx, reports)
  return taken.size
}

/** What other sources report for the same fields. Of lists, only members this source suggested too: the others are not its own. */
const leftOf = ({ theirs: _, ...said }: Fields, others: readonly Spoken[]): Fields =>
  Object.fromEntries(
    Object.entries(said).map(([field, value]) => {
      const heard = others.map((other) => other.said[field]).filter((word) => word !== undefined && word !== null && word !== '')
      if (!Array.isArray(value)) return [field, heard[0] ?? null]
      const all = new Set(heard.flat())
      return [field, value.filter((each) => all.has(each))]
    }),
  )
