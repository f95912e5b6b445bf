import { Worker } from 'node:worker_threads'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import type { SqlDefects } from '../sql-defects.ts'
import { type Known, type Question, type Reading, readNow } from './read-sql.ts'

/** Reads SQL without keeping others waiting: short texts here, long or tangled ones in a thread of their own. */

const SHORT = 20_000 // characters; the slowest statements people write take a few milliseconds at this length
const SHORT_MS = 100
const THREADS = 2
const LONGEST_MS = 10_000 // far beyond the engine's own budget: only a thread in trouble gets here
const IDLE_MS = 60_000
const MEGABYTES = 512
const ENDED = -1 // the number of a thread that is no more

/** Threads wait for the next text for a while: starting one takes longer than most texts. */
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

  /** Ends the threads that wait; those under way end with the process. */
  close(): void {
    clearTimeout(this.#timer)
    for (const each of this.#idle.splice(0)) this.drop(each)
  }

  /** One in trouble makes room for another. */
  drop(worker: Worker): void {
    void worker.terminate()
    this.#running -= 1
    const next = this.#waiting.shift()
    if (next) void Promise.resolve(this.take()).then(next)
  }
}

const start = (): Worker => {
  const worker = new Worker(new URL('./engine-worker.ts', import.meta.url), { resourceLimits: { maxOldGenerationSizeMb: MEGABYTES } })
  worker.on('error', () => {}) // whoever waits for its answer hears of its end
  return worker
}

/** One text, to be read as often as something new is known of its tables. */
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
    // Counted here and not where it happens, which may be in a thread.
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
    throw new Refusal('sql_unparsable', 'The SQL is too tangled to be read in bounded time and memory. Send it in parts.')
  }

  [Symbol.dispose](): void {
    if (!this.#worker) return
    if (this.#failed) this.#threads.drop(this.#worker)
    else this.#threads.giveBack(this.#worker)
  }
}

/** Nothing when the thread did not survive the question, or does not come to an end. */
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
