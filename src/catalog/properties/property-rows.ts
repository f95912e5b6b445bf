import { sql } from 'kysely'
import { parseId } from '../../platform/core/id.ts'
import type { Db } from '../../platform/db/connect.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { ValueType } from './value-types.ts'

/** SQL of custom properties. */

/** Prefix of property names in filters and activities. */
export const PROPERTY_FIELD_PREFIX = 'custom_property:'

export interface PropertyRow {
  readonly id: string
  readonly name: string
  readonly value_type: ValueType
  /** Null means every type. */
  readonly entity_types: string[] | null
  readonly options: string[] | null
  readonly created_at: string
  readonly updated_at: string
}

/** Finds properties by ID or case-insensitive name. Unknown keys are left out. */
export const findProperties = async (db: Db, keys: readonly string[]): Promise<Map<string, PropertyRow>> => {
  const ids = keys.flatMap((key) => (parseId(key) ? [{ key, id: parseId(key) }] : []))
  const names = keys.filter((key) => !parseId(key) && !key.includes('\0') && key.isWellFormed())
  const { rows } = await sql<PropertyRow & { key: string }>`
    select k.key, p.* from json_to_recordset(${JSON.stringify(ids)}::text::json) as k(key text, id uuid) join custom_properties p on p.id = k.id
    union all
    select k.key, p.* from unnest(${names}::text[]) k (key) join custom_properties p on lower(p.name) = lower(k.key)
  `.execute(db)
  return new Map(rows.map(({ key, ...property }) => [key, property]))
}

export const listProperties = async (db: Db): Promise<PropertyRow[]> => {
  const { rows } = await sql<PropertyRow>`select p.* from custom_properties p order by lower(p.name), p.id`.execute(db)
  return [...rows]
}

/** Writers of values take a shared lock; editing or deleting a property takes an exclusive one. */
export const lockProperties = async (db: Db, ids: readonly string[], how: 'share' | 'update'): Promise<Map<string, PropertyRow>> => {
  const { rows } = await sql<PropertyRow>`
    select p.* from custom_properties p where p.id = any(${ids}::uuid[]) order by p.id ${how === 'update' ? sql`for update` : sql`for share`}
  `.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

export const countProperties = async (db: Db): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from custom_properties`.execute(db)
  return rows[0]!.count
}

export const insertProperty = (db: Db, { created_at, updated_at, ...row }: PropertyRow) =>
  db
    .insertInto('custom_properties')
    .values({ ...row, created_at: new Date(created_at), updated_at: new Date(updated_at) })
    .execute()

export const updateProperty = async (
  db: Db,
  { id, name, value_type, entity_types, options }: PropertyRow,
  now: Date,
): Promise<PropertyRow> => {
  const { rows } = await sql<PropertyRow>`
    update custom_properties set name = ${name}, value_type = ${value_type}, entity_types = ${entity_types}::text[], options = ${options}::text[],
      updated_at = ${nextUpdatedAtSql(now)}
    where id = ${id} returning *
  `.execute(db)
  return rows[0]!
}
