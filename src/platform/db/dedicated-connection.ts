import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Client } from 'pg'
import { from, to } from 'pg-copy-streams'

/**
 * One dedicated connection for long work, with COPY in both directions. The pool's driver is not suitable: after a lost connection it uses
 * another one, on which statements would run outside their transaction, and it does not report errors at the end of a COPY.
 */
export interface DedicatedConnection extends AsyncDisposable {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Streams the output of `copy … to stdout`. */
  copyOut(text: string): Readable
  /** Feeds `copy … from stdin` and returns the number of rows. */
  copyIn(text: string, rows: AsyncIterable<Buffer>): Promise<number>
}

/** Overrides settings of the role or database: no timeouts for long work, and a text format that every server can read. */
const CONNECTION_SETTINGS = {
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

export const openDedicatedConnection = async (url: string, name: string): Promise<DedicatedConnection> => {
  const client = new Client({ connectionString: url, application_name: name, connectionTimeoutMillis: 10_000, keepAlive: true })
  client.on('error', () => {}) // reported by the running statement
  await client.connect()
  const query = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, values.length > 0 ? [...values] : undefined)).rows as Row[]
  for (const [name, value] of Object.entries(CONNECTION_SETTINGS)) await query(`set ${name} = '${value}'`)
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
