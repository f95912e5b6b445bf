import { type ChildProcess, fork } from 'node:child_process'
import type { Asking, AskLimits, Rows, SqlSource } from './connector.ts'
import { findFile } from './files.ts'
import type { SqliteAnswer } from './sqlite-child.ts'

const LATE_MS = 500
const MEGABYTES = 256

/** SQLite runs in-process and cannot be interrupted, so queries run in a child process that can be killed. */
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
      env: {}, // it needs none of our environment
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.#child.on('error', () => {}) // the pending query is rejected on exit
    this.#idle()
  }

  /** While idle, it does not keep this process alive. */
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
    const timer = setTimeout(end, timeout_ms + LATE_MS, 'The operation timed out.')
    const stop = () => end(signal.reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.')
    const hear = (answer: SqliteAnswer) => ('error' in answer ? reject(new Error(answer.error)) : resolve(answer))
    const lost = () => reject(new Error('The query ran out of memory, or its process was killed.'))
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
