import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, copyFile, mkdtemp, readdir, realpath, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import {
  type EmbeddedLocation,
  EmbeddedStartError,
  openDataFolder,
  readFileIfExists,
  resolveDataHome,
  resolveEmbeddedLocation,
} from './embedded-location.ts'
import {
  acceptsPassword,
  findPassword,
  newPassword,
  passwordFile,
  runSingleUserMode,
  savePassword,
  setRolePassword,
  writeHba,
} from './embedded-password.ts'
import { launchPostgres, logFile, POSTGRES_ENV, readPostmasterFile, stopOrphanedPostgres } from './embedded-process.ts'

const run = promisify(execFile)

export interface EmbeddedPostgres extends AsyncDisposable {
  /** Includes the password. */
  readonly url: string
  /** A shell command that connects to it; it refers to the password file and does not contain the password. */
  readonly psql: string
  /** The actual folder of the database, which differs from the configured one if Postgres's account cannot enter that. */
  readonly folder: string
  /** Close all connections first: Postgres terminates the rest. */
  stop(): Promise<void>
}

interface EmbeddedOptions {
  /** Used exclusively by Tablinum; created if missing. */
  readonly dataFolder: string
  /** Overrides Postgres settings, e.g. `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>
  /** Receives the few lines an operator should see. */
  readonly log?: (line: string) => void
  /** Other processes are at work, creating the database or starting Postgres, and this one would only wait. */
  readonly onLaunch?: () => void
}

