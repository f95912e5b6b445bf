import { randomUUID, X509Certificate } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ClickHouseClient } from '@clickhouse/client'
import { getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'
import { trimStatementEnd } from '../shared/statement.ts'
import { parseTsv, type TsvResult } from './clickhouse-tsv.ts'

const CONNECTIONS = 2 // one for the query, one to kill it
const KILL_MS = 5_000
const HOUR_MS = 3_600_000

export interface ClickhouseQueryOptions {
  readonly signal: AbortSignal
  readonly timeout_ms: number
  readonly max_rows?: number
}

/** A ClickHouse server over its HTTP interface. Queries are independent: nothing stays open between them. */
export class ClickhouseHttpClient implements AsyncDisposable {
  readonly #client: ClickHouseClient
  #settings: ReadonlyMap<string, string> = new Map()
  version = ''

  private constructor(client: ClickHouseClient) {
    this.#client = client
  }

  static async open(
    source: Source,
    signal: AbortSignal,
    timeout_ms: number,
    { database }: { readonly database?: string | undefined } = {},
  ): Promise<ClickhouseHttpClient> {
    const { createClient, ClickHouseLogLevel } = await import('@clickhouse/client')
    const host = getTextCredential(source, 'host')!
    const ssl = source.credentials.ssl === true
    const session = new ClickhouseHttpClient(
      createClient({
        url: `${ssl ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${getNumberCredential(source, 'port') ?? 8123}`,
        username: getTextCredential(source, 'user')!,
        password: getTextCredential(source, 'password') ?? '',
        ...(database === undefined ? {} : { database }),
        ...(ssl ? toTlsOptions(source) : {}),
        application: 'tablinum',
        max_open_connections: CONNECTIONS,
        keep_alive: { enabled: false },
        request_timeout: HOUR_MS, // each query has its own timeout
        log: { level: ClickHouseLogLevel.OFF },
      }),
    )
    try {
      const { rows } = await session.query('select version()', { signal, timeout_ms })
      session.version = String((await rows.next()).value?.[0])
      const settingNames = [...SETTINGS].map((name) => `'${name}'`).join(', ')
      const settings = await session.query(`select name, value from system.settings where name in (${settingNames})`, {
        signal,
        timeout_ms,
      })
      session.#settings = new Map(await Array.fromAsync(settings.rows, ([name, value]) => [String(name), String(value)] as const))
      return session
    } catch (error) {
      await session[Symbol.asyncDispose]()
      throw error
    }
  }

  /** All or nothing: the server buffers the response until the query has succeeded. */
  async query(query: string, { signal, timeout_ms, max_rows }: ClickhouseQueryOptions): Promise<TsvResult> {
    const watch = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms + GRACE_MS)])
    if (watch.aborted) throw toAbortError(watch)
    const query_id = randomUUID()
    let body: Readable | undefined
    const stop = () => {
      body?.destroy(toAbortError(watch))
      void this.#kill(query_id)
    }
    watch.addEventListener('abort', stop)
    const over = () => watch.removeEventListener('abort', stop)
    try {
      const { stream } = await this.#client.exec({
        query: trimStatementEnd(query),
        query_id,
        abort_signal: watch,
        clickhouse_settings: { default_format: FORMAT, wait_end_of_query: 1, ...this.#querySettings(timeout_ms, max_rows) },
      })
      body = stream
      if (watch.aborted) throw toAbortError(watch)
      return await parseTsv(stream, over, (error) => toClickhouseError(error, watch))
    } catch (error) {
      over()
      body?.destroy()
      throw toClickhouseError(error, watch)
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

  /** Not all servers notice a closed connection. A user with read-only access cannot kill queries: then the query times out on the server. */
  async #kill(query_id: string): Promise<void> {
    await this.#client
      .command({ query: `kill query where query_id = '${query_id}' async`, abort_signal: AbortSignal.timeout(KILL_MS) })
      .catch(() => {})
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.close().catch(() => {})
  }
}

const GRACE_MS = 2_000
const FORMAT = 'TabSeparatedWithNamesAndTypes' // supported by old servers as well
const SETTINGS = new Set([
  'readonly',
  'max_execution_time',
  'timeout_overflow_mode',
  'cancel_http_readonly_queries_on_client_close',
  'max_result_rows',
  'result_overflow_mode',
])
// Timeouts, and killed queries.
const TIMEOUT_CODES = new Set(['159', '160', '394'])

const toAbortError = ({ reason }: AbortSignal): Error =>
  new Error(reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.')

const toClickhouseError = (error: unknown, signal: AbortSignal): Error => {
  if (signal.aborted) return toAbortError(signal)
  const { message, code: named } = error as Error & { code?: string }
  const [, code = named, words = message] = OLD_ERROR_FORMAT.exec(message) ?? []
  if (code && TIMEOUT_CODES.has(code)) return new Error('The operation timed out.', { cause: error })
  return new Error(words.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE_LENGTH) || code || 'The connection failed.', { cause: error })
}

// The message format of old servers: newer ones are parsed by the driver.
const OLD_ERROR_FORMAT = /^Code: (\d+)[.,] (?:e\.displayText\(\) = )?(?:DB::Exception: )?([\s\S]*?)(?:, e\.what\(\) = [\s\S]*)?$/
const MAX_MESSAGE_LENGTH = 1_000

const toTlsOptions = (source: Source) => {
  const ca = getTextCredential(source, 'ca')
  if (ca === undefined) return {}
  try {
    new X509Certificate(ca) // an invalid certificate would be ignored silently
  } catch {
    throw new Error('The certificate authority must be a PEM certificate.')
  }
  return { tls: { ca_cert: Buffer.from(ca) } }
}
