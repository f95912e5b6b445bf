import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { CannotStart, type Place, readIfThere } from './embedded-place.ts'
import { environment } from './embedded-process.ts'

/** The password of the role that owns the embedded database lies beside the data, readable for the account that runs Tablinum alone. */
export const passwordFile = (home: string): string => join(home, 'password')

export const newPassword = (): string => randomBytes(24).toString('hex')

export const findPassword = async (home: string): Promise<string | undefined> => {
  const text = await readIfThere(passwordFile(home)).catch((error: NodeJS.ErrnoException) => {
    throw new CannotStart(`The password of the database cannot be read (${error.message}). Start it as the account that started Tablinum.`)
  })
  return text?.trim() || undefined
}

/** Whole or not at all, whenever it is interrupted. */
export const savePassword = async (home: string, password: string): Promise<void> => {
  const file = passwordFile(home)
  await writeFile(`${file}.new`, `${password}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

const HBA = 'pg_hba.conf'

/**
 * Who may connect: on the socket with a password, and nobody else. It lies beside the data folder and not in it, because that one may belong
 * to another account, and because data of an earlier version has a file that lets everybody in.
 */
export const writeHba = async (home: string): Promise<string> => {
  const file = join(home, HBA)
  await writeFile(file, '# Written at every start of Tablinum.\nlocal all all scram-sha-256\n')
  await chmod(file, 0o644)
  return file
}

/** Without a running server, and without knowing the password before. */
export const setPassword = (place: Place, role: string, password: string): Promise<void> =>
  runSingle(place, place.data, [`alter role ${role} password '${password}'`])

/** Runs statements in the single-user mode of Postgres, each on a line. */
export const runSingle = async ({ bin, account }: Place, data: string, statements: readonly string[]): Promise<void> => {
  const single = promisify(execFile)(join(bin, 'postgres'), ['--single', '-D', data, 'postgres'], {
    ...account,
    env: environment,
    cwd: data,
  })
  single.child.stdin!.on('error', () => {}) // it ended before it read them, and says why
  single.child.stdin!.end(statements.map((statement) => `${statement}\n`).join(''))
  await single
}

/** Whether the server takes the password. */
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
