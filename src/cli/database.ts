import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BackupError } from '../backup/error.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { findRunning, startEmbedded } from '../db/embedded.ts'
import { CannotStart, findHome } from '../db/embedded-place.ts'
import { MigrationError } from '../db/migrate.ts'

const say = (line: string) => process.stderr.write(`${line}\n`)

export interface Reached extends AsyncDisposable {
  readonly url: string
  readonly config: Config
}

export interface Reaching {
  /** Whether the product may go on with it meanwhile. */
  readonly shared: boolean
  /** Whether to make one where there is none. */
  readonly create: boolean
}

/** The database the product uses: the one of `DATABASE_URL`; or the embedded one, started for the time of the command unless it runs. */
export const reachDatabase = async ({ shared, create }: Reaching): Promise<Reached> => {
  const config = readConfig(process.env, [])
  if (config.databaseUrl) return { url: config.databaseUrl, config, [Symbol.asyncDispose]: async () => {} }
  const dataFolder = join(config.dataFolder, 'postgres')
  const running = await findRunning(dataFolder)
  if (running && !shared) throw new CannotStart(`Tablinum is running on ${config.dataFolder}. Stop it first.`)
  if (running) return { url: running, config, [Symbol.asyncDispose]: async () => {} }
  if (!create && !existsSync(join(await findHome(dataFolder), 'data')))
    throw new CannotStart(`There is no database in ${config.dataFolder}. Name its folder with TABLINUM_DATA, or set DATABASE_URL.`)
  const embedded = await startEmbedded({ dataFolder, log: say })
  return { url: embedded.url, config, [Symbol.asyncDispose]: () => embedded.stop() }
}

/** Does it, and says in a line what a person can mend. The first Ctrl-C ends it in order, the second at once. */
export const orSayWhy = async (work: (signal: AbortSignal) => Promise<void>): Promise<number> => {
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => stopping.abort())
  try {
    await work(stopping.signal)
    return 0
  } catch (error) {
    const why = stopping.signal.aborted ? 'Stopped; nothing was changed.' : inWords(error as DatabaseError)
    if (!why) throw error
    say(why)
    return 1
  }
}

type DatabaseError = Error & { readonly code?: string; readonly detail?: string; readonly severity?: string; readonly syscall?: string }

const inWords = (thrown: DatabaseError): string | undefined => {
  const error: DatabaseError = thrown instanceof AggregateError ? thrown.errors[0] : thrown // of a name with several addresses
  if (error instanceof BackupError || error instanceof ConfigError || error instanceof CannotStart || error instanceof MigrationError)
    return error.message
  if (error.code === LOCK_NOT_AVAILABLE) return 'Somebody else is using the tables of this database. Try again when they are done.'
  if (error.severity) return `The database says: ${[error.message, error.detail].filter(Boolean).join('. ')}`
  if (LOST.test(error.message)) return `The connection to the database was lost: ${error.message}.`
  if (error.syscall) return `It cannot be done: ${error.message}.` // of the way to the database, or of the disk
  return undefined
}

const LOCK_NOT_AVAILABLE = '55P03'
const LOST = /^(timeout expired|connection terminated)/i
