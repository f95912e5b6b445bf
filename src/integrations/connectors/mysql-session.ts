import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import type { Connection, ConnectionOptions, FieldPacket, QueryOptions } from 'mysql2'
import { Ending } from '../../db/ending.ts'
import { numberOf, type Source, textOf } from './connector.ts'

const CONNECT_MS = 10_000
const KILL_MS = 5_000
const GOODBYE_MS = 1_000
const ROWS = 1000

interface Opening {
  readonly database?: string | undefined
  readonly settings?: (session: Session) => readonly string[]
}

/** One connection to a MySQL or MariaDB. It can be left at any moment: whoever waits for an answer is told, and the server stops working. */
export class Session implements AsyncDisposable {
  readonly #source: Source
  readonly #connection: Connection
  readonly #ending = new Ending()
  #id?: number
  #reason?: Error
  version = ''

  private constructor(source: Source, connection: Connection) {
    this.#source = source
    this.#connection = connection
    connection.on('error', (error) => this.#leave(error))
    containFaults(connection, (error) => this.#leave(error))
  }

  /** `settings` come first, for this session alone. */
  static async open(source: Source, signal: AbortSignal, { database, settings }: Opening = {}): Promise<Session> {
    if (signal.aborted) throw stopped(signal)
    const { createConnection } = await import('mysql2')
    const session = new Session(source, createConnection(optionsOf(source, database)))
    const watch = session.watch(signal)
    try {
      await session.#until<void>((done) => session.#connection.connect(done))
      const [row] = await session.ask<{ version: string; id: number }>('select version() as version, connection_id() as id')
      session.version = String(row!.version)
      session.#id = Number(row!.id)
      await session.set(...(settings?.(session) ?? []))
      return session
    } catch (error) {
      session.#leave(session.told(error))
      throw session.told(error)
    } finally {
      watch[Symbol.dispose]()
    }
  }

  get maria(): boolean {
    return /mariadb/i.test(this.version)
  }

  get over(): boolean {
    return this.#reason !== undefined
  }

  /** Until it is disposed of, the signal ends the session. */
  watch(signal: AbortSignal): Disposable {
    const stop = () => this.giveUp(stopped(signal))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop)
    return { [Symbol.dispose]: () => signal.removeEventListener('abort', stop) }
  }

  /** Leaves in the middle of an answer, and has the server stop working on it: by itself it would notice only when it next writes. */
  giveUp(reason: Error): void {
    if (this.over) return
    const id = this.#id
    this.#leave(reason)
    if (id === undefined) return
    Session.open(this.#source, AbortSignal.timeout(KILL_MS))
      .then(async (other) => {
        await other.ask(`kill query ${id}`).catch(() => {}) // it may be over by now
        await other[Symbol.asyncDispose]()
      })
      .catch(() => {})
  }

  /** For settings that not every server has. */
  async set(...statements: readonly string[]): Promise<void> {
    for (const statement of statements)
      await this.ask(statement).catch((error) => {
        if ((error.cause as { errno?: number })?.errno !== UNKNOWN_VARIABLE) throw error
      })
  }

  ask<T>(sql: string): Promise<T[]> {
    return this.#until<T[]>((done) => this.#connection.query({ sql, ...CAST }, (error, rows) => done(error, rows as T[])))
  }

  async *stream<T>(sql: string): AsyncGenerator<T, void> {
    yield* this.#rows({ sql, ...CAST }) as AsyncGenerator<T, void>
  }

  /** Values as the bytes that came, in the order of the fields, which are told first. */
  raw(sql: string, fields: (fields: readonly FieldPacket[]) => void): AsyncGenerator<(Buffer | null)[], void> {
    return this.#rows({ sql, typeCast: false, rowsAsArray: true }, fields) as AsyncGenerator<(Buffer | null)[], void>
  }

  async *#rows(query: QueryOptions, tell?: (fields: readonly FieldPacket[]) => void): AsyncGenerator<unknown, void> {
    const rows = this.#connection.query(query).stream({ highWaterMark: ROWS })
    if (tell) rows.on('fields', (fields?: FieldPacket[]) => tell(fields ?? []))
    const read = Promise.withResolvers<void>()
    this.#ending.or(read.promise).catch((error) => rows.destroy(error))
    try {
      yield* rows as AsyncIterable<unknown>
    } catch (error) {
      throw this.told(error)
    } finally {
      read.resolve()
    }
  }

  async #until<T>(work: (done: (error: Error | null, value?: T) => void) => void): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    work((error, value) => (error ? reject(error) : resolve(value as T)))
    try {
      return await this.#ending.or(promise)
    } catch (error) {
      throw this.told(error)
    }
  }

