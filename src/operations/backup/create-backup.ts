import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { escapeIdentifier } from 'pg'
import { type DedicatedConnection, openDedicatedConnection } from '../../platform/db/dedicated-connection.ts'
import { checksum, type Migration } from '../../platform/db/migrate.ts'
import { BackupError } from './error.ts'
import { BACKUP_FORMAT, type BackupHeader, PART_END } from './file.ts'
import { type BackupPart, findTables, findTaskRowsSql, selectRowsSql, TASK_COLUMNS, TASKS_PART } from './tables.ts'

export interface BackupOptions {
  readonly url: string
  readonly file: string
  readonly version: string
  readonly migrations: readonly Migration[]
  /** Reports the current part, its number, the number of parts, and the bytes written so far. */
  readonly progress?: (part: BackupPart, number: number, of: number, bytes: number) => void
  readonly signal?: AbortSignal
}

export interface BackupSummary {
  readonly header: BackupHeader
  readonly bytes: number
}

type PartSource = BackupPart & { readonly select: string }

const GZIP_LEVEL = 4 // gzip level: higher ones take much longer and save little

/** Writes a consistent snapshot of the whole workspace to a new file, while Tablinum may keep running. */
export const createBackup = async ({ url, file, version, migrations, progress, signal }: BackupOptions): Promise<BackupSummary> => {
  if (await stat(file).catch(() => undefined)) throw new BackupError(`${file} already exists. Choose another name.`)
  await using connection = await openDedicatedConnection(url, 'tablinum backup')
  const { header, sources } = await openSnapshot(connection, version, migrations)
  // An unfinished file has another name, so it is never mistaken for a backup. It contains private data, so only its owner may read it.
  const part = `${file}.part`
  const target = await open(part, 'wx', 0o600).catch(toOpenError(part))
  const writing = createWriteStream(part, { fd: target, flush: true })
  try {
    const text = Readable.from(
      generateBackupText(connection, header, sources, (source, number) => progress?.(source, number, sources.length, writing.bytesWritten)),
      { objectMode: false, highWaterMark: BUFFERED_BYTES },
    )
    await pipeline(text, createGzip({ level: GZIP_LEVEL, chunkSize: BUFFERED_BYTES }), writing, { signal })
    await connection.query('commit')
    await rename(part, file)
    return { header, bytes: writing.bytesWritten }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const BUFFERED_BYTES = 256 * 1024

/** The same as a stream. What was not read completely is no backup: the closing line is missing. */
export const streamBackup = async ({
  url,
  version,
  migrations,
  signal,
}: Pick<BackupOptions, 'url' | 'version' | 'migrations' | 'signal'>): Promise<{ header: BackupHeader; file: Readable }> => {
  const connection = await openDedicatedConnection(url, 'tablinum backup')
  try {
    const { header, sources } = await openSnapshot(connection, version, migrations)
    const text = Readable.from(
      generateBackupText(connection, header, sources, () => {}),
      { objectMode: false, highWaterMark: BUFFERED_BYTES },
    )
    const file = createGzip({ level: GZIP_LEVEL, chunkSize: BUFFERED_BYTES })
    // An error destroys the file, and a file that is no longer read ends the snapshot with its connection.
    void pipeline(text, file, { signal })
      .catch(() => {})
      .finally(() => connection[Symbol.asyncDispose]())
    return { header, file }
  } catch (error) {
    await connection[Symbol.asyncDispose]()
    throw error
  }
}

const toOpenError = (part: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST')
    throw new BackupError(`${part} already exists: another backup is running, or one was interrupted. If none is running, delete the file.`)
  if (error.code === 'ENOENT') throw new BackupError(`The folder of ${part} does not exist.`)
  throw new BackupError(`Cannot write ${part}: ${error.message}.`)
}

/** Opens one snapshot of everything. The tables are locked first, so that none can be altered or truncated during the backup. */
const openSnapshot = async (connection: DedicatedConnection, version: string, migrations: readonly Migration[]) => {
  const before = [...(await findTables(connection, migrations)).keys()]
  if (!before.includes('workspaces')) throw new BackupError('This database contains no workspace, so there is nothing to back up.')
  await connection.query('begin isolation level repeatable read, read only')
  await connection.query(`lock table ${before.map(escapeIdentifier).join(', ')} in access share mode`)
  const applied = await connection.query<BackupHeader['migrations'][number]>('select name, checksum from migrations order by name')
  assertMigrationsKnown(applied, migrations)
  const sources = await findSources(connection, migrations)
  const unlocked = sources.find(({ name }) => name !== TASKS_PART && !before.includes(name))
  if (unlocked) throw new BackupError('A newer version of Tablinum is migrating this database. Try again when it has finished.')
  const [workspace] = await connection.query<{ id: string; name: string; now: Date; postgres: string }>(
    `select id, name, now() as now, current_setting('server_version') as postgres from workspaces`,
  )
  if (!workspace) throw new BackupError('This database contains no workspace, so there is nothing to back up.')
  const header: BackupHeader = {
    tablinum_backup: BACKUP_FORMAT,
    version,
    created_at: workspace.now.toISOString(),
    postgres: workspace.postgres,
    workspace: { id: workspace.id, name: workspace.name },
    migrations: applied,
    parts: sources.map(({ name, columns, rows }) => ({ name, columns, rows })),
  }
  return { header, sources }
}

/** A table unknown to this version would silently be missing from the backup. */
const assertMigrationsKnown = (applied: BackupHeader['migrations'], migrations: readonly Migration[]): void => {
  const checksums = new Map(migrations.map(({ name, text }) => [name, checksum(text)]))
  const unknown = applied.find((each) => checksums.get(each.name) !== each.checksum)
  if (unknown)
    throw new BackupError(
      `The database belongs to another version of Tablinum (migration ${unknown.name}). Create the backup with that version.`,
    )
}

const findSources = async (connection: DedicatedConnection, migrations: readonly Migration[]): Promise<PartSource[]> => {
  const tables = [...(await findTables(connection, migrations))].map(([name, columns]) => ({
    name,
    columns: columns.map(({ name }) => name),
    select: selectRowsSql(name, columns),
  }))
  const tasks = await findTaskRowsSql(connection)
  const all = [...tables, ...(tasks ? [{ name: TASKS_PART, columns: TASK_COLUMNS, select: tasks }] : [])]
  const sources: PartSource[] = []
  for (const each of all) {
    const [counted] = await connection.query<{ rows: string }>(`select count(*) as rows from (${each.select}) t`)
    sources.push({ ...each, rows: Number(counted!.rows) })
  }
  return sources
}

async function* generateBackupText(
  connection: DedicatedConnection,
  header: BackupHeader,
  sources: readonly PartSource[],
  onProgress: (source: PartSource, number: number) => void,
) {
  const hash = createHash('sha256')
  const hashed = (bytes: Buffer) => {
    hash.update(bytes)
    return bytes
  }
  yield hashed(Buffer.from(`${JSON.stringify(header)}\n`))
  for (const [i, source] of sources.entries()) {
    onProgress(source, i + 1)
    for await (const rows of connection.copyOut(`copy (${source.select}) to stdout`)) {
      yield hashed(rows)
      onProgress(source, i + 1)
    }
    yield hashed(PART_END)
  }
  yield Buffer.from(`${JSON.stringify({ sha256: hash.digest('hex') })}\n`)
}
