import { escapeIdentifier } from 'pg'
import type { DedicatedConnection } from '../../platform/db/dedicated-connection.ts'
import { checksum, MIGRATION_LOCK, MIN_POSTGRES_VERSION, type Migration } from '../../platform/db/migrate.ts'
import { BackupError } from './error.ts'
import type { BackupHeader } from './file.ts'
import { findCreatedNames } from './tables.ts'

/** The database a backup is restored into: what it contains, how it is cleared, and how the tables are created. */
export interface Workspace {
  readonly name: string
  readonly resources: number
}

/** The number of migrations applied in the backup; they must be the first ones of this version, unchanged. */
export const countAppliedMigrations = (header: BackupHeader, migrations: readonly Migration[]): number => {
  for (const [i, { name, checksum: recorded }] of header.migrations.entries()) {
    const ours = migrations[i]
    if (ours?.name === name && checksum(ours.text) === recorded) continue
    if (migrations.some((each) => each.name === name))
      throw new BackupError(
        `The backup was created by Tablinum ${header.version}, whose migration ${name} differs from this version's. Restore it with that version.`,
      )
    throw new BackupError(
      `The backup was created by a newer version of Tablinum (${header.version}) with migration ${name}, which this version does not have. Restore it with that version.`,
    )
  }
  return header.migrations.length
}

/** Ensures that no other process migrates, restores or runs on this database until the transaction ends. */
export const lockWorkspace = async (connection: DedicatedConnection): Promise<void> => {
  const [server] = await connection.query<{ version: string; free: boolean; others: string }>(
    `select current_setting('server_version_num') as version, pg_try_advisory_xact_lock(${MIGRATION_LOCK}::bigint) as free,
       (select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tablinum') as others`,
  )
  const major = Math.floor(Number(server!.version) / 10_000)
  if (major < MIN_POSTGRES_VERSION)
    throw new BackupError(`Tablinum requires Postgres ${MIN_POSTGRES_VERSION} or newer, but this server is version ${major}.`)
  if (!server!.free)
    throw new BackupError('Another Tablinum process is starting or restoring on this database. Try again when it has finished.')
  if (Number(server!.others) > 0) throw new BackupError('Tablinum is running on this database. Stop it first.')
}

/** The workspace in the database; undefined if there is none. */
export const findWorkspace = async (connection: DedicatedConnection, migrations: readonly Migration[]): Promise<Workspace | undefined> => {
  if (!(await hasTablinumTables(connection, migrations))) return undefined
  const [workspace] = await connection.query<{ name: string; resources: string }>(
    'select name, (select count(*) from resources) as resources from workspaces',
  )
  return workspace && { name: workspace.name, resources: Number(workspace.resources) }
}

/** Other applications have a table `users` too: only a database with our migrations may be cleared. */
const hasTablinumTables = async (connection: DedicatedConnection, migrations: readonly Migration[]): Promise<boolean> => {
  const found = await connection.query<{ name: string }>(
    'select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relname = any($1)',
    [[...findCreatedNames(migrations, 'table')]],
  )
  if (found.length === 0) return false
  const [noted] = await connection.query<{ ours: boolean }>(
    `select count(*) = 2 as ours from pg_attribute where attrelid = to_regclass('migrations') and attname in ('name', 'checksum')`,
  )
  const applied = noted!.ours ? await connection.query<{ name: string }>('select name from migrations') : []
  if (!applied.some(({ name }) => name === migrations[0]!.name))
    throw new BackupError(
      `This database contains tables of another application: ${found.map(({ name }) => name).join(', ')}. Restore into another database.`,
    )
  const unknown = applied.find(({ name }) => !migrations.some((each) => each.name === name))
  if (unknown)
    throw new BackupError(
      `The database belongs to a newer version of Tablinum: it has migration ${unknown.name}, which this version does not have.`,
    )
  return true
}

/** Drops what the migrations created and nothing else: the database may contain tables of others. */
export const dropWorkspaceObjects = async (connection: DedicatedConnection, migrations: readonly Migration[]): Promise<void> => {
  const findNames = async (catalog: string, prefix: string, nameSql: string, names: Set<string>) => {
    const found = await connection.query<{ name: string }>(
      `select ${nameSql} as name from ${catalog} where ${prefix}namespace = current_schema()::regnamespace and ${prefix}name = any($1)`,
      [[...names]],
    )
    return found.map(({ name }) => name)
  }
  const drop = async (sort: string, names: readonly string[], how = '') => {
    if (names.length > 0) await connection.query(`drop ${sort} ${names.join(', ')} ${how}`)
  }
  // Functions first, with the triggers that call them, because some take rows of our tables. Tables are dropped without cascade: objects of others that depend on them stop the restore.
  await drop('function', await findNames('pg_proc', 'pro', 'oid::regprocedure', findCreatedNames(migrations, 'function')), 'cascade')
  await drop('table', await findNames('pg_class', 'rel', 'oid::regclass', findCreatedNames(migrations, 'table')))
  for (const name of await findNames('pg_ts_config', 'cfg', 'oid::regconfig', findCreatedNames(migrations, 'configuration')))
    await drop('text search configuration', [name])
  for (const name of await findNames('pg_ts_dict', 'dict', 'oid::regdictionary', findCreatedNames(migrations, 'dictionary')))
    await drop('text search dictionary', [name])
  await connection.query('delete from graphile_worker._private_jobs')
}

/** Applies and records migrations in the transaction of the restore. */
export const applyMigrations = async (connection: DedicatedConnection, migrations: readonly Migration[]): Promise<void> => {
  await connection.query(
    'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  for (const { name, text } of migrations) {
    await connection.query(text)
    await connection.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum(text)])
  }
}

/** Statements that recreate what was dropped for the load. */
export type DroppedIndexes = readonly string[]

/**
 * Indexes and foreign keys are recreated after the load, which is faster and makes the order of the tables irrelevant. Triggers are
 * disabled, because the backup contains what they would derive. The owner of the tables may do this; the simpler ways need a superuser.
 */
export const dropIndexesForLoad = async (connection: DedicatedConnection, tables: readonly string[]): Promise<DroppedIndexes> => {
  const found = await connection.query<{ off: string; on: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as on
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])
     union all
     select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid) from pg_index i
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
     union all
     select format('alter table %s disable trigger user', r), format('alter table %s enable trigger user', r) from unnest($1::regclass[]) r`,
    [tables.map(escapeIdentifier)],
  )
  for (const { off } of found) await connection.query(off)
  // Reversed: foreign keys, which come first here, need the unique indexes they refer to.
  return found.map(({ on }) => on).reverse()
}
