import { setTimeout as wait } from 'node:timers/promises'
import { toNumberCell } from '../../../../connector/src/cells.ts'
import type { Statement } from '../../../../connector/src/protocol.ts'
import type { QueryConnection, StartedStatement } from '../../../../connector/src/serve-session.ts'
import { trimStatementEnd } from '../shared/statement.ts'
import { type TrinoFailure, toTrinoError } from './trino-errors.ts'
import { HttpClient, type HttpResult } from './trino-http.ts'

/** The connection of a program to Trino. */
export interface TrinoSettings {
  readonly host: string
  readonly port?: number | undefined
  readonly user: string
  readonly password?: string | undefined
  readonly ssl: boolean
  readonly ca?: string | undefined
  /** Each statement in a read-only transaction of its own, which is always rolled back. Not every catalog can be described in one. */
  readonly transactions: boolean
}

const DEFAULT_PORT = 8080

/**
 * Implements Trino's client protocol: a statement is posted, and each response contains the URL of the next part. Why not the official client:
 * docs/decisions/0012-trino-client.md.
 */
export class TrinoClient implements QueryConnection {
  readonly #http: HttpClient
  readonly #headers: Readonly<Record<string, string>>
  readonly #transactions: boolean
  #stop = new AbortController()

  constructor({ host, port = DEFAULT_PORT, user, password, ssl, ca, transactions }: TrinoSettings) {
    // Trino accepts no passwords without TLS, and they could be intercepted.
    if (password !== undefined && !ssl) throw new Error('A password requires TLS. Turn on ssl.')
    this.#http = new HttpClient({ host, port, ssl, ca })
    this.#transactions = transactions
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

  async run({ sql, timeout_ms }: Statement): Promise<StartedStatement> {
    this.#stop = new AbortController()
    const limits = { signal: this.#stop.signal, timeout_ms }
    const transaction = this.#transactions ? await this.#begin(limits) : 'NONE'
    const pages = this.#pages(trimStatementEnd(sql), limits, transaction)
    try {
      let page = await pages.next()
      while (!page.done && !page.value.columns) page = await pages.next()
      const columns = (page.done ? undefined : page.value.columns) ?? []
      return {
        columns: columns.map(({ name, type }) => ({ name, type })),
        rows: this.#rows(pages, page, columns, transaction),
      }
    } catch (error) {
      await this.#rollback(transaction)
      throw error
    }
  }

  async *#rows(
    pages: AsyncGenerator<TrinoPage, void>,
    first: IteratorResult<TrinoPage, void>,
    columns: readonly { readonly type: string }[],
    transaction: string,
  ): AsyncGenerator<unknown[][], void> {
    const exact = columns.map(({ type }) => /^(decimal|bigint)/.test(type))
    try {
      for (let page = first; !page.done; page = await pages.next())
        yield (page.value.data ?? []).map((row) =>
          row.map((value, i) => (exact[i] && typeof value === 'string' ? toNumberCell(value) : value)),
        )
    } finally {
      await pages.return()
      await this.#rollback(transaction)
    }
  }

  async #begin(limits: TrinoLimits): Promise<string> {
    const { headers } = await this.#runToEnd('start transaction read only', limits)
    const transaction = String(headers['x-trino-started-transaction-id'] ?? '')
    if (transaction === '') throw new Error('The server did not start a transaction.')
    return transaction
  }

  async #rollback(transaction: string): Promise<void> {
    if (transaction === 'NONE') return
    await this.#runToEnd('rollback', { signal: AbortSignal.timeout(ROLLBACK_MS), timeout_ms: ROLLBACK_MS }, transaction).catch(() => {})
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
        if (page.error) throw toTrinoError(page.error)
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

  cancel(): void {
    this.#stop.abort()
  }

  close(): void {
    this.#http[Symbol.dispose]()
  }
}

interface TrinoLimits {
  readonly signal: AbortSignal
  readonly timeout_ms: number
}

interface TrinoPage {
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  readonly data?: readonly (readonly unknown[])[]
  readonly nextUri?: string
  readonly error?: TrinoFailure
  readonly response: HttpResult
}

const ROLLBACK_MS = 1_000
const CANCEL_MS = 1_000
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
