import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../context.ts'
import { readId } from '../id.ts'
import type { Elsewhere, Field, Fields, FieldType, Reader } from '../lists/field.ts'
import { namedFields } from '../lists/filter.ts'
import { findProperties, PREFIX, type PropertyRow } from './store.ts'
import { readBoolean, readDate, readNumber, type ValueType } from './value-types.ts'

/** Adds the custom properties that this filter uses to the fields. Loads them from the database. */
export const withProperties = async (ctx: Context, fields: Fields, filter: string): Promise<Fields> => {
  if (!MAY_NAME_ONE.test(filter)) return fields
  const keys = namedFields(filter).flatMap((name) => (name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
  if (keys.length === 0) return fields
  const found = await findProperties(ctx.db, keys)
  return {
    names: () => [...fields.names(), `${PREFIX}<id or name>`],
    unknown: (name) =>
      name.startsWith(PREFIX) ? `custom property ${JSON.stringify(name.slice(PREFIX.length))} does not exist` : undefined,
    find: (name) => {
      const property = name.startsWith(PREFIX) ? found.get(name.slice(PREFIX.length)) : undefined
      return property ? fieldOf(property) : fields.find(name)
    },
  }
}

/** Most filters use none and need not be parsed twice. JSON can escape any letter. */
const MAY_NAME_ONE = /custom_property|\\u/i

/** Identified by ID, so that equal filters have equal cache keys even after a rename. */
const fieldOf = ({ id, value_type }: PropertyRow): Field => ({
  ...AS[value_type],
  name: `${PREFIX}${id}`,
  required: false,
  elsewhere: valuesOf(id),
})

/** As `exists`, Postgres can choose between the primary key (row by row) and the index on values. */
const valuesOf = (property_id: string): Elsewhere => ({
  id: property_id,
  having: (alias, condition) =>
    sql<boolean>`exists (select from property_values v where v.resource_id = ${sql.ref(`${alias}.id`)} and v.property_id = ${property_id}::uuid and ${condition})`,
})

const column = (name: string) => (): RawBuilder<unknown> => sql.ref(`v.${name}`)
/** Values compared as text are stored in a normal form. */
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
  date: asText('timestamp', reader('a date (e.g. 2026-01-31)', readDate)),
  multi_select: { type: 'texts', value: column('items') },
  user: asText('id', ID),
  resource: asText('id', ID),
  tag: asText('id', ID),
}
