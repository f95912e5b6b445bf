import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { keyOf } from '../sync/item.ts'
import { entryId } from './entries.ts'
import { INTEGRATIONS } from './id.ts'
import type { Found } from './warehouse.ts'

/** Saves the source keys of the demo's resources as a first sync would, so that the next sync matches them. */
export const noteOrigins = async ({ db }: Context, { database, schemas, tables }: Found): Promise<void> => {
  const said = (title: string, native_type: string, description: string | null) => ({ title, native_type, description })
  const origins = [
    { resource_id: entryId('database', 'shop'), key: keyOf(database), said: { title: database } },
    ...schemas.map(({ name, description }) => ({
      resource_id: entryId('schema', name),
      key: keyOf(database, name),
      said: { title: name, description },
    })),
    ...tables.flatMap(({ schema, name: table, kind, description, columns }) => [
      {
        resource_id: entryId('table', `${schema}.${table}`),
        key: keyOf(database, schema, table),
        said: said(table, kind, description),
      },
      ...columns.map(({ name, type, description }) => ({
        resource_id: entryId('column', `${schema}.${table}.${name}`),
        key: keyOf(database, schema, table, name),
        said: said(name, type, description),
      })),
    ]),
  ]
  await sql`
    insert into resource_origins (resource_id, integration, key, said, fingerprint)
    select resource_id, ${INTEGRATIONS.warehouse.id}::uuid, key, said, '' from json_to_recordset(${JSON.stringify(origins)}::text::json) as x(
      resource_id uuid, key text, said jsonb)
    on conflict do nothing
  `.execute(db)
}
