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
}

/** The fields one list knows. */
export interface Fields {
  readonly find: (name: string) => Field | undefined
  readonly names: () => string[]
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
