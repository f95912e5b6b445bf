import { Session } from './clickhouse-session.ts'
import { type Asking, type AskLimits, type Cell, type Rows, type SqlSource, textOf } from './connector.ts'

const OPEN_MS = 10_000

/** Asks a ClickHouse about its data. */
export const clickhouseSql: SqlSource = {
  dialect: 'clickhouse',
  open: async (source, signal) =>
    new ClickhouseAsking(await Session.open(source, signal, OPEN_MS, { database: textOf(source, 'database') })),
}

// The server itself refuses to write; but one may still end other queries. Comments go before it as long as all versions see the same end of them.
const READING = /^(?:[\s(]|--[^\n]*\n|\/\*(?:(?!\*\/|\/\*)[\s\S])*\*\/)*(?:select|with|show|describe|desc|explain|exists)\b/i

class ClickhouseAsking implements Asking {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  async ask(sql: string, { signal, timeout_ms, max_rows }: AskLimits): Promise<Rows> {
    if (!READING.test(sql)) throw new Error('Only queries can be asked here: select, with, show, describe or explain.')
    const table = await this.#session.ask(sql, { signal, timeout_ms, max_rows })
    const rows: Cell[][] = []
    for await (const row of table.rows) {
      // The server stops with the block in which it comes to the limit.
      if (rows.length === max_rows) return { columns: table.columns, rows, truncated: true }
      rows.push(row)
    }
    return { columns: table.columns, rows, truncated: false }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#session[Symbol.asyncDispose]()
  }
}
