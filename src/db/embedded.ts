import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdtemp, readdir, realpath, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  acceptsPassword,
  findPassword,
  newPassword,
  passwordFile,
  runSingle,
  savePassword,
  setPassword,
  writeHba,
} from './embedded-password.ts'
import { CannotStart, findHome, findPlace, openDataFolder, type Place, readIfThere } from './embedded-place.ts'
import { endOrphan, environment, launch, logFile, readPostmaster } from './embedded-process.ts'

const run = promisify(execFile)

export interface Embedded extends AsyncDisposable {
  /** Includes the password. */
  readonly url: string
  /** A shell command that connects to it; it refers to the password file and does not contain the password. */
  readonly psql: string
  /** The actual folder of the database, which differs from the configured one if Postgres's account cannot enter that. */
  readonly folder: string
  /** Close all connections first: Postgres terminates the rest. */
  stop(): Promise<void>
}

interface Options {
  /** Used exclusively by Tablinum; created if missing. */
  readonly dataFolder: string
  /** Overrides Postgres settings, e.g. `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>
  /** Receives the few lines an operator should see. */
  readonly log?: (line: string) => void
}

const MAJOR = '18'
const NAME = 'tablinum' // database name and role
const SOCKET_PATH_BYTES = 103 // macOS; Linux allows 107
const LOG_BYTES = 10_000_000
const LOCK_FILE = 'owner.lock'
const SQLITE_BUSY = 5
const HANDOVER_MS = 2000 // a killed or stopping owner takes a moment to exit
const STEADY_MS = 10_000

// Tuned for a laptop: little memory when idle, and checkpoints far enough apart that an import does not write its pages twice.
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '50',
  shared_buffers: '128MB',
  random_page_cost: '1.1',
  jit: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
  log_error_verbosity: 'terse', // details would write user data into the log
}

