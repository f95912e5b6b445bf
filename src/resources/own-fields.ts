import { type TSchema, Type } from 'typebox'
import { readId } from '../id.ts'
import { IdIn, Nullable, NullableId, NullableString, OneOf } from '../wire.ts'
import type { ResourceRow } from './record.ts'

/**
 * Fields that only one kind of resource has: as data, so that a kind with a field of its own is one entry here. They are kept in
 * `details`, or in a column where the table has one; they are versioned, and shown on every record of that kind, in every list.
 */
interface OwnField {
  readonly is: 'string' | 'number' | 'boolean'
  /** As a caller writes it. */
  readonly written: TSchema
  /** As the record shows it. */
  readonly shown: TSchema
  /** The table has a column of this name. */
  readonly column?: true
  /** What nothing stored is shown as. */
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
  ...text(500, 'The data type. Where none was given, the native type.'),
  nothing: ({ native_type }) => native_type,
}
const about = inColumn(id('The resource it is about.'))

const QUESTION_STATUSES = ['open', 'answered'] as const

const OWN: Readonly<Record<string, Readonly<Record<string, OwnField>>>> = {
  column: {
    type: data_type,
    sort_order: whole(-2_147_483_648, 'Its place among the columns of its table.'),
    is_pk: flag('Belongs to the primary key.'),
    hidden: flag('Not shown with the others.'),
  },
  event_property: { type: data_type },
  query: {
    type: text(100, 'What kind of query it is, as its source calls it.'),
    freq: { ...whole(0, 'How often it was run.'), shown: Type.Integer({ description: 'How often it was run.' }), nothing: () => 0 },
  },
  document: { base_entity_id: about },
  question: {
    base_entity_id: about,
    question_status: {
      is: 'string',
      written: Nullable(OneOf(QUESTION_STATUSES, 'Opening it again forgets the answer.')),
      shown: NullableString(),
      column: true,
    },
    question_priority: inColumn(text(100, 'How urgent it is, in your own words.')),
    question_answered_by: inColumn(id('Who answered it; without a word, whoever wrote the accepted reply.')),
    question_assigned_to: inColumn(id('Who is to answer it.')),
    accepted_reply: id('The reply that answers it. Accepting one answers the question, taking it back opens it again.'),
  },
}

/** Values by field, as they are stored: nothing is null. */
export type Own = Readonly<Record<string, unknown>>

const NONE: Readonly<Record<string, OwnField>> = {}
const fieldsOf = (entity_type: string): Readonly<Record<string, OwnField>> => OWN[entity_type] ?? NONE

export const ownNames = (entity_type: string): string[] => Object.keys(fieldsOf(entity_type))

/** Fields that every record shows and only other kinds have: of this kind they are always null. */
export const foreignNames = (entity_type: string): string[] =>
  [...new Set(Object.values(OWN).flatMap((fields) => Object.keys(fields).filter((name) => fields[name]!.column)))].filter(
    (name) => !ownNames(entity_type).includes(name),
  )

/** The schemas of a kind's own fields: optional in a body, and on its record. */
export const ownWritten = (entity_type: string): Record<string, TSchema> => mapped(entity_type, ({ written }) => Type.Optional(written))
export const ownShown = (entity_type: string): Record<string, TSchema> => ({
  ...mapped(entity_type, ({ shown }) => shown),
  ...(entity_type === 'column' ? TABLE_OF_COLUMN : {}),
})

const mapped = (entity_type: string, schema: (field: OwnField) => TSchema): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fieldsOf(entity_type)).map(([name, field]) => [name, schema(field)]))

const TABLE_OF_COLUMN = {
  table_database: NullableString('The title of its database.'),
  table_schema: NullableString('The title of its schema.'),
  table_title: NullableString('The title of its table. For a column inside a column, the way from the table to it.'),
}

const inDetails = (fields: Readonly<Record<string, OwnField>>) => Object.keys(fields).filter((name) => !fields[name]!.column)
const ALL = Object.values(OWN)
/** Own fields that have a column, and those in `details`, of all kinds together. */
export const OWN_COLUMNS: readonly string[] = [
  ...new Set(ALL.flatMap((fields) => Object.keys(fields).filter((name) => fields[name]!.column))),
]
export const OWN_DETAILS: readonly string[] = [...new Set(ALL.flatMap(inDetails))]

const detailsOf = (row: ResourceRow): Record<string, unknown> => (row.details ?? {}) as Record<string, unknown>

/** What is stored of a kind's own fields. A value of another type, as a source may leave in `details`, is none. */
export const storedOwn = (row: ResourceRow): Own => {
  const details = detailsOf(row)
  return Object.fromEntries(
    Object.entries(fieldsOf(row.entity_type)).map(([name, { is, column }]) => {
      const value = column ? row[name as keyof ResourceRow] : details[name]
      return [name, typeof value === is && value !== false ? value : null]
    }),
  )
}

/** What a record shows beyond what every record shows. */
export const shownOwn = (row: ResourceRow): object | undefined => {
  const fields = OWN[row.entity_type]
  if (!fields) return undefined
  const stored = storedOwn(row)
  const shown: Record<string, unknown> = {}
  for (const name of inDetails(fields)) shown[name] = stored[name] ?? fields[name]!.nothing?.(row) ?? null
  return row.entity_type === 'column' ? { ...shown, ...tableOf(row) } : shown
}

/** A column's full name holds its table's: what stands between the schema and the column. Nothing to look up, and never old. */
const tableOf = ({ database, schema, title_full, title, parent }: ResourceRow) => {
  const start = [database, schema].filter((each) => each !== null).map((each) => `${each}.`)
  const above = title_full.slice(0, -(title.length + 1))
  const prefix = start.join('')
  const table = above.startsWith(prefix) ? above.slice(prefix.length) : above
  return { table_database: database, table_schema: schema, table_title: parent === null || table === '' ? null : table }
}

/** As a caller wrote them → as they are stored. Absent stays absent; what is not this kind's own is left out. */
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

/** The row with these own fields, as they are stored. What repeats the value shown without it is not stored. */
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

/** The row with its own fields beside the others, to be compared. */
export const flat = (row: ResourceRow): object => (OWN[row.entity_type] ? { ...row, ...storedOwn(row) } : row)
