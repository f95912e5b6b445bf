import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Connection, ConnectionOptions, FieldPacket, QueryOptions } from 'mysql2'
import { CloseSignal } from '../../../platform/db/close-signal.ts'
import { getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'

const CONNECT_MS = 10_000
const KILL_MS = 5_000
const QUIT_MS = 1_000
const STREAM_ROWS = 1000

interface OpenOptions {
  readonly database?: string | undefined
  readonly settings?: (session: MysqlConnection) => readonly string[]
}

/** One connection to MySQL or MariaDB. It can be cancelled at any time: the caller gets an error, and the server stops the query. */
export class MysqlConnection implements AsyncDisposable {
  readonly #source: Source
  readonly #connection: Connection
  readonly #closeSignal = new CloseSignal()
  #id?: number
  #reason?: Error
  version = ''

  private constructor(source: Source, connection: Connection) {
    this.#source = source
    this.#connection = connection
    connection.on('error', (error) => this.#close(error))
    catchProtocolErrors(connection, (error) => this.#close(error))
  }

  /** `settings` run first and apply to this session only. */
  static async open(source: Source, signal: AbortSignal, { database, settings }: OpenOptions = {}): Promise<MysqlConnection> {
    if (signal.aborted) throw toAbortError(signal)
    const { createConnection } = await import('mysql2')
    const session = new MysqlConnection(source, createConnection(toConnectionOptions(source, database)))
    const watch = session.watch(signal)
    try {
      await session.#race<void>((done) => session.#connection.connect(done))
      const [row] = await session.query<{ version: string; id: number }>('select version() as version, connection_id() as id')
      session.version = String(row!.version)
      session.#id = Number(row!.id)
      await session.set(...(settings?.(session) ?? []))
      return session
    } catch (error) {
      session.#close(session.toError(error))
      throw session.toError(error)
    } finally {
      watch[Symbol.dispose]()
    }
  }

  get maria(): boolean {
    return /mariadb/i.test(this.version)
  }

  get closed(): boolean {
    return this.#reason !== undefined
  }

  /** Until it is disposed, an abort of the signal ends the session. */
  watch(signal: AbortSignal): Disposable {
    const stop = () => this.abandon(toAbortError(signal))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    return { [Symbol.dispose]: () => signal.removeEventListener('abort', stop) }
  }

  /** Abandons a result halfway and kills the query: the server itself would notice only on its next write. */
  abandon(reason: Error): void {
    if (this.closed) return
    const id = this.#id
    this.#close(reason)
    if (id === undefined) return
    MysqlConnection.open(this.#source, AbortSignal.timeout(KILL_MS))
      .then(async (other) => {
        await other.query(`kill query ${id}`).catch(() => {}) // it may have finished already
        await other[Symbol.asyncDispose]()
      })
      .catch(() => {})
  }

  /** Ignores variables a server does not have. */
  async set(...statements: readonly string[]): Promise<void> {
    for (const statement of statements)
      await this.query(statement).catch((error) => {
        if ((error.cause as { errno?: number })?.errno !== UNKNOWN_VARIABLE) throw error
      })
  }

  query<T>(sql: string): Promise<T[]> {
    return this.#race<T[]>((done) => this.#connection.query({ sql, ...CAST_OPTIONS }, (error, rows) => done(error, rows as T[])))
  }

  async *stream<T>(sql: string): AsyncGenerator<T, void> {
    yield* this.#rows({ sql, ...CAST_OPTIONS }) as AsyncGenerator<T, void>
  }

  /** Values as raw bytes in column order; the fields are passed to the callback first. */
  raw(sql: string, fields: (fields: readonly FieldPacket[]) => void): AsyncGenerator<(Buffer | null)[], void> {
    return this.#rows({ sql, typeCast: false, rowsAsArray: true }, fields) as AsyncGenerator<(Buffer | null)[], void>
  }

  async *#rows(query: QueryOptions, onFields?: (fields: readonly FieldPacket[]) => void): AsyncGenerator<unknown, void> {
    const rows = this.#connection.query(query).stream({ highWaterMark: STREAM_ROWS })
    if (onFields) rows.on('fields', (fields?: FieldPacket[]) => onFields(fields ?? []))
    const read = Promise.withResolvers<void>()
    this.#closeSignal.race(read.promise).catch((error) => rows.destroy(error))
    try {
      yield* rows as AsyncIterable<unknown>
    } catch (error) {
      throw this.toError(error)
    } finally {
      read.resolve()
    }
  }

  async #race<T>(work: (done: (error: Error | null, value?: T) => void) => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    work((error, value) => (error ? reject(error) : resolve(value as T)))
    try {
      return await this.#closeSignal.race(promise)
    } catch (error) {
      throw this.toError(error)
    }
  }

  #close(reason: Error): void {
    this.#reason ??= reason
    this.#closeSignal.close(this.#reason)
    this.#connection.destroy()
    // destroy() of the driver only sends a quit command and waits for a response.
    ;(this.#connection as unknown as { stream: { destroy(): void } }).stream.destroy()
  }

  /** The reason the session was ended, or the error of the server. */
  toError(error: unknown): Error {
    const cause = this.#reason ?? error
    if (cause instanceof RangeError || cause instanceof TypeError) return toProtocolError(cause)
    const { message, code, errno } = cause as Error & { code?: string; errno?: number }
    if (TIMEOUT_ERRORS.has(errno ?? 0)) return new Error('The operation timed out.', { cause })
    return new Error(message || code || 'The connection failed.', { cause })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.closed) return
    const late = setTimeout(() => this.#close(new Error('The connection is closed.')), QUIT_MS)
    await this.#race<void>((done) => this.#connection.end((error) => done(error))).catch(() => {})
    clearTimeout(late)
    this.#close(new Error('The connection is closed.'))
  }
}

const UNKNOWN_VARIABLE = 1193
// Timeout of MySQL, timeout of MariaDB, and killed query.
const TIMEOUT_ERRORS = new Set([3024, 1969, 1317])

const toAbortError = ({ reason }: AbortSignal): Error =>
  new Error(reason?.name === 'TimeoutError' ? 'The operation timed out.' : 'The operation was cancelled.')

/** Dates as the server writes them; integers as numbers where a double represents them exactly. */
const CAST_OPTIONS = { typeCast: true, dateStrings: true, supportBigNumbers: true }

const toProtocolError = (cause: unknown): Error =>
  new Error('Unexpected response: the server does not appear to be MySQL or MariaDB.', { cause })

/** The driver parses unsolicited packets in an event handler, where an invalid packet would crash this process. */
const catchProtocolErrors = (connection: Connection, fault: (error: Error) => void): void => {
  const inner = connection as unknown as { handlePacket(packet: unknown): void }
  const handle = inner.handlePacket.bind(connection)
  inner.handlePacket = (packet) => {
    try {
      handle(packet)
    } catch (error) {
      fault(toProtocolError(error))
    }
  }
}

/** Uses only the credentials: no connection URL with options, no environment variables. */
const toConnectionOptions = (source: Source, database: string | undefined): ConnectionOptions => ({
  host: getTextCredential(source, 'host')!,
  port: getNumberCredential(source, 'port') ?? 3306,
  user: getTextCredential(source, 'user')!,
  password: getTextCredential(source, 'password') ?? '',
  ...(database ? { database } : {}),
  ...(source.credentials.ssl === true ? { ssl: toTlsOptions(source) } : {}),
  charset: 'UTF8MB4_UNICODE_CI',
  connectTimeout: CONNECT_MS,
  multipleStatements: false,
  // A server may request any local file in response to any statement, so this capability is not announced.
  flags: ['-LOCAL_FILES'],
  disableEval: true, // the driver would generate code that contains names of the source
  enableCleartextPlugin: false,
  connectAttributes: { program_name: 'tablinum' },
})

const toTlsOptions = (source: Source) => {
  // The driver cannot verify certificates for IP addresses.
  if (isIP(getTextCredential(source, 'host')!))
    throw new Error('TLS requires a host name, not an IP address, because the certificate is checked against it.')
  const ca = getTextCredential(source, 'ca')
  if (ca !== undefined)
    try {
      new X509Certificate(ca) // an invalid certificate would be ignored silently
    } catch {
      throw new Error('The certificate authority must be a PEM certificate.')
    }
  return { rejectUnauthorized: true, verifyIdentity: true, ...(ca === undefined ? {} : { ca }) }
}
