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
  /** Which part is under way, its number among all of them, and how many bytes were written by now. */
  readonly progress?: (part: Part, number: number, of: number, bytes: number) => void
  readonly signal?: AbortSignal
}

export interface Taken {
  readonly header: Header
  readonly bytes: number
}

type Source = Part & { readonly select: string }

const LEVEL = 4 // of the nine of gzip: the next ones take much longer to save little

/** Writes the whole workspace, as it is at one moment, into a new file. It can go on working meanwhile. */
export const takeBackup = async ({ url, file, version, migrations, progress, signal }: Backup): Promise<Taken> => {
  if (await stat(file).catch(() => undefined)) throw new BackupError(`${file} is there already. Choose another name.`)
  await using session = await openSession(url, 'tablinum backup')
  const { header, sources } = await beginSnapshot(session, version, migrations)
  // What is not finished has another name, so it is never taken for a backup. It holds what people may not read: only its owner may.
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
  if (error.code === 'EEXIST') throw new BackupError(`${part} is there: another backup is writing it, or one was killed. Then remove it.`)
  if (error.code === 'ENOENT') throw new BackupError(`The folder of ${part} is not there.`)
  throw new BackupError(`${part} cannot be written: ${error.message}.`)
}

/** One snapshot of everything. The tables are held before it is taken, so that none can be changed in form or emptied under our hands. */
const beginSnapshot = async (session: Session, version: string, migrations: readonly Migration[]) => {
  const before = [...(await findTables(session, migrations)).keys()]
  if (!before.includes('workspaces')) throw new BackupError('There is no workspace in this database: nothing to back up.')
  await session.query('begin isolation level repeatable read, read only')
  await session.query(`lock table ${before.map(quoted).join(', ')} in access share mode`)
  const applied = await session.query<Header['migrations'][number]>('select name, checksum from migrations order by name')
  mustBeKnown(applied, migrations)
  const sources = await findSources(session, migrations)
  const strange = sources.find(({ name }) => name !== TASKS && !before.includes(name))
  if (strange) throw new BackupError('A newer Tablinum is migrating this database. Try again when it has.')
  const [workspace] = await session.query<{ id: string; name: string; now: Date; postgres: string }>(
    `select id, name, now() as now, current_setting('server_version') as postgres from workspaces`,
  )
  if (!workspace) throw new BackupError('There is no workspace in this database: nothing to back up.')
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

/** A table this version does not know would be missing from the backup, and nobody would see it. */
const mustBeKnown = (applied: Header['migrations'], migrations: readonly Migration[]): void => {
  const known = new Map(migrations.map(({ name, text }) => [name, checksum(text)]))
  const unknown = applied.find((each) => known.get(each.name) !== each.checksum)
  if (unknown) throw new BackupError(`The database was written by another Tablinum (migration ${unknown.name}). Back it up with that one.`)
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
