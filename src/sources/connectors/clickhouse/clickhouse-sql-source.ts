import { type Cell, getTextCredential, type QueryLimits, type SourceRows, type SqlConnection, type SqlSource } from '../shared/connector.ts'
import { ClickhouseHttpClient } from './clickhouse-client.ts'

const OPEN_MS = 10_000

/** Runs queries on ClickHouse. */
export const clickhouseSqlSource: SqlSource = {
  dialect: 'clickhouse',
  open: async (source, signal) =>
    new ClickhouseSqlConnection(
      await ClickhouseHttpClient.open(source, signal, OPEN_MS, { database: getTextCredential(source, 'database') }),
    ),
}

// The server itself rejects writes, but a statement could still kill other queries. Leading comments are accepted if all versions agree on where they end.
const READ_STATEMENT = /^(?:[\s(]|--[^\n]*\n|\/\*(?:(?!\*\/|\/\*)[\s\S])*\*\/)*(?:select|with|show|describe|desc|explain|exists)\b/i

class ClickhouseSqlConnection implements SqlConnection {
  readonly #client: ClickhouseHttpClient

  constructor(client: ClickhouseHttpClient) {
    this.#client = client
  }

  async query(sql: string, { signal, timeout_ms, max_rows }: QueryLimits): Promise<SourceRows> {
    if (!READ_STATEMENT.test(sql)) throw new Error('Only queries are allowed: select, with, show, describe or explain.')
    const table = await this.#client.query(sql, { signal, timeout_ms, max_rows })
    const rows: Cell[][] = []
    for await (const row of table.rows) {
      // The server stops only after the block in which it reaches the limit.
      if (rows.length === max_rows) return { columns: table.columns, rows, truncated: true }
      rows.push(row)
    }
    return { columns: table.columns, rows, truncated: false }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client[Symbol.asyncDispose]()
  }
}
