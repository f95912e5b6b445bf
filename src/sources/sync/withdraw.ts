import { flattenRow } from '../../catalog/records/type-fields.ts'
import { lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import { editResources, type ResourceEditRequest } from '../../catalog/resources/edit.ts'
import type { Context } from '../../platform/context/context.ts'
import { findAllSourceStatements, popFieldSuggestions, type SourceStatement } from './field-suggestion-store.ts'
import { findSecondarySource, mergeFieldSuggestion, removeFacts } from './field-suggestions.ts'
import type { Fields } from './merge.ts'

/**
 * Withdraws what a deleted source suggested for other sources' resources: unchanged values are replaced by what the other sources report, or
 * cleared; edits by users stay. Works in batches inside the caller's transaction and returns how many resources were affected.
 */
export const withdrawAllFieldSuggestions = async (
  ctx: Context,
  integration: { id: string; type: string },
  limit: number,
): Promise<number> => {
  const withdrawn = await popFieldSuggestions(ctx.db, integration.id, limit)
  if (withdrawn.size === 0) return 0
  const rows = await lockVisibleRows(ctx, [...withdrawn.keys()])
  const statements = await findAllSourceStatements(ctx.db, [...rows.keys()])
  const edits: ResourceEditRequest[] = []
  for (const [id, row] of rows) {
    const others = statements.get(id) ?? []
    const reported_values = withdrawn.get(id)!
    const data = mergeFieldSuggestion(flattenRow(row) as Fields, reported_values, findRemainingValues(reported_values, others))
    if (Object.keys(data).length > 0) edits.push({ id, data })
  }
  if (edits.length > 0) await editResources(ctx, edits)
  const source = findSecondarySource(integration.type)
  if (source) await removeFacts(ctx, integration.id, source, [...rows.values()])
  return withdrawn.size
}

/** What other sources report for the same fields. Of lists, only members this source suggested too: the others are not its own. */
const findRemainingValues = ({ theirs: _, ...reported_values }: Fields, others: readonly SourceStatement[]): Fields =>
  Object.fromEntries(
    Object.entries(reported_values).map(([field, value]) => {
      const reported = others
        .map((other) => other.reported_values[field])
        .filter((word) => word !== undefined && word !== null && word !== '')
      if (!Array.isArray(value)) return [field, reported[0] ?? null]
      const all = new Set(reported.flat())
      return [field, value.filter((each) => all.has(each))]
    }),
  )
