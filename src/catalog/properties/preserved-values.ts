import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { Change } from '../../platform/history/record.ts'
import { lockProperties, PROPERTY_FIELD_PREFIX } from './property-rows.ts'
import { changeSql, insertValues } from './value-store.ts'
import { normalizeValue } from './value-types.ts'

/** The values of a deleted resource are preserved in its last version and restored with it. */

/** The values of the row under this alias as changes to null. */
export const preservedValuesSql = (alias: string): RawBuilder<unknown> => sql`
  coalesce((
    select jsonb_agg(${changeSql(sql`v.value`, sql`null::text`)} order by lower(p.name))
    from property_values v join custom_properties p on p.id = v.property_id where v.resource_id = ${sql.ref(`${alias}.id`)}
  ), '[]'::jsonb)`

/** A value of a deleted resource. */
export interface PreservedValue {
  readonly resource_id: string
  readonly entity_type: string
  readonly property_id: string
  readonly value: string
}

/** Restores values of resources if they are still valid. Returns the restored ones as changes for the activity. */
export const restoreValues = async (
  ctx: Context,
  preserved: readonly PreservedValue[],
): Promise<{ resource_id: string; change: Change }[]> => {
  if (preserved.length === 0) return []
  const properties = await lockProperties(ctx.db, [...new Set(preserved.map(({ property_id }) => property_id))], 'share')
  const values = preserved.flatMap(({ resource_id, entity_type, property_id, value: before }) => {
    const property = properties.get(property_id)
    if (!property || (property.entity_types && !property.entity_types.includes(entity_type))) return []
    const value = normalizeValue(property, before)
    return value ? [{ resource_id, property, property_id, value_type: property.value_type, value }] : []
  })
  await insertValues(
    ctx,
    values.map(({ property, ...value }) => value),
  )
  return values.map(({ resource_id, property: { id, name, value_type }, value }) => ({
    resource_id,
    change: { field: `${PROPERTY_FIELD_PREFIX}${name}`, from: null, to: value, custom_property: id, value_type } as Change,
  }))
}

type PreservedChange = Change & { readonly custom_property?: string; readonly value_type?: string }

/** Restores the values preserved by a deletion if they are still valid: properties may have been deleted or changed. */
export const restorePreservedValues = async (
  ctx: Context,
  { id, entity_type }: { id: string; entity_type: string },
  deletion: readonly PreservedChange[],
): Promise<Change[]> => {
  const preserved = deletion.filter(({ custom_property }) => custom_property !== undefined)
  if (preserved.length === 0) return []
  const restored = await restoreValues(
    ctx,
    preserved.map(({ custom_property, from }) => ({ resource_id: id, entity_type, property_id: custom_property!, value: String(from) })),
  )
  return restored.map(({ change }) => change)
}
