import { escapeIdentifier } from 'pg'
import { type DedicatedConnection, openDedicatedConnection } from '../../platform/db/dedicated-connection.ts'
import type { Migration } from '../../platform/db/migrate.ts'
import { migrateQueue } from '../../platform/queue/worker.ts'
import { markInFlightDeliveries, queueRestoredTasks } from './after-restore.ts'
import { BackupError } from './error.ts'
import { type BackupHeader, readBackup } from './file.ts'
import { type BackupPart, findTables, TASK_COLUMNS, TASKS_PART } from './tables.ts'
import {
  applyMigrations,
  countAppliedMigrations,
  dropIndexesForLoad,
  dropWorkspaceObjects,
  findWorkspace,
  lockWorkspace,
  type Workspace,
} from './target.ts'

export type RestorePhase = 'checking' | 'loading' | 'indexing'

export interface RestoreOptions {
  readonly url: string
  readonly file: string
  readonly migrations: readonly Migration[]
  /** Asks whether an existing workspace may be deleted. Default: no. */
  readonly replace?: (found: Workspace) => Promise<boolean>
  /** Reports the bytes of the file read so far. */
  readonly progress?: (stage: RestorePhase, bytes: number, part?: BackupPart) => void
  readonly signal?: AbortSignal
}

/**
 * Restores a backup atomically. The file is checked to its end first; then one transaction creates the tables as of the backup's version,
 * loads them, and applies the newer migrations.
 */
export const restoreBackup = async (restore: RestoreOptions): Promise<BackupHeader> => {
  const { url, file, migrations, progress, signal } = restore
  const header = await readBackup(file, {
    header: (header) => void countAppliedMigrations(header, migrations),
    part: skipRows,
    progress: (bytes, part) => progress?.('checking', bytes, part),
    signal,
  })
  await using connection = await openDedicatedConnection(url, 'tablinum restore')
  await connection.query(
    `begin; set local lock_timeout = '10s'; set local maintenance_work_mem = '256MB'; set local synchronous_commit = on`,
  )
  await lockWorkspace(connection)
  await assertTargetEmpty(connection, restore)
  await migrateQueue(url)
  await dropWorkspaceObjects(connection, migrations)
  const appliedCount = countAppliedMigrations(header, migrations)
  await applyMigrations(connection, migrations.slice(0, appliedCount))
  await loadParts(connection, restore, header)
  await applyMigrations(connection, migrations.slice(appliedCount))
  await markInFlightDeliveries(connection)
  await queueRestoredTasks(connection)
  await connection.query(`analyze ${[...(await findTables(connection, migrations)).keys()].map(escapeIdentifier).join(', ')}`)
  signal?.throwIfAborted()
  await connection.query('commit')
  return header
}

const skipRows = async (_part: BackupPart, rows: AsyncGenerator<Buffer>): Promise<void> => {
  for await (const _ of rows);
}

const assertTargetEmpty = async (connection: DedicatedConnection, { migrations, replace }: RestoreOptions): Promise<void> => {
  const found = await findWorkspace(connection, migrations)
  if (!found || (replace && (await replace(found)))) return
  throw new BackupError(
    replace
      ? 'Cancelled. Nothing was changed.'
      : `This database already contains the workspace “${found.name}” with ${found.resources.toLocaleString('en')} resources. Restore into an empty database, or use --replace.`,
  )
}

const loadParts = async (
  connection: DedicatedConnection,
  { file, progress, signal }: RestoreOptions,
  header: BackupHeader,
): Promise<void> => {
  const tables = header.parts.filter(({ name }) => name !== TASKS_PART).map(({ name }) => name)
  const droppedIndexes = await dropIndexesForLoad(connection, tables)
  // The migrations have added their entries; the backup says how far they are.
  if (tables.includes('background_migrations')) await connection.query('delete from background_migrations')
  await connection.query(`
    create temporary table restored_tasks (identifier text, payload json, queue_name text, run_at timestamptz, max_attempts int, key text, priority int)
    on commit drop`)
  let read = 0
  const { parts } = await readBackup(file, {
    part: async ({ name, columns, rows: expected }, rows) => {
      const [table, names] = name === TASKS_PART ? ['restored_tasks', TASK_COLUMNS] : [escapeIdentifier(name), columns]
      const loaded = await connection.copyIn(`copy ${table} (${names.map(escapeIdentifier).join(', ')}) from stdin with (freeze)`, rows)
      if (loaded !== expected) throw new BackupError(`The backup is damaged: ${name} has ${loaded} rows instead of ${expected}.`)
    },
    progress: (bytes, part) => {
      read = bytes
      progress?.('loading', bytes, part)
    },
    signal,
  })
  if (JSON.stringify(parts) !== JSON.stringify(header.parts)) throw new BackupError('The backup file changed while it was being read.')
  for (const statement of droppedIndexes) {
    signal?.throwIfAborted()
    progress?.('indexing', read)
    await connection.query(statement)
  }
  await setSequences(connection, tables)
}

/** Sequences continue after the highest value in use. */
const setSequences = async (connection: DedicatedConnection, tables: readonly string[]): Promise<void> => {
  const found = await connection.query<{ table: string; column: string; sequence: string }>(
    `select c.oid::regclass::text as table, a.attname as column, pg_get_serial_sequence(c.oid::regclass::text, a.attname) as sequence
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.oid = any($1::regclass[]) and a.attnum > 0 and not a.attisdropped and pg_get_serial_sequence(c.oid::regclass::text, a.attname) is not null`,
    [tables.map(escapeIdentifier)],
  )
  for (const { table, column, sequence } of found)
    await connection.query(`select setval($1::regclass, coalesce((select max(${escapeIdentifier(column)}) from ${table}), 0) + 1, false)`, [
      sequence,
    ])
}
