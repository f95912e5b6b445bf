import type { Context } from '../../platform/context/context.ts'
import type { Change } from '../../platform/history/record.ts'
import type { ResourceRow } from '../records/record.ts'
import { flattenRow, typeFieldNames } from '../records/type-fields.ts'
import { editResources, type ResourceEditRequest } from '../resources/edit.ts'
import { markStale } from '../resources/stale.ts'
import { planRestore, type RestorePlan } from './plan-restore.ts'

/** The changes an operation made to one resource. */
export interface RecordedEdit {
  readonly resource_id: string
  readonly changes: readonly Change[]
}

/** Plans what undoing these edits does, newest first. Resources without a row are left out: deleted since, or hidden from the actor. */
export const planRestores = (rows: ReadonlyMap<string, ResourceRow>, edits: readonly RecordedEdit[]): Map<string, RestorePlan> => {
  const plans = new Map<string, RestorePlan>()
  for (const [id, own] of Map.groupBy(edits, ({ resource_id }) => resource_id)) {
    const row = rows.get(id)
    if (!row) continue
    plans.set(
      id,
      planRestore(
        { ...flattenRow(row) },
        own.flatMap(({ changes }) => changes),
      ),
    )
  }
  return plans
}

/** Restores the values of the plans, as edits of the actor. Must be called in the transaction that locked the rows. */
export const applyRestores = async (
  ctx: Context,
  rows: ReadonlyMap<string, ResourceRow>,
  plans: ReadonlyMap<string, Pick<RestorePlan, 'restored'>>,
): Promise<void> => {
  for (const stale of [true, false]) {
    const ids = [...plans].flatMap(([id, { restored }]) => ('stale' in restored && (restored.stale ?? false) === stale ? [id] : []))
    if (ids.length > 0) await markStale(ctx, ids, stale)
  }
  const edits = [...plans].flatMap(([id, { restored }]) => toEdit(id, rows.get(id)!.entity_type, restored))
  if (edits.length > 0) await editResources(ctx, edits)
}

const toEdit = (id: string, entity_type: string, { stale: _, ...fields }: Readonly<Record<string, unknown>>): ResourceEditRequest[] => {
  const own = new Set(typeFieldNames(entity_type))
  const split = (isOwn: boolean) => Object.fromEntries(Object.entries(fields).filter(([field]) => own.has(field) === isOwn))
  return Object.keys(fields).length === 0 ? [] : [{ id, data: split(false), own: split(true) }]
}
