import { Client, type ClientConfig, Connection, type QueryArrayResult, type QueryResult, types } from 'pg'
import { assertNotOwnDatabase, readDatabaseIdentity } from '../../credentials/own-database.ts'
import { getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'

const CONNECT_MS = 10_000
const BIGINT = 20

/** Values as sent by the server. */
const AS_TEXT = { getTypeParser: () => (text: unknown) => text } as unknown as ClientConfig['types']
const PARSED = {
  getTypeParser: (oid: number, format?: 'text') => (oid === BIGINT ? Number : types.getTypeParser(oid, format)),
} as unknown as ClientConfig['types']

/**
 * One connection to a server with the Postgres protocol. It never reconnects: a closed connection is an error for the caller, not a reason for
 * endless retries.
 */
export class PostgresClient {
  readonly #client: Client
  readonly #config: ClientConfig
  #lost = false
  /** Bytes that the running query may still receive. */
  #remainingBytes = Number.POSITIVE_INFINITY

  private constructor(config: ClientConfig) {
    this.#config = config
    this.#client = new Client(config)
    this.#client.on('error', () => {
      this.#lost = true
    })
    this.#client.on('end', () => {
      this.#lost = true
    })
  }

  static async connect(source: Source, signal: AbortSignal): Promise<PostgresClient> {
    signal.throwIfAborted()
    const config = toClientConfig(source)
    const client = new PostgresClient(config)
    const stop = () => client.destroy()
    signal.addEventListener('abort', stop)
    try {
      await client.#client.connect()
      client.#limitBytes()
      if (source.ownDatabase) assertNotOwnDatabase(await readDatabaseIdentity((text) => client.query(text)), await source.ownDatabase())
      return client
    } catch (error) {
      client.destroy()
      throw explainError(error, config)
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** The connection has ended. */
  get lost(): boolean {
    return this.#lost
  }

  async query<T extends object>(text: string): Promise<T[]> {
    return (await this.#send<QueryResult<T>>({ text, types: PARSED })).rows
  }

  /** Exactly one statement: in extended mode the server rejects several. */
  queryOne(text: string): Promise<QueryArrayResult<(string | null)[]>> {
    return this.#send({ text, rowMode: 'array', types: AS_TEXT, queryMode: 'extended' })
  }

  /** A result of more than `maxBytes` closes the connection: the driver would collect all of it in memory. */
  async queryRows(text: string, maxBytes = Number.POSITIVE_INFINITY): Promise<QueryArrayResult<(string | null)[]>> {
    this.#remainingBytes = maxBytes
    try {
      return await this.#send({ text, rowMode: 'array', types: AS_TEXT })
    } catch (error) {
      if (this.#remainingBytes >= 0) throw error
      throw new Error(`The result is larger than ${maxBytes / 2 ** 20} MB. Select fewer or shorter values.`, { cause: error })
    } finally {
      this.#remainingBytes = Number.POSITIVE_INFINITY
    }
  }

  #limitBytes(): void {
    const { stream } = (this.#client as unknown as { connection: DriverConnection }).connection
    stream.on('data', (bytes) => {
      this.#remainingBytes -= bytes.length
      if (this.#remainingBytes < 0) this.destroy()
    })
  }

  async #send<T>(query: object): Promise<T> {
    try {
      return (await this.#client.query(query as { text: string })) as T
    } catch (error) {
      throw explainError(error, this.#config)
    }
  }

  /** Asks the server, over a separate connection, to cancel what runs on this one. */
  cancel(): void {
    const { processID, secretKey } = this.#client as unknown as { processID: number | null; secretKey: number }
    if (this.#lost || processID === null) return
    const { host = '', port = 0, ssl } = this.#config
    const connection = new Connection({ ssl } as object) as unknown as DriverConnection
    const end = () => connection.stream.destroy()
    setTimeout(end, CONNECT_MS).unref()
    connection.on('error', end)
    connection.on('end', end)
    connection.on('connect', () => (ssl ? connection.requestSsl() : connection.cancel(processID, secretKey)))
    connection.on('sslconnect', () => connection.cancel(processID, secretKey))
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`)
    else connection.connect(port, host)
  }

  /** Closes the socket without notifying the server. */
  destroy(): void {
    this.#lost = true
    ;(this.#client as unknown as { connection: DriverConnection }).connection.stream.destroy()
  }

  async end(): Promise<void> {
    if (this.#lost) return
    const late = setTimeout(() => this.destroy(), 1_000)
    await this.#client.end().catch(() => {})
    clearTimeout(late)
  }
}

/** Members of the driver's connection that are missing in its types. */
interface DriverConnection {
  readonly stream: { destroy(): void; on(event: 'data', listener: (bytes: Uint8Array) => void): void }
  on(event: string, listener: () => void): void
  connect(port: number | string, host?: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
}

/** Uses only the credentials. */
const toClientConfig = (source: Source): ClientConfig => {
  const host = getTextCredential(source, 'host')!
  return {
    host,
    port: getNumberCredential(source, 'port') ?? 5432,
    database: getTextCredential(source, 'database'),
    user: getTextCredential(source, 'user'),
    // As a function: otherwise the driver would use PGPASSWORD of this process, which is for another server.
    password: () => getTextCredential(source, 'password') ?? '',
    // The host again: for an IP address the certificate is checked against it.
    ssl: source.credentials.ssl === true ? ({ rejectUnauthorized: true, ca: getTextCredential(source, 'ca'), host } as object) : false,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: 30_000,
    application_name: 'tablinum',
  }
}

const EXPLANATIONS: readonly (readonly [RegExp, (at: string) => string])[] = [
  [/^timeout expired$/, (at) => `Connection to ${at} timed out. Check the host, port and firewall.`],
  [/^Connection terminated|not queryable$/, () => 'The source closed the connection.'],
  [/does not support SSL/, () => 'The server does not support TLS. Turn off `ssl`, or check the port.'],
  [/^SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be/, () => 'The source requires a password, but none is set.'],
]

/** Explains errors of the driver. Errors of the server are not changed. */
const explainError = (error: unknown, { host, port }: ClientConfig): unknown => {
  const { message, errors } = error as Error & { errors?: readonly Error[] }
  const text = message || errors?.[0]?.message || ''
  const explanation = EXPLANATIONS.find(([saying]) => saying.test(text))?.[1]
  if (explanation) return new Error(explanation(`${host}:${port}`), { cause: error })
  return message ? error : new Error(text, { cause: error })
}
