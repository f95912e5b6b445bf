import type { Source } from '../shared/connector.ts'
import type { ProgramConnection } from '../shared/program-connection.ts'
import { openClickhouseProgram } from './clickhouse-program.ts'
import { columnHeadersSql, FEATURES_SQL, ServerFeatures, SYSTEM_TABLES } from './clickhouse-sql.ts'

/** Returns rows of the system tables as objects by column name. */
export class ClickhouseRowReader implements AsyncDisposable {
  readonly #program: ProgramConnection
  readonly #limits: { readonly signal: AbortSignal; readonly timeout_ms: number }
  version = ''

  private constructor(program: ProgramConnection, signal: AbortSignal, timeout_ms: number) {
    this.#program = program
    this.#limits = { signal, timeout_ms }
  }

  static async open(source: Source, signal: AbortSignal, timeout_ms: number): Promise<ClickhouseRowReader> {
    const reader = new ClickhouseRowReader(openClickhouseProgram(source), signal, timeout_ms)
    try {
      const [row] = await reader.all<{ version: string }>('select version() as version')
      reader.version = row!.version
      return reader
    } catch (error) {
      await reader[Symbol.asyncDispose]()
      throw error
    }
  }

  stream<T extends object>(sql: string): AsyncGenerator<T, void> {
    return this.#program.stream<T>(sql, this.#limits)
  }

  all<T extends object>(sql: string): Promise<T[]> {
    return Array.fromAsync(this.stream<T>(sql))
  }

  /** A user with few grants can read system tables without seeing their columns: for those, an empty result provides the column names. */
  async readFeatures(): Promise<ServerFeatures> {
    const rows = await this.all<{ table: string; name: string }>(FEATURES_SQL)
    const listed = new Set(rows.map(({ table }) => table))
    const columns = rows.map(({ table, name }) => `${table}.${name}`)
    for (const table of SYSTEM_TABLES) if (!listed.has(table)) columns.push(...(await this.#readColumnNames(table)))
    return new ServerFeatures(columns)
  }

  /** Empty for a table this server does not have, or this user cannot read. */
  async #readColumnNames(table: string): Promise<string[]> {
    const found = await this.#program.query(columnHeadersSql(table), { ...this.#limits, max_rows: 1 }).catch(() => undefined)
    return found?.columns.map(({ name }) => `${table}.${name}`) ?? []
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]()
  }
}
