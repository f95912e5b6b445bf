import { ApiError } from '../../../platform/core/errors.ts'
import type { Source } from '../shared/connector.ts'
import { PostgresClient } from './postgres-client.ts'

const LOCK_MS = 10_000
const FETCH_ROWS = 1000

/** One connection with one read-only transaction. It leaves nothing behind in the source. */
export class PostgresConnection {
  readonly #client: PostgresClient
  readonly #signal: AbortSignal
  readonly #stop: () => void
  readonly server: string
  #cursors = 0

  private constructor(client: PostgresClient, signal: AbortSignal, stop: () => void, server: string) {
    this.#client = client
    this.#signal = signal
    this.#stop = stop
    this.server = server
  }

  static async open(
    source: Source,
    signal: AbortSignal,
    statementMs: number,
    kind: 'postgres' | 'redshift' = 'postgres',
  ): Promise<PostgresConnection> {
    signal.throwIfAborted()
    const client = await PostgresClient.connect(source, signal).catch((error) => Promise.reject(toConnectionError(error, signal)))
    const stop = () => client.destroy()
    signal.addEventListener('abort', stop)
    try {
      // The server's identifier; servers that do not report it work as well.
      const server = await client
        .query<{ id: string | null }>('select system_identifier::text as id from pg_control_system()')
        .then(([row]) => String(row?.id ?? ''))
        .catch((error) => (isUnavailableFunction(error) ? '' : Promise.reject(error)))
      for (const statement of [
        // Redshift has only one isolation level and no lock timeout.
        ...(kind === 'redshift'
          ? ['begin read only']
          : ['begin isolation level repeatable read read only', `set local lock_timeout = ${LOCK_MS}`]),
        `set local statement_timeout = ${statementMs}`,
        // With this search path, names in view definitions include their schema, and no function of the source can replace one of the catalog.
        'set local search_path = pg_catalog',
      ])
        await client.query(statement)
      return new PostgresConnection(client, signal, stop, server)
    } catch (error) {
      signal.removeEventListener('abort', stop)
      stop()
      throw toConnectionError(error, signal)
    }
  }

  async query<T extends object>(text: string): Promise<T[]> {
    try {
      return await this.#client.query<T>(text)
    } catch (error) {
      throw toConnectionError(error, this.#signal)
    }
  }

  /** While rows are processed, the server fetches the next ones. */
  async *stream<T extends object>(text: string): AsyncGenerator<T, void> {
    const name = `tablinum_${++this.#cursors}`
    await this.query(`declare ${name} no scroll cursor for ${text}`)
    const fetch = () => {
      const rows = this.query<T>(`fetch forward ${FETCH_ROWS} from ${name}`)
      rows.catch(() => {}) // thrown where it is awaited
      return rows
    }
    let nextRows = fetch()
    try {
      for (;;) {
        const rows = await nextRows
        if (rows.length === 0) return
        nextRows = fetch()
        yield* rows
      }
    } finally {
      await nextRows.catch(() => {})
      if (!this.#client.lost) await this.#client.query(`close ${name}`).catch(() => {})
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop)
    if (!this.#client.lost) await this.#client.query('rollback').catch(() => {})
    await this.#client.end()
  }
}

/** The function does not exist, or this role may not call it. */
const isUnavailableFunction = ({ code }: { code?: string }): boolean => code === '42883' || code === '42501'

const toConnectionError = (error: unknown, signal: AbortSignal): Error => {
  if (error instanceof ApiError) return error
  if (signal.aborted) return new Error(signal.reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.')
  const { message, code } = error as Error & { code?: string }
  return new Error(message || code || 'The connection failed.', { cause: error })
}
