import { isIP } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection, ConnectionOptions, FieldPacket } from 'mysql2'
import { CloseSignal } from '../../../platform/db/close-signal.ts'
import { assertCertificate } from '../tls/certificate.ts'
import { isUnknownVariable, toMysqlError, toProtocolError } from './mysql-errors.ts'

/** The connection of a program to MySQL or MariaDB. */
export interface MysqlSettings {
  readonly host: string
  readonly port?: number | undefined
  readonly user: string
  readonly password?: string | undefined
  readonly ssl: boolean
  readonly ca?: string | undefined
}

const DEFAULT_PORT = 3306
const CONNECT_MS = 10_000
const KILL_MS = 2_500
const QUIT_MS = 1_000
const STREAM_ROWS = 1000

interface OpenOptions {
  readonly database?: string | undefined
  /** Statements that apply to this session only. */
  readonly setUp?: (session: MysqlConnection) => readonly string[]
}

export class MysqlConnection implements AsyncDisposable {
  readonly #settings: MysqlSettings
  readonly #connection: Connection
  readonly #closeSignal = new CloseSignal()
  #id?: number
  #reason?: Error
  #killed: Promise<unknown> | undefined
  version = ''

  private constructor(settings: MysqlSettings, connection: Connection) {
    this.#settings = settings
    this.#connection = connection
    connection.on('error', (error) => this.#close(error))
    catchProtocolErrors(connection, (error) => this.#close(error))
  }

  static async open(settings: MysqlSettings, { database, setUp }: OpenOptions = {}): Promise<MysqlConnection> {
    const { createConnection } = await import('mysql2')
    const session = new MysqlConnection(settings, createConnection(toConnectionOptions(settings, database)))
    try {
      await session.#race<void>((done) => session.#connection.connect(done))
      const [row] = await session.query<{ version: string; id: number }>('select version() as version, connection_id() as id')
      session.version = String(row!.version)
      session.#id = Number(row!.id)
      await session.set(...(setUp?.(session) ?? []))
      return session
    } catch (error) {
      session.#close(error as Error)
      throw error
    }
  }

  get maria(): boolean {
    return /mariadb/i.test(this.version)
  }

  get closed(): boolean {
    return this.#reason !== undefined
  }

  /** Gives up a result halfway and kills the query: the server itself would notice only on its next write. */
  abandon(reason: Error): void {
    if (this.closed) return
    this.#close(reason)
    if (this.#id !== undefined) this.#killed = Promise.race([this.#kill(this.#id).catch(() => {}), sleep(KILL_MS)])
  }

  async #kill(id: number): Promise<void> {
    await using other = await MysqlConnection.open(this.#settings)
    await other.query(`kill query ${id}`).catch(() => {}) // it may have finished already
  }

  /** Ignores variables a server does not have. */
  async set(...statements: readonly string[]): Promise<void> {
    for (const statement of statements)
      await this.query(statement).catch((error) => {
        if (!isUnknownVariable(error)) throw error
      })
  }

  query<T>(sql: string): Promise<T[]> {
    return this.#race<T[]>((done) => this.#connection.query({ sql, ...CAST_OPTIONS }, (error, rows) => done(error, rows as T[])))
  }

  /** Values as raw bytes in column order; the fields are passed to the callback first. */
  async *raw(sql: string, onFields: (fields: readonly FieldPacket[]) => void): AsyncGenerator<(Buffer | null)[], void> {
    const rows = this.#connection.query({ sql, typeCast: false, rowsAsArray: true }).stream({ highWaterMark: STREAM_ROWS })
    rows.on('fields', (fields?: FieldPacket[]) => onFields(fields ?? []))
    const read = Promise.withResolvers<void>()
    this.#closeSignal.race(read.promise).catch((error) => rows.destroy(error))
    try {
      yield* rows as AsyncIterable<(Buffer | null)[]>
    } catch (error) {
      throw this.#toError(error)
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
      throw this.#toError(error)
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
  #toError(error: unknown): Error {
    return toMysqlError(this.#reason ?? error)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#killed
    if (this.closed) return
    const late = setTimeout(() => this.#close(new Error('The connection is closed.')), QUIT_MS)
    await this.#race<void>((done) => this.#connection.end((error) => done(error))).catch(() => {})
    clearTimeout(late)
    this.#close(new Error('The connection is closed.'))
  }
}

/** Dates as the server writes them; integers as numbers where a double represents them exactly. */
const CAST_OPTIONS = { typeCast: true, dateStrings: true, supportBigNumbers: true }

/** The driver parses unsolicited packets in an event handler, where an invalid packet would crash this process. */
const catchProtocolErrors = (connection: Connection, fault: (error: Error) => void): void => {
  const inner = connection as unknown as { handlePacket(packet: unknown): void }
  const handle = inner.handlePacket.bind(connection)
  inner.handlePacket = (packet) => {
    try {
      handle(packet)
    } catch {
      fault(toProtocolError())
    }
  }
}

/** Uses only the settings: no connection URL with options, no environment variables. */
const toConnectionOptions = (settings: MysqlSettings, database: string | undefined): ConnectionOptions => ({
  host: settings.host,
  port: settings.port ?? DEFAULT_PORT,
  user: settings.user,
  password: settings.password ?? '',
  ...(database ? { database } : {}),
  ...(settings.ssl ? { ssl: toTlsOptions(settings) } : {}),
  charset: 'UTF8MB4_UNICODE_CI',
  connectTimeout: CONNECT_MS,
  multipleStatements: false,
  // A server may request any local file in response to any statement, so this capability is not announced.
  flags: ['-LOCAL_FILES'],
  disableEval: true, // the driver would generate code that contains names of the source
  enableCleartextPlugin: false,
  connectAttributes: { program_name: 'tablinum' },
})

const toTlsOptions = ({ host, ca }: MysqlSettings) => {
  // The driver cannot verify certificates for IP addresses.
  if (isIP(host)) throw new Error('TLS requires a host name, not an IP address, because the certificate is checked against it.')
  return { rejectUnauthorized: true, verifyIdentity: true, ...(ca === undefined ? {} : { ca: assertCertificate(ca) }) }
}
