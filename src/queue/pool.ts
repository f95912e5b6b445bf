import { setTimeout as sleep } from 'node:timers/promises'
import { type ClientBase, Pool, type PoolClient, type QueryConfig, type QueryResult } from 'pg'
import { KEEP_ALIVE, setUpSession } from '../db/pool.ts'

export interface QueuePool extends AsyncDisposable {
  readonly pool: Pool
  /** Whether the completion of every task has been written. */
  ended(): boolean
}

export interface QueuePoolOptions {
  readonly max: number
  readonly onError: (error: unknown, what: string) => void
}

const AGAIN_MS = 1000

/** graphile-worker's statements that complete or fail tasks; they are idempotent. */
const END = /^(complete_jobs?|complete_job_q|fail_job|fail_job_q)\//

/**
 * The connections of graphile-worker, which does not await the statement that completes a task: with the database unreachable that crashes the
 * process, and during shutdown the completion is lost. So completions are retried until written, and awaited on close.
 * It also has no error listener on connections it is closing: one that the server drops at that moment would crash the process too.
 */
export const openQueuePool = (url: string, { max, onError }: QueuePoolOptions): QueuePool => {
  const heard = () => {} // reported by the running statement
  const pool = new Pool({
    connectionString: url,
    application_name: 'tablinum queue',
    max,
    connectionTimeoutMillis: 10_000,
    ...KEEP_ALIVE,
    onConnect: async (client: ClientBase) => {
      client.on('error', heard)
      await setUpSession(client, 0)
    },
  })
  pool.on('error', heard)
  pool.on('connect', heard) // graphile-worker adds its own listener if there is none

  const closing = new AbortController()
  const ends = new Set<Promise<unknown>>()
  const writeEnd = async (end: QueryConfig): Promise<QueryResult | undefined> => {
    for (;;) {
      try {
        return await pool.query(end)
      } catch (error) {
        onError(error, 'completing a task')
        if (closing.signal.aborted) return undefined // another worker will recover and repeat the task
        await sleep(AGAIN_MS, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }
  const kept = <T>(end: Promise<T>): Promise<T> => {
    ends.add(end)
    return end.finally(() => ends.delete(end))
  }

  const connect = pool.connect.bind(pool)
  const borrow = async (): Promise<PoolClient> => {
    let client: Promise<PoolClient> | undefined
    const query = async (asked: string | QueryConfig, values?: unknown[]) => {
      if (typeof asked === 'object' && END.test(asked.name ?? '')) return kept(writeEnd(asked))
      client ??= connect()
      return (await client).query(asked, values)
    }
    return { query, release: async () => (await client)?.release() } as unknown as PoolClient
  }
  pool.connect = ((told?: Parameters<typeof connect>[0]) => (told ? connect(told) : borrow())) as Pool['connect']

  return {
    pool,
    ended: () => ends.size === 0,
    [Symbol.asyncDispose]: async () => {
      closing.abort()
      await Promise.all(ends)
      await pool.end()
    },
  }
}
