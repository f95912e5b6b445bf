import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { connect, type Database } from '../../src/platform/db/connect.ts'
import { findInconsistencies } from '../faults/consistency.ts'
import { startTestServer, type TestServer } from '../faults/server.ts'
import { WriteLoad } from '../faults/write-load.ts'
import { databaseAt } from '../support/database.ts'
import { createInterruptibleProxy } from '../support/interruptible-proxy.ts'
import { startTemporaryPostgres, waitUntilWritable } from './postgres.ts'

type Postgres = Awaited<ReturnType<typeof startTemporaryPostgres>>

/** A server with constant writes, connected to its database through a proxy. */
export interface FaultSite {
  readonly postgres: Postgres
  /** A connection of its own to the database, not through the proxy. */
  readonly database: Database
  readonly databaseUrl: string
  readonly proxy: Awaited<ReturnType<typeof createInterruptibleProxy>>
  readonly server: TestServer
  readonly load: WriteLoad
  /** For the files of the fault. */
  readonly folder: string
}

export interface Fault {
  readonly name: string
  /** How long it lasts. */
  readonly ms: number
  /** Why it cannot be tried on this machine. */
  readonly unavailable?: () => Promise<string | undefined>
  /** Before the server starts: where its database is, and its settings. */
  readonly prepare?: (postgres: Postgres) => Promise<{ tablespace?: string; env?: Record<string, string> }>
  readonly begin: (site: FaultSite, round: number) => Promise<void>
  readonly end: (site: FaultSite) => Promise<void>
  /** What else is wrong afterwards. */
  readonly check?: (site: FaultSite) => Promise<string[]>
  /** Undoes `prepare`. */
  readonly cleanUp?: (postgres: Postgres) => Promise<void>
}

export interface FaultResult {
  readonly acknowledged: number
  readonly rejected: number
  readonly wrong: string[]
  /** Milliseconds from the end of each fault to the next acknowledged write. */
  readonly recovery: number[]
}

const WRITERS = 4
const MAX_RECOVERY_MS = 120_000
const MAX_CONNECTIONS = '60'

export const startFaultPostgres = (): Promise<Postgres> => startTemporaryPostgres('faults', { max_connections: MAX_CONNECTIONS })

/** Lets the fault happen again and again under writes. Writes may get 503 meanwhile; what was acknowledged stays, and nothing is half done. */
export const runFault = async (postgres: Postgres, fault: Fault, rounds: number, interrupt?: AbortSignal): Promise<FaultResult> => {
  const name = `fault_${fault.name.replaceAll(/\W/g, '_').toLowerCase()}`
  const { tablespace, env = {} } = (await fault.prepare?.(postgres)) ?? {}
  await runOn(postgres.url, `create database ${name} ${tablespace ? `tablespace ${tablespace}` : ''}`)
  const databaseUrl = databaseAt(postgres.url, name)
  const proxy = await createInterruptibleProxy(databaseUrl)
  const database = connect(databaseUrl, { poolSize: 2 })
  const server = await startTestServer({ DATABASE_URL: proxy.url, ...env })
  const load = new WriteLoad('', { persistent: true })
  const site: FaultSite = { postgres, database, databaseUrl, proxy, server, load, folder: postgres.file('.') }
  const stopping = new AbortController()
  const wrong: string[] = []
  const recovery: number[] = []
  const writing = load.writeTo(server, WRITERS, stopping.signal).catch((error: Error) => void wrong.push(error.message))
  try {
    for (let round = 0; round < rounds && wrong.length === 0 && !interrupt?.aborted; round += 1) {
      await waitForWrites(load, wrong)
      await fault.begin(site, round)
      await sleep(fault.ms)
      await fault.end(site)
      const ended = performance.now()
      await within(MAX_RECOVERY_MS, waitUntilWritable(server))
      recovery.push(performance.now() - ended)
    }
    await waitForWrites(load, wrong)
    wrong.push(...((await fault.check?.(site)) ?? []))
  } finally {
    stopping.abort()
    await writing
    await server[Symbol.asyncDispose]()
  }
  wrong.push(...(await findInconsistencies(database.db, load)))
  await database.close()
  await proxy[Symbol.asyncDispose]()
  await runOn(postgres.url, `drop database ${name} with (force)`)
  await fault.cleanUp?.(postgres)
  return { acknowledged: load.acknowledged, rejected: load.rejected, wrong, recovery }
}

const waitForWrites = async (load: WriteLoad, wrong: readonly string[]): Promise<void> => {
  const before = load.acknowledged
  await within(
    MAX_RECOVERY_MS,
    (async () => {
      while (load.acknowledged < before + 20 && wrong.length === 0) await sleep(10)
    })(),
  )
}

const within = async (ms: number, work: Promise<void>): Promise<void> => {
  const stop = new AbortController()
  const tooLate = sleep(ms, undefined, { signal: stop.signal }).then(
    () => Promise.reject(new Error(`No write was acknowledged for ${ms} ms after the fault.`)),
    () => {},
  )
  await Promise.race([work, tooLate]).finally(() => stop.abort())
}

/** A statement in a session that can write, whatever the settings are. */
export const runOn = async (url: string, ...statements: string[]): Promise<void> => {
  const { db, close } = connect(url, { poolSize: 1 })
  await sql.raw('set default_transaction_read_only = off').execute(db)
  for (const statement of statements) await sql.raw(statement).execute(db)
  await close()
}
