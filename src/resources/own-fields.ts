import { type TSchema, Type } from 'typebox'
import { readId } from '../id.ts'
import { IdIn, Nullable, NullableId, NullableString, OneOf } from '../wire.ts'
import type { ResourceRow } from './record.ts'

/**
 * Type-specific fields, declared as data: a new one is one entry here. They are stored in `details`, or in a column if the table has one.
 * They are versioned and included in every record of that type.
 */
interface OwnField {
  readonly is: 'string' | 'number' | 'boolean'
  /** Schema in request bodies. */
  readonly written: TSchema
  /** Schema in responses. */
  readonly shown: TSchema
  /** The table has a column of this name. */
  readonly column?: true
  /** Value shown if none is stored. */
  readonly nothing?: (row: ResourceRow) => unknown
}

const text = (maxLength: number, description: string): OwnField => ({
  is: 'string',
  written: Nullable(Type.String({ maxLength, description })),
  shown: NullableString(description),
})
const flag = (description: string): OwnField => ({
  is: 'boolean',
  written: Nullable(Type.Boolean({ description })),
  shown: Type.Boolean({ description }),
  nothing: () => false,
})
const whole = (minimum: number, description: string): OwnField => ({
  is: 'number',
  written: Nullable(Type.Integer({ minimum, maximum: 2_147_483_647, description })),
  shown: Nullable(Type.Integer({ description })),
})
const id = (description: string): OwnField => ({
  is: 'string',
  written: Nullable({ ...IdIn, description }),
  shown: NullableId(description),
})
const inColumn = (field: OwnField): OwnField => ({ ...field, column: true })

const data_type: OwnField = {
  ...text(500, 'The data type. Defaults to the native type.'),
  nothing: ({ native_type }) => native_type,
}
const about = inColumn(id('ID of the resource it refers to.'))

const QUESTION_STATUSES = ['open', 'answered'] as const

const OWN: Readonly<Record<string, Readonly<Record<string, OwnField>>>> = {
  column: {
    type: data_type,
    sort_order: whole(-2_147_483_648, 'Position among the columns of the table.'),
    is_pk: flag('Whether the column is part of the primary key.'),
    hidden: flag('Whether the column is hidden in the column list.'),
  },
  event_property: { type: data_type },
  query: {
    type: text(100, 'The type of query, as named by the source.'),
    freq: {
      ...whole(0, 'How often the query was executed.'),
      shown: Type.Integer({ description: 'How often the query was executed.' }),
      nothing: () => 0,
    },
  },
  document: { base_entity_id: about },
  question: {
    base_entity_id: about,
    question_status: {
      is: 'string',
      written: Nullable(OneOf(QUESTION_STATUSES, 'Setting it to `open` clears the accepted reply.')),
      shown: NullableString(),
      column: true,
    },
    question_priority: inColumn(text(100, 'Free-form priority.')),
    question_answered_by: inColumn(id('ID of the user who answered. Defaults to the author of the accepted reply.')),
    question_assigned_to: inColumn(id('ID of the user who should answer.')),
    accepted_reply: id('ID of the accepted reply. Setting it marks the question as answered, clearing it reopens the question.'),
  },
}

/** Stored values by field. Null means not set. */
export type Own = Readonly<Record<string, unknown>>

const NONE: Readonly<Record<string, OwnField>> = {}
const fieldsOf = (entity_type: string): Readonly<Record<string, OwnField>> => OWN[entity_type] ?? NONE

export const ownNames = (entity_type: string): string[] => Object.keys(fieldsOf(entity_type))

/** Columns of other entity types that appear in every record. They are always null for this type. */
export const foreignNames = (entity_type: string): string[] =>
  [...new Set(Object.values(OWN).flatMap((fields) => Object.keys(fields).filter((name) => fields[name]!.column)))].filter(
    (name) => !ownNames(entity_type).includes(name),
  )

/** Schemas of the type-specific fields: optional in request bodies, always present in records. */
export const ownWritten = (entity_type: string): Record<string, TSchema> => mapped(entity_type, ({ written }) => Type.Optional(written))
export const ownShown = (entity_type: string): Record<string, TSchema> => ({
  ...mapped(entity_type, ({ shown }) => shown),
  ...(entity_type === 'column' ? TABLE_OF_COLUMN : {}),
})

