import { buildItemKey, hashText, type Item } from '../../sync/item.ts'
import { roundCalls, toQueryTitle } from './item-values.ts'
import { mayUseTables } from './routines.ts'

/** Items of sources whose databases contain tables without schemas (MySQL, ClickHouse). A name is `database.table`. */

type ItemFacts = Readonly<Record<string, unknown>>

export interface DatabaseRow {
  readonly name: string
  readonly comment?: string | null
  readonly facts?: ItemFacts
  readonly stable_id?: string
}

export interface TableRow {
  readonly database: string
  readonly name: string
  /** As the source calls it: table, view, materialized view. */
  readonly kind: string
  readonly comment?: string | null
  readonly row_count?: number | null
  readonly byte_size?: number | null
  readonly external_updated_at?: string | null
  /** The query that defines it. */
  readonly definition?: string | null
  /** Other SQL that is known to write to it. */
  readonly filled_by?: string | undefined
  readonly facts?: ItemFacts
  readonly stable_id?: string
}

export interface ColumnRow {
  readonly database: string
  readonly table: string
  readonly name: string
  readonly position: number
  readonly type: string
  readonly is_pk: boolean
  readonly comment?: string | null
  readonly facts: ItemFacts
  readonly stable_id?: string
}

export interface RoutineRow {
  readonly database: string
  readonly name: string
  /** procedure, function. */
  readonly kind: string
  readonly comment?: string | null
  readonly definition: string | null
  readonly facts?: ItemFacts
}

export interface QueryRow {
  readonly database: string
  readonly text: string
  readonly calls: number
  readonly users?: readonly string[]
  /** When counting started. */
  readonly since?: string | null
  /** The history covers this many hours; undefined for running totals. */
  readonly hours?: number
}

export const databaseItem = ({ name, comment, facts, stable_id }: DatabaseRow): Item => ({
  key: buildItemKey(name),
  ...toStableIdField(stable_id),
  entity_type: 'database',
  fields: { title: name, native_type: 'database', ...toDescriptionField(comment) },
  ...(facts ? { facts: omitEmpty(facts) } : {}),
})

export const tableItem = (dialect: string, row: TableRow): Item => {
  const { database, name, kind, comment, row_count, byte_size, external_updated_at, facts, stable_id } = row
  const definition = row.definition?.trim() || undefined
  const sql = definition ?? row.filled_by
  return {
    key: buildItemKey(database, name),
    parent: buildItemKey(database),
    ...toStableIdField(stable_id),
    entity_type: 'table',
    fields: { title: name, native_type: kind, ...toDescriptionField(comment) },
    reported: { row_count: row_count ?? null, byte_size: byte_size ?? null, ...omitEmpty({ external_updated_at }) },
    facts: omitEmpty({ definition, ...facts }),
    ...(sql ? { made_by: { sql, dialect, database } } : {}),
  }
}

export const columnItem = ({ database, table, name, position, type, is_pk, comment, facts, stable_id }: ColumnRow): Item => ({
  key: buildItemKey(database, table, name),
  parent: buildItemKey(database, table),
  ...toStableIdField(stable_id),
  entity_type: 'column',
  fields: { title: name, native_type: type, ...toDescriptionField(comment) },
  own: { sort_order: position, is_pk },
  facts: omitEmpty(facts),
})

/** A routine is a named query. Its key cannot clash with a table's: no table has an empty name. */
export const routineItem = (dialect: string, { database, name, kind, comment, definition, facts = {} }: RoutineRow): Item => ({
  key: buildItemKey(database, '', kind, name),
  parent: buildItemKey(database),
  entity_type: 'query',
  fields: { title: name, native_type: kind, ...toDescriptionField(comment), definition },
  own: { type: kind },
  facts: omitEmpty(facts),
  ...(definition && mayUseTables(definition) ? { made_by: { sql: definition, dialect, database } } : {}),
})

export const queryItem = (dialect: string, { database, text, calls, users, since, hours }: QueryRow): Item => ({
  key: buildItemKey(database, '', hashText(text)),
  parent: buildItemKey(database),
  entity_type: 'query',
  fields: { title: toQueryTitle(text), definition: text },
  own: { freq: roundCalls(calls), type: 'history' },
  ...(users ? { reported: { external_users: [...users].sort() } } : {}),
  made_by: { sql: text, dialect, database },
  used: { calls, ...omitEmpty({ users, since, hours }) },
})

const toStableIdField = (stable_id: string | undefined) => (stable_id ? { stable_id } : {})

/** Without comments, a source does not report descriptions; with them, an empty comment is an empty description. */
const toDescriptionField = (comment: string | null | undefined) => (comment === undefined ? {} : { description: comment || null })

const omitEmpty = <T extends ItemFacts>(facts: T): T =>
  Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)),
  ) as T
