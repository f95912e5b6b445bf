import { type RawBuilder, sql } from 'kysely'

/**
 * A field a list can be filtered and sorted by, and how it is read from a row.
 * `required` fields are never null: their order needs no `nulls last` and so matches the plain indexes.
 */
export type FieldType = 'text' | 'id' | 'number' | 'boolean' | 'timestamp' | 'ids' | 'texts'

export interface ListField {
  readonly name: string
  readonly type: FieldType
  readonly required: boolean
  /** SQL of its value in a row under this alias. */
  readonly value: (alias: string) => RawBuilder<unknown>
  /** For a list of IDs: a condition that it contains one of these, if there is a faster one than comparing the value. */
  readonly has?: (alias: string, ids: readonly unknown[]) => RawBuilder<boolean> | undefined
  /** The same for rows that something else finds. */
  readonly hasFound?: (alias: string, ids: readonly unknown[]) => RawBuilder<boolean> | undefined
  /** Whether it is set, if an index supports another condition than one on the value. */
  readonly isSet?: (alias: string) => RawBuilder<boolean>
  /** Parses a caller's value; default: by type. */
  readonly reader?: FieldReader
  /** The type its values are compared as; default: `type`. */
  readonly compared_as?: FieldType
  /** What it is sorted by; default: its value. */
  readonly sorted_as?: { readonly type: 'number' | 'decimal'; readonly value: (alias: string) => RawBuilder<unknown> }
  /** Its value depends on other rows: it can change while its own row does not. */
  readonly from_others?: true
  /** The same, but each change is logged in `property_changes` under this ID. */
  readonly logged_as?: string
  /** Set if it has few values, and almost all rows the same one. */
  readonly few_values?: FewValues
  /** Set if its values are in a separate table. */
  readonly relatedTable?: RelatedTable
}

export type FieldValue = string | number | boolean

export interface FieldReader {
  readonly expected: string
  readonly read: (value: unknown) => FieldValue | undefined
}

export interface RelatedTable {
  /** The ID in the change log of that table when a value changes. */
  readonly id: string
  /** The rows under this alias that have a related value for which the condition holds. */
  readonly having: (alias: string, condition: RawBuilder<boolean>) => RawBuilder<boolean>
}

/** A list sorted by the field is read value by value; rows with the usual value are counted as all without the few others. */
export interface FewValues {
  /** In the order of the sort: the sort key of a value is its position. The field has a condition (`has`) for each. */
  readonly values: readonly FieldValue[]
  readonly usual: FieldValue
}

/** The fields of one list. */
export interface ListFields {
  readonly find: (name: string) => ListField | undefined
  readonly names: () => string[]
  /** A better error for an unknown name than the list of all names. */
  readonly unknown?: (name: string) => string | undefined
}

const column = (name: string, type: FieldType, required = false): ListField => ({
  name,
  type,
  required,
  value: (alias) => sql`${sql.ref(`${alias}.${name}`)}`,
})

/** Several columns of one type; names separated by spaces. */
export const columnFields = (type: FieldType, names: string, required = false): ListField[] =>
  names.split(' ').map((name) => column(name, type, required))

/** Fields by name; an alias is another name for one of them. */
export const defineFields = (fields: readonly ListField[], aliases: Readonly<Record<string, string>> = {}): ListFields => {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const names = [...byName.keys(), ...Object.keys(aliases)].sort()
  return { find: (name) => byName.get(Object.hasOwn(aliases, name) ? aliases[name]! : name), names: () => names }
}

export const isScalar = ({ type }: ListField): boolean => type !== 'ids' && type !== 'texts'