const mapped = (entity_type: string, schema: (field: OwnField) => TSchema): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fieldsOf(entity_type)).map(([name, field]) => [name, schema(field)]))

const TABLE_OF_COLUMN = {
  table_database: NullableString('The title of the database.'),
  table_schema: NullableString('The title of the schema.'),
  table_title: NullableString('The title of the table. For a nested column, the path from the table to its parent column.'),
}

const inDetails = (fields: Readonly<Record<string, OwnField>>) => Object.keys(fields).filter((name) => !fields[name]!.column)
const ALL = Object.values(OWN)
/** Type-specific fields with a column, and those in `details`, of all entity types. */
export const OWN_COLUMNS: readonly string[] = [
  ...new Set(ALL.flatMap((fields) => Object.keys(fields).filter((name) => fields[name]!.column))),
]
export const OWN_DETAILS: readonly string[] = [...new Set(ALL.flatMap(inDetails))]

const detailsOf = (row: ResourceRow): Record<string, unknown> => (row.details ?? {}) as Record<string, unknown>

/** The stored type-specific fields. A value of the wrong type, which a source may have written to `details`, counts as not set. */
export const storedOwn = (row: ResourceRow): Own => {
  const details = detailsOf(row)
  return Object.fromEntries(
    Object.entries(fieldsOf(row.entity_type)).map(([name, { is, column }]) => {
      const value = column ? row[name as keyof ResourceRow] : details[name]
      return [name, typeof value === is && value !== false ? value : null]
    }),
  )
}

/** The additional fields of this entity type in a record. */
export const shownOwn = (row: ResourceRow): object | undefined => {
  const fields = OWN[row.entity_type]
  if (!fields) return undefined
  const stored = storedOwn(row)
  const shown: Record<string, unknown> = {}
  for (const name of inDetails(fields)) shown[name] = stored[name] ?? fields[name]!.nothing?.(row) ?? null
  return row.entity_type === 'column' ? { ...shown, ...tableOf(row) } : shown
}

/** The table title is the part of the full title between schema and column, so no lookup is needed and it is never outdated. */
const tableOf = ({ database, schema, title_full, title, parent }: ResourceRow) => {
  const start = [database, schema].filter((each) => each !== null).map((each) => `${each}.`)
  const above = title_full.slice(0, -(title.length + 1))
  const prefix = start.join('')
  const table = above.startsWith(prefix) ? above.slice(prefix.length) : above
  return { table_database: database, table_schema: schema, table_title: parent === null || table === '' ? null : table }
}

/** Converts input values to stored values. Absent fields stay absent; fields of other entity types are dropped. */
export const readOwn = (entity_type: string, own: Own): Own => {
  const fields = fieldsOf(entity_type)
  return Object.fromEntries(
    Object.entries(own).flatMap(([name, value]) => {
      const field = Object.hasOwn(fields, name) ? fields[name] : undefined
      if (!field || value === undefined) return []
      return [[name, value === false ? null : isId(field) && typeof value === 'string' ? readId(value) : value]]
    }),
  )
}

const isId = ({ written }: OwnField): boolean => 'pattern' in written

/** Sets type-specific fields on a row. Values equal to the default are not stored. */
export const withOwn = (row: ResourceRow, own: Own): ResourceRow => {
  const names = Object.keys(own)
  if (names.length === 0) return row
  const after = { ...row } as ResourceRow & Record<string, unknown>
  const details = { ...detailsOf(row) }
  const fields = fieldsOf(row.entity_type)
  for (const name of names) {
    const value = own[name] ?? null
    if (OWN_COLUMNS.includes(name)) after[name] = value
    else if (value === null || value === fields[name]?.nothing?.(row)) delete details[name]
    else details[name] = value
  }
  return { ...after, details: Object.keys(details).length === 0 ? null : details }
}

/** The row with its type-specific fields as top-level properties, for comparison. */
export const flat = (row: ResourceRow): object => (OWN[row.entity_type] ? { ...row, ...storedOwn(row) } : row)
