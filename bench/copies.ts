import { sql } from 'kysely'
import type { Db } from '../src/platform/db/connect.ts'

/** The columns of each table that name a resource of the catalog, or must be unique. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  resources: { id: 'copy_id(id, $k)', parent: 'copy_id(parent, $k)', databuilder_id: `databuilder_id || '/' || $k` },
  activities: { id: 'copy_id(id, $k)', resource_id: 'copy_id(resource_id, $k)', parent_id: 'copy_id(parent_id, $k)' },
  resource_refs: { resource_id: 'copy_id(resource_id, $k)' },
  search_titles: { resource_id: 'copy_id(resource_id, $k)' },
  search_texts: { resource_id: 'copy_id(resource_id, $k)' },
  search_context: { resource_id: 'copy_id(resource_id, $k)' },
}

/**
 * Multiplies a loaded catalog by `times`: rows of the resources below the databases are copied, without triggers and with the indexes built at the
 * end. Titles, texts and usage repeat; the databases keep their number, and each has that many times more schemas. The snapshots of the
 * history are those of the original. For sizes that would take the product's own functions hours.
 */
export const multiplyCatalog = async (db: Db, times: number): Promise<void> => {
  const { rows: indexes } = await sql<{ name: string; definition: string; table: string }>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, t.relname as table
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace and t.relname = any(${Object.keys(TABLES)}) and not i.indisprimary
    order by t.relname, c.relname`.execute(db)
  for (const { name } of indexes) await sql.raw(`drop index ${name}`).execute(db)
  await sql
    .raw(
      `create function copy_id(id uuid, k integer) returns uuid language sql immutable parallel safe return
         case when id is null or id in (${await readDatabaseIds(db)}) then id else md5(id::text || k)::uuid end`,
    )
    .execute(db)
  for (const [table, changed] of Object.entries(TABLES)) await copyRows(db, table, changed, times)
  await sql`drop function copy_id`.execute(db)
  await sql`update resources set children_count = children_count * ${times} where entity_type = 'database'`.execute(db)
  for (const { name, definition } of indexes) {
    console.error(`  ${name}`)
    await db.transaction().execute(async (transaction) => {
      await sql`set local maintenance_work_mem = '2GB'`.execute(transaction)
      await sql.raw(definition).execute(transaction)
    })
  }
}

const readDatabaseIds = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from resources where entity_type = 'database'`.execute(db)
  return rows.map(({ id }) => `'${id}'`).join(', ')
}

const copyRows = async (db: Db, table: string, changed: Readonly<Record<string, string>>, times: number): Promise<void> => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`.execute(db)
  const columns = rows.map(({ name }) => `"${name}"`).join(', ')
  const values = rows.map(({ name }) => changed[name] ?? `"${name}"`).join(', ')
  const key = table === 'resources' ? 'id' : 'resource_id'
  await sql.raw(`create table originals as select * from ${table} where ${key} is not null and copy_id(${key}, 0) <> ${key}`).execute(db)
  for (let k = 1; k < times; k += 1) {
    console.error(`  ${table}, copy ${k}`)
    await db.transaction().execute(async (transaction) => {
      await sql`set local session_replication_role = replica`.execute(transaction)
      await sql.raw(`insert into ${table} (${columns}) select ${values.replaceAll('$k', String(k))} from originals`).execute(transaction)
    })
  }
  await sql`drop table originals`.execute(db)
}
