import { Worker } from 'node:worker_threads'
import type { Context } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import type { EngineDefectCounter } from './engine-defects.ts'
import { type ColumnsByTable, type ParseRequest, type ParseResult, parseSync } from './parse-sql.ts'

declare module '../../platform/context/runtime.ts' {
  interface Runtime {
    /** Threads that parse long SQL, at most two. */
    readonly sqlThreads: SqlParserPool
  }
}

/** Parses SQL without blocking the event loop: short texts inline, long or slow ones in a worker thread. */

const MAX_INLINE_CHARACTERS = 20_000 // characters; even slow statements take only a few milliseconds at this length
const MAX_INLINE_MS = 100
const MAX_THREADS = 2
const MAX_PARSE_MS = 10_000 // far beyond the engine's own time budget: only a stuck thread gets here
const IDLE_MS = 60_000
const MAX_HEAP_MB = 512
const EXITED_THREAD_ID = -1 // threadId of a worker that has exited

/** Keeps idle threads for a minute: starting one takes longer than parsing most texts. */
export class SqlParserPool {
  readonly #idle: Worker[] = []
  readonly #waiting: ((worker: Worker) => void)[] = []
  #running = 0
  #timer?: NodeJS.Timeout

  acquire(): Worker | Promise<Worker> {
    const idle = this.#idle.pop()
    if (idle && idle.threadId !== EXITED_THREAD_ID) return idle
    if (idle) this.#running -= 1
    if (this.#running === MAX_THREADS) return new Promise((go) => this.#waiting.push(go))
    this.#running += 1
    return startWorker()
  }

  release(worker: Worker): void {
    const next = this.#waiting.shift()
    if (next) {
      next(worker)
      return
    }
    worker.unref()
    this.#idle.push(worker)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      for (const each of this.#idle.splice(0)) this.drop(each)
    }, IDLE_MS).unref()
  }

  /** Stops the idle threads; busy ones end with the process. */
  close(): void {
    clearTimeout(this.#timer)
    for (const each of this.#idle.splice(0)) this.drop(each)
  }

  /** Terminates a failed thread and lets the next waiting caller start a new one. */
  drop(worker: Worker): void {
    void worker.terminate()
    this.#running -= 1
    const next = this.#waiting.shift()
    if (next) void Promise.resolve(this.acquire()).then(next)
  }
}

const startWorker = (): Worker => {
  const worker = new Worker(new URL('./parser-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } })
  worker.on('error', () => {}) // the caller that waits for its result is notified in `parseInWorker`
  return worker
}

/** One text, which can be parsed again when more is known about its tables. */
export class SqlTextParser implements Disposable {
  readonly #threads: SqlParserPool
  readonly #defects: EngineDefectCounter
  readonly #request: ParseRequest
  #worker?: Worker
  #failed = false

  constructor(ctx: Context, request: ParseRequest) {
    this.#threads = ctx.runtime.sqlThreads
    this.#defects = ctx.runtime.engineDefects
    this.#request = request
  }

  async read(knownColumns: ColumnsByTable = new Map()): Promise<ParseResult> {
    const result = await this.#read(knownColumns)
    // Counted here because the defect may have occurred in a worker thread.
    if (result.analysis.incomplete === 'internal') this.#defects.count(result.analysis.dialect)
    return result
  }

  async #read(knownColumns: ColumnsByTable): Promise<ParseResult> {
    if (!this.#worker && this.#request.sql.length <= MAX_INLINE_CHARACTERS) {
      const result = parseSync({ ...this.#request, milliseconds: MAX_INLINE_MS }, knownColumns)
      if (result.analysis.incomplete !== 'time') return result
    }
    this.#worker ??= await this.#threads.acquire()
    const result = await parseInWorker(this.#worker, this.#request, knownColumns)
    if (result) return result
    this.#failed = true
    throw new ApiError(
      'sql_unparsable',
      translatable('The SQL is too complex to be parsed within the time and memory limits. Split it into smaller parts.'),
    )
  }

  [Symbol.dispose](): void {
    if (!this.#worker) return
    if (this.#failed) this.#threads.drop(this.#worker)
    else this.#threads.release(this.#worker)
  }
}

/** Undefined when the thread crashed, exited or exceeded the time limit. */
const parseInWorker = (worker: Worker, request: ParseRequest, knownColumns: ColumnsByTable): Promise<ParseResult | undefined> => {
  const { promise, resolve } = Promise.withResolvers<ParseResult | undefined>()
  const onFailure = () => resolve(undefined)
  const timer = setTimeout(onFailure, MAX_PARSE_MS)
  worker.ref()
  worker.once('message', resolve).once('error', onFailure).once('exit', onFailure)
  worker.postMessage([request, knownColumns])
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', onFailure).off('exit', onFailure)
  })
}
