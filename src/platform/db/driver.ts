import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import type { QueryResult as PgResult, QueryConfig } from 'pg'
import { CopyData, CopyQuery } from './copy-query.ts'
import { throwDatabaseError } from './database-error.ts'
import { FirstQuery } from './first-query.ts'
import { type ConnectionPool, destroyConnection, isBroken, openPool, PoolBusyError, type PooledClient, type PoolOptions } from './pool.ts'
import type { TraceStatement } from './trace-statements.ts'

export interface DriverOptions extends PoolOptions {
  /** Cancels the running statement of this server process over another connection. */
  readonly cancel?: (pid: number) => Promise<unknown>
  /** A statement without a response by then has lost its server. Default: no limit. */
  readonly answerTimeoutMs?: number
  /** Runs a statement in a span. */
  readonly traceStatement?: TraceStatement
}

/** Kysely driver for `pg`: one connection per statement or transaction, never shared. */
export class PgDriver implements Driver {
  readonly pool: ConnectionPool
  readonly #options: DriverOptions

  constructor(url: string, options: DriverOptions) {
    this.pool = openPool(url, options)
    this.#options = options
  }

  async init() {}

  async acquireConnection() {
    try {
      return new Connection(await this.pool.acquire(), this.pool, this.#options)
    } catch (error) {
      return throwConnectionError(error)
    }
  }

  async beginTransaction(connection: DatabaseConnection, { isolationLevel = 'read committed', accessMode }: TransactionSettings) {
    ;(connection as Connection).begin(`begin isolation level ${isolationLevel} ${accessMode ?? ''}`)
  }

  async commitTransaction(connection: DatabaseConnection) {
    await (connection as Connection).commit()
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await (connection as Connection).rollback()
  }

  async releaseConnection(connection: DatabaseConnection) {
    await (connection as Connection).release()
  }

  async destroy() {
    await this.pool.close()
  }
}

const CANCEL_GRACE_MS = 5_000
const CANCEL_AFTER_MS = 100 // a statement that ends by then needs no cancel request

class Connection implements DatabaseConnection {
  readonly #client: Awaited<ReturnType<ConnectionPool['acquire']>>
  readonly #pool: ConnectionPool
  readonly #options: DriverOptions
  #running?: Promise<unknown>
  /** The `begin` that the first statement takes along. */
  #begin?: string
  /** Until the first statement has been answered. */
  #beginning?: Promise<unknown>
  #cancelling?: Promise<unknown>
  #broken = false
  /** The error of the first statement of the transaction that failed. */
  #failure?: unknown
  /** The transaction is being committed or rolled back. Statements still waiting would run outside of it. */
  #ended = false

  constructor(client: Awaited<ReturnType<ConnectionPool['acquire']>>, pool: ConnectionPool, options: DriverOptions) {
    this.#client = client
    this.#pool = pool
    this.#options = options
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.#run<R>(sql, parameters)
    return { rows, numAffectedRows: BigInt(rowCount ?? 0) }
  }

  begin(text: string): void {
    if (this.#client.prepared.evicted.length > 0) deallocateEvicted(this.#client).catch(ignore) // a lost connection is reported by what follows
    this.#client.pipeline = true
    this.#begin = text
  }

  async commit(): Promise<void> {
    if (this.#isUnused()) return
    const { command } = await this.#end('commit')
    // Postgres responds to COMMIT with ROLLBACK if an earlier statement failed and its error was ignored.
    if (command === 'ROLLBACK') throw new Error('The transaction was rolled back because one of its statements failed.')
  }

  async rollback(): Promise<void> {
    this.#ended = true
    if (this.#broken || this.#isUnused()) return
    await this.#end('rollback')
  }

  /** No statement was sent, so there is no transaction to end. */
  #isUnused(): boolean {
    return this.#begin !== undefined
  }

  #end(how: 'commit' | 'rollback'): Promise<StatementResult<unknown>> {
    this.#ended = true
    return this.#run(how, [], true)
  }

  /** A broken connection, or one still inside a transaction, is not returned to the pool. */
  async release(): Promise<void> {
    while (this.#cancelling) await this.#cancelling
    this.#client.pipeline = false
    this.#client.release(this.#broken || this.#running !== undefined || this.#client.getTransactionStatus() !== 'I')
  }

  async collectSessionInfo() {}

  /**
   * The connection is not released until this has finished, so no other caller's statement can be cancelled. Of concurrent statements of its
   * transaction any may be: those after it fail with it.
   */
  async cancelQuery(): Promise<void> {
    const mine = this.#running
    if (!mine) return
    const over = mine.then(ignore, ignore)
    if ((await Promise.race([over, sleep(CANCEL_AFTER_MS, LATE)])) !== LATE) return
    // Nothing else may run on this connection before the cancel request has arrived: it would be cancelled instead. Concurrent statements that are
    // cancelled together share one request.
    this.#cancelling ??= this.#cancel()
    await this.#cancelling
    if ((await Promise.race([over, sleep(CANCEL_GRACE_MS, LATE, { ref: false })])) === LATE) this.#destroy()
  }

  async #cancel(): Promise<void> {
    await this.#options.cancel?.(this.#client.pid).catch(ignore)
    this.#cancelling = undefined
  }

  // biome-ignore lint/correctness/useYield: required by Kysely's interface; rows are streamed with COPY (copy-out.ts)
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Use copyOut to stream rows.')
  }

