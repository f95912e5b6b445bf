import { type TSchema, Type } from 'typebox'
import { parseId } from '../../platform/core/id.ts'
import { MAX_INTEGER } from '../../platform/core/integer.ts'
import { IdInput, Nullable, NullableId, NullableString, OneOf } from '../../platform/core/schema-types.ts'
import type { ResourceRow } from './record.ts'

/**
 * Type-specific fields, declared as data: a new one is one entry here. They are stored in `details`, or in a column if the table has one.
 * They are versioned and included in every record of that type.
 */
interface TypeField {
  readonly type: 'string' | 'number' | 'boolean' | 'strings'
  /** Schema in request bodies. */
  readonly input: TSchema
  /** Schema in responses. */
  readonly output: TSchema
  /** The table has a column of this name. */
  readonly column?: true
  /** Value shown if none is stored. */
  readonly fallback?: (row: ResourceRow) => unknown
}

const textField = (maxLength: number, description: string): TypeField => ({
  type: 'string',
  input: Nullable(Type.String({ maxLength, description })),
  output: NullableString(description),
})
const flagField = (description: string): TypeField => ({
  type: 'boolean',
  input: Nullable(Type.Boolean({ description })),
  output: Type.Boolean({ description }),
  fallback: () => false,
})
const integerField = (minimum: number, description: string): TypeField => ({
  type: 'number',
  input: Nullable(Type.Integer({ minimum, maximum: MAX_INTEGER, description })),
  output: Nullable(Type.Integer({ description })),
})
const idField = (description: string): TypeField => ({
  type: 'string',
  input: Nullable({ ...IdInput, description }),
  output: NullableId(description),
})
const textsField = (maxItems: number, maxLength: number, description: string): TypeField => ({
  type: 'strings',
  input: Nullable(Type.Array(Type.String({ minLength: 1, maxLength, pattern: '\\S' }), { maxItems, description })),
  output: Type.Array(Type.String(), { description }),
  fallback: () => [],
})
const storedInColumn = (field: TypeField): TypeField => ({ ...field, column: true })

const dataTypeField: TypeField = {
  ...textField(500, 'The data type. Defaults to the native type.'),
  fallback: ({ native_type }) => native_type,
}
const aboutField = storedInColumn(idField('ID of the resource it refers to.'))

const QUESTION_STATUSES = ['open', 'answered'] as const

const TYPE_FIELDS: Readonly<Record<string, Readonly<Record<string, TypeField>>>> = {
  column: {
    type: dataTypeField,
    sort_order: integerField(-2_147_483_648, 'Position among the columns of the table.'),
    is_pk: flagField('Whether the column is part of the primary key.'),
    hidden: flagField('Whether the column is hidden in the column list.'),
  },
  event_property: { type: dataTypeField },
  query: {
    type: textField(100, 'The type of query, as named by the source.'),
    freq: {
      ...integerField(0, 'How often the query was executed.'),
      output: Type.Integer({ description: 'How often the query was executed.' }),
      fallback: () => 0,
    },
  },
  document: {
    base_entity_id: aboutField,
    sort_order: integerField(-2_147_483_648, 'Position among the documents with the same parent. Those without one come last, by title.'),
    is_template: flagField('Whether new documents can be created from it.'),
  },
  glossary: { synonyms: textsField(50, 200, 'Other words for the term. Search finds one by the other.') },
  question: {
    base_entity_id: aboutField,
    question_status: {
      type: 'string',
      input: Nullable(OneOf(QUESTION_STATUSES, 'Setting it to `open` clears the accepted reply.')),
      output: NullableString(),
      column: true,
    },
    question_priority: storedInColumn(textField(100, 'Free-form priority.')),
    question_answered_by: storedInColumn(idField('ID of the user who answered. Defaults to the author of the accepted reply.')),
    question_assigned_to: storedInColumn(idField('ID of the user who should answer.')),
    accepted_reply: idField('ID of the accepted reply. Setting it marks the question as answered, clearing it reopens the question.'),
  },
}

/** Stored values by field. Null means not set. */
export type TypeFields = Readonly<Record<string, unknown>>

const NO_TYPE_FIELDS: Readonly<Record<string, TypeField>> = {}
const findTypeFields = (entity_type: string): Readonly<Record<string, TypeField>> => TYPE_FIELDS[entity_type] ?? NO_TYPE_FIELDS

export const typeFieldNames = (entity_type: string): string[] => Object.keys(findTypeFields(entity_type))

/** Columns of other entity types that appear in every record. They are always null for this type. */
export const otherTypeFieldNames = (entity_type: string): string[] =>
  [...new Set(Object.values(TYPE_FIELDS).flatMap((fields) => Object.keys(fields).filter((name) => fields[name]!.column)))].filter(
    (name) => !typeFieldNames(entity_type).includes(name),
  )

/** Schemas of the type-specific fields: optional in request bodies, always present in records. */
export const typeFieldInputSchemas = (entity_type: string): Record<string, TSchema> =>
  mapSchemas(entity_type, ({ input }) => Type.Optional(input))
