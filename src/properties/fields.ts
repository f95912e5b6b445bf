import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { readId } from '../id.ts'
import type { Elsewhere, Field, Fields, FieldType, Reader } from '../lists/field.ts'
import { namedFields } from '../lists/filter.ts'
import { findProperties, PREFIX, type PropertyRow } from './store.ts'
import { readBoolean, readDate, readNumber, type ValueType } from './value-types.ts'

/** These fields and the custom properties this filter names, which are looked up here. */
export const withProperties = async (ctx: Context, fields: Fields, filter: string): Promise<Fields> => {
  if (!MAY_NAME_ONE.test(filter)) return fields
  const keys = namedFields(filter).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
  if (keys.length === 0) return fields
  const found = await findProperties(ctx.db, keys)
  return {
    names: () => [...fields.names(), `${PREFIX}<id or name>`],
    unknown: (name) => (name.startsWith(PREFIX) ? `there is no custom property ${JSON.stringify(name.slice(PREFIX.length))}` : undefined),
    find: (name) => {
      const property = name.startsWith(PREFIX) ? found.get(name.slice(PREFIX.length)) : undefined
      return property ? fieldOf(property) : fields.find(name)
    },
  }
}

/** Most filters name none, and are not read twice. JSON can spell any letter as an escape. */
const MAY_NAME_ONE = /custom_property|\\u/i

/** Named by its ID, so that equal filters have equal keys: names change hands. */
const fieldOf = ({ id, value_type }: PropertyRow): Field => ({
  ...AS[value_type],
  name: `${PREFIX}${id}`,
  required: false,
  elsewhere: valuesOf(id),
})

/** Asked row by row, it can use the key of the values; turned around, their index. Postgres chooses. */
const valuesOf = (property_id: string): Elsewhere => ({
  id: property_id,
  having: (alias, condition) =>
    sql<boolean>`exists (select from property_values v where v.resource_id = ${sql.ref(`${alias}.id`)} and v.property_id = ${property_id}::uuid and ${condition})`,
})

const column = (name: string) => (): RawBuilder<unknown> => sql.ref(`v.${name}`)
/** What is compared as text has one spelling for each value. */
const asText = (type: FieldType, reader?: Reader) => ({ type, compared_as: 'text', value: column('value'), reader }) as const

const reader = (expected: string, read: (text: string) => string | undefined): Reader => ({
  expected,
  read: (value) => (typeof value === 'string' ? read(value.trim()) : typeof value === 'object' ? undefined : read(String(value))),
})
const ID = reader('a UUID', readId)

const AS: Record<ValueType, Pick<Field, 'type' | 'compared_as' | 'value' | 'reader'>> = {
  string: asText('text'),
  select: asText('text'),
  url: asText('text'),
  number: { type: 'number', value: column('number'), reader: reader('a number', readNumber) },
  boolean: asText('boolean', reader('true or false', readBoolean)),
  date: asText('timestamp', reader('a date, as 2026-01-31,', readDate)),
  multi_select: { type: 'texts', value: column('items') },
  user: asText('id', ID),
  resource: asText('id', ID),
  tag: asText('id', ID),
}
