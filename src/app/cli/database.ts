import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError } from '../../operations/backup/error.ts'
import { type Config, ConfigError, readConfig } from '../../platform/config/config.ts'
import { findRunningEmbedded, startEmbeddedPostgres } from '../../platform/db/embedded/embedded.ts'
import { EmbeddedStartError, resolveDataHome } from '../../platform/db/embedded/embedded-location.ts'
import { MigrationError } from '../../platform/db/migrate.ts'

const printLine = (line: string) => process.stderr.write(`${line}\n`)

export interface DatabaseAccess extends AsyncDisposable {
  readonly url: string
  readonly config: Config
}

export interface DatabaseOptions {
  /** Whether Tablinum may be running on it. */
  readonly shared: boolean
  /** Whether to create a database if there is none. */
  readonly create: boolean
}

/** The database of the server: `DATABASE_URL`, or the embedded one, which is started for the duration of the command unless it is running. */
export const connectToDatabase = async ({ shared, create }: DatabaseOptions): Promise<DatabaseAccess> => {
  const config = readConfig(process.env, [])
  if (config.databaseUrl) return { url: config.databaseUrl, config, [Symbol.asyncDispose]: async () => {} }
  const dataFolder = join(config.dataFolder, 'postgres')
  const running = await findRunningEmbedded(dataFolder)
  if (running && !shared) throw new EmbeddedStartError(`Tablinum is running on ${config.dataFolder}. Stop it first.`)
  if (running) return { url: running, config, [Symbol.asyncDispose]: async () => {} }
  if (!create && !existsSync(join(await resolveDataHome(dataFolder), 'data')))
    throw new EmbeddedStartError(`No database found in ${config.dataFolder}. Set TABLINUM_DATA to its folder, or set DATABASE_URL.`)
  const embedded = await startEmbeddedPostgres({ dataFolder, log: printLine })
  return { url: embedded.url, config, [Symbol.asyncDispose]: () => embedded.stop() }
}

/** Runs the command and prints errors the user can fix as one line. The first Ctrl-C stops it cleanly, the second immediately. */
export const reportErrors = async (work: (signal: AbortSignal) => Promise<void>): Promise<number> => {
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort())
  try {
    await work(stopping.signal)
    return 0
  } catch (error) {
    const why = stopping.signal.aborted ? 'Cancelled. Nothing was changed.' : explainError(error as DatabaseError)
    if (!why) throw error
    printLine(why)
    return 1
  }
}

type DatabaseError = Error & { readonly code?: string; readonly detail?: string; readonly severity?: string; readonly syscall?: string }

const explainError = (thrown: DatabaseError): string | undefined => {
  const error: DatabaseError = thrown instanceof AggregateError ? thrown.errors[0] : thrown // for a host name with several addresses
  if (
    error instanceof BackupError ||
    error instanceof ConfigError ||
    error instanceof EmbeddedStartError ||
    error instanceof MigrationError
  )
    return error.message
  if (error.code === LOCK_NOT_AVAILABLE) return 'The tables of this database are locked by another process. Try again later.'
  if (error.severity) return `Database error: ${[error.message, error.detail].filter(Boolean).join('. ')}`
  if (LOST_CONNECTION.test(error.message)) return `The connection to the database was lost: ${error.message}.`
  if (error.syscall) return `The command failed: ${error.message}.` // network or disk
  return undefined
}

const LOCK_NOT_AVAILABLE = '55P03'
const LOST_CONNECTION = /^(timeout expired|connection terminated)/i
