import type { StatementLimits } from '../../../../connector/src/session.ts'
import type { ProgramConnection } from './program-connection.ts'

/** Reads the catalog of a server: rows of its system tables, as objects by column name. */
export class CatalogReader implements AsyncDisposable {
  readonly #program: ProgramConnection
  readonly #limits: StatementLimits
  #version = ''

  private constructor(program: ProgramConnection, limits: StatementLimits) {
    this.#program = program
    this.#limits = limits
  }

  /** Also closes the program if the server cannot be reached. */
  static async open(program: ProgramConnection, limits: StatementLimits): Promise<CatalogReader> {
    const reader = new CatalogReader(program, limits)
    try {
      const [row] = await reader.query<{ version: string }>('select version() as version')
      reader.#version = row!.version
      return reader
    } catch (error) {
      await reader[Symbol.asyncDispose]()
      throw error
    }
  }

  /** Of the server. */
  get version(): string {
    return this.#version
  }

  query<T extends object>(sql: string): Promise<T[]> {
    return Array.fromAsync(this.stream<T>(sql))
  }

  stream<T extends object>(sql: string): AsyncGenerator<T, void> {
    return this.#program.stream<T>(sql, this.#limits)
  }

  /** The names of its columns, also without rows. */
  async readColumnNames(sql: string): Promise<string[]> {
    const { columns } = await this.#program.query(sql, { ...this.#limits, max_rows: 1 })
    return columns.map(({ name }) => name)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]()
  }
}