/** Starts the Postgres bundled as an npm package. It stops when this process ends, however that happens. */
export const startEmbedded = async ({ dataFolder, settings = {}, log = () => {} }: Options): Promise<Embedded> => {
  await using undo = new AsyncDisposableStack()
  const folder = await openDataFolder(dataFolder)
  const lock = await hold(folder)
  undo.defer(() => lock.close())
  const place = await findPlace(folder, log)
  await mustBeThisMajor(place)
  await endOrphan(place, log)
  const password = await preparePassword(place)
  const hba_file = await writeHba(place.home)
  await chmod(place.data, 0o700) // a restored copy may be readable by everyone
  const socketFolder = await findSocketFolder(place)
  if (socketFolder !== place.data) undo.defer(() => rm(socketFolder, { recursive: true, force: true }))
  const rotation = setInterval(() => boundLog(place).catch(() => {}), 60_000).unref()
  undo.defer(() => clearInterval(rotation))
  await boundLog(place)
  const all = { ...SETTINGS, hba_file, unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`, ...settings }
  const url = urlOf(socketFolder, password)
  let keeper = await keepRunning(place, all, log)
  undo.defer(() => keeper.stop())
  if (!(await acceptsPassword(url))) {
    // The data is from another copy than the password file.
    await keeper.stop()
    await setPassword(place, NAME, password)
    keeper = await keepRunning(place, all, log)
  }

  const everything = undo.move()
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= everything.disposeAsync())
  return { url, psql: psqlOf(socketFolder, place.home), folder: place.home, stop, [Symbol.asyncDispose]: stop }
}

/** The URL of this folder's embedded Postgres if another process runs it, otherwise undefined. */
export const findRunning = async (dataFolder: string): Promise<string | undefined> => {
  if (!existsSync(join(dataFolder, LOCK_FILE))) return undefined
  const lock = new DatabaseSync(join(dataFolder, LOCK_FILE))
  try {
    if (take(lock)) return undefined
  } finally {
    lock.close()
  }
  const home = await findHome(await realpath(dataFolder))
  const running = await readPostmaster(join(home, 'data'))
  if (!running?.ready)
    throw new CannotStart(`Another Tablinum process that uses ${dataFolder} is starting or stopping. Try again in a moment.`)
  return urlOf(running.socketFolder, await findPassword(home))
}

const urlOf = (socketFolder: string, password?: string) =>
  `postgres://${NAME}${password ? `:${password}` : ''}@${encodeURIComponent(socketFolder)}/${NAME}`

const psqlOf = (socketFolder: string, home: string) => `PGPASSWORD="${readByShell(home)}" psql '${urlOf(socketFolder)}'`

/** For use inside double quotes in a shell. */
const readByShell = (home: string) => `$(cat '${passwordFile(home).replaceAll("'", "'\\''")}')`

/** The kernel releases this lock when its holder dies, so it cannot be stale; SQLite's is the only such lock available in Node. */
const hold = async (folder: string): Promise<DatabaseSync> => {
  const owner = join(folder, 'owner.pid')
  const lock = new DatabaseSync(join(folder, LOCK_FILE))
  for (const giveUp = performance.now() + HANDOVER_MS; !take(lock); await sleep(50)) {
    if (performance.now() < giveUp) continue
    lock.close()
    const pid = (await readIfThere(owner))?.trim()
    const home = await findHome(folder)
    const running = await readPostmaster(join(home, 'data'))
    const share = running
      ? `share its database: DATABASE_URL="${urlOf(running.socketFolder, readByShell(home))}"`
      : 'use another folder with TABLINUM_DATA.'
    throw new CannotStart(`Another Tablinum process (pid ${pid}) is using the database in ${folder}. Stop it, or ${share}`)
  }
  await writeFile(owner, `${process.pid}\n`)
  return lock
}

const take = (lock: DatabaseSync): boolean => {
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}

const mustBeThisMajor = async ({ data }: Place) => {
  const found = (await readIfThere(join(data, 'PG_VERSION')))?.trim()
  if (!found || found === MAJOR) return
  throw new CannotStart(
    `${data} was created by Postgres ${found}, but this version of Tablinum uses Postgres ${MAJOR}. Create a backup with the previous version (tablinum backup), move the folder away and restore the backup with this version.`,
  )
}

/** Creates or reads the owner's password and sets it in the data, unless that is a copy from elsewhere. If interrupted, the next start repeats it. */
const preparePassword = async (place: Place): Promise<string> => {
  const known = await findPassword(place.home)
  const password = known ?? newPassword()
  const made = await initialise(place, password)
  if (!known && !made) await setPassword(place, NAME, password) // data of a version without passwords
  await savePassword(place.home, password)
  return password
}

/** Creates the database in a temporary folder and renames it when complete, so that an interruption leaves nothing but a folder the next start removes. Returns whether it was created. */
const initialise = async (place: Place, password: string): Promise<boolean> => {
  const { home, data, bin, account } = place
  const names = await readdir(home)
  for (const rubbish of names.filter((name) => name.startsWith('new-data-')))
    await rm(join(home, rubbish), { recursive: true, maxRetries: 5 })
  if (names.includes('data')) return false
  const half = await mkdtemp(join(home, 'new-data-'))
  if (account) await chown(half, account.uid, account.gid)
  const as = { ...account, env: environment, cwd: half }
  const initdb = (ctype: string) =>
    run(
      join(bin, 'initdb'),
      [
        ...['-D', half, '-U', NAME, '--auth=reject', '--encoding=UTF8'],
        // The same collation on every machine, and no index that an upgrade of the C library can corrupt.
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`],
      ],
      as,
    )
  try {
    // With this locale, if available, the text search parser distinguishes curly quotes from letters.
    await initdb('C.UTF-8').catch(() => initdb('C'))
    await runSingle(place, half, [`create database ${NAME}`, `alter role ${NAME} password '${password}'`])
  } catch (error) {
    throw new CannotStart(`Failed to create the database in ${home}: ${(error as { stderr?: string }).stderr || (error as Error).message}`)
  }
  await rename(half, data)
  return true
}

/** The data folder is private, so the socket is in it, unless the path is too long for a socket. */
const findSocketFolder = async ({ data, account }: Place): Promise<string> => {
  if (Buffer.byteLength(join(data, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES) return data
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-'))
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

/** Postgres recovers from the death of any of its processes except the postmaster, which is restarted here. */
const keepRunning = async (place: Place, settings: Readonly<Record<string, string>>, log: (line: string) => void) => {
  let postmaster = await launch(place, settings)
  let stopping = false
  const watch = async () => {
    for (let hasty = 0; ; ) {
      const since = performance.now()
      await postmaster.ended
      if (stopping) return
      hasty = performance.now() - since < STEADY_MS ? hasty + 1 : 0
      if (hasty > 3) throw new CannotStart(`Postgres keeps exiting. See the end of ${logFile(place)} for the reason.`)
      log('Postgres exited unexpectedly. Restarting it.')
      await endOrphan(place, log)
      postmaster = await launch(place, settings)
      if (stopping) await postmaster.stop()
    }
  }
  const watched = watch() // not awaited: Tablinum cannot run without a database, so a failure ends the process
  return {
    stop: async () => {
      stopping = true
      await postmaster.stop()
      await watched
    },
  }
}

/** Postgres opens the log for appending, so it can be truncated while in use. */
const boundLog = async (place: Place) => {
  const file = logFile(place)
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size < LOG_BYTES) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}
