import { type ChildProcess, fork } from 'node:child_process'
import type { QueryLimits, SourceRows, SqlConnection, SqlSource } from '../shared/connector.ts'
import { resolveSourceFile } from '../shared/files.ts'
import type { SqliteResponse } from './sqlite-process.ts'

const GRACE_MS = 500
const MAX_MEMORY_MB = 256

/** SQLite runs in-process and cannot be interrupted, so queries run in a child process that can be killed. */
export const sqliteSqlSource: SqlSource = {
  dialect: 'sqlite',
  open: async (source, signal) => {
    const path = await resolveSourceFile(source)
    signal.throwIfAborted()
    const connection = new SqliteSqlConnection(path)
    try {
      await connection.query('select 1', { signal, timeout_ms: 10_000, max_rows: 1 })
      return connection
    } catch (error) {
      await connection[Symbol.asyncDispose]()
      throw error
    }
  },
}

class SqliteSqlConnection implements SqlConnection {
  readonly #child: ChildProcess

  constructor(path: string) {
    this.#child = fork(new URL('./sqlite-process.ts', import.meta.url), [path], {
      execArgv: [`--max-old-space-size=${MAX_MEMORY_MB}`, '--disable-warning=ExperimentalWarning'],
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

  async query(sql: string, { signal, timeout_ms, max_rows }: QueryLimits): Promise<SourceRows> {
    signal.throwIfAborted()
    const child = this.#child
    if (!child.connected) throw new Error('The file is no longer open.')
    const { promise, resolve, reject } = Promise.withResolvers<SourceRows>()
    const end = (why: string) => {
      child.kill('SIGKILL')
      reject(new Error(why))
    }
    const timer = setTimeout(end, timeout_ms + GRACE_MS, 'The operation timed out.')
    const stop = () => end(signal.reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.')
    const handleResponse = (response: SqliteResponse) => ('error' in response ? reject(new Error(response.error)) : resolve(response))
    const lost = () => reject(new Error('The query ran out of memory, or its process was killed.'))
    signal.addEventListener('abort', stop)
    child.once('message', handleResponse).once('exit', lost)
    child.ref()
    child.channel?.ref()
    child.send({ sql, max_rows, timeout_ms }, (error) => error && reject(error))
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      child.off('message', handleResponse).off('exit', lost)
      this.#idle()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
  }
}
