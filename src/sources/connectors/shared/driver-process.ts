import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Cell, QueryLimits, SourceRows, SqlConnection } from './connector.ts'
import { findMissingPackage } from './driver-packages.ts'
import type { DriverColumns, DriverPage, DriverRequest, DriverResponse } from './driver-protocol.ts'
import { RowCollector } from './row-collector.ts'

const GRACE_MS = 1_000
const OPEN_MS = 30_000
const MAX_MEMORY_MB = 512
const NO_HOME = '/nonexistent' // drivers read settings from the home folder and store passwords there
const PAGE_ROWS = 1_000

type DriverCall = DriverRequest extends infer R ? (R extends DriverRequest ? Omit<R, 'id'> : never) : never
type CallLimits = Pick<QueryLimits, 'signal' | 'timeout_ms'>

/** A driver to run in its own process, and what it is started with. */
export interface DriverProgram {
  /** Its name in error messages. */
  readonly name: string
  readonly file: URL
  /** The type of integration, if its driver is a package that may not be installed. */
  readonly type?: string
  readonly open_options: unknown
  /** Its complete environment. */
  readonly env?: Readonly<Record<string, string>>
  /** How long it may take to notice a cancellation and to forward it to its source. */
  readonly grace_ms?: number
  /** Redacts its error messages. */
  readonly clean?: (message: string) => string
}

/**
 * A driver in its own process: whatever it does to memory, the environment or in an endless loop ends with that process. It is started with
 * the first query, and again after it had to be killed. Reasons: docs/decisions/0010-driver-processes.md.
 */
export class DriverProcess implements SqlConnection {
  readonly #program: DriverProgram
  readonly #grace: number
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #child?: ChildProcess
  #open = false
  #last = 0

  constructor(program: DriverProgram) {
    this.#program = program
    this.#grace = program.grace_ms ?? GRACE_MS
  }

  /** Opens the connection. */
  async connect(signal: AbortSignal): Promise<void> {
    await this.#ready(signal)
  }

  /** `along` are driver-specific options of a statement. */
  async query(sql: string, limits: QueryLimits, along?: unknown): Promise<SourceRows> {
    const collector = new RowCollector(limits.max_rows)
    const columns = await this.#begin(sql, limits, along)
    try {
      for (let page: DriverPage | undefined; !page?.last; ) {
        page = await this.#nextPage(limits)
        if (!page.rows.every((row) => collector.add(row))) break
      }
    } finally {
      await this.#endStatement()
    }
    return collector.toRows(columns)
  }

  /** All rows, as objects by column name. */
  async *stream<T extends object>(sql: string, limits: CallLimits, along?: unknown): AsyncGenerator<T, void> {
    const columns = await this.#begin(sql, limits, along)
    try {
      for (let page: DriverPage | undefined; !page?.last; ) {
        page = await this.#nextPage(limits)
        for (const row of page.rows) yield Object.fromEntries(columns.map(({ name }, i) => [name, row[i] as Cell])) as T
      }
    } finally {
      await this.#endStatement()
    }
  }

  async #begin(sql: string, limits: CallLimits, along?: unknown): Promise<DriverColumns> {
    await this.#ready(limits.signal)
    return (await this.#call({ begin: sql, timeout_ms: limits.timeout_ms, along }, limits)) as DriverColumns
  }

