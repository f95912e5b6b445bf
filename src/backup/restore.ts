import type { Migration } from '../db/migrate.ts'
import { openSession, type Session } from '../db/session.ts'
import { migrateQueue } from '../queue/worker.ts'
import { BackupError } from './error.ts'
import { type Header, readBackup } from './file.ts'
import { addTasks, settle } from './settle.ts'
import { findTables, type Part, quoted, TASK_COLUMNS, TASKS } from './tables.ts'
import { applyMigrations, clear, findWorkspace, knownTo, mustBeOurs, takeOff, type Workspace } from './target.ts'

export type Stage = 'checking' | 'loading' | 'indexing'

export interface Restore {
  readonly url: string
  readonly file: string
  readonly migrations: readonly Migration[]
  /** Asks whether an existing workspace may be deleted. Default: no. */
  readonly replace?: (found: Workspace) => Promise<boolean>
  /** Reports the bytes of the file read so far. */
  readonly progress?: (stage: Stage, bytes: number, part?: Part) => void
  readonly signal?: AbortSignal
}

/**
 * Restores a backup atomically. The file is checked to its end first; then one transaction creates the tables as of the backup's version,
 * loads them, and applies the newer migrations.
 */
export const restoreBackup = async (restore: Restore): Promise<Header> => {
  const { url, file, migrations, progress, signal } = restore
  const header = await readBackup(file, {
    header: (header) => void knownTo(header, migrations),
    part: readThrough,
    progress: (bytes, part) => progress?.('checking', bytes, part),
    signal,
  })
  await using session = await openSession(url, 'tablinum restore')
  await session.query(`begin; set local lock_timeout = '10s'; set local maintenance_work_mem = '256MB'; set local synchronous_commit = on`)
  await mustBeOurs(session)
  await mustBeFree(session, restore)
  await migrateQueue(url)
  await clear(session, migrations)
  const known = knownTo(header, migrations)
  await applyMigrations(session, migrations.slice(0, known))
  await load(session, restore, header)
  await applyMigrations(session, migrations.slice(known))
  await settle(session)
  await addTasks(session)
  await session.query(`analyze ${[...(await findTables(session, migrations)).keys()].map(quoted).join(', ')}`)
  signal?.throwIfAborted()
  await session.query('commit')
  return header
}

const readThrough = async (_part: Part, rows: AsyncGenerator<Buffer>): Promise<void> => {
  for await (const _ of rows);
}

const mustBeFree = async (session: Session, { migrations, replace }: Restore): Promise<void> => {
  const found = await findWorkspace(session, migrations)
  if (!found || (replace && (await replace(found)))) return
  throw new BackupError(
    replace
      ? 'Cancelled. Nothing was changed.'
      : `This database already contains the workspace “${found.name}” with ${found.resources.toLocaleString('en')} resources. Restore into an empty database, or use --replace.`,
  )
}

const load = async (session: Session, { file, progress, signal }: Restore, header: Header): Promise<void> => {
  const tables = header.parts.filter(({ name }) => name !== TASKS).map(({ name }) => name)
  const takenOff = await takeOff(session, tables)
  await session.query(`
    create temporary table restored_tasks (identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, key text, priority int)
    on commit drop`)
  let read = 0
  const { parts } = await readBackup(file, {
    part: async ({ name, columns, rows: expected }, rows) => {
      const [table, names] = name === TASKS ? ['restored_tasks', TASK_COLUMNS] : [quoted(name), columns]
      const loaded = await session.copyIn(`copy ${table} (${names.map(quoted).join(', ')}) from stdin with (freeze)`, rows)
      if (loaded !== expected) throw new BackupError(`The backup is damaged: ${name} has ${loaded} rows instead of ${expected}.`)
    },
    progress: (bytes, part) => {
      read = bytes
      progress?.('loading', bytes, part)
    },
    signal,
  })
  if (JSON.stringify(parts) !== JSON.stringify(header.parts)) throw new BackupError('The backup file changed while it was being read.')
  for (const statement of takenOff) {
    signal?.throwIfAborted()
    progress?.('indexing', read)
    await session.query(statement)
  }
  await setSequences(session, tables)
}

/** Sequences continue after the highest value in use. */
const setSequences = async (session: Session, tables: readonly string[]): Promise<void> => {
  const found = await session.query<{ table: string; column: string; sequence: string }>(
    `select c.oid::regclass::text as table, a.attname as column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.oid = any($1::regclass[]) and a.attnum > 0 and not a.attisdropped and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`,
    [tables.map(quoted)],
  )
  for (const { table, column, sequence } of found)
    await session.query(`select setval($1::regclass, coalesce((select max(${quoted(column)}) from ${table}), 0) + 1, false)`, [sequence])
}
