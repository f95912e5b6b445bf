import { type Context, inTransaction } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { diffFields } from '../../platform/history/diff.ts'
import type { Change } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { applyChange, changesBetween, normalizeChange } from '../records/change.ts'
import type { ResourceRow } from '../records/record.ts'
import { lockResourceRows, updateResourceRows } from '../records/resource-rows.ts'
import type { ResourceChange } from '../records/schema.ts'
import { parseTypeFields, withTypeFields } from '../records/type-fields.ts'

/** Fields reported by sources and imports. They create no version because source statistics change daily. */
export const REPORTED_FIELDS = [
  'databuilder_id',
  'external_usage',
  'external_updated_at',
  'external_users',
  'row_count',
  'byte_size',
  'sources',
] as const satisfies readonly (keyof ResourceRow)[]
export type ReportedFields = Partial<Pick<ResourceRow, (typeof REPORTED_FIELDS)[number]>>
/** Also includes what only a source knows: keys, indexes, defaults. */
export type SourceFields = ReportedFields & Partial<Pick<ResourceRow, 'display_metadata'>>

/** Sets the reported fields of these resources. `locked`: their rows, if the caller has locked them in this transaction. */
export const reportResources = (
  ctx: Context,
  reports: readonly { id: string; reported: SourceFields }[],
  locked?: ReadonlyMap<string, ResourceRow>,
): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'catalog.write')
    if (reports.length === 0) return
    const ids = reports.map(({ id }) => id)
    const rows = locked ?? (await lockResourceRows(ctx.db, ctx.actor, ids))
    const after = reports.map(({ id, reported }) => {
      const before = rows.get(id)
      if (!before) throw notFound('resource', id)
      return { ...before, ...reported, updated_at: ctx.now.toISOString() }
    })
    await updateResourceRows(ctx.db, after, ['updated_at', ...new Set(reports.flatMap(({ reported }) => Object.keys(reported)))])
  })

/** What an edit and reported fields would change in a row. */
export const diffReport = (
  ctx: Context,
  before: ResourceRow,
  { data, own, reported }: { data: ResourceChange; own: Readonly<Record<string, unknown>>; reported: ReportedFields },
): { edited: Change[]; reported: Change[] } => {
  const after = applyChange(before, normalizeChange(data), undefined, ctx.actor.user_id, ctx.now)
  return {
    edited: changesBetween(before, withTypeFields(after, parseTypeFields(after.entity_type, own))),
    reported: diffFields(before, { ...before, ...reported }, REPORTED_FIELDS),
  }
}
