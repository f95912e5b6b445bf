import { Session } from './clickhouse-session.ts'
import { HAS_SQL, Has, headsSql, READ } from './clickhouse-sql.ts'
import type { Source } from './connector.ts'

/** Returns rows as objects by column name. */
export class Reader implements AsyncDisposable {
  readonly #session: Session
  readonly #signal: AbortSignal
  readonly #timeout_ms: number

  private constructor(session: Session, signal: AbortSignal, timeout_ms: number) {
    this.#session = session
    this.#signal = signal
    this.#timeout_ms = timeout_ms
  }

  static async open(source: Source, signal: AbortSignal, timeout_ms: number): Promise<Reader> {
    return new Reader(await Session.open(source, signal, timeout_ms), signal, timeout_ms)
  }

  get version(): string {
    return this.#session.version
  }

  async *each<T>(sql: string): AsyncGenerator<T, void> {
    const { columns, rows } = await this.#session.ask(sql, { signal: this.#signal, timeout_ms: this.#timeout_ms })
    for await (const row of rows) yield Object.fromEntries(row.map((value, i) => [columns[i]!.name, value])) as T
  }

  all<T>(sql: string): Promise<T[]> {
    return Array.fromAsync(this.each<T>(sql))
  }

  /** A user with few grants can read system tables without seeing their columns: for those, an empty result provides the column names. */
  async has(): Promise<Has> {
    const rows = await this.all<{ table: string; name: string }>(HAS_SQL)
    const listed = new Set(rows.map(({ table }) => table))
    const asked = await Promise.all(READ.filter((table) => !listed.has(table)).map((table) => this.#headsOf(table)))
    return new Has([...rows.map(({ table, name }) => `${table}.${name}`), ...asked.flat()])
  }

  /** Empty for a table this server does not have, or this user cannot read. */
  async #headsOf(table: string): Promise<string[]> {
    const answer = this.#session.ask(headsSql(table), { signal: this.#signal, timeout_ms: this.#timeout_ms })
    const found = await answer.catch(() => undefined)
    await found?.rows.return() // the result is empty
    return found?.columns.map(({ name }) => `${table}.${name}`) ?? []
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#session[Symbol.asyncDispose]()
  }
}
