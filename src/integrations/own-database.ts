import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { addressOf } from '../db/address.ts'
import { conflict, invalid } from '../errors.ts'
import type { Credentials, CredentialsIn } from './credentials.ts'

/** Tablinum's own database must not be a source: previews and custom SQL would expose the tokens and secrets stored in it. */
const SENTENCE = "is Tablinum's own database and cannot be used as a source. Choose another database."

export interface DatabaseIdentity {
  readonly database: string
  readonly oid: string
  /** When the server started, to the microsecond. Every role may read it. */
  readonly started: string
  /** The identifier a server shares with its replicas; empty when the role may not read it. */
  readonly system: string
}

type Query = <T extends object>(text: string) => Promise<readonly T[]>

const IDENTITY = `
  select pg_catalog.current_database() as database, d.oid::text as oid, extract(epoch from pg_catalog.pg_postmaster_start_time())::text as started
  from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()`
const SYSTEM = 'select system_identifier::text as system from pg_catalog.pg_control_system()'

/** Identifies the database behind any host name or pooler. Undefined when the server is not Postgres. */
export const readIdentity = async (query: Query): Promise<DatabaseIdentity | undefined> => {
  const [found] = await query<Omit<DatabaseIdentity, 'system'>>(IDENTITY).catch(unlessMissing)
  if (!found) return undefined
  const [row] = await query<{ system: string }>(SYSTEM).catch(unlessMissing)
  return { ...found, system: row?.system ?? '' }
}

const unlessMissing = (error: unknown): readonly never[] => {
  const { code } = error as { code?: string }
  if (code === '42883' || code === '42501' || code === '42P01') return [] // the function does not exist, or this role may not call it
  throw error
}

export const identityOf = async ({ runtime }: Context): Promise<DatabaseIdentity> => {
  const { db } = runtime.databases.request
  return (await readIdentity(async <T>(text: string) => (await sql.raw<T>(text).execute(db)).rows))!
}

/** Checked after connecting. */
export const mustBeForeign = (found: DatabaseIdentity | undefined, own: DatabaseIdentity): void => {
  const same = found?.database === own.database && found.oid === own.oid
  if (same && (found.started === own.started || (found.system !== '' && found.system === own.system)))
    throw conflict(`The database of this integration ${SENTENCE}`)
}

const LOOKUP_MS = 3_000

/** Checked before credentials are saved, by address only, because the source need not be reachable yet. Resolves DNS: do not call in a transaction. */
export const mustLeadElsewhere = async (
  ctx: Context,
  before: Credentials | null,
  given: CredentialsIn | null | undefined,
): Promise<void> => {
  const { host, port, database } = { ...before, ...given } as CredentialsIn
  if (!given || typeof host !== 'string' || typeof database !== 'string') return
  const alike = (await ownAddresses(ctx)).filter((own) => own.database === database && own.port === (port ?? 5432))
  for (const own of alike) {
    const [at, ours] = await Promise.all([findAddresses(host), findAddresses(own.host)])
    if (ours.some((address) => at.includes(address))) throw invalid({ 'credentials.database': [SENTENCE] })
  }
}

/** The address in our own URL and the one the server reports: with a pooler in between they differ. */
const ownAddresses = async ({ runtime }: Context) => {
  const { db, url } = runtime.databases.request
  const { rows } = await sql<{ host: string; port: number; database: string }>`
    select host(inet_server_addr()) as host, inet_server_port() as port, current_database() as database where inet_server_addr() is not null
  `.execute(db)
  return [addressOf(url), ...rows].filter(({ host }) => !host.startsWith('/'))
}

const THIS_MACHINE = 'this machine'

const findAddresses = async (host: string): Promise<string[]> => {
  const found = isIP(host) ? [host] : await Promise.race([lookedUp(host), sleep(LOOKUP_MS, [], { ref: false })])
  const ours = Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
  return found.map((address) =>
    ours.includes(address) || /^(?:127\.|::1$|::ffff:127\.|0\.0\.0\.0$|::$)/.test(address) ? THIS_MACHINE : address,
  )
}

const lookedUp = (host: string): Promise<string[]> =>
  lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )

/** A connection that Tablinum configured itself: callers cannot set a socket folder as host. */
export const isOwn = (connection: unknown): boolean => String((connection as { host?: unknown } | null)?.host ?? '').startsWith('/')

/** Only the demo uses a local socket, with its own database and a role of the same name. */
export const mayConnect = (connection: unknown): boolean => !isOwn(connection) || isDemoConnection(connection)

export const DEMO_INTEGRATION = '169896bd-3832-5cdd-a3b3-125de2ec4108'
export const DEMO_SUFFIX = '_demo'

/** Drops the demo's database after its integration was deleted. */
export const DROP_DEMO_JOB = 'drop_demo'

/** The demo's database and the role that reads it have the same name. */
export const isDemoConnection = (connection: unknown): boolean => {
  const { database, user } = (connection ?? {}) as { database?: unknown; user?: unknown }
  return typeof user === 'string' && user === database && user.endsWith(DEMO_SUFFIX)
}
