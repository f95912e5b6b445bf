import { lockProperties, type PropertyRow } from '../../catalog/properties/property-rows.ts'
import { findValuesOf, type NewValue, writeValuesByResource } from '../../catalog/properties/value-store.ts'
import { normalizeValue } from '../../catalog/properties/value-types.ts'
import type { ResourceRow } from '../../catalog/records/record.ts'
import { flattenRow } from '../../catalog/records/type-fields.ts'
import { findVisibleRows, lockVisibleRows } from '../../catalog/records/visible-rows.ts'
import { applyRestores, planRestores, type RecordedEdit } from '../../catalog/undo/restore-fields.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Change } from '../../platform/history/record.ts'
import { findExisting } from './imported-rows.ts'
import type { KeptReason } from './schema.ts'

/** What is restored and what is kept of the changes an import made to existing resources. */
export interface RestoredResource {
  readonly row: ResourceRow
  readonly fields: Readonly<Record<string, unknown>>
  readonly values: readonly NewValue[]
  /** The values now and after the undo. */
  readonly changes: readonly Change[]
  readonly kept: readonly { readonly field: string; readonly reason: KeptReason; readonly imported: unknown; readonly now: unknown }[]
}

/** The change of a custom property value in history. */
interface ValueChange extends Change {
  readonly custom_property?: string
}

/** Restores what these edits changed, all or nothing; with `dry_run` only says what it would do. */
export const restoreEdits = async (ctx: Context, edits: readonly RecordedEdit[], dry_run: boolean): Promise<RestoredResource[]> => {
  if (dry_run) return planEdits(ctx, await findVisibleRows(ctx, idsOf(edits)), edits)
  try {
    return await inTransaction(ctx, async (ctx) => {
      const rows = await lockVisibleRows(ctx, idsOf(edits))
      const plans = await planEdits(ctx, rows, edits)
      await applyRestores(ctx, rows, new Map(plans.map(({ row, fields }) => [row.id, { restored: fields }])))
      await writeValuesByResource(
        ctx,
        plans.flatMap(({ row, values }) => values.map((value) => ({ ...value, resource_id: row.id }))),
      )
      return plans
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return restoreOneByOne(ctx, edits)
  }
}

const idsOf = (edits: readonly RecordedEdit[]): string[] => [...new Set(edits.map(({ resource_id }) => resource_id))]

/** A resource whose values before are rejected today keeps what it has; the others are restored. */
const restoreOneByOne = async (ctx: Context, edits: readonly RecordedEdit[]): Promise<RestoredResource[]> => {
  const ids = idsOf(edits)
  if (ids.length > 1) {
    const results: RestoredResource[] = []
    for (const own of Map.groupBy(edits, ({ resource_id }) => resource_id).values()) results.push(...(await restoreEdits(ctx, own, false)))
    return results
  }
  const plans = await planEdits(ctx, await findVisibleRows(ctx, ids), edits)
  return plans.map(({ changes, kept, ...plan }) => ({
    ...plan,
    fields: {},
    values: [],
    changes: [],
    kept: [...kept, ...changes.map(({ field, from }) => ({ field, reason: 'invalid' as const, imported: from, now: from }))],
  }))
}

const planEdits = async (
  ctx: Context,
  rows: ReadonlyMap<string, ResourceRow>,
  edits: readonly RecordedEdit[],
): Promise<RestoredResource[]> => {
  const isValue = (change: ValueChange) => change.custom_property !== undefined
  const only = (wanted: boolean) =>
    edits.map(({ resource_id, changes }) => ({ resource_id, changes: changes.filter((change) => isValue(change) === wanted) }))
  const plans = planRestores(rows, only(false))
  const parents = [...plans.values()].flatMap(({ restored }) => (typeof restored.parent === 'string' ? [restored.parent] : []))
  const existing = await findExisting(ctx, parents)
  const values = await planValues(ctx, rows, only(true))
  return [...plans].map(([id, { restored, kept }]) => {
    const row = rows.get(id)!
    const { parent, ...others } = restored
    const parentIsMissing = typeof parent === 'string' && !existing.has(parent)
    const fields = parentIsMissing ? others : restored
    const now: Readonly<Record<string, unknown>> = { ...flattenRow(row) }
    const own = values.get(id)
    return {
      row,
      fields,
      values: own?.values ?? [],
      changes: [...Object.entries(fields).map(([field, to]) => ({ field, from: now[field] ?? null, to })), ...(own?.changes ?? [])],
      kept: [
        ...kept.map(({ field, to, now }) => ({ field, reason: 'changed' as const, imported: to, now })),
        ...(parentIsMissing ? [{ field: 'parent', reason: 'invalid' as const, imported: row.parent, now: row.parent }] : []),
        ...(own?.kept ?? []),
      ],
    }
  })
}

type PlannedValues = Pick<RestoredResource, 'values' | 'changes' | 'kept'>

const planValues = async (
  ctx: Context,
  rows: ReadonlyMap<string, ResourceRow>,
  edits: readonly RecordedEdit[],
): Promise<ReadonlyMap<string, PlannedValues>> => {
  const changed = edits.filter(({ resource_id, changes }) => rows.has(resource_id) && changes.length > 0)
  if (changed.length === 0) return new Map()
  const ids = [...new Set(changed.flatMap(({ changes }) => changes.map((change: ValueChange) => change.custom_property!)))]
  const properties = await lockProperties(ctx.db, ids, 'share')
  const stored = await findValuesOf(ctx.db, idsOf(changed), ids)
  const current = new Map(stored.map(({ resource_id, property_id, value }) => [`${resource_id} ${property_id}`, value]))
  return new Map(
    changed.map(({ resource_id, changes }) => {
      const row = rows.get(resource_id)!
      const planned = changes.map((change: ValueChange) =>
        planValue(change, row, properties.get(change.custom_property!), current.get(`${resource_id} ${change.custom_property}`) ?? null),
      )
      return [
        resource_id,
        {
          values: planned.flatMap(({ value }) => value ?? []),
          changes: planned.flatMap(({ change }) => change ?? []),
          kept: planned.flatMap(({ kept }) => kept ?? []),
        },
      ]
    }),
  )
}

const planValue = (
  { field, from, to }: ValueChange,
  { entity_type }: ResourceRow,
  property: PropertyRow | undefined,
  now: string | null,
): { value?: NewValue; change?: Change; kept?: RestoredResource['kept'][number] } => {
  if (!property || now === from) return {} // deleted with its values, or changed back
  if (now !== to) return { kept: { field, reason: 'changed', imported: to, now } }
  const value = normalizeValue(property, (from as string | null) ?? '')
  const applies = value === '' || !property.entity_types || property.entity_types.includes(entity_type)
  if (value === undefined || !applies) return { kept: { field, reason: 'invalid', imported: to, now } }
  return { value: { property_id: property.id, value_type: property.value_type, value }, change: { field, from: now, to: from } }
}
