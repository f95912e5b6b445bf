import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { buildItemKey } from '../../sources/sync/item.ts'
import { entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'
import type { Warehouse } from './warehouse.ts'

/** Saves the source keys of the demo's resources as a first sync would, so that the next sync matches them. */
export const saveDemoOrigins = async ({ db }: Context, { database, schemas, tables }: Warehouse): Promise<void> => {
  const toValues = (title: string, native_type: string, description: string | null) => ({ title, native_type, description })
  const origins = [
    { resource_id: entryId('database', 'shop'), key: buildItemKey(database), reported_values: { title: database } },
    ...schemas.map(({ name, description }) => ({
      resource_id: entryId('schema', name),
      key: buildItemKey(database, name),
      reported_values: { title: name, description },
    })),
    ...tables.flatMap(({ schema, name: table, kind, description, columns }) => [
      {
        resource_id: entryId('table', `${schema}.${table}`),
        key: buildItemKey(database, schema, table),
        reported_values: toValues(table, kind, description),
      },
      ...columns.map(({ name, type, description }) => ({
        resource_id: entryId('column', `${schema}.${table}.${name}`),
        key: buildItemKey(database, schema, table, name),
        reported_values: toValues(name, type, description),
      })),
    ]),
  ]
  await sql`
    insert into resource_origins (resource_id, integration, key, reported_values, fingerprint)
    select resource_id, ${INTEGRATIONS.warehouse.id}::uuid, key, reported_values, '' from json_to_recordset(${JSON.stringify(origins)}::text::json) as x(
      resource_id uuid, key text, reported_values jsonb)
    on conflict do nothing
  `.execute(db)
}
