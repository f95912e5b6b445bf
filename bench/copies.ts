import { sql } from 'kysely'
import type { Db } from '../src/platform/db/connect.ts'

/** The columns of each table that name a resource of the catalog, or must be unique. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  resources: { id: 'copy_id(id, $k)', parent: 'copy_id(parent, $k)', databuilder_id: `databuilder_id || '/' || $k` },
  resource_refs: { resource_id: 'copy_id(resource_id, $k)' },
  search_titles: { resource_id: 'copy_id(resource_id, $k)' },
  search_texts: { resource_id: 'copy_id(resource_id, $k)' },
  search_context: { resource_id: 'copy_id(resource_id, $k)' },
  column_counts: { parent: 'copy_id(parent, $k)' },
}

const LANES = 8

/**
 * Multiplies a loaded catalog by `times`: rows of the resources below the databases are copied, without triggers and with the indexes built at the
 * end. Titles, texts and usage repeat; the databases keep their number, and each has that many times more schemas. The copies have no history,
 * which lists and searches do not read. For sizes that would take the product's own functions hours.
 */
export const multiplyCatalog = async (db: Db, times: number): Promise<void> => {
  const { rows: indexes } = await sql<{ name: string; definition: string; table: string }>`
    select c.relname as name, pg_get_indexdef(i.indexrelid) as definition, t.relname as table
    from pg_index i join pg_class c on c.oid = i.indexrelid join pg_class t on t.oid = i.indrelid
    where t.relnamespace = 'public'::regnamespace and t.relname = any(${Object.keys(TABLES)}) and not i.indisprimary
    order by t.relname, c.relname`.execute(db)
  for (const { name } of indexes) await sql.raw(`drop index ${name}`).execute(db)
  await setDurable(db, false)
  await sql
    .raw(
      `create function copy_id(id uuid, k integer) returns uuid language sql immutable parallel safe return
         case when id is null or id in (${await readDatabaseIds(db)}) then id else md5(id::text || k)::uuid end`,
    )
    .execute(db)
  const copying: Copying[] = []
  for (const [table, changed] of Object.entries(TABLES)) copying.push(await prepareCopying(db, table, changed))
  const copies = Array.from({ length: times - 1 }, (_, i) => copying.map((each) => [each, i + 1] as const)).flat()
  await severalAtATime(copies, ([each, k]) => copyRows(db, each, k))
  for (const { table } of copying) await sql.raw(`drop table originals_of_${table}`).execute(db)
  await sql`drop function copy_id`.execute(db)
  await sql`update resources set children_count = children_count * ${times} where entity_type = 'database'`.execute(db)
  await sql`update resource_counts set n = n * ${times} where entity_type <> 'database'`.execute(db)
  await severalAtATime(indexes, async ({ name, definition }) => {
    await db.transaction().execute(async (transaction) => {
      await sql`set local maintenance_work_mem = '1GB'`.execute(transaction)
      await sql.raw(definition).execute(transaction)
    })
    console.error(`  ${name}`)
  })
  await setDurable(db, true)
}

const severalAtATime = async <T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> => {
  const left = [...items]
  const lane = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

/** Nothing of a catalog that is only half copied is needed after a crash. */
const setDurable = async (db: Db, durable: boolean): Promise<void> => {
  for (const setting of ['fsync', 'full_page_writes'])
    await sql.raw(durable ? `alter system reset ${setting}` : `alter system set ${setting} = off`).execute(db)
  await sql`select pg_reload_conf()`.execute(db)
  if (durable) await sql`checkpoint`.execute(db)
}

const readDatabaseIds = async (db: Db): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select id from resources where entity_type = 'database'`.execute(db)
  return rows.map(({ id }) => `'${id}'`).join(', ')
}

interface Copying {
  readonly table: string
  readonly columns: string
  /** The values of copy `$k`. */
  readonly values: string
}

const prepareCopying = async (db: Db, table: string, changed: Readonly<Record<string, string>>): Promise<Copying> => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`.execute(db)
  const [key] = Object.keys(changed)
  await sql
    .raw(`create table originals_of_${table} as select * from ${table} where ${key} is not null and copy_id(${key}, 0) <> ${key}`)
    .execute(db)
  return {
    table,
    columns: rows.map(({ name }) => `"${name}"`).join(', '),
    values: rows.map(({ name }) => changed[name] ?? `"${name}"`).join(', '),
  }
}

const copyRows = (db: Db, { table, columns, values }: Copying, k: number): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    await sql
      .raw(`insert into ${table} (${columns}) select ${values.replaceAll('$k', String(k))} from originals_of_${table}`)
      .execute(transaction)
    console.error(`  ${table}, copy ${k}`)
  })
