import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from, to } from 'pg-copy-streams'

/**
 * One connection for one long piece of work, with COPY in both directions. Not the pool's driver: when that loses a connection it brings
 * another, on which what belongs into a transaction would be done outside of it; and what fails at the very end of a COPY it never tells.
 */
export interface Session extends AsyncDisposable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** What `copy … to stdout` gives; nothing is gathered in memory. */
  copyOut(text: string): Readable
  /** Feeds `copy … from stdin`. Answers with how many rows it took. */
  copyIn(text: string, rows: AsyncIterable<Buffer>): Promise<number>
}

/** Whatever the role or the database has set: long work is not cut off, and values are written as every server reads them. */
const SETTINGS = {
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
  idle_session_timeout: '0',
  jit: 'off',
  client_encoding: 'UTF8',
  timezone: 'UTC',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  extra_float_digits: '1',
  bytea_output: 'hex',
}

export const openSession = async (url: string, name: string): Promise<Session> => {
  const client = new Client({ connectionString: url, application_name: name, connectionTimeoutMillis: 10_000, keepAlive: true })
  client.on('error', () => {}) // whatever is under way hears of it
  await client.connect()
  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, values.length > 0 ? [...values] : undefined)).rows as Row[]
  for (const [name, value] of Object.entries(SETTINGS)) await query(`set ${name} = '${value}'`)
  return {
    query,
    copyOut: (text) => client.query(to(text)),
    copyIn: async (text, rows) => {
      const copying = client.query(from(text))
      await pipeline(rows, copying)
      return copying.rowCount
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
