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
  /** Asked when there is a workspace already: may it go? Without it, it may not. */
  readonly replace?: (found: Workspace) => Promise<boolean>
  /** How many bytes of the file are read. */
  readonly progress?: (stage: Stage, bytes: number, part?: Part) => void
  readonly signal?: AbortSignal
}

/**
 * Puts a backup into a database, all of it or nothing. The file is read to its end first; then one transaction makes the tables as they
 * were when it was taken, fills them, and brings them up to date as a start would.
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
      ? 'Nothing was changed.'
      : `There is a workspace in this database already: “${found.name}”, with ${found.resources.toLocaleString('en')} resources. Restore into an empty database, or say --replace.`,
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
      if (loaded !== expected) throw new BackupError(`The backup is damaged: ${name} has ${loaded} rows, and should have ${expected}.`)
    },
    progress: (bytes, part) => {
      read = bytes
      progress?.('loading', bytes, part)
    },
    signal,
  })
  if (JSON.stringify(parts) !== JSON.stringify(header.parts)) throw new BackupError('The backup was changed while it was read.')
  for (const statement of takenOff) {
    signal?.throwIfAborted()
    progress?.('indexing', read)
    await session.query(statement)
  }
  await setSequences(session, tables)
}

/** Numbers go on after the last one given. */
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
