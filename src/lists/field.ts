import { type RawBuilder, sql } from 'kysely'

/**
 * A field a list can be filtered and sorted by, and how it is read from a row.
 * `required` fields are never null: their order needs no `nulls last` and so matches the plain indexes.
 */
export type FieldType = 'text' | 'id' | 'number' | 'boolean' | 'timestamp' | 'ids' | 'texts'

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly required: boolean
  /** SQL of its value in a row under this alias. */
  readonly value: (alias: string) => RawBuilder<unknown>
  /** For a list of IDs: a condition that it contains one of these, if there is a faster one than comparing the value. */
  readonly has?: (alias: string, ids: readonly unknown[]) => RawBuilder<boolean> | undefined
  /** Parses a caller's value; default: by type. */
  readonly reader?: Reader
  /** The type its values are compared as; default: `type`. */
  readonly compared_as?: FieldType
  /** Its value depends on other rows: it can change while its own row does not. */
  readonly from_others?: true
  /** Set if its values are in a separate table. */
  readonly elsewhere?: Elsewhere
}

export type Value = string | number | boolean

export interface Reader {
  readonly expected: string
  readonly read: (value: unknown) => Value | undefined
}

export interface Elsewhere {
  /** The ID in the change log of that table when a value changes. */
  readonly id: string
  /** The rows under this alias that have a related value for which the condition holds. */
  readonly having: (alias: string, condition: RawBuilder<boolean>) => RawBuilder<boolean>
}

/** The fields of one list. */
export interface Fields {
  readonly find: (name: string) => Field | undefined
  readonly names: () => string[]
  /** A better error for an unknown name than the list of all names. */
  readonly unknown?: (name: string) => string | undefined
}

const column = (name: string, type: FieldType, required = false): Field => ({
  name,
  type,
  required,
  value: (alias) => sql`${sql.ref(`${alias}.${name}`)}`,
})

/** Several columns of one type; names separated by spaces. */
export const columns = (type: FieldType, names: string, required = false): Field[] =>
  names.split(' ').map((name) => column(name, type, required))

/** Fields by name; an alias is another name for one of them. */
export const fieldsOf = (fields: readonly Field[], aliases: Readonly<Record<string, string>> = {}): Fields => {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const names = [...byName.keys(), ...Object.keys(aliases)].sort()
  return { find: (name) => byName.get(Object.hasOwn(aliases, name) ? aliases[name]! : name), names: () => names }
}

export const isScalar = ({ type }: Field): boolean => type !== 'ids' && type !== 'texts'
