import { flattenRow, typeFieldNames } from '../../catalog/records/type-fields.ts'
import { findVisibleRows } from '../../catalog/records/visible-rows.ts'
import { editResources } from '../../catalog/resources/edit.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { isSameValue } from '../../platform/core/same-value.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findSourceStatements } from './field-suggestion-store.ts'
import { type Fields, isSourceValue } from './merge.ts'
import type { Provenance } from './schema.ts'

/** For each field its sources report: the value, and whether it comes from a source or was edited here. */
export const getProvenance = async (ctx: Context, id: string): Promise<Provenance[]> => {
  const row = (await findVisibleRows(ctx, [id])).get(id)
  if (!row) throw notFound('resource', id)
  const statements = await findSourceStatements(ctx.db, id)
  const current = flattenRow(row) as Fields
  const by = (field: string) =>
    statements.some(({ reported_values }) => field in reported_values && isSourceValue(field, current, reported_values))
      ? 'source'
      : 'person'
  const entries = statements.flatMap(({ reported_values, source }) =>
    Object.keys(reported_values).map(
      (field): Provenance => ({
        field,
        by: by(field),
        value: current[field] ?? null,
        source,
        source_value: reported_values[field] ?? null,
      }),
    ),
  )
  const sourceParent = entries.find(({ field, by }) => field === 'parent' && by === 'person')?.source_value
  // The parent in the source may be a resource this caller cannot see.
  const hidden = typeof sourceParent === 'string' && !(await findVisibleRows(ctx, [sourceParent])).has(sourceParent)
  return hidden ? entries.filter(({ field }) => field !== 'parent') : entries
}

/** Resets a field to the value of a source; later syncs update it again. */
export const revertToSource = (ctx: Context, id: string, field: string, source?: string): Promise<Provenance[]> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    const entry = (await getProvenance(ctx, id)).find((each) => each.field === field && (!source || each.source === source))
    if (!entry) throw invalid({ field: [translatable('The source does not report this field.')] })
    const value = entry.source_value
    const row = (await findVisibleRows(ctx, [id])).get(id)!
    const own = typeFieldNames(row.entity_type).includes(field)
    if (!isSameValue(entry.value, value))
      await editResources(ctx, [own ? { id, data: {}, own: { [field]: value } } : { id, data: { [field]: value } }])
    return getProvenance(ctx, id)
  })
