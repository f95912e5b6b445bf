import type { Context } from '../../platform/context/context.ts'
import { isSameValue } from '../../platform/core/same-value.ts'
import { findSuggestingItems, type SuggestedBy, type SuggestingItems, saveSuggestingItems } from './field-suggestion-store.ts'
import { type SecondarySource, withdrawFieldSuggestions } from './field-suggestions.ts'

/** An item of a connector that describes a resource of another source. */
export interface SuggestingItem {
  readonly key: string
  readonly entity_type: string
}

/** What a connector reported of other sources' resources. */
export interface Listing {
  /** What was listed, by the ID of the resource it describes. */
  readonly described: ReadonlyMap<string, readonly SuggestingItem[]>
  /** Whether what an item described stays, although it was not listed. */
  readonly isKept: (item: SuggestingItem) => boolean
  /** Nothing was left out: then, suggestions whose items are not known are withdrawn, too. */
  readonly complete: boolean
}

const BATCH_SIZE = 5000
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000'

/**
 * Withdraws what no item suggests any more. A listing may be incomplete, so each suggestion has the items it comes from: it is withdrawn when none of
 * them was listed and none of them is kept.
 */
export const withdrawSuggestionsOfItems = async (
  ctx: Context,
  integration: string,
  source: SecondarySource,
  { described, isKept, complete }: Listing,
): Promise<void> => {
  const keptIds: string[] = []
  for (let after = BEFORE_ALL; ; ) {
    const page = await findSuggestingItems(ctx.db, integration, after, BATCH_SIZE)
    if (page.length === 0) break
    after = page.at(-1)!.resource_id
    const changed: SuggestedBy[] = []
    for (const { resource_id, items } of page) {
      const now = mergeItems(items ?? {}, described.get(resource_id) ?? [], isKept)
      const isNone = Object.keys(now).length === 0
      if (isNone && (items !== null || complete)) continue
      keptIds.push(resource_id)
      if (!isNone && !isSameValue(now, items)) changed.push({ resource_id, items: now })
    }
    if (changed.length > 0) await saveSuggestingItems(ctx.db, integration, changed)
  }
  await withdrawFieldSuggestions(ctx, integration, source, keptIds)
}

/** The items a suggestion comes from: those that were listed, and the earlier ones that are kept. Pure. */
const mergeItems = (before: SuggestingItems, listed: readonly SuggestingItem[], isKept: Listing['isKept']): SuggestingItems => ({
  ...Object.fromEntries(Object.entries(before).filter(([key, entity_type]) => isKept({ key, entity_type }))),
  ...Object.fromEntries(listed.map(({ key, entity_type }) => [key, entity_type])),
})
