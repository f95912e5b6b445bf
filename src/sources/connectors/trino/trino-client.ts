import { setTimeout as wait } from 'node:timers/promises'
import { toNumberCell } from '../../../../connector/src/cells.ts'
import {
  getNumberCredential,
  getTextCredential,
  type QueryLimits,
  type Source,
  type SourceRows,
  type SqlConnection,
} from '../shared/connector.ts'
import { HttpClient, type HttpResult } from '../shared/http-client.ts'
import { RowCollector } from '../shared/row-collector.ts'
import { runWithLimits } from '../shared/run-with-limits.ts'
import { assertSingleQuery } from '../shared/statement.ts'

/**
 * Implements Trino's client protocol: a statement is posted, and each response contains the URL of the next part. Why not the official client:
 * docs/decisions/0012-trino-client.md.
 */
export class TrinoClient implements SqlConnection {
  readonly #http: HttpClient
  readonly #headers: Readonly<Record<string, string>>

  constructor(source: Source) {
    const [user, password] = [getTextCredential(source, 'user')!, getTextCredential(source, 'password')]
    const ssl = source.credentials.ssl === true
    // Trino accepts no passwords without TLS, and they could be intercepted.
    if (password !== undefined && !ssl) throw new Error('A password requires TLS. Turn on ssl.')
    this.#http = new HttpClient({
      host: getTextCredential(source, 'host')!,
      port: getNumberCredential(source, 'port') ?? 8080,
      ssl,
      ca: getTextCredential(source, 'ca'),
    })
    this.#headers = {
      'x-trino-user': encodeHeader(user),
      'x-trino-source': 'tablinum',
      'x-trino-time-zone': 'UTC',
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
      'content-type': 'text/plain; charset=utf-8',
      'user-agent': 'tablinum',
      ...(password === undefined ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
    }
  }

  /** Runs in its own read-only transaction, which is always rolled back. */
  query(sql: string, limits: QueryLimits): Promise<SourceRows> {
    return runWithLimits(limits, async (signal) => {
      assertSingleQuery(sql, 'trino')
      const queryLimits = { signal, timeout_ms: limits.timeout_ms }
      const started = await this.#runToEnd('start transaction read only', queryLimits)
      const transaction = String(started.headers['x-trino-started-transaction-id'] ?? '')
      if (transaction === '') throw new Error('The server did not start a transaction.')
      try {
        const collector = new RowCollector(limits.max_rows)
        let columns: SourceRows['columns'] = []
        for await (const page of this.#pages(sql.trim().replace(/(\s*;)+$/, ''), queryLimits, transaction)) {
          if (page.columns) columns = page.columns.map(({ name, type }) => ({ name, type }))
          const exact = columns.map(({ type }) => /^(decimal|bigint)/.test(type))
          const fits = (page.data ?? []).every((row) =>
            collector.add(row.map((value, i) => (exact[i] && typeof value === 'string' ? toNumberCell(value) : value))),
          )
          if (!fits) break
        }
        return collector.toRows(columns)
      } finally {
        await this.#runToEnd('rollback', { signal: AbortSignal.timeout(ROLLBACK_MS), timeout_ms: ROLLBACK_MS }, transaction).catch(() => {})
      }
    })
  }

  /** All rows, as objects by column name. */
  async *stream<T>(sql: string, limits: TrinoLimits): AsyncGenerator<T, void> {
    for await (const { columns, data } of this.#pages(sql, limits))
      for (const row of data ?? []) yield Object.fromEntries((columns ?? []).map(({ name }, i) => [name, row[i] ?? null])) as T
  }

  async #runToEnd(sql: string, limits: TrinoLimits, transaction?: string): Promise<HttpResult> {
    let last: HttpResult | undefined
    for await (const { response } of this.#pages(sql, limits, transaction)) last = response
    return last!
  }

  /** Stopping the iteration early cancels the statement on the server. */
  async *#pages(sql: string, { signal, timeout_ms }: TrinoLimits, transaction = 'NONE'): AsyncGenerator<TrinoPage, void> {
    const headers = {
      ...this.#headers,
      'x-trino-transaction-id': transaction,
      'x-trino-session': `query_max_run_time=${Math.ceil(timeout_ms / 1000)}s`,
    }
    let next: string | undefined = '/v1/statement'
    let columns: TrinoPage['columns']
    try {
      for (let first = true; next; first = false) {
        const response = await this.#requestWithRetry(first ? 'POST' : 'GET', next, headers, signal, first ? sql : undefined)
        const page = parsePage(response)
        columns ??= page.columns
        next = page.nextUri === undefined ? undefined : getStatementPath(page.nextUri)
        if (page.error) throw new Error(page.error.message ?? page.error.errorName ?? 'The query failed.', { cause: page.error })
        yield { ...page, columns, response }
      }
    } finally {
      if (next?.startsWith('/v1/statement/')) await this.#cancel(next, headers)
    }
  }

  async #cancel(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    await this.#http.send({ method: 'DELETE', path, headers, signal: AbortSignal.timeout(CANCEL_MS) }).catch(() => {})
  }

  /** Retries while the server is busy, until the signal aborts. */
  async #requestWithRetry(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    body?: string,
  ): Promise<HttpResult> {
    for (;;) {
      const response = await this.#http.send({ method, path, headers, signal, body })
      if (![429, 502, 503, 504].includes(response.status)) return response
      await wait(Math.min(Number(response.headers['retry-after']) * 1000 || BUSY_MS, MAX_WAIT_MS), undefined, { signal })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#http[Symbol.dispose]()
  }
}

type TrinoLimits = Pick<QueryLimits, 'signal' | 'timeout_ms'>

interface TrinoPage {
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  readonly data?: readonly (readonly unknown[])[]
  readonly nextUri?: string
  readonly error?: { readonly message?: string; readonly errorName?: string }
  readonly response: HttpResult
}

const ROLLBACK_MS = 5_000
const CANCEL_MS = 5_000
const BUSY_MS = 100
const MAX_WAIT_MS = 10_000

/** User names may contain any character, headers may not. */
const encodeHeader = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** The server returns URLs with the host it believes to have. Only the path is used, so that nothing is sent to another host. */
const getStatementPath = (uri: string): string => {
  const { pathname, search } = new URL(uri, 'http://localhost')
  if (!pathname.startsWith('/v1/')) throw new Error('Unexpected response: the server does not appear to be Trino.')
  return pathname + search
}

const parsePage = ({ status, text }: HttpResult): Omit<TrinoPage, 'answer'> => {
  if (status === 401 || status === 403) throw new Error(`The server rejected this user: ${firstLine(text) || `status ${status}`}`)
  if (status !== 200) throw new Error(`The server responded with status ${status}: ${firstLine(text)}`)
  try {
    return JSON.parse(text, reviveExactNumber as (key: string, value: unknown) => unknown)
  } catch {
    throw new Error('Unexpected response: the server does not appear to be Trino.')
  }
}

const firstLine = (text: string): string => (text.trim().startsWith('<') ? '' : (text.trim().split('\n')[0] ?? '').slice(0, 300))

/** The JSON text has all digits of a number, a double may not. */
const reviveExactNumber = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value) ? toNumberCell(source) : value
