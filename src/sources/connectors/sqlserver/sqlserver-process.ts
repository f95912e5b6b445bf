import { Connection, Request } from 'tedious'
import { toCell, toNumberCell } from '../../../../connector/src/cells.ts'
import type { Cell, Statement } from '../../../../connector/src/protocol.ts'
import { runDriver } from '../shared/driver-program.ts'
import { tlsSwitch } from '../tls/tls-settings.ts'

/** The process that runs the driver of SQL Server. */

export interface OpenOptions {
  readonly host: string
  readonly port: number
  readonly database?: string | undefined
  readonly user: string
  readonly password: string
  readonly ssl: boolean
  readonly ca?: string | undefined
}

interface ColumnMetadata {
  readonly colName: string
  readonly type: { readonly name: string }
}

const CONNECT_MS = 20_000
const BATCH_ROWS = 500

let connection: Connection
let request: Request | undefined

const open = async ({ host, port, database, user, password, ssl, ca }: OpenOptions): Promise<void> => {
  connection = new Connection({
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: {
      port,
      ...(database === undefined ? {} : { database }),
      appName: 'tablinum',
      encrypt: ssl,
      trustServerCertificate: false,
      ...(ca === undefined ? {} : { cryptoCredentialsDetails: { ca } }),
      readOnlyIntent: true,
      enableImplicitTransactions: true, // nothing is ever committed: what a statement would write is rolled back
      connectTimeout: CONNECT_MS,
      requestTimeout: 0, // the process that started this one limits every statement
      connectionRetryInterval: 1_000,
      maxRetriesOnTransientErrors: 1,
      useUTC: true,
      rowCollectionOnDone: false,
    },
  })
  await new Promise<void>((resolve, reject) => {
    connection.on('connect', (error) => (error ? reject(error) : resolve()))
    connection.connect()
  })
}

const begin = async ({ sql }: Statement) => {
  const { promise: columns, resolve, reject } = Promise.withResolvers<readonly ColumnMetadata[]>()
  columns.catch(() => {})
  const rows = new RowQueue()
  const started = new Request(sql, (error) => {
    if (error) reject(error)
    else resolve([]) // a statement without a result
    rows.end(error ?? undefined)
  })
  request = started
  started.on('columnMetadata', (found) => resolve(found as ColumnMetadata[]))
  started.on('row', (row: readonly { readonly value: unknown; readonly metadata: ColumnMetadata }[]) => {
    if (rows.add(row.map(toSqlServerCell)) >= BATCH_ROWS) started.pause()
  })
  connection.execSqlBatch(started)
  const found = await columns
  return {
    columns: found.map(({ colName, type }) => ({ name: colName, type: type.name })),
    rows: rows.read(() => started.resume(), started),
  }
}

/** Exact numbers and 64-bit integers come as text or a double. */
const toSqlServerCell = ({ value, metadata }: { readonly value: unknown; readonly metadata: ColumnMetadata }): Cell => {
  const { name } = metadata.type
  if (value instanceof Date && name === 'Date') return value.toISOString().slice(0, 10)
  if (value instanceof Date && name === 'Time') return value.toISOString().slice(11, 23)
  return typeof value === 'string' && /Int|Numeric|Decimal|Money/i.test(name) ? toNumberCell(value) : toCell(value)
}

/** Rows that have arrived and were not taken yet. */
class RowQueue {
  #rows: Cell[][] = []
  #error: Error | undefined
  #ended = false
  #notify: () => void = () => {}

  add(row: Cell[]): number {
    this.#rows.push(row)
    this.#notify()
    return this.#rows.length
  }

  end(error?: Error): void {
    this.#ended = true
    this.#error = error
    this.#notify()
  }

  async *read(resume: () => void, started: Request): AsyncGenerator<Cell[][], void> {
    try {
      for (;;) {
        const batch = this.#rows
        this.#rows = []
        if (batch.length > 0) yield batch
        else if (this.#error) throw this.#error
        else if (this.#ended) return
        else {
          const { promise, resolve } = Promise.withResolvers<void>()
          this.#notify = resolve
          resume()
          await promise
        }
      }
    } finally {
      if (!this.#ended) started.cancel()
    }
  }
}

await runDriver<OpenOptions>({
  name: 'sqlserver',
  label: 'SQL Server',
  dialect: 'tsql',
  settings: {
    type: 'object',
    required: ['host', 'port', 'user', 'password'],
    properties: {
      host: { type: 'string', title: 'Host', destination: true },
      port: { type: 'integer', title: 'Port', destination: true },
      database: { type: 'string', title: 'Database' },
      user: { type: 'string', title: 'User' },
      password: { type: 'string', title: 'Password', secret: true },
      ...tlsSwitch(true),
    },
  },
  open: async (settings) => {
    await open(settings)
    return { run: begin, cancel: () => request?.cancel(), close: () => connection.close() }
  },
})
