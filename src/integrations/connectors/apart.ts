import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Readable } from 'node:stream'
import type { Answer, Columns, Page, Request } from './apart-protocol.ts'
import type { Asking, AskLimits, Cell, Rows } from './connector.ts'
import { Taken } from './taken.ts'

const GRACE_MS = 1_000
const OPEN_MS = 30_000
const MEGABYTES = 512
const NOWHERE = '/nonexistent' // drivers look for settings there, and keep passwords
const PAGE = 1_000

type Ask = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never
type Limits = Pick<AskLimits, 'signal' | 'timeout_ms'>

/** What runs apart, and with what it begins. */
export interface Program {
  /** What it is called when it cannot go on. */
  readonly name: string
  readonly file: URL
  readonly opening: unknown
  /** The only environment it has. */
  readonly env?: Readonly<Record<string, string>>
  /** So long it may take to notice that it was stopped, and to tell its source. */
  readonly grace_ms?: number
  /** Its words as they may be told. */
  readonly clean?: (message: string) => string
}

/**
 * A driver in a process of its own: whatever it does there, to memory, to the environment or in a loop without end, ends with that process.
 * It is started when it is first asked, and again when it had to be ended. Why: docs/decisions/0010-driver-processes.md.
 */
export class Apart implements Asking {
  readonly #program: Program
  readonly #grace: number
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #child?: ChildProcess
  #open = false
  #last = 0

  constructor(program: Program) {
    this.#program = program
    this.#grace = program.grace_ms ?? GRACE_MS
  }

  /** Tries the way in. */
  async reach(signal: AbortSignal): Promise<void> {
    await this.#ready(signal)
  }

  /** What goes along with a statement is for the driver to know. */
  async ask(sql: string, limits: AskLimits, along?: unknown): Promise<Rows> {
    const taken = new Taken(limits.max_rows)
    const columns = await this.#begin(sql, limits, along)
    try {
      for (let page: Page | undefined; !page?.last; ) {
        page = await this.#more(limits)
        if (!page.rows.every((row) => taken.take(row))) break
      }
    } finally {
      await this.#end()
    }
    return taken.rows(columns)
  }

  /** Rows by the names of their columns, as many as there are. */
  async *stream<T extends object>(sql: string, limits: Limits, along?: unknown): AsyncGenerator<T, void> {
    const columns = await this.#begin(sql, limits, along)
    try {
      for (let page: Page | undefined; !page?.last; ) {
        page = await this.#more(limits)
        for (const row of page.rows) yield Object.fromEntries(columns.map(({ name }, i) => [name, row[i] as Cell])) as T
      }
    } finally {
      await this.#end()
    }
  }

  async #begin(sql: string, limits: Limits, along?: unknown): Promise<Columns> {
    await this.#ready(limits.signal)
    return (await this.#call({ begin: sql, timeout_ms: limits.timeout_ms, along }, limits)) as Columns
  }

  async #ready(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#child) return
    this.#open = false
    this.#start()
    try {
      await this.#call({ open: this.#program.opening }, { signal, timeout_ms: OPEN_MS }, 0)
      this.#open = true
    } catch (error) {
      await this[Symbol.asyncDispose]()
      throw error
    }
  }

  #more(limits: Limits): Promise<Page> {
    return this.#call({ more: PAGE }, limits) as Promise<Page>
  }

  async #end(): Promise<void> {
    if (this.#child) await this.#call({ end: true }, this.#briefly()).catch(() => {})
  }

  #briefly(): Limits {
    return { signal: new AbortController().signal, timeout_ms: this.#grace }
  }

  /** Nothing of ours goes along: no environment, no output, no folder. */
  #start(): void {
    const { name, file, env = {}, clean = (message) => message } = this.#program
    const child = fork(file, [], {
      cwd: '/',
      env: { HOME: NOWHERE, ...env },
      execArgv: [`--max-old-space-size=${MEGABYTES}`],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    this.#child = child
    const stderr = startOf(child.stderr!)
    let ready = false
    child.on('message', (answer: Answer) => {
      ready = true // it was loaded
      const waiting = this.#waiting.get(answer.id)
      if (!('error' in answer)) return waiting?.resolve(answer.value)
      waiting?.reject(new Error(clean(answer.error)))
      if (answer.last) this.#gone(child, 'It has ended.')
    })
    child.once('error', (error) => this.#gone(child, `${name} cannot be started: ${error.message}.`))
    // After its output has ended, so that a driver that could not be loaded has said why.
    child.once('close', () =>
      this.#gone(
        child,
        ready
          ? `${name} ended in the middle of it: what it read may be damaged, or took too much memory.`
          : `${name} cannot be started on this machine (${process.platform}-${process.arch}): ${errorIn(stderr())}`,
      ),
    )
  }

  #gone(child: ChildProcess, why: string): void {
    if (this.#child !== child) return
    this.#child = undefined
    for (const { reject } of this.#waiting.values()) reject(new Error(why))
  }

  async #call(ask: Ask, { signal, timeout_ms }: Limits, grace_ms = this.#grace): Promise<unknown> {
    const child = this.#child
    if (signal.aborted) throw new Error(whyOf(signal))
    if (!child) throw new Error(`${this.#program.name} has ended.`)
    const id = ++this.#last
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.set(id, { resolve, reject })
    let tooLong = setTimeout(() => this.#kill(child), timeout_ms + grace_ms)
    const stop = () => {
      child.send({ interrupt: true }, () => {})
      clearTimeout(tooLong)
      tooLong = setTimeout(() => this.#kill(child), grace_ms)
    }
    signal.addEventListener('abort', stop)
    child.ref()
    child.channel?.ref()
    child.send({ id, ...ask }, () => {}) // what cannot be sent has no receiver any more: its end says why
    try {
      return await promise
    } catch (error) {
      if (signal.aborted) throw new Error(whyOf(signal))
      throw error
    } finally {
      clearTimeout(tooLong)
      signal.removeEventListener('abort', stop)
      this.#waiting.delete(id)
      // Waiting for the next question, it does not keep this process from ending.
      child.unref()
      child.channel?.unref()
    }
  }

  #kill(child: ChildProcess): void {
    this.#gone(child, 'It took too long.')
    child.kill('SIGKILL')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child && this.#open) await this.#call({ close: true }, this.#briefly()).catch(() => {})
    const child = this.#child
    if (!child) return
    this.#gone(child, 'It was closed.')
    child.kill('SIGKILL')
    child.ref()
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

const MOST_OUTPUT = 16_384

/** The beginning of what it writes. The rest is read and dropped: a full pipe would stop the driver. */
const startOf = (stream: Readable): (() => string) => {
  let text = ''
  stream.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < MOST_OUTPUT) text += more
  })
  ;(stream as Socket).unref() // like the process itself, it does not keep this one from ending
  return () => text
}

/** The message of the error that ended it, without the paths of this machine. */
const errorIn = (text: string): string => {
  const message = /^(?:\w*Error(?: \[\w+\])?|node: .*?): (.*)$/m.exec(text)?.[1]
  return message?.replace(/ imported from .*$/, '').replaceAll(/(?:file:\/\/)?\/[^\s'"]*\/node_modules\//g, '') ?? 'it ended at once.'
}

const whyOf = ({ reason }: AbortSignal): string => (reason?.name === 'TimeoutError' ? 'It took too long.' : 'It was stopped.')
