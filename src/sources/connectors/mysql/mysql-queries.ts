import type { FieldPacket } from 'mysql2'
import type { Statement } from '../../../../connector/src/protocol.ts'
import type { QueryConnection, StartedStatement } from '../../../../connector/src/serve-session.ts'
import { getCellReader, toColumn } from './mysql-cells.ts'
import { MysqlConnection, type MysqlSettings } from './mysql-connection.ts'

const LOCK_SECONDS = 5
const BATCH_ROWS = 200

/** How the statements of a session are run. */
interface MysqlSession {
  open(): Promise<MysqlConnection>
  /** All statements are in one transaction: a connection that is lost is not replaced. */
  readonly once?: boolean
  before?(connection: MysqlConnection, statement: Statement): Promise<void>
  /** After a statement that was read to its end. */
  after?(connection: MysqlConnection): Promise<unknown>
}

/** Each query in its own read-only transaction, which is always rolled back. */
export const createQuerySession = (settings: MysqlSettings, database: string | undefined): MysqlSession => ({
  open: () =>
    MysqlConnection.open(settings, {
      database,
      setUp: () => [
        'set session transaction read only',
        `set session lock_wait_timeout = ${LOCK_SECONDS}`,
        `set session innodb_lock_wait_timeout = ${LOCK_SECONDS}`,
        "set session time_zone = '+00:00'",
      ],
    }),
  before: (connection, { timeout_ms, max_rows }) =>
    connection.set(
      'rollback',
      connection.maria ? `set session max_statement_time = ${timeout_ms / 1000}` : `set session max_execution_time = ${timeout_ms}`,
      // Does not apply to queries with their own limit.
      `set session sql_select_limit = ${max_rows === undefined ? 'default' : max_rows + 1}`,
      'start transaction read only',
    ),
  after: (connection) => connection.query('rollback'),
})

type RawRows = AsyncGenerator<(Buffer | null)[], void>

/** Runs one statement after the other on one connection. A statement that is given up halfway closes it, and the next one opens another. */
export class MysqlStatements implements QueryConnection {
  readonly #session: MysqlSession
  #connection: MysqlConnection | undefined
  #cancelled = false

  constructor(session: MysqlSession) {
    this.#session = session
  }

  async connect(): Promise<MysqlConnection> {
    if (this.#connection && (!this.#connection.closed || this.#session.once)) return this.#connection
    await this.close()
    this.#connection = await this.#session.open()
    return this.#connection
  }

  async run(statement: Statement): Promise<StartedStatement> {
    this.#cancelled = false
    const connection = await this.connect()
    if (this.#cancelled) throw cancelled()
    await this.#session.before?.(connection, statement)
    let fields: readonly FieldPacket[] = []
    const rows = connection.raw(statement.sql, (found) => {
      fields = found
    })
    const first = await rows.next() // the fields come before it
    return { columns: fields.map(toColumn), rows: this.#read(connection, fields, first, rows) }
  }

  async *#read(connection: MysqlConnection, fields: readonly FieldPacket[], first: Awaited<ReturnType<RawRows['next']>>, rows: RawRows) {
    const readers = fields.map(getCellReader)
    let ended = false
    try {
      let batch: unknown[][] = []
      for (let row = first; !row.done; row = await rows.next()) {
        if (readers.length > 0) batch.push(row.value.map((bytes, i) => readers[i]!(bytes))) // else the statement returns no rows
        if (batch.length < BATCH_ROWS) continue
        yield batch
        batch = []
      }
      ended = true
      yield batch
    } finally {
      if (ended) await this.#session.after?.(connection)
      else connection.abandon(new Error('More rows than requested.'))
    }
  }

  cancel(): void {
    this.#cancelled = true
    this.#connection?.abandon(cancelled())
  }

  async close(): Promise<void> {
    await this.#connection?.[Symbol.asyncDispose]()
  }
}

const cancelled = (): Error => new Error('The operation was cancelled.')
