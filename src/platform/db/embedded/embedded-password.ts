import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { type EmbeddedLocation, EmbeddedStartError, readFileIfExists } from './embedded-location.ts'
import { POSTGRES_ENV } from './embedded-process.ts'

/** The password of the role that owns the embedded database is stored next to the data, readable only by the account that runs Tablinum. */
export const passwordFile = (home: string): string => join(home, 'password')

export const newPassword = (): string => randomBytes(24).toString('hex')

export const findPassword = async (home: string): Promise<string | undefined> => {
  const text = await readFileIfExists(passwordFile(home)).catch((error: NodeJS.ErrnoException) => {
    throw new EmbeddedStartError(`Cannot read the database password (${error.message}). Run this as the account that runs Tablinum.`)
  })
  return text?.trim() || undefined
}

/** Atomic, even if interrupted. */
export const savePassword = async (home: string, password: string): Promise<void> => {
  const file = passwordFile(home)
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

const HBA = 'pg_hba.conf'

/**
 * Allows connections only on the socket with a password. The file is next to the data folder and not in it, because that may belong to another
 * account, and because data of an earlier version has a file that allows everyone.
 */
export const writeHba = async (home: string): Promise<string> => {
  const file = join(home, HBA)
  await writeFile(file, '# Written at every start of Tablinum.\nlocal all all scram-sha-256\n')
  await chmod(file, 0o644)
  return file
}

/** Works without a running server and without the old password. */
export const setRolePassword = (location: EmbeddedLocation, role: string, password: string): Promise<void> =>
  runSingleUserMode(location, location.data, [`alter role ${role} password '${password}'`])

/** Runs statements in Postgres's single-user mode, one per line. */
export const runSingleUserMode = async ({ bin, account }: EmbeddedLocation, data: string, statements: readonly string[]): Promise<void> => {
  const single = promisify(execFile)(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...account,
    env: POSTGRES_ENV,
    cwd: data,
  })
  single.child.stdin!.on('error', () => {}) // it exited before reading them; the exit reports why
  single.child.stdin!.end(statements.map((statement) => `${statement}\n`).join(''))
  await single
}

/** Whether the server accepts the password in the URL. */
export const acceptsPassword = async (url: string): Promise<boolean> => {
  const client = new Client({ connectionString: url, application_name: 'tablinum start', connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch (error) {
    if ((error as { code?: string }).code === INVALID_PASSWORD) return false
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

const INVALID_PASSWORD = '28P01'
