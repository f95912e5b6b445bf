import { setTimeout as wait } from 'node:timers/promises'
import { numberCell } from './cells.ts'
import { type Asking, type AskLimits, numberOf, type Rows, type Source, textOf } from './connector.ts'
import { type Answer, HttpServer } from './http-call.ts'
import { mustBeQuery } from './statement.ts'
import { Taken } from './taken.ts'
import { within } from './within.ts'

/**
 * Implements Trino's client protocol: a statement is posted, and each response contains the URL of the next part. Why not the official client:
 * docs/decisions/0012-trino-client.md.
 */
export class TrinoSession implements Asking {
  readonly #server: HttpServer
  readonly #headers: Readonly<Record<string, string>>

  constructor(source: Source) {
    const [user, password] = [textOf(source, 'user')!, textOf(source, 'password')]
    const ssl = source.credentials.ssl === true
    // Trino accepts no passwords without TLS, and they could be intercepted.
    if (password !== undefined && !ssl) throw new Error('A password requires TLS. Turn on ssl.')
    this.#server = new HttpServer({ host: textOf(source, 'host')!, port: numberOf(source, 'port') ?? 8080, ssl, ca: textOf(source, 'ca') })
    this.#headers = {
      'x-trino-user': header(user),
      'x-trino-source': 'tablinum',
      'x-trino-time-zone': 'UTC',
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
      'content-type': 'text/plain; charset=utf-8',
      'user-agent': 'tablinum',
      ...(password === undefined ? {} : { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
    }
  }

  /** Runs in its own read-only transaction, which is always rolled back. */
  ask(sql: string, limits: AskLimits): Promise<Rows> {
    return within(limits, async (signal) => {
      mustBeQuery(sql, 'trino')
      const within = { signal, timeout_ms: limits.timeout_ms }
      const started = await this.#end('start transaction read only', within)
      const transaction = String(started.headers['x-trino-started-transaction-id'] ?? '')
      if (transaction === '') throw new Error('The server did not start a transaction.')
      try {
        const taken = new Taken(limits.max_rows)
        let columns: Rows['columns'] = []
        for await (const page of this.#pages(sql.trim().replace(/(\s*;)+$/, ''), within, transaction)) {
          if (page.columns) columns = page.columns.map(({ name, type }) => ({ name, type }))
          const exact = columns.map(({ type }) => /^(decimal|bigint)/.test(type))
          const fits = (page.data ?? []).every((row) =>
            taken.take(row.map((value, i) => (exact[i] && typeof value === 'string' ? numberCell(value) : value))),
          )
          if (!fits) break
        }
        return taken.rows(columns)
      } finally {
        await this.#end('rollback', { signal: AbortSignal.timeout(ROLLBACK_MS), timeout_ms: ROLLBACK_MS }, transaction).catch(() => {})
      }
    })
  }

  /** All rows, as objects by column name. */
  async *stream<T>(sql: string, limits: Within): AsyncGenerator<T, void> {
    for await (const { columns, data } of this.#pages(sql, limits))
      for (const row of data ?? []) yield Object.fromEntries((columns ?? []).map(({ name }, i) => [name, row[i] ?? null])) as T
  }

  async #end(sql: string, limits: Within, transaction?: string): Promise<Answer> {
    let last: Answer | undefined
    for await (const { answer } of this.#pages(sql, limits, transaction)) last = answer
    return last!
  }

  /** Stopping the iteration early cancels the statement on the server. */
  async *#pages(sql: string, { signal, timeout_ms }: Within, transaction = 'NONE'): AsyncGenerator<Page, void> {
    const headers = {
      ...this.#headers,
      'x-trino-transaction-id': transaction,
      'x-trino-session': `query_max_run_time=${Math.ceil(timeout_ms / 1000)}s`,
    }
    let next: string | undefined = '/v1/statement'
    let columns: Page['columns']
    try {
      for (let first = true; next; first = false) {
        const answer = await this.#patiently(first ? 'POST' : 'GET', next, headers, signal, first ? sql : undefined)
        const page = read(answer)
        columns ??= page.columns
        next = page.nextUri === undefined ? undefined : pathOf(page.nextUri)
        if (page.error) throw new Error(page.error.message ?? page.error.errorName ?? 'The query failed.', { cause: page.error })
        yield { ...page, columns, answer }
      }
    } finally {
      if (next?.startsWith('/v1/statement/')) await this.#cancel(next, headers)
    }
  }

  async #cancel(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
    await this.#server.call({ method: 'DELETE', path, headers, signal: AbortSignal.timeout(CANCEL_MS) }).catch(() => {})
  }

  /** Retries while the server is busy, until the signal aborts. */
  async #patiently(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    body?: string,
  ): Promise<Answer> {
    for (;;) {
      const answer = await this.#server.call({ method, path, headers, signal, body })
      if (![429, 502, 503, 504].includes(answer.status)) return answer
      await wait(Math.min(Number(answer.headers['retry-after']) * 1000 || BUSY_MS, LONGEST_WAIT_MS), undefined, { signal })
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server[Symbol.dispose]()
  }
}

type Within = Pick<AskLimits, 'signal' | 'timeout_ms'>

interface Page {
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  readonly data?: readonly (readonly unknown[])[]
  readonly nextUri?: string
  readonly error?: { readonly message?: string; readonly errorName?: string }
  readonly answer: Answer
}

const ROLLBACK_MS = 5_000
const CANCEL_MS = 5_000
const BUSY_MS = 100
const LONGEST_WAIT_MS = 10_000

/** User names may contain any character, headers may not. */
const header = (text: string): string => Buffer.from(text, 'utf8').toString('latin1')

/** The server returns URLs with the host it believes to have. Only the path is used, so that nothing is sent to another host. */
const pathOf = (uri: string): string => {
  const { pathname, search } = new URL(uri, 'http://localhost')
  if (!pathname.startsWith('/v1/')) throw new Error('Unexpected response: the server does not appear to be Trino.')
  return pathname + search
}

const read = ({ status, text }: Answer): Omit<Page, 'answer'> => {
  if (status === 401 || status === 403) throw new Error(`The server rejected this user: ${firstLine(text) || `status ${status}`}`)
  if (status !== 200) throw new Error(`The server responded with status ${status}: ${firstLine(text)}`)
  try {
    return JSON.parse(text, exactly as (key: string, value: unknown) => unknown)
  } catch {
    throw new Error('Unexpected response: the server does not appear to be Trino.')
  }
}

const firstLine = (text: string): string => (text.trim().startsWith('<') ? '' : (text.trim().split('\n')[0] ?? '').slice(0, 300))

/** The JSON text has all digits of a number, a double may not. */
const exactly = (_: string, value: unknown, { source }: { source?: string }): unknown =>
  typeof value === 'number' && source !== undefined && !Number.isSafeInteger(value) ? numberCell(source) : value
