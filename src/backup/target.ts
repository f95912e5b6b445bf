import { checksum, MIGRATION_LOCK, type Migration, OLDEST_POSTGRES } from '../db/migrate.ts'
import type { Session } from '../db/session.ts'
import { BackupError } from './error.ts'
import type { Header } from './file.ts'
import { madeBy, quoted } from './tables.ts'

/** The database a backup is restored into: what is there, how it is cleared, and how our tables are made in it. */
export interface Workspace {
  readonly name: string
  readonly resources: number
}

/** Which of our migrations the backup has seen; all that come before must be there, as we know them. */
export const knownTo = (header: Header, migrations: readonly Migration[]): number => {
  for (const [i, { name, checksum: recorded }] of header.migrations.entries()) {
    const ours = migrations[i]
    if (ours?.name === name && checksum(ours.text) === recorded) continue
    if (migrations.some((each) => each.name === name))
      throw new BackupError(
        `The backup comes from a Tablinum (${header.version}) whose migration ${name} is another one than here. Restore it with that one.`,
      )
    throw new BackupError(
      `The backup comes from a newer Tablinum (${header.version}): it knows ${name}, and this one does not. Restore it with that one.`,
    )
  }
  return header.migrations.length
}

/** Nobody else may migrate, restore or work here until the transaction is over. */
export const mustBeOurs = async (session: Session): Promise<void> => {
  const [server] = await session.query<{ version: string; free: boolean; others: string }>(
    `select current_setting('server_version_num') as version, pg_try_advisory_xact_lock(${MIGRATION_LOCK}::bigint) as free,
       (select count(*) from pg_stat_activity where datname = current_database() and application_name = 'tablinum') as others`,
  )
  const major = Math.floor(Number(server!.version) / 10_000)
  if (major < OLDEST_POSTGRES) throw new BackupError(`Tablinum needs Postgres ${OLDEST_POSTGRES} or newer; this server is ${major}.`)
  if (!server!.free) throw new BackupError('Another Tablinum is starting or restoring on this database.')
  if (Number(server!.others) > 0) throw new BackupError('Tablinum is running on this database. Stop it first.')
}

/** The workspace that lives in the database; nothing when it is empty. */
export const findWorkspace = async (session: Session, migrations: readonly Migration[]): Promise<Workspace | undefined> => {
  if (!(await hasOurTables(session, migrations))) return undefined
  const [workspace] = await session.query<{ name: string; resources: string }>(
    'select name, (select count(*) from resources) as resources from workspaces',
  )
  return workspace && { name: workspace.name, resources: Number(workspace.resources) }
}

/** Others have tables called `users` too: only a database that has noted our migrations is ours to clear. */
const hasOurTables = async (session: Session, migrations: readonly Migration[]): Promise<boolean> => {
  const found = await session.query<{ name: string }>(
    'select relname as name from pg_class where relnamespace = current_schema()::regnamespace and relname = any($1)',
    [[...madeBy(migrations, 'table')]],
  )
  if (found.length === 0) return false
  const [noted] = await session.query<{ ours: boolean }>(
    `select count(*) = 2 as ours from pg_attribute where attrelid = to_regclass('migrations') and attname in ('name', 'checksum')`,
  )
  const applied = noted!.ours ? await session.query<{ name: string }>('select name from migrations') : []
  if (!applied.some(({ name }) => name === migrations[0]!.name))
    throw new BackupError(
      `This database has tables that are not Tablinum's: ${found.map(({ name }) => name).join(', ')}. Restore into another.`,
    )
  const unknown = applied.find(({ name }) => !migrations.some((each) => each.name === name))
  if (unknown) throw new BackupError(`The database belongs to a newer Tablinum: it knows ${unknown.name}, and this one does not.`)
  return true
}

/** Removes what the migrations make, and nothing else: others may keep tables of their own here. */
export const clear = async (session: Session, migrations: readonly Migration[]): Promise<void> => {
  const named = async (catalog: string, prefix: string, shown: string, names: Set<string>) => {
    const found = await session.query<{ name: string }>(
      `select ${shown} as name from ${catalog} where ${prefix}namespace = current_schema()::regnamespace and ${prefix}name = any($1)`,
      [[...names]],
    )
    return found.map(({ name }) => name)
  }
  const drop = async (sort: string, names: readonly string[], how = '') => {
    if (names.length > 0) await session.query(`drop ${sort} ${names.join(', ')} ${how}`)
  }
  // Functions first, with the triggers that call them: some take rows of our tables. What others built on a table is not taken along: it stops us.
  await drop('function', await named('pg_proc', 'pro', 'oid::regprocedure', madeBy(migrations, 'function')), 'cascade')
  await drop('table', await named('pg_class', 'rel', 'oid::regclass', madeBy(migrations, 'table')))
  for (const name of await named('pg_ts_config', 'cfg', 'oid::regconfig', madeBy(migrations, 'configuration')))
    await drop('text search configuration', [name])
  for (const name of await named('pg_ts_dict', 'dict', 'oid::regdictionary', madeBy(migrations, 'dictionary')))
    await drop('text search dictionary', [name])
  await session.query('delete from graphile_worker._private_jobs')
}

/** Runs migrations in the transaction of the restore; each notes itself as it does at a start. */
export const applyMigrations = async (session: Session, migrations: readonly Migration[]): Promise<void> => {
  await session.query(
    'create table if not exists migrations (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  for (const { name, text } of migrations) {
    await session.query(text)
    await session.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum(text)])
  }
}

/** What was taken off tables for a load, as statements that put it back. */
export type TakenOff = readonly string[]

/**
 * Indexes and foreign keys come back when the rows are in: that is faster, and the order of the tables means nothing. Triggers are
 * off: what they would derive is in the backup. A role that owns the tables may do all this; only a superuser could do it more simply.
 */
export const takeOff = async (session: Session, tables: readonly string[]): Promise<TakenOff> => {
  const found = await session.query<{ off: string; on: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as off,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as on
     from pg_constraint where contype = 'f' and conrelid = any($1::regclass[])
     union all
     select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid) from pg_index i
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u', 'x'))
     union all
     select format('alter table %s disable trigger user', r), format('alter table %s enable trigger user', r) from unnest($1::regclass[]) r`,
    [tables.map(quoted)],
  )
  for (const { off } of found) await session.query(off)
  // Foreign keys, which come first here, need the unique indexes they lead to.
  return found.map(({ on }) => on).reverse()
}
