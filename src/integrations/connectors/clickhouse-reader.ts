import { Session } from './clickhouse-session.ts'
import { HAS_SQL, Has } from './clickhouse-sql.ts'
import type { Source } from './connector.ts'

/** Asks in rows with names. */
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

  async has(): Promise<Has> {
    const rows = await this.all<{ table: string; name: string }>(HAS_SQL)
    return new Has(rows.map(({ table, name }) => `${table}.${name}`))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#session[Symbol.asyncDispose]()
  }
}
