import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import type { Statement } from '../../../../connector/src/protocol.ts'
import type { QueryConnection, StartedStatement } from '../../../../connector/src/serve-session.ts'
import { trimStatementEnd } from '../shared/statement.ts'
import { assertCertificate } from '../tls/certificate.ts'
import { toClickhouseError } from './clickhouse-errors.ts'
import { parseTsv } from './clickhouse-tsv.ts'

/** The connection of a program to ClickHouse. */
export interface ClickhouseSettings {
  readonly host: string
  readonly port?: number | undefined
  /** Names without a database are in this one. */
  readonly database?: string | undefined
  readonly user: string
  readonly password?: string | undefined
  readonly ssl: boolean
  readonly ca?: string | undefined
}

const DEFAULT_PORT = 8123
const CONNECTIONS = 2 // one for the query, one to kill it
const OPEN_MS = 10_000
const KILL_MS = 2_500
const HOUR_MS = 3_600_000

/** A ClickHouse server over its HTTP interface. Queries are independent: nothing stays open between them. */
export class ClickhouseHttpClient implements QueryConnection {
  readonly #client: ClickHouseClient
  #settings: ReadonlyMap<string, string> = new Map()
  #stop: AbortController | undefined
  #killed: Promise<unknown> | undefined

  private constructor(client: ClickHouseClient) {
    this.#client = client
  }

  static async open(settings: ClickhouseSettings): Promise<ClickhouseHttpClient> {
    const { host, port = DEFAULT_PORT, database, user, password = '', ssl } = settings
    const session = new ClickhouseHttpClient(
      createClient({
        url: `${ssl ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
        username: user,
        password,
        ...(database === undefined ? {} : { database }),
        ...(ssl ? toTlsOptions(settings) : {}),
        application: 'tablinum',
        max_open_connections: CONNECTIONS,
        keep_alive: { enabled: false },
        request_timeout: HOUR_MS, // each query has its own timeout
        log: { level: ClickHouseLogLevel.OFF },
      }),
    )
    const names = [...SETTINGS].map((name) => `'${name}'`).join(', ')
    const { rows } = await session.run({
      id: 0,
      sql: `select name, value from system.settings where name in (${names})`,
      timeout_ms: OPEN_MS,
    })
    for await (const batch of rows) session.#settings = new Map(batch.map(([name, value]) => [String(name), String(value)]))
    return session
  }

  /** All or nothing: the server buffers the response until the query has succeeded. */
  async run({ sql, timeout_ms, max_rows }: Statement): Promise<StartedStatement> {
    const query_id = randomUUID()
    const stop = new AbortController()
    this.#stop = stop
    let body: Readable | undefined
    stop.signal.addEventListener('abort', () => {
      body?.destroy(new Error('The operation was cancelled.'))
      this.#killed = this.#kill(query_id)
    })
    try {
      const { stream } = await this.#client.exec({
        query: trimStatementEnd(sql),
        query_id,
        abort_signal: stop.signal,
        clickhouse_settings: { default_format: FORMAT, wait_end_of_query: 1, ...this.#querySettings(timeout_ms, max_rows) },
      })
      body = stream
      stop.signal.throwIfAborted()
      return await parseTsv(stream, toClickhouseError)
    } catch (error) {
      body?.destroy()
      throw toClickhouseError(error)
    }
  }

  /** A user who cannot change settings cannot write either and has limits of its own: then none are sent. */
  #querySettings(timeout_ms: number, max_rows: number | undefined): Record<string, string | number> {
    const readonly = this.#settings.get('readonly')
    if (readonly === undefined || readonly === '1') return {}
    const limits: Record<string, string | number> = {
      ...(readonly === '0' ? { readonly: 1 } : {}),
      max_execution_time: Math.ceil(timeout_ms / 1000),
      timeout_overflow_mode: 'throw',
      cancel_http_readonly_queries_on_client_close: 1,
      ...(max_rows === undefined ? {} : { max_result_rows: max_rows + 1, result_overflow_mode: 'break' }),
    }
    return Object.fromEntries(Object.entries(limits).filter(([name]) => this.#settings.has(name)))
  }

  cancel(): void {
    this.#stop?.abort()
  }

  /** Not all servers notice a closed connection. A user with read-only access cannot kill queries: then the query times out on the server. */
  async #kill(query_id: string): Promise<void> {
    await this.#client
      .command({ query: `kill query where query_id = '${query_id}' async`, abort_signal: AbortSignal.timeout(KILL_MS) })
      .catch(() => {})
  }

  async close(): Promise<void> {
    await this.#killed
    await this.#client.close().catch(() => {})
  }
}

const FORMAT = 'TabSeparatedWithNamesAndTypes' // supported by old servers as well
const SETTINGS = new Set([
  'readonly',
  'max_execution_time',
  'timeout_overflow_mode',
  'cancel_http_readonly_queries_on_client_close',
  'max_result_rows',
  'result_overflow_mode',
])

const toTlsOptions = ({ ca }: ClickhouseSettings) => (ca === undefined ? {} : { tls: { ca_cert: Buffer.from(assertCertificate(ca)) } })
