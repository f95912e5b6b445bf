import { Client, type ClientConfig, Pool, type PoolConfig } from 'pg'
import { PreparedStatements, SeenStatements } from './prepared.ts'
import { valueParsers } from './value-parsers.ts'

/** A connection of a pool, with its server process and what it has prepared. */
export class PooledClient extends Client {
  /** As the server knows it. `processID` may be a pooler's invention. */
  pid = 0
  readonly prepared: PreparedStatements

  constructor(config: ClientConfig & { readonly seen: SeenStatements }) {
    // The pool's own `connectionTimeoutMillis` would also limit how long callers wait for their turn.
    super({ ...config, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    this.prepared = new PreparedStatements(config.seen)
  }
}

export interface PoolOptions {
  /** Shown in pg_stat_activity. */
  readonly name: string
  readonly max: number
  /** 0: no limit. */
  readonly statementTimeoutMs: number
  /** Called when the server ends a connection, or it breaks: never when the pool closes one that idles. */
  readonly onLost: (error: unknown) => void
}

export interface ConnectionPool {
  readonly max: number
  /** Connections that are open, idle, and callers that wait for one. */
  counts(): { readonly open: number; readonly idle: number; readonly waiting: number }
  acquire(): Promise<PooledClient & { release(destroy?: boolean): void }>
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const IDLE_TIMEOUT_MS = 60_000 // ten idle server processes would be half of the memory that an idle Tablinum uses
const LIFETIME_SECONDS = 3_600

/**
 * What every session of ours needs. Sent as a statement and not as start-up parameters, because PgBouncer refuses those it does not track.
 * `jit` compiles the triggers' statements for hundreds of milliseconds each; a server's default is on.
 */
export const sessionSettings = (statementTimeoutMs: number): string =>
  `select pg_backend_pid() as pid, set_config('statement_timeout', '${statementTimeoutMs}', false), set_config('jit', 'off', false),
    set_config('timezone', 'UTC', false), set_config('idle_in_transaction_session_timeout', '0', false),
    set_config('datestyle', 'ISO', false), set_config('intervalstyle', 'postgres', false)`

export const openPool = (url: string, { name, max, statementTimeoutMs, onLost }: PoolOptions): ConnectionPool => {
  const seen = new SeenStatements()
  const settings = sessionSettings(statementTimeoutMs)
  const pool = new Pool({
    connectionString: url,
    application_name: name,
    max,
    idleTimeoutMillis: IDLE_TIMEOUT_MS,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    types: valueParsers,
    Client: PooledClient,
    seen,
    // A connection whose first statement fails is closed, and the caller who wanted it gets the error.
    onConnect: async (client: PooledClient) => {
      client.on('error', () => {}) // whoever uses it gets the error with their statement
      const { rows } = await client.query<{ pid: number }>(settings)
      client.pid = rows[0]!.pid
    },
  } as unknown as PoolConfig)
  pool.on('error', onLost) // of a connection that nobody used
  return {
    max,
    counts: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    acquire: () => pool.connect() as unknown as ReturnType<ConnectionPool['acquire']>,
    close: () => pool.end(),
  }
}
