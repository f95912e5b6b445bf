import { ConnectorError, type Program, ProgramProcess } from './process.ts'
import {
  type ColumnsMessage,
  type EndMessage,
  type FailedMessage,
  type FailureCause,
  MAX_ROWS_LINE_BYTES,
  type Message,
  PROTOCOL_VERSION,
  parseMessage,
  type RowsMessage,
  type SessionRequest,
  type Settings,
  type Statement,
} from './protocol.ts'

/** A statement failed; the session goes on. */
export class StatementError extends Error {
  readonly about: FailureCause | undefined
  readonly code: string | undefined

  constructor({ message, about, code }: Pick<FailedMessage, 'message' | 'about' | 'code'>) {
    super(message)
    this.about = about
    this.code = code
  }
}

/** The program ended by itself. `ready`: after it had connected. */
export class SessionEndedError extends ConnectorError {
  readonly ready: boolean

  constructor(message: string, ready: boolean) {
    super(message)
    this.ready = ready
  }
}

export interface SessionOptions {
  readonly settings: Settings
  readonly allowedHosts?: readonly string[]
  /** How long it may take to notice a cancellation and to forward it to its source, before it is killed. */
  readonly graceMs?: number
}

export interface StatementLimits {
  readonly signal: AbortSignal
  readonly timeout_ms: number
}

const OPEN_MS = 30_000
const GRACE_MS = 1_000

/** A connector that stays alive and runs one statement after the other. While idle, it does not keep this process alive. */
export class QuerySession implements AsyncDisposable {
  readonly #process: ProgramProcess
  readonly #graceMs: number
  #ready = false
  #messages = 0
  #statements = 0

  private constructor(program: Program, graceMs = GRACE_MS) {
    this.#process = new ProgramProcess(program, MAX_ROWS_LINE_BYTES)
    this.#graceMs = graceMs
  }

  /** Starts the program, which connects to its source. */
  static async open(
    program: Program,
    { settings, allowedHosts = [], graceMs }: SessionOptions,
    signal: AbortSignal,
  ): Promise<QuerySession> {
    signal.throwIfAborted()
    const session = new QuerySession(program, graceMs)
    try {
      session.#process.send({ protocol: PROTOCOL_VERSION, command: 'query', settings, allowed_hosts: allowedHosts })
      using _watch = session.#watch({ signal, timeout_ms: OPEN_MS }, () => session.#process.stop(toAbortError(signal)))
      const message = await session.#read()
      if (message.type !== 'ready') throw new ConnectorError(`Expected \`ready\`, not \`${message.type}\`.`)
      session.#ready = true
      session.#process.unref()
      return session
    } catch (error) {
      await session.#kill(error as Error)
      throw error
    }
  }

  /** No further statement can be run. */
  get ended(): boolean {
    return this.#process.ended
  }

  /** The columns, rows as the program sends them, and the end. Stopping the iteration early cancels the statement. */
  async *run(statement: Omit<Statement, 'id' | 'timeout_ms'>, limits: StatementLimits) {
    const { signal, timeout_ms } = limits
    const id = ++this.#statements
    let running = true
    this.#process.ref()
    using _memory = this.#process.watchMemory()
    this.#send({ statement: { ...statement, id, timeout_ms: Math.ceil(timeout_ms) } })
    try {
      while (running) {
        if (signal.aborted) throw toAbortError(signal)
        const message = await this.#readAnswer(id, limits)
        running = message.type === 'columns' || message.type === 'rows'
        if (signal.aborted) throw toAbortError(signal)
        if (message.type === 'failed') throw new StatementError(message)
        yield message
      }
    } finally {
      if (running && !this.ended) await this.#cancel(id)
      this.#process.unref()
    }
  }

  /** The time of the caller between two messages does not count. */
  async #readAnswer(id: number, limits: StatementLimits): Promise<ColumnsMessage | RowsMessage | EndMessage | FailedMessage> {
    const { signal, timeout_ms } = limits
    const deadline = performance.now() + timeout_ms
    let late: NodeJS.Timeout | undefined
    using _watch = this.#watch({ signal, timeout_ms: timeout_ms + this.#graceMs }, () => {
      this.#send({ cancel: id })
      late = setTimeout(() => this.#process.stop(toAbortError(signal)), this.#graceMs)
    })
    try {
      for (;;) {
        const message = await this.#read()
        if (!isAnswer(message)) throw new ConnectorError(`Unexpected message \`${message.type}\` in a session.`)
        if (message.id === id) return message
      }
    } catch (error) {
      if (error instanceof StatementError) throw error
      await this.#kill(error as Error)
      // Whatever else happens to a program that did not stop in time is a consequence of that.
      throw performance.now() > deadline && !signal.aborted ? timedOut() : error
    } finally {
      clearTimeout(late)
    }
  }

  /** What is left of a statement is read and dropped; a program that does not stop is killed. */
  async #cancel(id: number): Promise<void> {
    this.#send({ cancel: id })
    const late = setTimeout(() => this.#process.stop(timedOut()), this.#graceMs)
    const limits = { signal: new AbortController().signal, timeout_ms: 0 }
    for (let running = true; running; )
      running = await this.#readAnswer(id, limits).then(
        ({ type }) => type === 'columns' || type === 'rows',
        () => false,
      )
    clearTimeout(late)
  }

  /** Until it is disposed: kills the program when the time is over, and calls back when the signal aborts. */
  #watch({ signal, timeout_ms }: StatementLimits, onAbort: () => void): Disposable {
    const timer = setTimeout(() => this.#process.stop(timedOut()), timeout_ms)
    signal.addEventListener('abort', onAbort)
    return {
      [Symbol.dispose]: () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
      },
    }
  }

  async #read(): Promise<Message> {
    const { value: line, done } = await this.#process.lines.next().catch((error) => {
      throw this.#process.reason ?? error
    })
    if (done) {
      const { how, why } = await this.#process.findEnd()
      throw this.#process.reason ?? new SessionEndedError(why || `it ended (${how}).`, this.#ready)
    }
    this.#messages += 1
    const message = parseMessage(line, this.#messages)
    if (message.type !== 'error') return message
    this.#process.stop(new ConnectorError('The connector has stopped.'))
    throw this.#ready ? new StatementError(message) : new ConnectorError(message.message)
  }

  #send(request: SessionRequest): void {
    this.#process.send(request)
  }

  async #kill(reason: Error): Promise<void> {
    this.#process.stop(reason)
    await this.#process.waitForExit()
  }

  /** Lets the program close its connection, if it does so in time. */
  async [Symbol.asyncDispose](): Promise<void> {
    const late = setTimeout(() => this.#process.stop(new Error('The connection was closed.')), this.#graceMs)
    if (!this.ended) this.#process.endInput()
    await this.#process.waitForExit()
    clearTimeout(late)
    this.#process.stop(new Error('The connection was closed.'))
  }
}

const isAnswer = (message: Message): message is ColumnsMessage | RowsMessage | EndMessage | FailedMessage =>
  ['columns', 'rows', 'end', 'failed'].includes(message.type)

const timedOut = (): Error => new Error('The operation timed out.')

const toAbortError = ({ reason }: AbortSignal): Error =>
  reason?.name === 'TimeoutError' ? timedOut() : new Error('The operation was cancelled.')
