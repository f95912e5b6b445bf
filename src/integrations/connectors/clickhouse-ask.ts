import { Session } from './clickhouse-session.ts'
import { type Asking, type AskLimits, type Cell, type Rows, type SqlSource, textOf } from './connector.ts'

const OPEN_MS = 10_000

/** Runs queries on ClickHouse. */
export const clickhouseSql: SqlSource = {
  dialect: 'clickhouse',
  open: async (source, signal) =>
    new ClickhouseAsking(await Session.open(source, signal, OPEN_MS, { database: textOf(source, 'database') })),
}

// The server itself rejects writes, but a statement could still kill other queries. Leading comments are accepted if all versions agree on where they end.
const READING = /^(?:[\s(]|--[^\n]*\n|\/\*(?:(?!\*\/|\/\*)[\s\S])*\*\/)*(?:select|with|show|describe|desc|explain|exists)\b/i

class ClickhouseAsking implements Asking {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async ask(sql: string, { signal, timeout_ms, max_rows }: AskLimits): Promise<Rows> {
    if (!READING.test(sql)) throw new Error('Only queries are allowed: select, with, show, describe or explain.')
    const table = await this.#session.ask(sql, { signal, timeout_ms, max_rows })
    const rows: Cell[][] = []
    for await (const row of table.rows) {
      // The server stops only after the block in which it reaches the limit.
      if (rows.length === max_rows) return { columns: table.columns, rows, truncated: true }
      rows.push(row)
    }
    return { columns: table.columns, rows, truncated: false }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#session[Symbol.asyncDispose]()
  }
}
