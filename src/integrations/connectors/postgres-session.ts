import postgres from 'postgres'
import { type Reserved, reserve } from '../../db/reserve.ts'
import { numberOf, type Source, textOf } from './connector.ts'

const CONNECT_SECONDS = 10
const LOCK_MS = 10_000
const ROWS = 1000

/** One connection with one read-only transaction in it. It goes as it came: nothing of ours stays, whatever happens. */
export class Session {
  readonly #client: postgres.Sql
  readonly #connection: Reserved
  readonly #signal: AbortSignal
  readonly #stop: () => void
  readonly server: string

  private constructor(client: postgres.Sql, connection: Reserved, signal: AbortSignal, stop: () => void, server: string) {
    this.#client = client
    this.#connection = connection
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
    const client = postgres(optionsOf(source))
    const stop = () => void client.end({ timeout: 0 }).catch(() => {})
    signal.addEventListener('abort', stop)
    try {
      // Nothing more than the server's own number; a server that does not tell it is as good.
      const server = await client
        .unsafe('select system_identifier::text as id from pg_control_system()')
        .then(([row]) => String(row?.id ?? ''))
        .catch((error) => (error instanceof postgres.PostgresError && isMissing(error) ? '' : Promise.reject(error)))
      const connection = await reserve(client)
      for (const statement of [
        // Redshift has one level of isolation, and locks without a limit.
        ...(kind === 'redshift'
          ? ['begin read only']
          : ['begin isolation level repeatable read read only', `set local lock_timeout = ${LOCK_MS}`]),
        `set local statement_timeout = ${statementMs}`,
        // So every name in a view's definition comes with its schema, and no function of the source's runs in place of the catalog's.
        'set local search_path = pg_catalog',
      ])
        await connection.unsafe(statement)
      return new Session(client, connection, signal, stop, server)
    } catch (error) {
      signal.removeEventListener('abort', stop)
      stop()
      throw told(error, signal)
    }
  }

  async ask<T>(text: string): Promise<T[]> {
    try {
      return (await this.#connection.orEnd(this.#connection.unsafe(text))) as unknown as T[]
    } catch (error) {
      throw told(error, this.#signal)
    }
  }

  /** While some rows are looked at, the server finds the next. */
  async *stream<T>(text: string): AsyncGenerator<T, void> {
    const cursor = this.#connection.unsafe(text).cursor(ROWS)[Symbol.asyncIterator]()
    const ask = async () => this.#connection.orEnd(this.#connection.lost ? new Promise<never>(() => {}) : cursor.next())
    let coming = ask()
    try {
      for (let rows = await this.#unlessStopped(coming); !rows.done; rows = await this.#unlessStopped(coming)) {
        coming = ask()
        coming.catch(() => {}) // told when it is waited for
        yield* rows.value as unknown as T[]
      }
    } catch (error) {
      throw told(error, this.#signal)
    } finally {
      // A cursor can only be closed between two answers; one whose connection was cut is closed.
      await this.#unlessStopped(coming).catch(() => {})
      if (!this.#signal.aborted && !this.#connection.lost) await cursor.return?.()
    }
  }

  /** What a connection that was cut still owed us never comes. */
  async #unlessStopped<T>(answer: Promise<T>): Promise<T> {
    const { promise, reject } = Promise.withResolvers<never>()
    const stop = () => reject(this.#signal.reason)
    this.#signal.throwIfAborted()
    this.#signal.addEventListener('abort', stop)
    return this.#connection.orEnd(Promise.race([answer, promise])).finally(() => this.#signal.removeEventListener('abort', stop))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#signal.removeEventListener('abort', this.#stop)
    if (this.#signal.aborted) return // its connection was cut, and whatever it is asked it never answers
    if (!this.#connection.lost) await this.#connection.orEnd(this.#connection.unsafe('rollback')).catch(() => {})
    this.#connection.release() // one that is still reserved would be waited for
    await this.#client.end({ timeout: 1 }).catch(() => {})
  }
}

/** No such function, or not for this role. */
const isMissing = ({ code }: postgres.PostgresError): boolean => code === '42883' || code === '42501'

const told = (error: unknown, signal: AbortSignal): Error => {
  if (signal.aborted) return new Error(signal.reason?.name === 'TimeoutError' ? 'It took too long.' : 'It was stopped.')
  const { message, code } = error as Error & { code?: string }
  return new Error(message || code || 'The connection failed.', { cause: error })
}

const BIGINT = 20

/** Only what the credentials say: an environment variable or an address with options in it changes nothing. */
export const optionsOf = (source: Source): postgres.Options<{ bigint: postgres.PostgresType<number> }> => {
  const password = textOf(source, 'password') ?? ''
  const [host, port] = [textOf(source, 'host')!, numberOf(source, 'port') ?? 5432]
  return {
    host: [host] as unknown as string, // as a list it is not taken apart at colons and commas
    port: [port] as unknown as number,
    // The folder of a socket: what people give for a host has no slash.
    ...(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : {}),
    database: textOf(source, 'database'),
    user: textOf(source, 'user'),
    password: () => password,
    ssl: source.credentials.ssl === true ? { rejectUnauthorized: true, ca: textOf(source, 'ca') } : false,
    max: 1,
    prepare: false, // between us and the server may be a pooler that knows no prepared statements
    fetch_types: false,
    connect_timeout: CONNECT_SECONDS,
    idle_timeout: 30,
    keep_alive: 30,
    connection: { application_name: 'tablinum' },
    onnotice: () => {},
    types: { bigint: { to: BIGINT, from: [BIGINT], serialize: String, parse: Number } },
  }
}
