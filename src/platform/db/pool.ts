import type { Socket } from 'node:net'
import { Client, type ClientBase, type ClientConfig, Pool, type PoolConfig, type QueryConfig } from 'pg'
import { PreparedStatements, SeenStatements } from './prepared.ts'
import { valueParsers } from './value-parsers.ts'

/** A pooled connection with its server process and its prepared statements. */
export class PooledClient extends Client {
  /** The server's own process ID. `processID` may be made up by a pooler. */
  pid = 0
  /** The generation of the pool when it was opened; see `renew`. */
  generation = 0
  readonly prepared: PreparedStatements
  /** Whether statements are sent without waiting for the answers of those before. On in transactions. */
  declare pipeline: boolean

  constructor(config: ClientConfig & { readonly seen: SeenStatements }) {
    // The pool's own `connectionTimeoutMillis` would also limit how long callers wait for a free connection.
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    this.on('error', () => {}) // reported by the running statement
    this.prepared = new PreparedStatements(config.seen)
  }
}

/** Private state of a `pg` connection. */
interface Internals {
  readonly _queryable: boolean
  readonly connection: { readonly stream: Socket }
}
const getInternals = (client: ClientBase): Internals => client as unknown as Internals

/** Closes a connection immediately. `end` would wait for a server that may not respond. */
export const destroyConnection = (client: ClientBase): void => {
  getInternals(client).connection.stream.destroy()
}

/** Whether a connection broke or is being closed by the server. */
export const isBroken = (client: ClientBase): boolean => {
  const { _queryable, connection } = getInternals(client)
  return !_queryable || connection.stream.destroyed
}

export interface PoolOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string
  readonly max: number
  /** 0: no limit. */
  readonly statementTimeoutMs: number
  /** Called when a connection is lost; not when the pool closes an idle one. */
  readonly onLost: (error: unknown) => void
  /** How long a caller waits while all connections are busy. Default: no limit. */
  readonly acquireTimeoutMs?: number
  readonly idleTimeoutMs?: number
}

/** No connection became free in time. */
export class PoolBusyError extends Error {
  override readonly name = 'TimeoutError'
}

export interface ConnectionPool {
  readonly max: number
  /** Open connections, idle connections, and callers waiting for one. */
  counts(): { readonly open: number; readonly idle: number; readonly waiting: number }
  acquire(): Promise<PooledClient & { release(destroy?: boolean): void }>
  /** Connections opened before now are not used again: their server may be down, or their prepared statements outdated. */
  renew(atMostEveryMs?: number): void
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000 // ten idle server processes use as much memory as an idle Tablinum
const LIFETIME_SECONDS = 3_600
/** A vanished peer is detected after this plus ten seconds; the default of Linux is two hours. */
export const KEEP_ALIVE_OPTIONS = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

/**
 * Settings of every connection. Sent as a statement and not as startup parameters, because PgBouncer rejects those it does not track.
 * The server detects within 40 seconds that this process has vanished and releases its locks; its default is two hours. `jit` would compile the triggers' statements for hundreds of milliseconds each; it is on by default.
 */
const connectionSettingsSql = (statementTimeoutMs: number): string =>
  `select pg_backend_pid() as pid, set_config('statement_timeout', '${statementTimeoutMs}', false), set_config('jit', 'off', false),
    set_config('timezone', 'UTC', false), set_config('idle_in_transaction_session_timeout', '0', false), set_config('idle_session_timeout', '0', false),
    set_config('tcp_keepalives_idle', '10', false), set_config('tcp_keepalives_interval', '10', false), set_config('tcp_keepalives_count', '3', false),
    set_config('tcp_user_timeout', '40000', false), set_config('datestyle', 'ISO', false), set_config('intervalstyle', 'postgres', false)`

/** Sends the settings on a new connection, or closes it on failure. Returns the server process ID. */
export const initializeConnection = async (client: ClientBase, statementTimeoutMs: number): Promise<number> => {
  try {
    const { rows } = await client.query<{ pid: number }>({
      text: connectionSettingsSql(statementTimeoutMs),
      query_timeout: CONNECT_TIMEOUT_MS,
    } as QueryConfig)
    return rows[0]!.pid
  } catch (error) {
    destroyConnection(client)
    throw error
  }
}

export const openPool = (url: string, options: PoolOptions): ConnectionPool => {
  const { name, max, statementTimeoutMs, onLost, acquireTimeoutMs, idleTimeoutMs = IDLE_TIMEOUT_MS } = options
  const seen = new SeenStatements()
  let generation = 0
  let renewedAt = Number.NEGATIVE_INFINITY
  const pool = new Pool({
    connectionString: url,
    application_name: name,
    max,
    idleTimeoutMillis: idleTimeoutMs,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    ...KEEP_ALIVE_OPTIONS,
    types: valueParsers,
    Client: PooledClient,
    seen,
    // If the first statement fails, the connection is closed and the waiting caller gets the error.
    onConnect: async (client: PooledClient) => {
      client.generation = generation
      client.pid = await initializeConnection(client, statementTimeoutMs)
    },
  } as unknown as PoolConfig)
  pool.on('error', onLost) // error of an idle connection

  const acquireClient = (): ReturnType<ConnectionPool['acquire']> => {
    const turn = pool.connect() as unknown as ReturnType<ConnectionPool['acquire']>
    return acquireTimeoutMs && pool.waitingCount > 0 && pool.totalCount >= max ? withAcquireTimeout(turn, acquireTimeoutMs) : turn
  }
  return {
    max,
    counts: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    acquire: async () => {
      for (;;) {
        const client = await acquireClient()
        if (client.generation === generation) return client
        client.release(true)
      }
    },
    renew: (atMostEveryMs = 0) => {
      if (performance.now() - renewedAt < atMostEveryMs) return
      renewedAt = performance.now()
      generation += 1
    },
    close: () => pool.end(),
  }
}

const withAcquireTimeout = async (acquiring: ReturnType<ConnectionPool['acquire']>, ms: number): ReturnType<ConnectionPool['acquire']> => {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    acquiring.then(
      (client) => client.release(),
      () => {},
    )
    reject(new PoolBusyError('All database connections are busy.'))
  }, ms)
  try {
    return await Promise.race([acquiring, late])
  } finally {
    clearTimeout(timer)
  }
}
