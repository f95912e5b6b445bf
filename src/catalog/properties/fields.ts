import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { parseId } from '../../platform/core/id.ts'
import type { FieldReader, FieldType, ListField, ListFields, RelatedTable } from '../../platform/lists/field.ts'
import { findFieldNames } from '../../platform/lists/filter.ts'
import { findProperties, PROPERTY_FIELD_PREFIX, type PropertyRow } from './property-rows.ts'
import { normalizeBoolean, normalizeDate, normalizeNumber, type ValueType } from './value-types.ts'

/** Adds the custom properties that this filter uses to the fields. Loads them from the database. */
export const addPropertyFields = async (ctx: Context, fields: ListFields, filter: string): Promise<ListFields> => {
  if (!MAY_USE_PROPERTY.test(filter)) return fields
  const keys = findFieldNames(filter).flatMap((name) =>
    name.startsWith(PROPERTY_FIELD_PREFIX) ? [name.slice(PROPERTY_FIELD_PREFIX.length)] : [],
  )
  if (keys.length === 0) return fields
  const found = await findProperties(ctx.db, keys)
  return {
    names: () => [...fields.names(), `${PROPERTY_FIELD_PREFIX}<id or name>`],
    unknown: (name) =>
      name.startsWith(PROPERTY_FIELD_PREFIX)
        ? `custom property ${JSON.stringify(name.slice(PROPERTY_FIELD_PREFIX.length))} does not exist`
        : undefined,
    find: (name) => {
      const property = name.startsWith(PROPERTY_FIELD_PREFIX) ? found.get(name.slice(PROPERTY_FIELD_PREFIX.length)) : undefined
      return property ? toPropertyField(property) : fields.find(name)
    },
  }
}

/** Most filters use none and need not be parsed twice. JSON can escape any letter. */
const MAY_USE_PROPERTY = /custom_property|\\u/i

/** Identified by ID, so that equal filters have equal cache keys even after a rename. */
export const toPropertyField = ({ id, value_type }: PropertyRow): ListField => ({
  ...FIELDS_BY_VALUE_TYPE[value_type],
  name: `${PROPERTY_FIELD_PREFIX}${id}`,
  required: false,
  relatedTable: valuesTable(id),
})

/** As `exists`, Postgres can choose between the primary key (row by row) and the index on values. */
const valuesTable = (property_id: string): RelatedTable => ({
  id: property_id,
  having: (alias, condition) =>
    sql<boolean>`exists (select from property_values v where v.resource_id = ${sql.ref(`${alias}.id`)} and v.property_id = ${property_id}::uuid and ${condition})`,
})

const column = (name: string) => (): RawBuilder<unknown> => sql.ref(`v.${name}`)
/** Values compared as text are stored in a normal form. */
const textField = (type: FieldType, reader?: FieldReader) => ({ type, compared_as: 'text', value: column('value'), reader }) as const

const reader = (expected: string, read: (text: string) => string | undefined): FieldReader => ({
  expected,
  read: (value) => (typeof value === 'string' ? read(value.trim()) : typeof value === 'object' ? undefined : read(String(value))),
})
const ID_READER = reader('a UUID', parseId)

const FIELDS_BY_VALUE_TYPE: Record<ValueType, Pick<ListField, 'type' | 'compared_as' | 'value' | 'reader'>> = {
  string: textField('text'),
  select: textField('text'),
  url: textField('text'),
  number: { type: 'number', value: column('number'), reader: reader('a number', normalizeNumber) },
  boolean: textField('boolean', reader('true or false', normalizeBoolean)),
  date: textField('timestamp', reader('a date (e.g. 2026-01-31)', normalizeDate)),
  multi_select: { type: 'texts', value: column('items') },
  user: textField('id', ID_READER),
  resource: textField('id', ID_READER),
  tag: textField('id', ID_READER),
}
