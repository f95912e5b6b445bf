import { getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import type { OpenOptions } from './mysql-process.ts'

/** Time for a second connection, which kills the query. */
const GRACE_MS = 3_000

export const openMysqlProgram = (source: Source, catalog_ms?: number): ProgramConnection => {
  const opening: OpenOptions = {
    host: getTextCredential(source, 'host')!,
    port: getNumberCredential(source, 'port'),
    database: getTextCredential(source, 'database'),
    user: getTextCredential(source, 'user')!,
    password: getTextCredential(source, 'password'),
    ssl: source.credentials.ssl === true,
    ca: getTextCredential(source, 'ca'),
    catalog_ms,
  }
  return new ProgramConnection({
    name: 'The driver of MySQL',
    program: toNodeProgram(new URL('./mysql-process.ts', import.meta.url)),
    settings: { ...opening },
    graceMs: GRACE_MS,
  })
}

/** The catalog of a MySQL or MariaDB server, in one transaction. */
export class MysqlCatalog implements AsyncDisposable {
  readonly #program: ProgramConnection
  readonly #limits: { readonly signal: AbortSignal; readonly timeout_ms: number }
  version = ''

  private constructor(program: ProgramConnection, signal: AbortSignal, timeout_ms: number) {
    this.#program = program
    this.#limits = { signal, timeout_ms }
  }

  static async open(source: Source, signal: AbortSignal, statementMs: number): Promise<MysqlCatalog> {
    const catalog = new MysqlCatalog(openMysqlProgram(source, statementMs), signal, statementMs)
    try {
      const [row] = await catalog.query<{ version: string }>('select version() as version')
      catalog.version = row!.version
      return catalog
    } catch (error) {
      await catalog[Symbol.asyncDispose]()
      throw error
    }
  }

  get maria(): boolean {
    return /mariadb/i.test(this.version)
  }

  query<T extends object>(sql: string): Promise<T[]> {
    return Array.fromAsync(this.stream<T>(sql))
  }

  stream<T extends object>(sql: string): AsyncGenerator<T, void> {
    return this.#program.stream<T>(sql, this.#limits)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#program[Symbol.asyncDispose]()
  }
}
