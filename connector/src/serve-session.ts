import { toCell, toWholeCell } from './cells.ts'
import {
  type Cell,
  type FailureCause,
  isObject,
  type Message,
  type QueryColumn,
  type SessionRequest,
  type SqlDialect,
  type Statement,
} from './protocol.ts'

/** How a connector runs queries. */
export interface QueryDefinition<Context> {
  /** Of the queries of users. Without one, only code that knows the connector runs statements. */
  readonly dialect?: SqlDialect
  /** Connects to the source, for reading only. */
  open(context: Context): Promise<QueryConnection>
}

/** Runs one statement at a time. */
export interface QueryConnection {
  run(statement: Statement): StartedStatement | Promise<StartedStatement>
  /** Stops the running statement in the source. Without it, the process is killed a little after its time is over. */
  cancel?(): void
  close?(): unknown
}

export interface StartedStatement {
  readonly columns: readonly QueryColumn[]
  /** In batches; values of any type, which become cells. Stopping the iteration early gives up the statement. */
  readonly rows: AsyncIterable<readonly (readonly unknown[])[]> | Iterable<readonly (readonly unknown[])[]>
}

/** Why a statement failed, if it is known: see `FailureCause`. */
export class QueryError extends Error {
  readonly about: FailureCause
  readonly code: string | undefined

  constructor(message: string, about: FailureCause, code?: string) {
    super(message)
    this.about = about
    this.code = code
  }
}

/** Several messages are written at once: most statements have one page of rows. */
type Send = (...messages: Message[]) => Promise<void>

const CLOSE_MS = 5_000
const PAGE_ROWS = 1_000
const PAGE_CHARACTERS = 1024 * 1024

/** Runs the statements that arrive, until there are no more lines. */
export const serveSession = async (connection: QueryConnection, lines: AsyncIterator<string>, send: Send): Promise<void> => {
  let running: RunningStatement | undefined
  await send({ type: 'ready' })
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    const request = parseRequest(line.value)
    if ('cancel' in request) {
      if (running?.id === request.cancel) running.stop()
    } else {
      const statement = new RunningStatement(request.statement, connection, send)
      running = statement
      void statement.run()
    }
  }
  running?.stop()
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), CLOSE_MS)
  await connection.close?.()
}

const parseRequest = (line: string): SessionRequest => {
  const request: unknown = JSON.parse(line)
  if (isObject(request) && ('cancel' in request || isObject(request.statement))) return request as unknown as SessionRequest
  throw new Error('Expected a statement, or the ID of one to cancel.')
}

class RunningStatement {
  readonly #statement: Statement
  readonly #connection: QueryConnection
  readonly #send: Send
  #waiting: Message[] = []
  #ended = false
  #stopped = false

  constructor(statement: Statement, connection: QueryConnection, send: Send) {
    this.#statement = statement
    this.#connection = connection
    this.#send = send
  }

  get id(): number {
    return this.#statement.id
  }

  stop(): void {
    this.#stopped = true
    if (!this.#ended) this.#connection.cancel?.()
  }

  async run(): Promise<void> {
    const { id, timeout_ms } = this.#statement
    let late = false
    const timer = setTimeout(() => {
      late = true
      this.stop()
    }, timeout_ms)
    try {
      const { columns, rows } = await this.#connection.run(this.#statement)
      this.#waiting = [{ type: 'columns', id, columns }]
      const truncated = await this.#sendRows(rows)
      if (late) throw new Error('late')
      this.#ended = true
      await this.#send(...this.#waiting, { type: 'end', id, truncated })
    } catch (error) {
      this.#ended = true
      await this.#send(
        late ? { type: 'failed', id, message: 'The operation timed out.', about: 'timeout' } : { type: 'failed', id, ...describe(error) },
      )
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whether there were more rows than it may send. */
  async #sendRows(batches: StartedStatement['rows']): Promise<boolean> {
    const { id, max_rows = Number.POSITIVE_INFINITY, max_characters = Number.POSITIVE_INFINITY } = this.#statement
    const convert = max_characters === Number.POSITIVE_INFINITY ? toWholeCell : toCell
    let page: (readonly Cell[])[] = []
    let pageSize = 0
    let rows = 0
    let characters = 0
    const flush = () => {
      if (page.length > 0) this.#waiting.push({ type: 'rows', id, rows: page })
      page = []
      pageSize = 0
    }
    for await (const batch of batches)
      for (const values of batch) {
        if (this.#stopped || rows >= max_rows || characters >= max_characters) {
          flush()
          return true
        }
        const row = values.map(convert)
        const size = row.reduce((sum: number, cell) => sum + (typeof cell === 'string' ? cell.length : 8), 0)
        page.push(row)
        rows += 1
        pageSize += size
        characters += size
        if (page.length < PAGE_ROWS && pageSize < PAGE_CHARACTERS) continue
        flush()
        await this.#send(...this.#waiting.splice(0))
      }
    flush()
    return false
  }
}

const describe = (error: unknown): { message: string; about?: FailureCause; code?: string } => {
  const message = (error as Error).message || String(error)
  if (!(error instanceof QueryError)) return { message }
  return { message, about: error.about, ...(error.code === undefined ? {} : { code: error.code }) }
}