  /** Concurrent statements of one transaction are sent at once and run in this order, once it has begun. None runs after it has ended. */
  async #run<R>(text: string, parameters: readonly unknown[], ends = false): Promise<StatementResult<R>> {
    while (this.#cancelling) await this.#cancelling
    if (ends || !this.#client.pipeline) while (this.#running) await this.#running.then(ignore, ignore)
    while (this.#beginning) await this.#beginning
    if (this.#ended && !ends) throw new Error('The transaction ended before this statement was sent.')
    const running = this.#trace<R>(text, parameters)
    this.#running = running
    try {
      return await running
    } catch (error) {
      return throwDatabaseError(this.#findCause(error))
    } finally {
      if (this.#running === running) this.#running = undefined // the last one sent is the last to be answered
    }
  }

  /** Of statements sent together, the one that failed tells why; those after it only that the transaction has failed. */
  #findCause(error: unknown): unknown {
    if (CONSEQUENCES.has((error as { code?: string }).code ?? '')) return this.#failure ?? error
    if (this.#client.pipeline) this.#failure ??= error
    return error
  }

  #trace<R>(text: string, parameters: readonly unknown[]): Promise<StatementResult<R>> {
    const { traceStatement } = this.#options
    return traceStatement ? traceStatement(text, () => this.#send<R>(text, parameters)) : this.#send<R>(text, parameters)
  }

  async #send<R>(text: string, parameters: readonly unknown[]): Promise<StatementResult<R>> {
    if (this.#broken) throw this.#failure ?? connectionError(new Error('The connection to the database was lost.'))
    try {
      return await this.#query<R>(text, parameters)
    } catch (error) {
      if (isPlanOutdated(error)) {
        this.#pool.renew() // prepared statements of the other connections are outdated too
        this.#client.prepared.clear()
        // Inside a transaction all earlier statements are lost too: `inTransaction` retries it.
        if (!this.#client.pipeline) return this.#query<R>(text, parameters)
      }
      if ((error as { code?: string }).code === READ_ONLY_ERROR) this.#pool.renew(RENEW_READ_ONLY_MS)
      if (!isConnectionLost(error, this.#client)) throw error
      this.#broken = true
      // A read-only server is not lost: cached data stays valid.
      if ((error as { code?: string }).code !== READ_ONLY_ERROR) this.#options.onLost(error)
      throw connectionError(error)
    }
  }

  async #query<R>(text: string, parameters: readonly unknown[]): Promise<StatementResult<R>> {
    const client = this.#client
    const copied = parameters[0] instanceof CopyData ? parameters[0] : undefined
    const name = parameters.length > 0 && !copied ? client.prepared.getName(text) : undefined
    const { answerTimeoutMs } = this.#options
    const overdue = answerTimeoutMs && setTimeout(() => destroyConnection(client), answerTimeoutMs)
    let result: PgResult
    try {
      if (!client.pipeline && client.prepared.evicted.length > 0) await deallocateEvicted(client)
      const query = { text, ...(name ? { name } : {}), values: copied ? [] : parameters.map(toParameter) }
      if (this.#begin !== undefined) result = await this.#runFirst(this.#begin, query, copied)
      else result = await runQuery(client, copied ? new CopyQuery(query, copied) : query)
    } catch (error) {
      if (error instanceof Error) Error.captureStackTrace(error) // otherwise the stack shows the socket reader, not the caller
      throw error
    } finally {
      if (overdue) clearTimeout(overdue)
    }
    const last = Array.isArray(result) ? (result as PgResult[]).at(-1)! : result // if the text has several statements
    return { rows: last.rows as R[], rowCount: last.rowCount, command: last.command }
  }

  async #runFirst(begin: string, config: QueryConfig, copied: CopyData | undefined): Promise<PgResult> {
    const query = new FirstQuery(begin, config, copied)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#begin = undefined
    this.#beginning = promise
    try {
      return await runQuery(this.#client, query)
    } catch (error) {
      // Statements that waited for this one run before its caller hears of it.
      this.#failure = isConnectionLost(error, this.#client) ? connectionError(error) : error
      if (!query.begun) this.#broken = true
      throw error
    } finally {
      this.#beginning = undefined
      resolve()
    }
  }

  #destroy(): void {
    this.#broken = true
    destroyConnection(this.#client)
  }
}

interface StatementResult<R> {
  readonly rows: R[]
  readonly rowCount: number | null
  readonly command: string
}

/** Lists of objects are sent as JSON; `pg` would send every list as an array. */
const toParameter = (value: unknown): unknown => {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) && value.some(isPlainObject) ? JSON.stringify(value) : value
}
const isPlainObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date) && !ArrayBuffer.isView(value)

const LATE = Symbol('late')
const ignore = () => {}

/** "cached plan must not change result type": another instance has migrated the database since the statement was prepared. */
export const isPlanOutdated = (error: unknown): boolean => {
  const { code, routine } = error as { code?: string; routine?: string }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/**
 * `client.query` without a callback assigns a new function to a property of the query, which V8 allocates in the old generation: every row
 * would be retained until the next full collection.
 */
const runQuery = (client: PooledClient, query: QueryConfig | CopyQuery): Promise<PgResult> => {
  const { promise, resolve, reject } = Promise.withResolvers<PgResult>()
  const onAnswer = (error: Error | null, result: PgResult) => (error ? reject(error) : resolve(result))
  client.query(query as QueryConfig, onAnswer)
  return promise
}

const deallocateEvicted = async (client: PooledClient): Promise<void> => {
  const { parsedStatements } = (client as unknown as { connection: { parsedStatements: Record<string, unknown> } }).connection
  const names = client.prepared.evicted.filter((name) => parsedStatements[name] !== undefined)
  client.prepared.evicted = []
  for (const name of names) delete parsedStatements[name]
  if (names.length > 0) await client.query(names.map((name) => `deallocate ${name}`).join(';'))
}

/**
 * SQLSTATEs of a statement after one that failed in its transaction: the transaction has failed, or the prepared statement does not exist because
 * the one that was to prepare it has failed.
 */
const CONSEQUENCES = new Set(['25P02', '26000'])

/** SQLSTATE of a transaction that was rolled back to end a deadlock. */
export const DEADLOCK_ERROR = '40P01'

/** SQLSTATE of a write on a read-only connection. A connection stays read-only after an operator or failover has changed it for new ones. */
export const READ_ONLY_ERROR = '25006'
const RENEW_READ_ONLY_MS = 1_000 // while the database is read-only every write triggers a renewal, which reopens all connections

/** Whether an error means that this connection is unusable: it broke, the server closes it, or it points to a read-only standby. */
export const isConnectionLost = (error: unknown, client: PooledClient): boolean => {
  const { code, severity } = error as { code?: string; severity?: string }
  return isBroken(client) || (severity !== undefined && LOST_CONNECTION_STATES.test(code ?? ''))
}
/**
 * The server closes the connection with each of these. Its severity is no criterion: its text is in the language of the server (`lc_messages`). 25P03, 25P04: it
 * was idle in a transaction, or the transaction took too long; 28: the login failed; 53300: too many connections; 3D000: the database does not exist.
 */
const LOST_CONNECTION_STATES = /^(25006|25P0[34]|57P0[1-5]|08...|28...|53300|3D000)$/

const CONNECTION_FAILED = 'CONNECTION_FAILED'

/** Server errors keep their SQLSTATE; all other connection errors get one code, so that they are not mistaken for e.g. a file's ENOENT. */
const connectionError = (error: unknown): unknown => {
  const { code, severity, message } = error as { code?: string; severity?: string; message?: string }
  if (severity !== undefined) return error
  return Object.assign(new Error(`Cannot connect to the database: ${code ?? message}`, { cause: error }), { code: CONNECTION_FAILED })
}

/** For an error before or instead of a response of the server. */
export const throwConnectionError = (error: unknown): never => {
  if (error instanceof PoolBusyError) throw error
  return throwDatabaseError(connectionError(error))
}
