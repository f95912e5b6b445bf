import type { Source } from '../shared/connector.ts'
import { ClickhouseHttpClient } from './clickhouse-client.ts'
import { columnHeadersSql, FEATURES_SQL, ServerFeatures, SYSTEM_TABLES } from './clickhouse-sql.ts'

/** Returns rows as objects by column name. */
export class ClickhouseRowReader implements AsyncDisposable {
  readonly #client: ClickhouseHttpClient
  readonly #signal: AbortSignal
  readonly #timeout_ms: number

  private constructor(client: ClickhouseHttpClient, signal: AbortSignal, timeout_ms: number) {
    this.#client = client
    this.#signal = signal
    this.#timeout_ms = timeout_ms
  }

  static async open(source: Source, signal: AbortSignal, timeout_ms: number): Promise<ClickhouseRowReader> {
    return new ClickhouseRowReader(await ClickhouseHttpClient.open(source, signal, timeout_ms), signal, timeout_ms)
  }

  get version(): string {
    return this.#client.version
  }

  async *stream<T>(sql: string): AsyncGenerator<T, void> {
    const { columns, rows } = await this.#client.query(sql, { signal: this.#signal, timeout_ms: this.#timeout_ms })
    for await (const row of rows) yield Object.fromEntries(row.map((value, i) => [columns[i]!.name, value])) as T
  }

  all<T>(sql: string): Promise<T[]> {
    return Array.fromAsync(this.stream<T>(sql))
  }

  /** A user with few grants can read system tables without seeing their columns: for those, an empty result provides the column names. */
  async readFeatures(): Promise<ServerFeatures> {
    const rows = await this.all<{ table: string; name: string }>(FEATURES_SQL)
    const listed = new Set(rows.map(({ table }) => table))
    const columns = await Promise.all(SYSTEM_TABLES.filter((table) => !listed.has(table)).map((table) => this.#readColumnNames(table)))
    return new ServerFeatures([...rows.map(({ table, name }) => `${table}.${name}`), ...columns.flat()])
  }

  /** Empty for a table this server does not have, or this user cannot read. */
  async #readColumnNames(table: string): Promise<string[]> {
    const response = this.#client.query(columnHeadersSql(table), { signal: this.#signal, timeout_ms: this.#timeout_ms })
    const found = await response.catch(() => undefined)
    await found?.rows.return() // the result is empty
    return found?.columns.map(({ name }) => `${table}.${name}`) ?? []
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client[Symbol.asyncDispose]()
  }
}
