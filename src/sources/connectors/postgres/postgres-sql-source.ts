import { toNumberCell, toTextCell } from '../../../../connector/src/cells.ts'
import type { Cell, QueryLimits, SourceRows, SqlConnection, SqlSource } from '../shared/connector.ts'
import { PostgresClient } from './postgres-client.ts'

const LOCK_MS = 5_000
const GRACE_MS = 5_000 // grace period after the timeout of the server itself, for servers that do not respond
const FETCH_ROWS = 1000
const TEMP_FILE_LIMIT = '2GB'
const MAX_BYTES = 32 * 2 ** 20 // of the rows fetched at once

/** Runs queries on servers with the Postgres protocol. */
export const postgresSqlSource = (dialect: string): SqlSource => ({
  dialect,
  open: async (source, signal) => {
    const client = await PostgresClient.connect(source, signal)
    return new PostgresSqlConnection(client, dialect, await readQuerySettings(client, dialect))
  },
})

/**
 * Settings of every query, in addition to its read-only transaction. The server's own schema comes first in the search path, so that objects in
 * the source cannot shadow its functions. Only a superuser can limit temporary files: otherwise the role's own limit applies. Redshift has
 * neither limit.
 */
const readQuerySettings = async (client: PostgresClient, dialect: string): Promise<string[]> => {
  const [[path] = []] = (await client.queryRows('show search_path')).rows
  if (dialect === 'redshift') return [`set local search_path = pg_catalog, ${path}`]
  const limited = await client.queryRows(`set temp_file_limit = '${TEMP_FILE_LIMIT}'`).then(
    () => true,
    () => false,
  )
  return [
    `set local search_path = pg_catalog, ${path || '""'}, pg_temp`,
    `set local lock_timeout = ${LOCK_MS}`,
    `set local idle_in_transaction_session_timeout = 60000`,
    ...(limited ? [`set local temp_file_limit = '${TEMP_FILE_LIMIT}'`] : []),
  ]
}

/** One connection. Each query runs in its own read-only transaction, which is always rolled back and leaves nothing in the session. */
class PostgresSqlConnection implements SqlConnection {
  readonly #client: PostgresClient
  readonly #dialect: string
  readonly #settings: readonly string[]
  readonly #types = new Map<number, string>()

  constructor(client: PostgresClient, dialect: string, settings: readonly string[]) {
    this.#client = client
    this.#dialect = dialect
    this.#settings = settings
  }

