import { type ChildProcess, fork } from 'node:child_process'
import type { Asking, AskLimits, Rows, SqlSource } from './connector.ts'
import { findFile } from './files.ts'
import type { SqliteAnswer } from './sqlite-child.ts'

const LATE_MS = 500
const MEGABYTES = 256

/** SQLite runs in the process that asks, and nothing in it can be interrupted: so it is asked in a process that can be ended. */
export const sqliteSql: SqlSource = {
  dialect: 'sqlite',
  open: async (source, signal) => {
    const path = await findFile(source)
    signal.throwIfAborted()
    const asking = new SqliteAsking(path)
    try {
      await asking.ask('select 1', { signal, timeout_ms: 10_000, max_rows: 1 })
      return asking
    } catch (error) {
      await asking[Symbol.asyncDispose]()
      throw error
    }
  },
}

class SqliteAsking implements Asking {
  readonly #child: ChildProcess

  constructor(path: string) {
    this.#child = fork(new URL('./sqlite-child.ts', import.meta.url), [path], {
      execArgv: [`--max-old-space-size=${MEGABYTES}`, '--disable-warning=ExperimentalWarning'],
      env: {}, // it needs nothing of what this process was told
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('error', () => {}) // whoever waits for its answer hears of its end
    this.#idle()
  }

  /** Waiting for the next question, it does not keep this process from ending. */
  #idle(): void {
    this.#child.unref()
    this.#child.channel?.unref()
  }

  async ask(sql: string, { signal, timeout_ms, max_rows }: AskLimits): Promise<Rows> {
    signal.throwIfAborted()
    const child = this.#child
    if (!child.connected) throw new Error('The file is no longer open.')
    const { promise, resolve, reject } = Promise.withResolvers<Rows>()
    const end = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(why))
    }
    const timer = setTimeout(end, timeout_ms + LATE_MS, 'It took too long.')
    const stop = () => end(signal.reason?.name === 'TimeoutError' ? 'It took too long.' : 'It was stopped.')
    const hear = (answer: SqliteAnswer) => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer))
    const lost = () => reject(new Error('The query needed more memory than it may have, or the process that ran it was ended.'))
    signal.addEventListener('abort', stop)
    child.once('message', hear).once('exit', lost)
    child.ref()
    child.channel?.ref()
    child.send({ sql, max_rows, timeout_ms }, (error) => error && reject(error))
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      child.off('message', hear).off('exit', lost)
      this.#idle()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
  }
}
