import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientBase, Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import { initializeConnection, KEEP_ALIVE_OPTIONS } from '../db/pool.ts'

export interface QueuePool extends AsyncDisposable {
  readonly pool: Pool
  /** Whether the completion of every task has been written. */
  isSettled(): boolean
}

export interface QueuePoolOptions {
  readonly max: number
  readonly onError: (error: unknown, what: string) => void
}

const RETRY_MS = 1000

/** graphile-worker's statements that complete or fail tasks; they are idempotent. */
const COMPLETION_STATEMENTS = /^(complete_jobs?|complete_job_q|fail_job|fail_job_q)\//

/**
 * The connections of graphile-worker, which does not await the statement that completes a task: with the database unreachable that crashes the
 * process, and during shutdown the completion is lost. So completions are retried until written, and awaited on close.
 * It also has no error listener on connections it is closing: one that the server drops at that moment would crash the process too.
 */
export const openQueuePool = (url: string, { max, onError }: QueuePoolOptions): QueuePool => {
  const ignore = () => {} // reported by the running statement
  const pool = new Pool({
    connectionString: url,
    application_name: 'tablinum queue',
    max,
    connectionTimeoutMillis: 10_000,
    ...KEEP_ALIVE_OPTIONS,
    onConnect: async (client: ClientBase) => {
      client.on('error', ignore)
      await initializeConnection(client, 0)
    },
  })
  pool.on('error', ignore)
  pool.on('connect', ignore) // graphile-worker adds its own listener if there is none

  const closing = new AbortController()
  const completions = new Set<Promise<unknown>>()
  const writeCompletion = async (end: QueryConfig): Promise<QueryResult | undefined> => {
    for (;;) {
      try {
        return await pool.query(end)
      } catch (error) {
        onError(error, 'completing a task')
        if (closing.signal.aborted) return undefined // another worker will recover and repeat the task
        await sleep(RETRY_MS, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }
  const track = <T>(end: Promise<T>): Promise<T> => {
    completions.add(end)
    return end.finally(() => completions.delete(end))
  }

  const connect = pool.connect.bind(pool)
  const borrow = async (): Promise<PoolClient> => {
    let client: Promise<PoolClient> | undefined
    const query = async (statement: string | QueryConfig, values?: unknown[]) => {
      if (typeof statement === 'object' && COMPLETION_STATEMENTS.test(statement.name ?? '')) return track(writeCompletion(statement))
      client ??= connect()
      return (await client).query(statement, values)
    }
    return { query, release: async () => (await client)?.release() } as unknown as PoolClient
  }
  pool.connect = ((callback?: Parameters<typeof connect>[0]) => (callback ? connect(callback) : borrow())) as Pool['connect']

  return {
    pool,
    isSettled: () => completions.size === 0,
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await Promise.all(completions)
      await pool.end()
    },
  }
}
