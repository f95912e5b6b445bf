import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { conflict, invalid } from '../../platform/core/errors.ts'
import { parseDatabaseUrl } from '../../platform/db/database-url.ts'
import type { Credentials, CredentialsInput } from './credentials.ts'

/** Tablinum's own database must not be a source: previews and custom SQL would expose the tokens and secrets stored in it. */
const OWN_DATABASE_MESSAGE = "is Tablinum's own database and cannot be used as a source. Choose another database."

export interface DatabaseIdentity {
  readonly database: string
  readonly oid: string
  /** When the server started, to the microsecond. Every role may read it. */
  readonly started: string
  /** The identifier a server shares with its replicas; empty when the role may not read it. */
  readonly system: string
}

type Query = <T extends object>(text: string) => Promise<readonly T[]>

const IDENTITY_SQL = `
  select pg_catalog.current_database() as database, d.oid::text as oid, extract(epoch from pg_catalog.pg_postmaster_start_time())::text as started
  from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()`
const SYSTEM_ID_SQL = 'select system_identifier::text as system from pg_catalog.pg_control_system()'

/** Identifies the database behind any host name or pooler. Undefined when the server is not Postgres. */
export const readDatabaseIdentity = async (query: Query): Promise<DatabaseIdentity | undefined> => {
  const [found] = await query<Omit<DatabaseIdentity, 'system'>>(IDENTITY_SQL).catch(ignoreMissingFunction)
  if (!found) return undefined
  const [row] = await query<{ system: string }>(SYSTEM_ID_SQL).catch(ignoreMissingFunction)
  return { ...found, system: row?.system ?? '' }
}

const ignoreMissingFunction = (error: unknown): readonly never[] => {
  const { code } = error as { code?: string }
  if (code === '42883' || code === '42501' || code === '42P01') return [] // the function does not exist, or this role may not call it
  throw error
}

export const getOwnDatabaseIdentity = async ({ runtime }: Context): Promise<DatabaseIdentity> => {
  const { db } = runtime.databases.request
  return (await readDatabaseIdentity(async <T>(text: string) => (await sql.raw<T>(text).execute(db)).rows))!
}

/** Checked after connecting. */
export const assertNotOwnDatabase = (found: DatabaseIdentity | undefined, own: DatabaseIdentity): void => {
  const same = found?.database === own.database && found.oid === own.oid
  if (same && (found.started === own.started || (found.system !== '' && found.system === own.system)))
    throw conflict(`The database of this integration ${OWN_DATABASE_MESSAGE}`)
}

const LOOKUP_MS = 3_000

/** Checked before credentials are saved, by address only, because the source need not be reachable yet. Resolves DNS: do not call in a transaction. */
export const assertAddressNotOwnDatabase = async (
  ctx: Context,
  before: Credentials | null,
  input: CredentialsInput | null | undefined,
): Promise<void> => {
  const { host, port, database } = { ...before, ...input } as CredentialsInput
  if (!input || typeof host !== 'string' || typeof database !== 'string') return
  const candidates = (await findOwnAddresses(ctx)).filter((own) => own.database === database && own.port === (port ?? 5432))
  for (const own of candidates) {
    const [at, ours] = await Promise.all([findAddresses(host), findAddresses(own.host)])
    if (ours.some((address) => at.includes(address))) throw invalid({ 'credentials.database': [OWN_DATABASE_MESSAGE] })
  }
}

/** The address in our own URL and the one the server reports: with a pooler in between they differ. */
const findOwnAddresses = async ({ runtime }: Context) => {
  const { db, url } = runtime.databases.request
  const { rows } = await sql<{ host: string; port: number; database: string }>`
    select host(inet_server_addr()) as host, inet_server_port() as port, current_database() as database where inet_server_addr() is not null
  `.execute(db)
  return [parseDatabaseUrl(url), ...rows].filter(({ host }) => !host.startsWith('/'))
}

const THIS_MACHINE = 'this machine'

const findAddresses = async (host: string): Promise<string[]> => {
  const found = isIP(host) ? [host] : await Promise.race([lookUpAddresses(host), sleep(LOOKUP_MS, [], { ref: false })])
  const ours = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  return found.map((address) =>
    ours.includes(address) || /^(?:127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/.test(address) ? THIS_MACHINE : address,
  )
}

const lookUpAddresses = (host: string): Promise<string[]> =>
  lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
