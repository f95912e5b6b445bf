import type { FieldPacket } from 'mysql2'
import { toCell, toNumberCell, toTextCell } from '../../../../connector/src/cells.ts'
import {
  type Cell,
  getTextCredential,
  type QueryLimits,
  type Source,
  type SourceRows,
  type SqlConnection,
  type SqlSource,
} from '../shared/connector.ts'
import { trimStatementEnd } from '../shared/statement.ts'
import { MysqlConnection } from './mysql-connection.ts'

const LOCK_SECONDS = 5
const GRACE_MS = 5_000 // grace period after the timeout of the server itself

/** Runs queries on MySQL or MariaDB. */
export const mysqlSqlSource: SqlSource = {
  dialect: 'mysql',
  open: async (source, signal) => {
    const connection = new MysqlSqlConnection(source)
    await connection.connect(signal)
    return connection
  },
}

/** One connection. Each query runs in its own read-only transaction, which is always rolled back. */
class MysqlSqlConnection implements SqlConnection {
  readonly #source: Source
  #connection?: MysqlConnection

  constructor(source: Source) {
    this.#source = source
  }

  /** Reconnects after a result was abandoned halfway. */
  async connect(signal: AbortSignal): Promise<MysqlConnection> {
    if (this.#connection && !this.#connection.closed) return this.#connection
    const connection = await MysqlConnection.open(this.#source, signal, {
      database: getTextCredential(this.#source, 'database'),
      settings: () => [
        'set session transaction read only',
        `set session lock_wait_timeout = ${LOCK_SECONDS}`,
        `set session innodb_lock_wait_timeout = ${LOCK_SECONDS}`,
        "set session time_zone = '+00:00'",
      ],
    })
    this.#connection = connection
    return connection
  }

  async query(sql: string, { signal, timeout_ms, max_rows }: QueryLimits): Promise<SourceRows> {
    const text = assertReadOnly(sql)
    const connection = await this.connect(signal)
    using _watch = connection.watch(AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeout_ms) + GRACE_MS)]))
    await connection.set(
      'rollback',
      connection.maria
        ? `set session max_statement_time = ${timeout_ms / 1000}`
        : `set session max_execution_time = ${Math.ceil(timeout_ms)}`,
      `set session sql_select_limit = ${max_rows + 1}`,
      'start transaction read only',
    )
    const rows: Cell[][] = []
    let fields: readonly FieldPacket[] = []
    for await (const row of connection.raw(text, (columnFields) => {
      fields = columnFields
    })) {
      if (fields.length === 0) break // the statement returns no rows
      if (rows.length === max_rows) {
        // sql_select_limit does not apply to queries with their own limit.
        connection.abandon(new Error('More rows than requested.'))
        return { columns: fields.map(toColumn), rows, truncated: true }
      }
      rows.push(row.map((bytes, i) => toMysqlCell(bytes, fields[i]!)))
    }
    await connection.query('rollback')
    return { columns: fields.map(toColumn), rows, truncated: false }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connection?.[Symbol.asyncDispose]()
  }
}

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)|--(?=\s|$)[^\n]*|#[^\n]*/
const [ESCAPING, LITERAL] = [String.raw`(?:[^'\\]|\\[\s\S])*`, `[^']*`].map(
  (inside) => new RegExp(`'${inside}(?:'|$)|"${inside.replace("'", '"')}(?:"|$)|\`[^\`]*(?:\`|$)|${COMMENT.source}`, 'g'),
)
const READ_STATEMENT = /^[\s(]*(?:select|with|values|table|show|explain|describe|desc)\b/i
const WRITE_CLAUSE = /\binto\s+(?:outfile|dumpfile)\b/i

/**
 * A read-only transaction protects the data. Rejected here is what it does not prevent: statements that end the transaction, and files written
 * by the server. Whether a backslash escapes depends on the SQL mode, so both interpretations must pass.
 */
const assertReadOnly = (sql: string): string => {
  const text = trimStatementEnd(sql)
  for (const quoted of [ESCAPING!, LITERAL!]) {
    let hidden = false
    const bare = text.replace(quoted, (part) => {
      if (/^\/\*M?!/.test(part)) hidden = true
      return part.startsWith('/*') || /^(?:--|#)/.test(part) ? ' ' : "''"
    })
    if (hidden || !READ_STATEMENT.test(bare) || WRITE_CLAUSE.test(bare))
      throw new Error('Only queries are allowed: select, with, show, explain or describe, without files and executable comments.')
  }
  return text
}

const FIELD_TYPES: Readonly<Record<number, string>> = {
  0: 'decimal',
  1: 'tinyint',
  2: 'smallint',
  3: 'int',
  4: 'float',
  5: 'double',
  6: 'null',
  7: 'timestamp',
  8: 'bigint',
  9: 'mediumint',
  10: 'date',
  11: 'time',
  12: 'datetime',
  13: 'year',
  15: 'varchar',
  16: 'bit',
  242: 'vector',
  245: 'json',
  246: 'decimal',
  247: 'enum',
  248: 'set',
  249: 'tinytext',
  250: 'mediumtext',
  251: 'longtext',
  252: 'text',
  253: 'varchar',
  254: 'char',
  255: 'geometry',
}
const BINARY_TYPES: Readonly<Record<string, string>> = {
  tinytext: 'tinyblob',
  mediumtext: 'mediumblob',
  longtext: 'longblob',
  text: 'blob',
  varchar: 'varbinary',
  char: 'binary',
}
const NUMBER_TYPES = new Set(['decimal', 'tinyint', 'smallint', 'int', 'float', 'double', 'bigint', 'mediumint', 'year'])
const BINARY_CHARSET = 63 // the character set of binary data

const getFieldType = ({ columnType, characterSet }: FieldPacket): string => {
  const type = FIELD_TYPES[columnType ?? -1] ?? 'unknown'
  return (characterSet === BINARY_CHARSET && BINARY_TYPES[type]) || type
}

const toColumn = (field: FieldPacket) => ({ name: toTextCell(field.name), type: getFieldType(field) })

const toMysqlCell = (bytes: Buffer | null, field: FieldPacket): Cell => {
  if (bytes === null) return null
  const type = getFieldType(field)
  if (type === 'bit') return toNumberCell(BigInt(`0x${bytes.toString('hex') || '0'}`).toString())
  if (type === 'geometry' || type === 'vector' || Object.values(BINARY_TYPES).includes(type)) return toCell(bytes)
  const text = bytes.toString('utf8')
  return NUMBER_TYPES.has(type) ? toNumberCell(text) : toTextCell(text)
}
