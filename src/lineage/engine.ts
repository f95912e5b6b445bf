import { Worker } from 'node:worker_threads'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import type { SqlDefects } from '../sql-defects.ts'
import { type Known, type Question, type Reading, readNow } from './read-sql.ts'

/** Parses SQL without blocking the event loop: short texts inline, long or slow ones in a worker thread. */

const SHORT = 20_000 // characters; even slow statements take only a few milliseconds at this length
const SHORT_MS = 100
const THREADS = 2
const LONGEST_MS = 10_000 // far beyond the engine's own time budget: only a stuck thread gets here
const IDLE_MS = 60_000
const MEGABYTES = 512
const ENDED = -1 // threadId of a worker that has exited

/** Keeps idle threads for a minute: starting one takes longer than parsing most texts. */
export class SqlThreads {
  readonly #idle: Worker[] = []
  readonly #waiting: ((worker: Worker) => void)[] = []
  #running = 0
  #timer?: NodeJS.Timeout

  take(): Worker | Promise<Worker> {
    const idle = this.#idle.pop()
    if (idle && idle.threadId !== ENDED) return idle
    if (idle) this.#running -= 1
    if (this.#running === THREADS) return new Promise((go) => this.#waiting.push(go))
    this.#running += 1
    return start()
  }

  giveBack(worker: Worker): void {
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
    if (next) void Promise.resolve(this.take()).then(next)
  }
}

const start = (): Worker => {
  const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MEGABYTES } })
  worker.on('error', () => {}) // the caller that waits for its result is notified in `ask`
  return worker
}

/** One text, which can be parsed again when more is known about its tables. */
export class Reader implements Disposable {
  readonly #threads: SqlThreads
  readonly #defects: SqlDefects
  readonly #question: Question
  #worker?: Worker
  #failed = false

  constructor(ctx: Context, question: Question) {
    this.#threads = ctx.runtime.sqlThreads
    this.#defects = ctx.runtime.sqlDefects
    this.#question = question
  }

  async read(known: Known = new Map()): Promise<Reading> {
    const reading = await this.#read(known)
    // Counted here because the defect may have occurred in a worker thread.
    if (reading.analysis.incomplete === 'internal') this.#defects.count(reading.analysis.dialect)
    return reading
  }

  async #read(known: Known): Promise<Reading> {
    if (!this.#worker && this.#question.sql.length <= SHORT) {
      const reading = readNow({ ...this.#question, milliseconds: SHORT_MS }, known)
      if (reading.analysis.incomplete !== 'time') return reading
    }
    this.#worker ??= await this.#threads.take()
    const reading = await ask(this.#worker, this.#question, known)
    if (reading) return reading
    this.#failed = true
    throw new Refusal(
      'sql_unparsable',
      'The SQL is too complex to be parsed within the time and memory limits. Split it into smaller parts.',
    )
  }

  [Symbol.dispose](): void {
    if (!this.#worker) return
    if (this.#failed) this.#threads.drop(this.#worker)
    else this.#threads.giveBack(this.#worker)
  }
}

/** Undefined when the thread crashed, exited or exceeded the time limit. */
const ask = (worker: Worker, question: Question, known: Known): Promise<Reading | undefined> => {
  const { promise, resolve } = Promise.withResolvers<Reading | undefined>()
  const giveUp = () => resolve(undefined)
  const timer = setTimeout(giveUp, LONGEST_MS)
  worker.ref()
  worker.once('message', resolve).once('error', giveUp).once('exit', giveUp)
  worker.postMessage([question, known])
  return promise.finally(() => {
    clearTimeout(timer)
    worker.off('message', resolve).off('error', giveUp).off('exit', giveUp)
  })
}
