import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Program, StartError } from '../../../../connector/src/process.ts'
import type { QueryColumn, Settings } from '../../../../connector/src/protocol.ts'
import { QuerySession, SessionEndedError, type StatementLimits } from '../../../../connector/src/session.ts'
import { prepareProgram } from '../../drivers/prepare-program.ts'
import type { Cell, QueryLimits, Source, SourceRows, SqlConnection } from './connector.ts'
import { MAX_CHARACTERS, RowCollector } from './row-collector.ts'

const MAX_HEAP_MB = 512

/** A connector that runs queries, and what it is started with. */
export interface QueryProgram {
  /** Its name in error messages. */
  readonly name: string
  readonly program: Program
  readonly settings: Settings
  readonly allowedHosts?: readonly string[]
  /** If its driver is a package that may not be installed. */
  readonly source?: Pick<Source, 'type' | 'drivers'>
  /** How long it may take to notice a cancellation and to forward it to its source. */
  readonly graceMs?: number
  /** Redacts its error messages. */
  readonly clean?: (message: string) => string
}

/** A file of ours as a program, with half a gigabyte of memory. */
export const toNodeProgram = (file: URL, env: Program['env'] = {}): Program => ({
  command: [process.execPath, `--max-old-space-size=${MAX_HEAP_MB}`, fileURLToPath(file)],
  env: { ...shareCompileCache(), ...env },
})

/** The compile cache of this process: with it, starting a large SDK takes a quarter less CPU time. */
const shareCompileCache = (): Program['env'] => {
  const versionFolder = getCompileCacheDir()
  return versionFolder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(versionFolder) }
}

/**
 * A connection to a source in a program of its own: whatever a driver does to memory, the environment or in an endless loop ends with that process.
 * It is started with the first query, and again after it had to be killed. Reasons: docs/decisions/0048-one-protocol.md.
 */
export class ProgramConnection implements SqlConnection {
  readonly #program: QueryProgram
  #session?: QuerySession

  constructor(program: QueryProgram) {
    this.#program = program
  }

  /** Opens the connection. */
  async connect(signal: AbortSignal): Promise<void> {
    await this.#open(signal)
  }

  /** `options` are those of a statement that the program knows. */
  async query(sql: string, { signal, timeout_ms, max_rows }: QueryLimits, options?: unknown): Promise<SourceRows> {
    const collector = new RowCollector(max_rows)
    let columns: readonly QueryColumn[] = []
    let truncated: boolean | undefined
    for await (const message of this.#run({ sql, max_rows, max_characters: MAX_CHARACTERS, options }, { signal, timeout_ms })) {
      if (message.type === 'columns') columns = message.columns
      else if (message.type === 'end') truncated = message.truncated
      else if (!message.rows.every((row) => collector.add(row))) break
    }
    const found = collector.toRows(columns)
    return truncated ? { ...found, truncated } : found
  }

  /** All rows, as objects by column name. */
  async *stream<T extends object>(sql: string, limits: StatementLimits, options?: unknown): AsyncGenerator<T, void> {
    let columns: readonly QueryColumn[] = []
    for await (const message of this.#run({ sql, options }, limits)) {
      if (message.type === 'columns') columns = message.columns
      if (message.type !== 'rows') continue
      for (const row of message.rows) yield Object.fromEntries(columns.map(({ name }, i) => [name, row[i] as Cell])) as T
    }
  }

  async *#run(statement: Parameters<QuerySession['run']>[0], limits: StatementLimits) {
    const session = await this.#open(limits.signal)
    try {
      yield* session.run(statement, limits)
    } catch (error) {
      throw this.#explain(error as Error)
    }
  }

  async #open(signal: AbortSignal): Promise<QuerySession> {
    signal.throwIfAborted()
    if (this.#session && !this.#session.ended) return this.#session
    const { source, settings, allowedHosts, graceMs } = this.#program
    const program = prepareProgram(this.#program.program, source?.type, source?.drivers)
    try {
      this.#session = await QuerySession.open(program, { settings, allowedHosts, graceMs }, signal)
      return this.#session
    } catch (error) {
      throw this.#explain(error as Error)
    }
  }

  #explain(error: Error): Error {
    const { name, clean = (message) => message } = this.#program
    if (error instanceof StartError) return new Error(`${name} could not be started: ${error.why}.`)
    if (error instanceof SessionEndedError)
      return new Error(
        error.ready
          ? `${name} stopped unexpectedly: the data it read may be corrupt, or it ran out of memory.`
          : clean(`${name} could not be started on this machine (${process.platform}-${process.arch}): ${error.message}`),
      )
    error.message = clean(error.message)
    return error
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.[Symbol.asyncDispose]()
  }
}