const POSTGRES_MAJOR = '18'
const DATABASE_NAME = 'tablinum' // database name and role
const SOCKET_PATH_BYTES = 103 // macOS; Linux allows 107
const LOG_BYTES = 10_000_000
const LOCK_FILE = 'owner.lock'
const SQLITE_BUSY = 5
const LOCK_TIMEOUT_MS = 2000 // a killed or stopping owner takes a moment to exit
const STABLE_RUN_MS = 1_000
const RESTART_DELAY_MS = 500 // longer after each exit in quick succession
const MAX_RESTART_DELAY_MS = 5_000

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
export const startEmbeddedPostgres = async ({
  dataFolder,
  settings = {},
  log = () => {},
  onLaunch,
}: EmbeddedOptions): Promise<EmbeddedPostgres> => {
  await using undo = new AsyncDisposableStack()
  const folder = await openDataFolder(dataFolder)
  const lock = await acquireFolderLock(folder)
  undo.defer(() => lock.close())
  const location = await resolveEmbeddedLocation(folder, log)
  await assertSameMajor(location)
  await stopOrphanedPostgres(location, log)
  const password = await preparePassword(location, onLaunch)
  const hba_file = await writeHba(location.home)
  await chmod(location.data, 0o700) // a restored copy may be readable by everyone
  const socketFolder = await findSocketFolder(location)
  if (socketFolder !== location.data) undo.defer(() => rm(socketFolder, { recursive: true, force: true }))
  const rotation = setInterval(() => rotateLog(location).catch(() => {}), 60_000).unref()
  undo.defer(() => clearInterval(rotation))
  await rotateLog(location)
  const all = { ...SETTINGS, hba_file, unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`, ...settings }
  const url = buildSocketUrl(socketFolder, password)
  let supervisor = await supervisePostgres(location, all, log, onLaunch)
  undo.defer(() => supervisor.stop())
  if (!(await acceptsPassword(url))) {
    // The data is from another copy than the password file.
    await supervisor.stop()
    await setRolePassword(location, DATABASE_NAME, password)
    supervisor = await supervisePostgres(location, all, log)
  }

  const everything = undo.move()
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= everything.disposeAsync())
  return { url, psql: buildPsqlCommand(socketFolder, location.home), folder: location.home, stop, [Symbol.asyncDispose]: stop }
}

/** The URL of this folder's embedded Postgres if another process runs it, otherwise undefined. */
export const findRunningEmbedded = async (dataFolder: string): Promise<string | undefined> => {
  if (!existsSync(join(dataFolder, LOCK_FILE))) return undefined
  const lock = new DatabaseSync(join(dataFolder, LOCK_FILE))
  try {
    if (tryLock(lock)) return undefined
  } finally {
    lock.close()
  }
  const home = await resolveDataHome(await realpath(dataFolder))
  const running = await readPostmasterFile(join(home, 'data'))
  if (!running?.ready)
    throw new EmbeddedStartError(`Another Tablinum process that uses ${dataFolder} is starting or stopping. Try again in a moment.`)
  return buildSocketUrl(running.socketFolder, await findPassword(home))
}

const buildSocketUrl = (socketFolder: string, password?: string) =>
  `postgres://${DATABASE_NAME}${password ? `:${password}` : ''}@${encodeURIComponent(socketFolder)}/${DATABASE_NAME}`

const buildPsqlCommand = (socketFolder: string, home: string) =>
  `PGPASSWORD="${toShellExpression(home)}" psql '${buildSocketUrl(socketFolder)}'`

/** For use inside double quotes in a shell. */
const toShellExpression = (home: string) => `$(cat '${passwordFile(home).replaceAll("'", "'\\''")}')`

/** The kernel releases this lock when its holder dies, so it cannot be stale; SQLite's is the only such lock available in Node. */
const acquireFolderLock = async (folder: string): Promise<DatabaseSync> => {
  const owner = join(folder, 'owner.pid')
  const lock = new DatabaseSync(join(folder, LOCK_FILE))
  for (const deadline = performance.now() + LOCK_TIMEOUT_MS; !tryLock(lock); await sleep(50)) {
    if (performance.now() < deadline) continue
    lock.close()
    const pid = (await readFileIfExists(owner))?.trim()
    const home = await resolveDataHome(folder)
    const running = await readPostmasterFile(join(home, 'data'))
    const share = running
      ? `share its database: DATABASE_URL="${buildSocketUrl(running.socketFolder, toShellExpression(home))}"`
      : 'use another folder with TABLINUM_DATA.'
    throw new EmbeddedStartError(`Another Tablinum process (pid ${pid}) is using the database in ${folder}. Stop it, or ${share}`)
  }
  await writeFile(owner, `${process.pid}\n`)
  return lock
}

const tryLock = (lock: DatabaseSync): boolean => {
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return true
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false
    throw error
  }
}

const assertSameMajor = async ({ data }: EmbeddedLocation) => {
  const found = (await readFileIfExists(join(data, 'PG_VERSION')))?.trim()
  if (!found || found === POSTGRES_MAJOR) return
  throw new EmbeddedStartError(
    `${data} was created by Postgres ${found}, but this version of Tablinum uses Postgres ${POSTGRES_MAJOR}. Create a backup with the previous version (tablinum backup), move the folder away and restore the backup with this version.`,
  )
}

/** Creates or reads the owner's password and sets it in the data, unless that is a copy from elsewhere. If interrupted, the next start repeats it. */
const preparePassword = async (location: EmbeddedLocation, onLaunch?: () => void): Promise<string> => {
  const existing = await findPassword(location.home)
  const password = existing ?? newPassword()
  const created = await initializeDatabase(location, password, onLaunch)
  if (!existing && !created) await setRolePassword(location, DATABASE_NAME, password) // data of a version without passwords
  await savePassword(location.home, password)
  return password
}

/** Creates the database in a temporary folder and renames it when complete, so that an interruption leaves nothing but a folder the next start removes. Returns whether it was created. */
const initializeDatabase = async (location: EmbeddedLocation, password: string, onLaunch?: () => void): Promise<boolean> => {
  const { home, data, bin, account } = location
  const names = await readdir(home)
  for (const leftover of names.filter((name) => name.startsWith('new-data-')))
    await rm(join(home, leftover), { recursive: true, maxRetries: 5 })
  if (names.includes('data')) return false
  const temporary = await mkdtemp(join(home, 'new-data-'))
  if (account) await chown(temporary, account.uid, account.gid)
  const as = { ...account, env: POSTGRES_ENV, cwd: temporary }
  const initdb = (ctype: string) =>
    run(
      join(bin, 'initdb'),
      [
        ...['-D', temporary, '-U', DATABASE_NAME, '--auth=reject', '--encoding=UTF8'],
        // The same collation on every machine, and no index that an upgrade of the C library can corrupt.
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`],
      ],
      as,
    )
  try {
    // With this locale, if available, the text search parser distinguishes curly quotes from letters.
    const created = initdb('C.UTF-8').catch(() => initdb('C'))
    onLaunch?.()
    await created
    await runSingleUserMode(location, temporary, [`create database ${DATABASE_NAME}`, `alter role ${DATABASE_NAME} password '${password}'`])
  } catch (error) {
    throw new EmbeddedStartError(
      `Failed to create the database in ${home}: ${(error as { stderr?: string }).stderr || (error as Error).message}`,
    )
  }
  await rename(temporary, data)
  return true
}

/** The data folder is private, so the socket is in it, unless the path is too long for a socket. */
const findSocketFolder = async ({ data, account }: EmbeddedLocation): Promise<string> => {
  if (Buffer.byteLength(join(data, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES) return data
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-'))
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

/** Postgres recovers from the death of any of its processes except the postmaster, which is restarted here. */
const supervisePostgres = async (
  location: EmbeddedLocation,
  settings: Readonly<Record<string, string>>,
  log: (line: string) => void,
  onLaunch?: () => void,
) => {
  let postmaster = await launchPostgres(location, settings, onLaunch)
  const stopping = new AbortController()
  const { signal } = stopping
  const watch = async () => {
    for (let failures = 0; ; ) {
      const since = performance.now()
      await postmaster.ended
      if (signal.aborted) return
      failures = performance.now() - since < STABLE_RUN_MS ? failures + 1 : 0
      log('Postgres exited unexpectedly. Restarting it.')
      for (let running = false; !running; ) {
        await sleep(Math.min(failures * RESTART_DELAY_MS, MAX_RESTART_DELAY_MS), undefined, { signal }).catch(() => {})
        if (signal.aborted) return
        await stopOrphanedPostgres(location, log)
        try {
          postmaster = await launchPostgres(location, settings)
          running = true
        } catch (error) {
          failures += 1
          log(`Postgres cannot be restarted, trying again: ${(error as Error).message}`)
        }
      }
      if (signal.aborted) await postmaster.stop()
    }
  }
  const watched = watch() // not awaited: it ends when Postgres is stopped
  return {
    stop: async () => {
      stopping.abort()
      await postmaster.stop()
      await watched
    },
  }
}

/** Postgres opens the log for appending, so it can be truncated while in use. */
const rotateLog = async (location: EmbeddedLocation) => {
  const file = logFile(location)
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size < LOG_BYTES) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}
