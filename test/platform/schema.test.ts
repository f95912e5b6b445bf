import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readSchema } from '../../scripts/schema/read-schema.ts'
import { connect, type Db } from '../../src/platform/db/connect.ts'
import { migrate, prepareDatabase, readMigrations, SCHEMA_FILE } from '../../src/platform/db/migrate.ts'
import { asSuperuser, createEmptyDatabase } from '../operations/empty-database.ts'
import { INSTALLED_POSTGRES, startInstalledPostgres } from '../servers/installed-postgres.ts'
import { eventually } from '../support/eventually.ts'
import { dumpCatalogs, dumpRows } from './catalog-dump.ts'

const migrations = await readMigrations()
const names = migrations.map(({ name }) => name)
const schema = readFileSync(SCHEMA_FILE, 'utf8')

/** An empty database, for its owner or a superuser. */
const openEmptyDatabase = async ({ superuser = false } = {}) => {
  const empty = await createEmptyDatabase()
  const { db, close } = connect(superuser ? asSuperuser(empty.url) : empty.url, { poolSize: 3 })
  const admin = connect(asSuperuser(empty.url), { poolSize: 1 })
  return {
    db,
    admin: admin.db,
    role: new URL(empty.url).username,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([close(), admin.close()])
      await empty[Symbol.asyncDispose]()
    },
  }
}

const isEmpty = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from pg_class where oid >= 16384`.execute(db)
  return rows.length === 0
}

test('schema.sql is what the migrations make (`npm run schema` writes it), and every trigger function has a trigger', async () => {
  await using database = await openEmptyDatabase()
  expect(await migrate(database.db, migrations)).toEqual(names)
  expect(await readSchema(database.db)).toBe(schema)
  // A migration that replaces a function by an outdated name creates a second one, which nothing calls.
  const { rows } = await sql`
    select p.proname from pg_proc p where p.pronamespace = current_schema()::regnamespace and p.prorettype = 'trigger'::regtype
      and not exists (select from pg_trigger t where t.tgfoid = p.oid) and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
  `.execute(database.db)
  expect(rows).toEqual([])
})

/** Postgres prints some parsed bodies with other brackets than it was given, and the same ones from then on. */
const parseFunctionsAgain = (db: Db) =>
  sql`do $$ declare f oid; begin for f in select oid from pg_proc where prosqlbody is not null and oid >= 16384 loop execute pg_get_functiondef(f); end loop; end $$`.execute(
    db,
  )

/** Everything in a database after `prepare`, one line each. */
const dumpDatabase = async (db: Db, prepare: (db: Db) => Promise<string[]>): Promise<string[]> => {
  expect(await prepare(db)).toEqual(names)
  return [...(await dumpCatalogs(db)), ...(await dumpRows(db))]
}

const applyMigrations = async (db: Db): Promise<string[]> => {
  const applied = await migrate(db, migrations)
  await parseFunctionsAgain(db)
  return applied
}

const expectSameDatabases = (created: readonly string[], migrated: readonly string[]): void => {
  expect(created.filter((line) => !migrated.includes(line))).toEqual([])
  expect(migrated.filter((line) => !created.includes(line))).toEqual([])
  expect(created).toHaveLength(migrated.length)
  for (const known of ['pg_class', 'pg_attribute', 'pg_proc', 'pg_trigger', 'pg_description', 'pg_ts_config_map', 'pg_sequence'])
    expect(created.some((line) => line.startsWith(`${known} {`))).toBe(true)
  for (const filled of ['access_version', 'background_migrations', 'follower_positions', 'migrations'])
    expect(created.some((line) => line.startsWith(`${filled} {`))).toBe(true)
}

test.each([
  { who: 'a superuser', superuser: true },
  { who: 'the owner of the database', superuser: false },
])('a database made with schema.sql is the one that the migrations make, for $who', async ({ superuser }) => {
  const create = async (prepare: (db: Db) => Promise<string[]>) => {
    await using database = await openEmptyDatabase({ superuser })
    return (await dumpDatabase(database.db, prepare)).map((line) => line.replaceAll(database.role, 'its_owner'))
  }
  expectSameDatabases(await create(prepareDatabase), await create(applyMigrations))
})

test.skipIf(!INSTALLED_POSTGRES)('the same on an older Postgres, if one is installed', async () => {
  await using server = await startInstalledPostgres(INSTALLED_POSTGRES!)
  const create = async (name: string, prepare: (db: Db) => Promise<string[]>) => {
    const { db, close } = connect(await server.create(name), { poolSize: 3 })
    try {
      return await dumpDatabase(db, prepare)
    } finally {
      await close()
    }
  }
  expectSameDatabases(await create('created', prepareDatabase), await create('migrated', applyMigrations))
})

test('two instances that start together on an empty database create it once', async () => {
  await using database = await openEmptyDatabase()
  const [first, second] = await Promise.all([prepareDatabase(database.db), prepareDatabase(database.db)])
  expect([...first, ...second]).toEqual(names)
  expect(await prepareDatabase(database.db)).toEqual([])
})

test('a process that ends while it creates the database leaves nothing behind', async () => {
  await using database = await openEmptyDatabase()
  const creating = migrate(database.db, migrations, async () => `${schema}; select pg_sleep(600)`)
  const ended = expect(creating).rejects.toThrow(/The tables could not be created, and nothing was changed/)
  await eventually(async () => {
    const { rows } = await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`.execute(
      database.admin,
    )
    expect(rows).toHaveLength(1)
  })
  await ended
  expect(await isEmpty(database.admin)).toBe(true)
  expect(await prepareDatabase(database.db)).toEqual(names)
})

test('a schema that does not fit the migrations is not used; newer migrations are applied after it', async () => {
  await using database = await openEmptyDatabase()
  const [first, ...others] = migrations
  const changed = [{ ...first!, text: 'create table other (id int);' }, ...others]
  for (const unfit of [changed, others, migrations.slice(0, -1)])
    await expect(migrate(database.db, unfit, async () => schema)).rejects.toThrow(/schema\.sql does not fit the migrations/)
  expect(await isEmpty(database.admin)).toBe(true)
  const newest = { name: '9999_newest.sql', text: 'create table newest (id int);' }
  expect(await migrate(database.db, [...migrations, newest], async () => schema)).toEqual([...names, newest.name])
  await sql`select id from newest`.execute(database.db)
})

test('a database that has migrations gets the others, not the schema', async () => {
  await using database = await openEmptyDatabase()
  await migrate(database.db, migrations.slice(0, 2))
  expect(await migrate(database.db, migrations.slice(0, 4), () => Promise.reject(new Error('The schema was read.')))).toEqual(
    names.slice(2, 4),
  )
})
