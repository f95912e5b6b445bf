import { type RawBuilder, sql } from 'kysely'

/**
 * A field a list can be filtered and sorted by, and how it is read from a row.
 * `required` fields are never null: their order needs no word on nulls, and so matches the plain indexes.
 */
export type FieldType = 'text' | 'id' | 'number' | 'boolean' | 'timestamp' | 'ids' | 'texts'

export interface Field {
  readonly name: string
  readonly type: FieldType
  readonly required: boolean
  /** Its value as SQL, in a row under this alias. */
  readonly value: (alias: string) => RawBuilder<unknown>
  /** For a list of IDs: that it has one of these, where something finds it faster than by looking at the value. */
  readonly has?: (alias: string, ids: readonly unknown[]) => RawBuilder<boolean> | undefined
  /** How a caller writes a value of it, when not as the type says. */
  readonly reader?: Reader
  /** What its values are compared as, when not as the type says. */
  readonly compared_as?: FieldType
  /** Its value follows from other rows too: it can change while its own row does not. */
  readonly from_others?: true
  /** Set when its values lie in a table of their own. */
  readonly elsewhere?: Elsewhere
}

export type Value = string | number | boolean

export interface Reader {
  readonly expected: string
  readonly read: (value: unknown) => Value | undefined
}

export interface Elsewhere {
  /** What is written there when a value changes. */
  readonly id: string
  /** The rows under this alias with a value there of which this is true. */
  readonly having: (alias: string, condition: RawBuilder<boolean>) => RawBuilder<boolean>
}

/** The fields one list knows. */
export interface Fields {
  readonly find: (name: string) => Field | undefined
  readonly names: () => string[]
  /** What to say of a name it does not know, when there is something better than all the names. */
  readonly unknown?: (name: string) => string | undefined
}

const column = (name: string, type: FieldType, required = false): Field => ({
  name,
  type,
  required,
  value: (alias) => sql`${sql.ref(`${alias}.${name}`)}`,
})

/** Several columns of one type, by their names with spaces between. */
export const columns = (type: FieldType, names: string, required = false): Field[] =>
  names.split(' ').map((name) => column(name, type, required))

/** A table of fields; an alias is another name for one of them. */
export const fieldsOf = (fields: readonly Field[], aliases: Readonly<Record<string, string>> = {}): Fields => {
  const byName = new Map(fields.map((field) => [field.name, field]))
  const names = [...byName.keys(), ...Object.keys(aliases)].sort()
  return { find: (name) => byName.get(Object.hasOwn(aliases, name) ? aliases[name]! : name), names: () => names }
}

export const isScalar = ({ type }: Field): boolean => type !== 'ids' && type !== 'texts'