  async query(sql: string, { signal, timeout_ms, max_rows }: QueryLimits): Promise<SourceRows> {
    signal.throwIfAborted()
    const watch = new QueryWatch(this.#client, signal, timeout_ms)
    try {
      // Sent as one message: separate ones would each cost a round trip.
      const beginning = [
        'begin read only',
        `set local statement_timeout = ${Math.ceil(timeout_ms)}`,
        ...this.#settings,
        "set local timezone = 'UTC'",
        // Matches how the custom SQL check parses strings.
        ...(this.#dialect === 'redshift' ? [] : ['set local standard_conforming_strings = on']),
      ]
      await watch.run(this.#client.queryRows(beginning.join('; ')))
      return await this.#read(watch, sql, max_rows)
    } catch (error) {
      throw watch.toError(error)
    } finally {
      watch.end()
      if (!watch.abandoned && !this.#client.lost) await this.#reset()
    }
  }

  /** Locks and settings of a session outlive its transaction. A session that cannot be reset is closed. */
  async #reset(): Promise<void> {
    try {
      await this.#client.queryRows('rollback')
      if (this.#dialect !== 'redshift') await this.#client.queryRows('discard all')
    } catch {
      this.#client.destroy()
    }
  }

  /** Uses a cursor: the server accepts only queries for one, and rows beyond the limit are not transferred. */
  async #read(watch: QueryWatch, sql: string, maxRows: number): Promise<SourceRows> {
    const text = sql.trim().replace(/;\s*$/, '')
    if (/^explain\b/i.test(text)) return this.#explain(watch, text)
    await watch.run(this.#client.queryOne(`declare tablinum_rows cursor for ${text}\n`))
    const rows: Cell[][] = []
    for (;;) {
      const count = Math.min(FETCH_ROWS, maxRows + 1 - rows.length)
      const fetched = await watch.run(this.#client.queryRows(`fetch forward ${count} from tablinum_rows`, MAX_BYTES))
      const columns = toTypedColumns(fetched)
      for (const row of fetched.rows) rows.push(row.map((text, i) => toPostgresCell(text, columns[i]!.type)))
      if (fetched.rows.length < count || rows.length > maxRows) {
        const truncated = rows.length > maxRows
        return { columns: await this.#nameTypes(watch, columns), rows: rows.slice(0, maxRows), truncated }
      }
    }
  }

  /** A plan cannot be read through a cursor. */
  async #explain(watch: QueryWatch, text: string): Promise<SourceRows> {
    const described = await watch.run(this.#client.queryOne(text))
    const columns = toTypedColumns(described)
    const rows = described.rows.map((row) => row.map((text, i) => toPostgresCell(text, columns[i]!.type)))
    return { columns: await this.#nameTypes(watch, columns), rows, truncated: false }
  }

  async #nameTypes(watch: QueryWatch, columns: readonly TypedColumn[]): Promise<SourceRows['columns']> {
    const unknown = [...new Set(columns.map(({ type }) => type))].filter((type) => !this.#types.has(type))
    if (unknown.length > 0) {
      const { rows } = await watch.run(
        this.#client.queryRows(
          `select t.oid::int8, pg_catalog.format_type(t.oid, null) from pg_catalog.pg_type t where t.oid in (${unknown.join(',')})`,
        ),
      )
      for (const [oid, name] of rows) this.#types.set(Number(oid), String(name))
    }
    return columns.map(({ name, type }) => ({ name, type: this.#types.get(type) ?? 'unknown' }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }
}

interface TypedColumn {
  readonly name: string
  readonly type: number
}

const toTypedColumns = ({ fields }: { readonly fields: readonly { name: string; dataTypeID: number }[] }): TypedColumn[] =>
  fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID }))

const BOOLEAN_TYPE = 16
const NUMBER_TYPES = new Set([20, 21, 23, 26, 700, 701, 1700])

const toPostgresCell = (text: string | null, type: number): Cell => {
  if (text === null) return null
  if (type === BOOLEAN_TYPE) return text === 't'
  return NUMBER_TYPES.has(type) ? toNumberCell(text) : toTextCell(text)
}

/** Cancels a query when the signal aborts or the server exceeds its own timeout: first with a cancel request, then by closing the connection. */
class QueryWatch {
  abandoned = false
  readonly #client: PostgresClient
  readonly #signal: AbortSignal
  readonly #timer: NodeJS.Timeout
  readonly #stop = () => this.#cancel()
  #timedOut = false
  #ended = false
  #abandonTimer?: NodeJS.Timeout

  constructor(client: PostgresClient, signal: AbortSignal, timeout_ms: number) {
    this.#client = client
    this.#signal = signal
    signal.addEventListener('abort', this.#stop)
    this.#timer = setTimeout(() => {
      this.#timedOut = true
      this.#cancel()
    }, timeout_ms + GRACE_MS)
  }

  async run<T>(query: Promise<T>): Promise<T> {
    if (this.#signal.aborted || this.#timedOut) {
      query.catch(() => {})
      throw new Error('The operation was cancelled.')
    }
    return query
  }

  #cancel(): void {
    if (this.#ended) return
    this.#client.cancel()
    // If the server does not react to that either, closing the connection at least ends the wait.
    this.#abandonTimer = setTimeout(() => {
      this.abandoned = true
      this.#client.destroy()
    }, GRACE_MS).unref()
  }

  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    clearTimeout(this.#abandonTimer)
    this.#signal.removeEventListener('abort', this.#stop)
  }

  toError(error: unknown): Error {
    if (this.#timedOut || (this.#signal.aborted && this.#signal.reason?.name === 'TimeoutError'))
      return new Error('The operation timed out.', { cause: error })
    if (this.#signal.aborted) return new Error('The operation was cancelled.', { cause: error })
    const { message, code } = error as Error & { code?: string }
    if (code === '57014') return new Error('The operation timed out.', { cause: error })
    return new Error(message || code || 'The connection failed.', { cause: error })
  }
}
