import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Change } from '../history/record.ts'
import { lockProperties, PREFIX, type PropertyRow } from './store.ts'
import { changeSql, insertValues, type NewValue } from './value-store.ts'
import { readValue } from './value-types.ts'

/** A deleted resource takes its values with it; its last version keeps them, and they come back with it. */

/** The values of the row under this alias as changes: what they were, and that they are gone. */
export const keptValues = (alias: string): RawBuilder<unknown> => sql`
  coalesce((
    select jsonb_agg(${changeSql(sql`v.value`, sql`null::text`)} order by lower(p.name))
    from property_values v join custom_properties p on p.id = v.property_id where v.resource_id = ${sql.ref(`${alias}.id`)}
  ), '[]'::jsonb)`

type KeptChange = Change & { readonly custom_property?: string; readonly value_type?: string }

/** Gives a resource that came back the values its deletion kept, as far as they still fit: meanwhile properties go and change. */
export const bringBackValues = async (
  ctx: Context,
  { id, entity_type }: { id: string; entity_type: string },
  deletion: readonly KeptChange[],
): Promise<Change[]> => {
  const kept = deletion.filter(({ custom_property }) => custom_property !== undefined)
  if (kept.length === 0) return []
  const properties = await lockProperties(
    ctx.db,
    kept.map(({ custom_property }) => custom_property!),
    'as it is',
  )
  const values = kept.flatMap(({ custom_property, from }): (NewValue & { property: PropertyRow })[] => {
    const property = properties.get(custom_property!)
    if (!property || (property.entity_types && !property.entity_types.includes(entity_type))) return []
    const value = readValue(property, String(from))
    return value ? [{ property, property_id: property.id, value_type: property.value_type, value }] : []
  })
  await insertValues(
    ctx,
    id,
    values.map(({ property, ...value }) => value),
  )
  return values.map(({ property: { id, name, value_type }, value }) => ({
    field: `${PREFIX}${name}`,
    from: null,
    to: value,
    custom_property: id,
    value_type,
  }))
}
