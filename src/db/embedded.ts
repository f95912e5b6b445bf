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
  /** With the password. */
  readonly url: string
  /** A command for people that connects to it; it names the file of the password and does not show it. */
  readonly psql: string
  /** Where the database really lies: elsewhere than wanted when Postgres's account cannot enter that folder. */
  readonly folder: string
  /** Close your connections first: Postgres cuts those that remain. */
  stop(): Promise<void>
}

interface Options {
  /** Wholly ours; made when it is not there. */
  readonly dataFolder: string
  /** Postgres settings over ours, e.g. `{ fsync: 'off' }` for a test. */
  readonly settings?: Readonly<Record<string, string>>
  /** Takes the few lines a person should see. */
  readonly log?: (line: string) => void
}

const MAJOR = '18'
const NAME = 'tablinum' // of the database and of its role
const SOCKET_PATH_BYTES = 103 // macOS; Linux takes 107
const LOG_BYTES = 10_000_000
const LOCK_FILE = 'owner.lock'
const SQLITE_BUSY = 5
const HANDOVER_MS = 2000 // a killed owner takes a moment to be gone, a stopping one to stop
const STEADY_MS = 10_000

// A laptop, not a server: little memory when idle, and checkpoints far enough apart that an import does not write its pages twice.
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
  log_error_verbosity: 'terse', // the details would carry people's data into the log
}

/** Starts the Postgres that came with the npm packages. It ends when this process does, however that happens. */
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
  await chmod(place.data, 0o700) // a restored copy may be open to all
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
    // The data is another copy than the one that the file belongs to.
    await keeper.stop()
    await setPassword(place, NAME, password)
    keeper = await keepRunning(place, all, log)
  }

  const everything = undo.move()
  let stopped: Promise<void> | undefined
  const stop = () => (stopped ??= everything.disposeAsync())
  return { url, psql: psqlOf(socketFolder, place.home), folder: place.home, stop, [Symbol.asyncDispose]: stop }
}

/** Where the embedded Postgres of this folder is reached while another process runs it; nothing when none does. */
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
  if (!running?.ready) throw new CannotStart(`The Tablinum that uses ${dataFolder} is starting or stopping. Try again in a moment.`)
  return urlOf(running.socketFolder, await findPassword(home))
}

const urlOf = (socketFolder: string, password?: string) =>
  `postgres://${NAME}${password ? `:${password}` : ''}@${encodeURIComponent(socketFolder)}/${NAME}`

const psqlOf = (socketFolder: string, home: string) => `PGPASSWORD="${readByShell(home)}" psql '${urlOf(socketFolder)}'`

/** For a shell, within double quotes. */
const readByShell = (home: string) => `$(cat '${passwordFile(home).replaceAll("'", "'\\''")}')`

/** The kernel frees this lock when its holder dies, so it can be neither stale nor taken twice; SQLite's is the one such lock in Node. */
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
      : 'choose another folder with TABLINUM_DATA.'
    throw new CannotStart(`Another Tablinum (pid ${pid}) uses the database in ${folder}. Stop it, or ${share}`)
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
    `${data} was written by Postgres ${found}, and this Tablinum brings Postgres ${MAJOR}. Back it up with the Tablinum that wrote it (tablinum backup), move the folder away and restore it with this one.`,
  )
}

/** The password of the owner, which the data knows afterwards unless it is a copy from elsewhere. Interrupted, it begins anew with the next start. */
const preparePassword = async (place: Place): Promise<string> => {
  const known = await findPassword(place.home)
  const password = known ?? newPassword()
  const made = await initialise(place, password)
  if (!known && !made) await setPassword(place, NAME, password) // of a version that had none
  await savePassword(place.home, password)
  return password
}

/** Makes the database beside its place and moves it there when whole: a kill in the middle leaves only rubbish, which the next start clears. Answers whether it had to. */
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
        // Same order and same letters on every machine, and no index that an upgrade of the C library makes wrong.
        ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', `--lc-ctype=${ctype}`],
      ],
      as,
    )
  try {
    // Where the machine knows it, the text search parser can tell a curly quote from a letter.
    await initdb('C.UTF-8').catch(() => initdb('C'))
    await runSingle(place, half, [`create database ${NAME}`, `alter role ${NAME} password '${password}'`])
  } catch (error) {
    throw new CannotStart(`The database could not be made in ${home}: ${(error as { stderr?: string }).stderr || (error as Error).message}`)
  }
  await rename(half, data)
  return true
}

/** The data folder lets in nobody else. Only a path too long for a socket needs another such folder. */
const findSocketFolder = async ({ data, account }: Place): Promise<string> => {
  if (Buffer.byteLength(join(data, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES) return data
  const folder = await mkdtemp(join(tmpdir(), 'tablinum-'))
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

/** Postgres gets over the death of any of its processes but the first; for that one there is us. */
const keepRunning = async (place: Place, settings: Readonly<Record<string, string>>, log: (line: string) => void) => {
  let postmaster = await launch(place, settings)
  let stopping = false
  const watch = async () => {
    for (let hasty = 0; ; ) {
      const since = performance.now()
      await postmaster.ended
      if (stopping) return
      hasty = performance.now() - since < STEADY_MS ? hasty + 1 : 0
      if (hasty > 3) throw new CannotStart(`Postgres ends again and again. The reason is at the end of ${logFile(place)}.`)
      log('Postgres ended unexpectedly, and is started again.')
      await endOrphan(place, log)
      postmaster = await launch(place, settings)
      if (stopping) await postmaster.stop()
    }
  }
  const watched = watch() // not awaited: without a database there is nothing to do, so its failure ends the process
  return {
    stop: async () => {
      stopping = true
      await postmaster.stop()
      await watched
    },
  }
}

/** Postgres appends, so the file can be cut under its hands. */
const boundLog = async (place: Place) => {
  const file = logFile(place)
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  if (size < LOG_BYTES) return
  await copyFile(file, `${file}.1`)
  await truncate(file)
}
