import type { FieldPacket } from 'mysql2'
import { cellOf, numberCell, textCell } from './cells.ts'
import { type Asking, type AskLimits, type Cell, type Rows, type Source, type SqlSource, textOf } from './connector.ts'
import { Session } from './mysql-session.ts'
import { withoutEnd } from './statement.ts'

const LOCK_SECONDS = 5
const LATE_MS = 5_000 // grace period after the timeout of the server itself

/** Runs queries on MySQL or MariaDB. */
export const mysqlSql: SqlSource = {
  dialect: 'mysql',
  open: async (source, signal) => {
    const asking = new MysqlAsking(source)
    await asking.enter(signal)
    return asking
  },
}

/** One connection. Each query runs in its own read-only transaction, which is always rolled back. */
class MysqlAsking implements Asking {
  readonly #source: Source
  #session?: Session

  constructor(source: Source) {
    this.#source = source
  }

  /** Reconnects after a result was abandoned halfway. */
  async enter(signal: AbortSignal): Promise<Session> {
    if (this.#session && !this.#session.over) return this.#session
    const session = await Session.open(this.#source, signal, {
      database: textOf(this.#source, 'database'),
      settings: () => [
        'set session transaction read only',
        `set session lock_wait_timeout = ${LOCK_SECONDS}`,
        `set session innodb_lock_wait_timeout = ${LOCK_SECONDS}`,
        "set session time_zone = '+00:00'",
      ],
    })
    this.#session = session
    return session
  }

  async ask(sql: string, { signal, timeout_ms, max_rows }: AskLimits): Promise<Rows> {
    const text = mustRead(sql)
    const session = await this.enter(signal)
    using _watch = session.watch(AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeout_ms) + LATE_MS)]))
    await session.set(
      'rollback',
      session.maria ? `set session max_statement_time = ${timeout_ms / 1000}` : `set session max_execution_time = ${Math.ceil(timeout_ms)}`,
      `set session sql_select_limit = ${max_rows + 1}`,
      'start transaction read only',
    )
    const rows: Cell[][] = []
    let fields: readonly FieldPacket[] = []
    for await (const row of session.raw(text, (told) => {
      fields = told
    })) {
      if (fields.length === 0) break // the statement returns no rows
      if (rows.length === max_rows) {
        // sql_select_limit does not apply to queries with their own limit.
        session.giveUp(new Error('More rows than requested.'))
        return { columns: fields.map(columnOf), rows, truncated: true }
      }
      rows.push(row.map((bytes, i) => cellFrom(bytes, fields[i]!)))
    }
    await session.ask('rollback')
    return { columns: fields.map(columnOf), rows, truncated: false }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#session?.[Symbol.asyncDispose]()
  }
}

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)|--(?=\s|$)[^\n]*|#[^\n]*/
const [ESCAPING, LITERAL] = [String.raw`(?:[^'\\]|\\[\s\S])*`, `[^']*`].map(
  (inside) => new RegExp(`'${inside}(?:'|$)|"${inside.replace("'", '"')}(?:"|$)|\`[^\`]*(?:\`|$)|${COMMENT.source}`, 'g'),
)
const READING = /^[\s(]*(?:select|with|values|table|show|explain|describe|desc)\b/i
const WRITING = /\binto\s+(?:outfile|dumpfile)\b/i

/**
 * A read-only transaction protects the data. Rejected here is what it does not prevent: statements that end the transaction, and files written
 * by the server. Whether a backslash escapes depends on the SQL mode, so both interpretations must pass.
 */
const mustRead = (sql: string): string => {
  const text = withoutEnd(sql)
  for (const quoted of [ESCAPING!, LITERAL!]) {
    let hidden = false
    const bare = text.replace(quoted, (part) => {
      if (/^\/\*M?!/.test(part)) hidden = true
      return part.startsWith('/*') || /^(?:--|#)/.test(part) ? ' ' : "''"
    })
    if (hidden || !READING.test(bare) || WRITING.test(bare))
      throw new Error('Only queries are allowed: select, with, show, explain or describe, without files and executable comments.')
  }
  return text
}

const TYPES: Readonly<Record<number, string>> = {
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
const AS_BYTES: Readonly<Record<string, string>> = {
  tinytext: 'tinyblob',
  mediumtext: 'mediumblob',
  longtext: 'longblob',
  text: 'blob',
  varchar: 'varbinary',
  char: 'binary',
}
const NUMBERS = new Set(['decimal', 'tinyint', 'smallint', 'int', 'float', 'double', 'bigint', 'mediumint', 'year'])
const BINARY = 63 // the character set of binary data

const typeOf = ({ columnType, characterSet }: FieldPacket): string => {
  const type = TYPES[columnType ?? -1] ?? 'unknown'
  return (characterSet === BINARY && AS_BYTES[type]) || type
}

const columnOf = (field: FieldPacket) => ({ name: textCell(field.name), type: typeOf(field) })

const cellFrom = (bytes: Buffer | null, field: FieldPacket): Cell => {
  if (bytes === null) return null
  const type = typeOf(field)
  if (type === 'bit') return numberCell(BigInt(`0x${bytes.toString('hex') || '0'}`).toString())
  if (type === 'geometry' || type === 'vector' || Object.values(AS_BYTES).includes(type)) return cellOf(bytes)
  const text = bytes.toString('utf8')
  return NUMBERS.has(type) ? numberCell(text) : textCell(text)
}
