import { Refusal } from '../../errors.ts'
import type { Source } from './connector.ts'
import { PostgresClient } from './postgres-client.ts'

const LOCK_MS = 10_000
const ROWS = 1000

/** One connection with one read-only transaction. It leaves nothing behind in the source. */
export class Session {
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
  ): Promise<Session> {
    signal.throwIfAborted()
    const client = await PostgresClient.connect(source, signal).catch((error) => Promise.reject(told(error, signal)))
    const stop = () => client.destroy()
    signal.addEventListener('abort', stop)
    try {
      // The server's identifier; servers that do not report it work as well.
      const server = await client
        .query<{ id: string | null }>('select system_identifier::text as id from pg_control_system()')
        .then(([row]) => String(row?.id ?? ''))
        .catch((error) => (isMissing(error) ? '' : Promise.reject(error)))
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
      return new Session(client, signal, stop, server)
    } catch (error) {
      signal.removeEventListener('abort', stop)
      stop()
      throw told(error, signal)
    }
  }

  async ask<T extends object>(text: string): Promise<T[]> {
    try {
      return await this.#client.query<T>(text)
    } catch (error) {
      throw told(error, this.#signal)
    }
  }

  /** While rows are processed, the server fetches the next ones. */
  async *stream<T extends object>(text: string): AsyncGenerator<T, void> {
    const name = `tablinum_${++this.#cursors}`
    await this.ask(`declare ${name} no scroll cursor for ${text}`)
    const fetch = () => {
      const rows = this.ask<T>(`fetch forward ${ROWS} from ${name}`)
      rows.catch(() => {}) // thrown where it is awaited
      return rows
    }
    let coming = fetch()
    try {
      for (;;) {
        const rows = await coming
        if (rows.length === 0) return
        coming = fetch()
        yield* rows
      }
    } finally {
      await coming.catch(() => {})
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
const isMissing = ({ code }: { code?: string }): boolean => code === '42883' || code === '42501'

const told = (error: unknown, signal: AbortSignal): Error => {
  if (error instanceof Refusal) return error
  if (signal.aborted) return new Error(signal.reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.')
  const { message, code } = error as Error & { code?: string }
  return new Error(message || code || 'The connection failed.', { cause: error })
}