  #leave(reason: Error): void {
    this.#reason ??= reason
    this.#ending.end(this.#reason)
    this.#connection.destroy()
    // Which only says goodbye, and waits for an answer.
    ;(this.#connection as unknown as { stream: { destroy(): void } }).stream.destroy()
  }

  /** In the words of whoever ended it: the one who waits, or the server. */
  told(error: unknown): Error {
    const cause = this.#reason ?? error
    if (cause instanceof RangeError || cause instanceof TypeError) return nonsense(cause)
    const { message, code, errno } = cause as Error & { code?: string; errno?: number }
    if (TOO_LONG.has(errno ?? 0)) return new Error('It took too long.', { cause })
    return new Error(message || code || 'The connection failed.', { cause })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.over) return
    const late = setTimeout(() => this.#leave(new Error('It is closed.')), GOODBYE_MS)
    await this.#until<void>((done) => this.#connection.end((error) => done(error))).catch(() => {})
    clearTimeout(late)
    this.#leave(new Error('It is closed.'))
  }
}

const UNKNOWN_VARIABLE = 1193
// Of MySQL, of MariaDB, and for who was ended by KILL.
const TOO_LONG = new Set([3024, 1969, 1317])

const stopped = ({ reason }: AbortSignal): Error => new Error(reason?.name === 'TimeoutError' ? 'It took too long.' : 'It was stopped.')

/** Dates as they are written there, whole numbers as numbers where a double holds them. */
const CAST = { typeCast: true, dateStrings: true, supportBigNumbers: true }

const nonsense = (cause: unknown): Error => new Error('The server does not speak as a MySQL does.', { cause })

/** What a server says when nothing was asked the driver reads in an event, outside of any care: nonsense there would end this process. */
const containFaults = (connection: Connection, fault: (error: Error) => void): void => {
  const inner = connection as unknown as { handlePacket(packet: unknown): void }
  const handle = inner.handlePacket.bind(connection)
  inner.handlePacket = (packet) => {
    try {
      handle(packet)
    } catch (error) {
      fault(nonsense(error))
    }
  }
}

/** Only what the credentials say: no address with options in it, no variable of the environment. */
const optionsOf = (source: Source, database: string | undefined): ConnectionOptions => ({
  host: textOf(source, 'host')!,
  port: numberOf(source, 'port') ?? 3306,
  user: textOf(source, 'user')!,
  password: textOf(source, 'password') ?? '',
  ...(database ? { database } : {}),
  ...(source.credentials.ssl === true ? { ssl: tlsOf(source) } : {}),
  charset: 'UTF8MB4_UNICODE_CI',
  connectTimeout: CONNECT_MS,
  multipleStatements: false,
  // A server may ask for any file of ours in answer to any statement: it is not even told that we know how.
  flags: ['-LOCAL_FILES'],
  disableEval: true, // names come from the source, and must not become code
  enableCleartextPlugin: false,
  connectAttributes: { program_name: 'tablinum' },
})

const tlsOf = (source: Source) => {
  // Of a number the driver would not see whether the certificate is for it.
  if (isIP(textOf(source, 'host')!)) throw new Error('With TLS the host must be given by its name, for which its certificate is.')
  const ca = textOf(source, 'ca')
  if (ca !== undefined)
    try {
      new X509Certificate(ca) // what is none would be passed over in silence
    } catch {
      throw new Error('The certificate authority is no certificate: it must be PEM.')
    }
  return { rejectUnauthorized: true, verifyIdentity: true, ...(ca === undefined ? {} : { ca }) }
}
