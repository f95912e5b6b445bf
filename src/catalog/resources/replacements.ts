import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { ResourceRow } from '../records/record.ts'
import { findResourceRows } from '../records/resource-rows.ts'

/** The replacement of a deprecated resource is another one that the writer can see. One that was set before may have been deleted since. */
export const requireReplacements = async (
  ctx: Context,
  edits: readonly { readonly before?: ResourceRow; readonly after: ResourceRow }[],
): Promise<void> => {
  const newReplacements = edits.flatMap(({ before, after: { id, deprecation } }) => {
    const replacement = deprecation?.replacement_id ?? null
    return replacement === null || replacement === before?.deprecation?.replacement_id ? [] : [{ id, replacement }]
  })
  if (newReplacements.length === 0) return
  if (newReplacements.some(({ id, replacement }) => id === replacement))
    throw invalid({ 'deprecation.replacement_id': [translatable('A resource cannot replace itself.')] })
  const found = await findResourceRows(ctx.db, ctx.actor, [...new Set(newReplacements.map(({ replacement }) => replacement))])
  const missing = newReplacements.find(({ replacement }) => !found.has(replacement))
  if (missing) throw invalid({ 'deprecation.replacement_id': [translatable('Resource {id} does not exist.', { id: missing.replacement })] })
}
