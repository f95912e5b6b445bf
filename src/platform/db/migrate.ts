import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from './connect.ts'
import { DEADLOCK_ERROR } from './driver.ts'

export interface Migration {
  readonly name: string
  readonly text: string
}

const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../../migrations')
/** Creates the database that the migrations up to its generation lead to, and records them. */
export const SCHEMA_FILE = join(import.meta.dirname, '../../../schema.sql')
export const MIGRATION_LOCK = 7_264_501 // arbitrary, but the same in every version
export const MIN_POSTGRES_VERSION = 15

export class MigrationError extends Error {}

export const readMigrations = async (folder = MIGRATIONS_FOLDER): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort()
  return Promise.all(names.map(async (name) => ({ name, text: await readFile(join(folder, name), 'utf8') })))
}

/** Creates the schema of a new database at once, or applies the migrations that an older one lacks. Returns their names. */
export const prepareDatabase = async (db: Db): Promise<string[]> => migrate(db, await readMigrations(), () => readFile(SCHEMA_FILE, 'utf8'))

/**
 * Applies pending migrations and returns their names. Instances that start together wait for each other here. A database without any
 * is created with the schema, if there is one.
 */
export const migrate = async (db: Db, migrations: readonly Migration[], readSchema?: () => Promise<string>): Promise<string[]> => {
  await assertPostgresVersion(db)
  return db.transaction().execute(async (lock) => {
    // This transaction only holds the lock; each migration commits by itself on another connection.
    await sql`set local statement_timeout = 0`.execute(lock)
    await sql`set local idle_in_transaction_session_timeout = 0`.execute(lock) // it is idle while the migrations run
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(lock)
    const isNew = !(await hasMigrations(db))
    if (isNew && readSchema) await createSchema(db, await readSchema(), migrations)
    const pending = await applyPending(db, migrations)
    return isNew ? migrations.map(({ name }) => name) : pending
  })
}

const hasMigrations = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`select to_regclass('migrations') is not null as found`.execute(db)
  return rows[0]!.found
}

/** In one transaction, which takes a small part of the time of all migrations. Migrations that are missing in it are applied afterwards. */
const createSchema = (db: Db, schema: string, migrations: readonly Migration[]): Promise<void> =>
  db.transaction().execute(async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    try {
      await sql.raw(schema).execute(db)
    } catch (error) {
      throw new MigrationError(`The tables could not be created, and nothing was changed: ${(error as Error).message}`, { cause: error })
    }
    const recorded = await readApplied(db)
    if (!recorded.every((row, i) => row.name === migrations[i]?.name && row.checksum === checksum(migrations[i].text)))
      throw new MigrationError('schema.sql does not fit the migrations, so nothing was changed. Write it again with `npm run schema`.')
  })

const readApplied = async (db: Db): Promise<{ name: string; checksum: string }[]> =>
  (await sql<{ name: string; checksum: string }>`select name, checksum from migrations order by name`.execute(db)).rows

const applyPending = async (db: Db, migrations: readonly Migration[]): Promise<string[]> => {
  await sql`create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())`.execute(
    db,
  )
  const applied = await readApplied(db)
  assertUnchanged(applied, migrations)
  const done = new Set(applied.map((row) => row.name))
  const pending = migrations.filter(({ name }) => !done.has(name))
  for (const migration of pending) await applyWithRetries(db, migration)
  return pending.map(({ name }) => name)
}

const ATTEMPTS = 10

/** Processes of the version before keep writing, so it can be the victim of a deadlock, which has undone all of it. */
const applyWithRetries = async (db: Db, migration: Migration): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await applyMigration(db, migration)
      return
    } catch (error) {
      if (attempt >= ATTEMPTS || (error as { cause?: { code?: string } }).cause?.code !== DEADLOCK_ERROR) throw error
    }
  }
}

const applyMigration = (db: Db, { name, text }: Migration): Promise<void> =>
  db.transaction().execute(async (db) => {
    await sql`set local statement_timeout = 0`.execute(db)
    try {
      await sql.raw(text).execute(db)
    } catch (error) {
      throw new MigrationError(`Migration ${name} failed and was rolled back: ${(error as Error).message}`, { cause: error })
    }
    await sql`insert into migrations (name, checksum) values (${name}, ${checksum(text)})`.execute(db)
  })

const assertUnchanged = (applied: { name: string; checksum: string }[], migrations: readonly Migration[]): void => {
  const texts = new Map(migrations.map(({ name, text }) => [name, text]))
  for (const { name, checksum: recorded } of applied) {
    const text = texts.get(name)
    if (text === undefined)
      throw new MigrationError(
        `The database was migrated by a newer version of Tablinum: it contains migration ${name}, but the last one of this version is ${migrations.at(-1)?.name}. Start the newer version, or restore a backup that was made before the upgrade.`,
      )
    if (checksum(text) !== recorded)
      throw new MigrationError(`Migration ${name} was changed after it was applied. Restore the file and add a new migration instead.`)
  }
  const last = applied.at(-1)?.name ?? ''
  const outOfOrder = migrations.find(({ name }) => name < last && !applied.some((row) => row.name === name))
  if (outOfOrder)
    throw new MigrationError(`Migration ${outOfOrder.name} sorts before ${last}, which is already applied. Give it a higher number.`)
}

const assertPostgresVersion = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(db)
  const major = Math.floor(Number(rows[0]?.version) / 10_000)
  if (major < MIN_POSTGRES_VERSION)
    throw new MigrationError(`Tablinum requires Postgres ${MIN_POSTGRES_VERSION} or newer, but this server is version ${major}.`)
}

export const checksum = (text: string): string => createHash('sha256').update(text).digest('hex')