export const typeFieldOutputSchemas = (entity_type: string): Record<string, TSchema> => ({
  ...mapSchemas(entity_type, ({ output }) => output),
  ...(entity_type === 'column' ? COLUMN_TABLE_SCHEMAS : {}),
})

const mapSchemas = (entity_type: string, schema: (field: TypeField) => TSchema): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(findTypeFields(entity_type)).map(([name, field]) => [name, schema(field)]))

const COLUMN_TABLE_SCHEMAS = {
  table_database: NullableString('The title of the database.'),
  table_schema: NullableString('The title of the schema.'),
  table_title: NullableString('The title of the table. For a nested column, the path from the table to its parent column.'),
}

const detailFieldNames = (fields: Readonly<Record<string, TypeField>>) => Object.keys(fields).filter((name) => !fields[name]!.column)
const ALL_TYPE_FIELDS = Object.values(TYPE_FIELDS)
/** Type-specific fields with a column, and those in `details`, of all entity types. */
export const TYPE_FIELD_COLUMNS: readonly string[] = [
  ...new Set(ALL_TYPE_FIELDS.flatMap((fields) => Object.keys(fields).filter((name) => fields[name]!.column))),
]
export const TYPE_FIELD_DETAILS: readonly string[] = [...new Set(ALL_TYPE_FIELDS.flatMap(detailFieldNames))]

const getDetails = (row: ResourceRow): Record<string, unknown> => (row.details ?? {}) as Record<string, unknown>

/** The stored type-specific fields. A value of the wrong type, which a source may have written to `details`, counts as not set. */
export const getStoredTypeFields = (row: ResourceRow): TypeFields => {
  const details = getDetails(row)
  return Object.fromEntries(
    Object.entries(findTypeFields(row.entity_type)).map(([name, { type, column }]) => {
      const value = column ? row[name as keyof ResourceRow] : details[name]
      return [name, hasType(value, type) && value !== false ? value : null]
    }),
  )
}

const hasType = (value: unknown, type: TypeField['type']): boolean =>
  type === 'strings' ? Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string') : typeof value === type

/** The additional fields of this entity type in a record. */
export const getDisplayedTypeFields = (row: ResourceRow): object | undefined => {
  const fields = TYPE_FIELDS[row.entity_type]
  if (!fields) return undefined
  const stored = getStoredTypeFields(row)
  const output: Record<string, unknown> = {}
  for (const name of detailFieldNames(fields)) output[name] = stored[name] ?? fields[name]!.fallback?.(row) ?? null
  return row.entity_type === 'column' ? { ...output, ...getColumnTable(row) } : output
}

/** The table title is the part of the full title between schema and column, so no lookup is needed and it is never outdated. */
const getColumnTable = ({ database, schema, title_full, title, parent }: ResourceRow) => {
  const start = [database, schema].filter((each) => each !== null).map((each) => `${each}.`)
  const above = title_full.slice(0, -(title.length + 1))
  const prefix = start.join('')
  const table = above.startsWith(prefix) ? above.slice(prefix.length) : above
  return { table_database: database, table_schema: schema, table_title: parent === null || table === '' ? null : table }
}

/** Converts input values to stored values. Absent fields stay absent; fields of other entity types are dropped. */
export const parseTypeFields = (entity_type: string, own: TypeFields): TypeFields => {
  const fields = findTypeFields(entity_type)
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (!field || value === undefined) return []
      return [[name, value === false ? null : toStoredValue(field, value)]]
    }),
  )
}

const toStoredValue = (field: TypeField, value: unknown): unknown => {
  if (isIdField(field) && typeof value === 'string') return parseId(value)
  if (field.type !== 'strings' || !Array.isArray(value)) return value
  const texts = [...new Set(value.map((each: string) => each.trim()))]
  return texts.length === 0 ? null : texts
}

const isIdField = ({ input }: TypeField): boolean => 'pattern' in input

/** Sets type-specific fields on a row. Values equal to the default are not stored. */
export const withTypeFields = (row: ResourceRow, own: TypeFields): ResourceRow => {
  const names = Object.keys(own)
  if (names.length === 0) return row
  const after = { ...row } as ResourceRow & Record<string, unknown>
  const details = { ...getDetails(row) }
  const fields = findTypeFields(row.entity_type)
  for (const name of names) {
    const value = own[name] ?? null
    if (TYPE_FIELD_COLUMNS.includes(name)) after[name] = value
    else if (value === null || value === fields[name]?.fallback?.(row)) delete details[name]
    else details[name] = value
  }
  return { ...after, details: Object.keys(details).length === 0 ? null : details }
}

/** The row with its type-specific fields as top-level properties, for comparison. */
export const flattenRow = (row: ResourceRow): object => (TYPE_FIELDS[row.entity_type] ? { ...row, ...getStoredTypeFields(row) } : row)
