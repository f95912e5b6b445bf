import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { checksum, type Migration } from '../db/migrate.ts'
import { openSession, type Session } from '../db/session.ts'
import { BackupError } from './error.ts'
import { END, FORMAT, type Header } from './file.ts'
import { findTables, findTaskRows, type Part, quoted, rowsOf, TASK_COLUMNS, TASKS } from './tables.ts'

export interface Backup {
  readonly url: string
  readonly file: string
  readonly version: string
  readonly migrations: readonly Migration[]
  /** Reports the current part, its number, the number of parts, and the bytes written so far. */
  readonly progress?: (part: Part, number: number, of: number, bytes: number) => void
  readonly signal?: AbortSignal
}

export interface Taken {
  readonly header: Header
  readonly bytes: number
}

type Source = Part & { readonly select: string }

const LEVEL = 4 // gzip level: higher ones take much longer and save little

/** Writes a consistent snapshot of the whole workspace to a new file, while Tablinum may keep running. */
export const takeBackup = async ({ url, file, version, migrations, progress, signal }: Backup): Promise<Taken> => {
  if (await stat(file).catch(() => undefined)) throw new BackupError(`${file} already exists. Choose another name.`)
  await using session = await openSession(url, 'tablinum backup')
  const { header, sources } = await beginSnapshot(session, version, migrations)
  // An unfinished file has another name, so it is never mistaken for a backup. It contains private data, so only its owner may read it.
  const part = `${file}.part`
  const target = await open(part, 'wx', 0o600).catch(notThere(part))
  const writing = createWriteStream(part, { fd: target, flush: true })
  try {
    const text = Readable.from(
      textOf(session, header, sources, (source, number) => progress?.(source, number, sources.length, writing.bytesWritten)),
      { objectMode: false, highWaterMark: BUFFERED_BYTES },
    )
    await pipeline(text, createGzip({ level: LEVEL, chunkSize: BUFFERED_BYTES }), writing, { signal })
    await session.query('commit')
    await rename(part, file)
    return { header, bytes: writing.bytesWritten }
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

const BUFFERED_BYTES = 256 * 1024

const notThere = (part: string) => (error: NodeJS.ErrnoException) => {
  if (error.code === 'EEXIST')
    throw new BackupError(`${part} already exists: another backup is running, or one was interrupted. If none is running, delete the file.`)
  if (error.code === 'ENOENT') throw new BackupError(`The folder of ${part} does not exist.`)
  throw new BackupError(`Cannot write ${part}: ${error.message}.`)
}

/** Opens one snapshot of everything. The tables are locked first, so that none can be altered or truncated during the backup. */
const beginSnapshot = async (session: Session, version: string, migrations: readonly Migration[]) => {
  const before = [...(await findTables(session, migrations)).keys()]
  if (!before.includes('workspaces')) throw new BackupError('This database contains no workspace, so there is nothing to back up.')
  await session.query('begin isolation level repeatable read, read only')
  await session.query(`lock table ${before.map(quoted).join(', ')} in access share mode`)
  const applied = await session.query<Header['migrations'][number]>('select name, checksum from migrations order by name')
  mustBeKnown(applied, migrations)
  const sources = await findSources(session, migrations)
  const strange = sources.find(({ name }) => name !== TASKS && !before.includes(name))
  if (strange) throw new BackupError('A newer version of Tablinum is migrating this database. Try again when it has finished.')
  const [workspace] = await session.query<{ id: string; name: string; now: Date; postgres: string }>(
    `select id, name, now() as now, current_setting('server_version') as postgres from workspaces`,
  )
  if (!workspace) throw new BackupError('This database contains no workspace, so there is nothing to back up.')
  const header: Header = {
    tablinum_backup: FORMAT,
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
const mustBeKnown = (applied: Header['migrations'], migrations: readonly Migration[]): void => {
  const known = new Map(migrations.map(({ name, text }) => [name, checksum(text)]))
  const unknown = applied.find((each) => known.get(each.name) !== each.checksum)
  if (unknown)
    throw new BackupError(
      `The database belongs to another version of Tablinum (migration ${unknown.name}). Create the backup with that version.`,
    )
}

const findSources = async (session: Session, migrations: readonly Migration[]): Promise<Source[]> => {
  const tables = [...(await findTables(session, migrations))].map(([name, columns]) => ({
    name,
    columns: columns.map(({ name }) => name),
    select: rowsOf(name, columns),
  }))
  const tasks = await findTaskRows(session)
  const all = [...tables, ...(tasks ? [{ name: TASKS, columns: TASK_COLUMNS, select: tasks }] : [])]
  const sources: Source[] = []
  for (const each of all) {
    const [counted] = await session.query<{ rows: string }>(`select count(*) as rows from (${each.select}) t`)
    sources.push({ ...each, rows: Number(counted!.rows) })
  }
  return sources
}

async function* textOf(session: Session, header: Header, sources: readonly Source[], tell: (source: Source, number: number) => void) {
  const hash = createHash('sha256')
  const noted = (bytes: Buffer) => {
    hash.update(bytes)
    return bytes
  }
  yield noted(Buffer.from(`${JSON.stringify(header)}\n`))
  for (const [i, source] of sources.entries()) {
    tell(source, i + 1)
    for await (const rows of session.copyOut(`copy (${source.select}) to stdout`)) {
      yield noted(rows)
      tell(source, i + 1)
    }
    yield noted(END)
  }
  yield Buffer.from(`${JSON.stringify({ sha256: hash.digest('hex') })}\n`)
}