  async #ready(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#child) return
    this.#assertInstalled()
    this.#open = false
    this.#start()
    try {
      await this.#call({ open: this.#program.open_options }, { signal, timeout_ms: OPEN_MS }, 0)
      this.#open = true
    } catch (error) {
      await this[Symbol.asyncDispose]()
      throw error
    }
  }

  #assertInstalled(): void {
    const { name, type } = this.#program
    const missing = type === undefined ? undefined : findMissingPackage(type)
    if (missing) throw new Error(`${name} is not installed. Install it beside Tablinum: npm install ${missing}`)
  }

  #nextPage(limits: CallLimits): Promise<DriverPage> {
    return this.#call({ more: PAGE_ROWS }, limits) as Promise<DriverPage>
  }

  async #endStatement(): Promise<void> {
    if (this.#child) await this.#call({ end: true }, this.#graceLimits()).catch(() => {})
  }

  #graceLimits(): CallLimits {
    return { signal: new AbortController().signal, timeout_ms: this.#grace }
  }

  /** The child gets none of our environment, output or working folder. */
  #start(): void {
    const { name, file, env = {}, clean = (message) => message } = this.#program
    const child = fork(file, [], {
      cwd: '/',
      env: { HOME: NO_HOME, ...env },
      execArgv: [`--max-old-space-size=${MAX_MEMORY_MB}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    const stderr = captureStart(child.stderr!)
    let ready = false
    child.on('message', (response: DriverResponse) => {
      ready = true // the driver has been loaded
      const waiting = this.#pending.get(response.id)
      if (!('error' in response)) return waiting?.resolve(response.value)
      waiting?.reject(new Error(clean(response.error)))
      if (response.last) this.#handleExit(child, 'The driver process has ended.')
    })
    child.once('error', (error) => this.#handleExit(child, `${name} could not be started: ${error.message}.`))
    // On close rather than exit, so that the error output of a driver that could not be loaded is complete.
    child.once('close', () =>
      this.#handleExit(
        child,
        ready
          ? `${name} stopped unexpectedly: the data it read may be corrupt, or it ran out of memory.`
          : `${name} could not be started on this machine (${process.platform}-${process.arch}): ${findErrorMessage(stderr())}`,
      ),
    )
  }

  #handleExit(child: ChildProcess, why: string): void {
    if (this.#child !== child) return
    this.#child = undefined
    for (const { reject } of this.#pending.values()) reject(new Error(why))
  }

  async #call(request: DriverCall, { signal, timeout_ms }: CallLimits, grace_ms = this.#grace): Promise<unknown> {
    const child = this.#child
    if (signal.aborted) throw new Error(describeAbort(signal))
    if (!child) throw new Error(`${this.#program.name} has stopped.`)
    const id = ++this.#last
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.set(id, { resolve, reject })
    let tooLong = setTimeout(() => this.#kill(child), timeout_ms + grace_ms)
    const stop = () => {
      child.send({ interrupt: true }, () => {})
      clearTimeout(tooLong)
      tooLong = setTimeout(() => this.#kill(child), grace_ms)
    }
    signal.addEventListener('abort', stop)
    child.ref()
    child.channel?.ref()
    child.send({ id, ...request }, () => {}) // if sending fails, the process has ended and its close handler reports why
    try {
      return await promise
    } catch (error) {
      if (signal.aborted) throw new Error(describeAbort(signal))
      throw error
    } finally {
      clearTimeout(tooLong)
      signal.removeEventListener('abort', stop)
      this.#pending.delete(id)
      // While idle, it does not keep this process alive.
      child.unref()
      child.channel?.unref()
    }
  }

  #kill(child: ChildProcess): void {
    this.#handleExit(child, 'The operation timed out.')
    child.kill('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child && this.#open) await this.#call({ close: true }, this.#graceLimits()).catch(() => {})
    const child = this.#child
    if (!child) return
    this.#handleExit(child, 'The connection was closed.')
    child.kill('SIGKILL')
    child.ref()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

const MAX_OUTPUT = 16_384

/** The start of its error output. The rest is read and dropped: a full pipe would block the driver. */
const captureStart = (stream: Readable): (() => string) => {
  let text = ''
  stream.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < MAX_OUTPUT) text += more
  })
  ;(stream as Socket).unref() // like the process itself, it does not keep this one alive
  return () => text
}

/** The error that ended it, without local paths. */
const findErrorMessage = (text: string): string => {
  const message = /^(?:\w*Error(?: \[\w+\])?|node: .*?): (.*)$/m.exec(text)?.[1]
  return message?.replace(/ imported from .*$/, '').replaceAll(/(?:file:\/\/)?\/[^\s'"]*\/node_modules\//g, '') ?? 'it exited immediately.'
}

const describeAbort = ({ reason }: AbortSignal): string =>
  reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.'
