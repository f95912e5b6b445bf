import postgres from 'postgres'
import { type Reserved, reserve } from '../../db/reserve.ts'
import { numberCell, textCell } from './cells.ts'
import type { Asking, AskLimits, Cell, Rows, SqlSource } from './connector.ts'
import { optionsOf } from './postgres-session.ts'

const CONNECT_MS = 10_000
const LOCK_MS = 5_000
const LATE_MS = 5_000 // the server gives up by itself; one that does not answer at all is left after so much more
const AT_ONCE = 1000

/** Asks servers that speak as Postgres does. */
export const postgresSql = (dialect: string): SqlSource => ({
  dialect,
  open: async (source, signal) => {
    signal.throwIfAborted()
    const client = postgres({ ...optionsOf(source), idle_timeout: undefined })
    const watch = new Watch(client, signal, CONNECT_MS)
    try {
      await watch.over(client.unsafe('select 1')) // before it is connected it cannot be reserved
      return new PostgresAsking(client, await watch.over(reserve(client)), dialect)
    } catch (error) {
      void client.end({ timeout: 0 }).catch(() => {})
      throw watch.told(error)
    } finally {
      watch.end()
    }
  },
})

/** One connection. Each question is a read-only transaction of its own, which is always rolled back. */
class PostgresAsking implements Asking {
  readonly #client: postgres.Sql
  readonly #connection: Reserved
  readonly #dialect: string
  readonly #types = new Map<number, string>()

  constructor(client: postgres.Sql, connection: Reserved, dialect: string) {
    this.#client = client
    this.#connection = connection
    this.#dialect = dialect
  }

  async ask(sql: string, { signal, timeout_ms, max_rows }: AskLimits): Promise<Rows> {
    signal.throwIfAborted()
    const watch = new Watch(this.#client, signal, timeout_ms)
    try {
      for (const statement of [
        'begin read only',
        `set local statement_timeout = ${Math.ceil(timeout_ms)}`,
        ...(this.#dialect === 'redshift' ? [] : [`set local lock_timeout = ${LOCK_MS}`]), // which knows no such limit
        "set local timezone = 'UTC'",
      ])
        await watch.over(this.#connection.unsafe(statement))
      return await this.#read(watch, sql, max_rows)
    } catch (error) {
      throw watch.told(error)
    } finally {
      watch.end()
      if (!watch.given_up && !this.#connection.lost) await this.#connection.unsafe('rollback').catch(() => {})
    }
  }

  /** A cursor: the server itself takes nothing but a query for one, and rows that nobody wants stay where they are. */
  async #read(watch: Watch, sql: string, most: number): Promise<Rows> {
    const text = sql.trim().replace(/;\s*$/, '')
    if (/^explain\b/i.test(text)) return this.#plan(watch, text)
    // Not as simple text, in which several statements could come: then the server refuses all but one.
    await watch.over(this.#connection.unsafe(`declare tablinum_rows cursor for ${text}\n`, [], { simple: false, prepare: false } as object))
    const rows: Cell[][] = []
    for (;;) {
      const wanted = Math.min(AT_ONCE, most + 1 - rows.length)
      const fetched = await watch.over(this.#connection.unsafe(`fetch forward ${wanted} from tablinum_rows`).raw())
      const columns = (fetched as unknown as { columns: { name: string; type: number }[] }).columns
      for (const row of fetched as unknown as (Buffer | null)[][]) rows.push(row.map((bytes, i) => cellOf(bytes, columns[i]!.type)))
      if (fetched.length < wanted || rows.length > most) {
        const truncated = rows.length > most
        return { columns: await this.#named(watch, columns), rows: rows.slice(0, most), truncated }
      }
    }
  }

  /** A plan is no query to the server: there is no cursor over it. */
  async #plan(watch: Watch, text: string): Promise<Rows> {
    const told = await watch.over(this.#connection.unsafe(text, [], { simple: false, prepare: false } as object).raw())
    const columns = (told as unknown as { columns: { name: string; type: number }[] }).columns
    const rows = (told as unknown as (Buffer | null)[][]).map((row) => row.map((bytes, i) => cellOf(bytes, columns[i]!.type)))
    return { columns: await this.#named(watch, columns), rows, truncated: false }
  }

  async #named(watch: Watch, columns: readonly { name: string; type: number }[]): Promise<Rows['columns']> {
    const unknown = [...new Set(columns.map(({ type }) => type))].filter((type) => !this.#types.has(type))
    if (unknown.length > 0) {
      const found = await watch.over(
        this.#connection.unsafe(
          `select t.oid::int8 as oid, pg_catalog.format_type(t.oid, null) as name from pg_catalog.pg_type t where t.oid in (${unknown.join(',')})`,
        ),
      )
      for (const { oid, name } of found) this.#types.set(Number(oid), String(name))
    }
    return columns.map(({ name, type }) => ({ name, type: this.#types.get(type) ?? 'unknown' }))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#connection.release() // one that is still reserved would be waited for
    await this.#client.end({ timeout: 1 }).catch(() => {})
  }
}

const BOOL = 16
const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700])

const cellOf = (bytes: Buffer | null, type: number): Cell => {
  if (bytes === null) return null
  const text = bytes.toString('utf8')
  if (type === BOOL) return text === 't'
  return NUMBERS.has(type) ? numberCell(text) : textCell(text)
}

/** Gives one question up when it is told to, or when the server does not keep its own limit: with a cancel request, then without it. */
class Watch {
  given_up = false
  readonly #client: postgres.Sql
  readonly #signal: AbortSignal
  readonly #timer: NodeJS.Timeout
  readonly #stop = () => this.#cancel()
  #late = false
  #query?: { cancel?(): unknown }
  #leave: (reason: Error) => void = () => {}

  constructor(client: postgres.Sql, signal: AbortSignal, timeout_ms: number) {
    this.#client = client
    this.#signal = signal
    signal.addEventListener('abort', this.#stop)
    this.#timer = setTimeout(() => {
      this.#late = true
      this.#cancel()
    }, timeout_ms + LATE_MS)
  }

  async over<T>(query: PromiseLike<T>): Promise<T> {
    if (this.#signal.aborted || this.#late) throw new Error('It was stopped.')
    this.#query = query as { cancel?(): unknown }
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => {})
    this.#leave = reject
    return Promise.race([query, promise])
  }

  #cancel(): void {
    void Promise.resolve(this.#query?.cancel?.()).catch(() => {})
    // One that does not even take that is left alone: closing the connection is all that can be done from here.
    setTimeout(() => {
      if (this.#query === undefined) return
      this.given_up = true
      this.#leave(new Error('It was stopped.'))
      void this.#client.end({ timeout: 0 }).catch(() => {})
    }, LATE_MS).unref()
  }

  end(): void {
    this.#query = undefined
    clearTimeout(this.#timer)
    this.#signal.removeEventListener('abort', this.#stop)
  }

  told(error: unknown): Error {
    const { message, code } = error as Error & { code?: string }
    if (this.#late || (this.#signal.aborted && this.#signal.reason?.name === 'TimeoutError'))
      return new Error('It took too long.', { cause: error })
    if (this.#signal.aborted) return new Error('It was stopped.', { cause: error })
    if (code === '57014') return new Error('It took too long.', { cause: error })
    return new Error(message || code || 'The connection failed.', { cause: error })
  }
}
