import { DBSQLClient } from '@databricks/sql'
import { toCell, toNumberCell } from '../../../../connector/src/cells.ts'
import type { Cell, Statement } from '../../../../connector/src/protocol.ts'
import { runDriver } from '../shared/driver-program.ts'
import { TLS_SETTINGS } from '../tls/tls-settings.ts'

/** The process that runs the Databricks SDK. */

export interface OpenOptions {
  readonly host: string
  readonly http_path: string
  readonly token: string
  readonly catalog?: string
  /** Overrides port and CA in tests. */
  readonly port?: number
  readonly ca?: string
}

type DatabricksSession = Awaited<ReturnType<DBSQLClient['openSession']>>
type Operation = Awaited<ReturnType<DatabricksSession['executeStatement']>>

const PAGE_ROWS = 1_000
const SOCKET_MS = 60_000

let session: DatabricksSession
let operation: Operation | undefined
let limit = 0

const open = async ({ host, http_path, token, catalog, port, ca }: OpenOptions): Promise<void> => {
  const client = new DBSQLClient({ logger: { log: () => {} } })
  await client.connect({
    host,
    path: http_path,
    token,
    ...(port === undefined ? {} : { port }),
    ...(ca === undefined ? {} : { customCaCert: ca }),
    userAgentEntry: 'tablinum',
    telemetryEnabled: false,
    socketTimeout: SOCKET_MS,
    retryMaxAttempts: 3,
    retriesTimeout: SOCKET_MS,
    preserveBigNumericPrecision: true,
  })
  // Results are sent over this connection, not from cloud storage; decimals, timestamps and documents as text with all digits.
  Object.assign(client.getConfig(), { useCloudFetch: false, useLZ4Compression: false, useArrowNativeTypes: false })
  try {
    session = await client.openSession({
      ...(catalog === undefined ? {} : { initialCatalog: catalog }),
      configuration: { TIMEZONE: 'UTC' },
    })
  } catch (error) {
    throw toConnectionError(error as Error)
  }
}

const toConnectionError = (error: Error & { statusCode?: number }): Error =>
  error.statusCode === 401 || error.statusCode === 403 || /\b40[13]\b/.test(error.message)
    ? new Error('The server rejected this token.')
    : error

const runStatement = async (sql: string): Promise<Operation> => {
  const statement = await session.executeStatement(sql, { maxRows: null, useCloudFetch: false, useLZ4Compression: false })
  operation = statement
  await statement.finished()
  return statement
}

const begin = async ({ sql, timeout_ms }: Statement) => {
  const seconds = Math.max(1, Math.ceil(timeout_ms / 1000))
  if (seconds !== limit) await (await runStatement(`set statement_timeout = ${seconds}`)).close()
  limit = seconds
  const statement = await runStatement(sql)
  const columns = ((await statement.getSchema())?.columns ?? []).map(({ columnName, typeDesc }) => ({
    name: columnName,
    type: FIELD_TYPES[typeDesc.types[0]?.primitiveEntry?.type ?? -1] ?? 'unknown',
  }))
  return { columns, rows: readRows(statement, columns) }
}

/** Indexed by TTypeId of the protocol. */
const FIELD_TYPES: readonly (string | undefined)[] = [
  'boolean',
  'tinyint',
  'smallint',
  'int',
  'bigint',
  'float',
  'double',
  'string',
  'timestamp',
  'binary',
  'array',
  'map',
  'struct',
  'uniontype',
  'user_defined',
  'decimal',
  'null',
  'date',
  'varchar',
  'char',
  'interval year to month',
  'interval day to second',
]

async function* readRows(statement: Operation, columns: readonly { name: string; type: string }[]): AsyncGenerator<Cell[][], void> {
  try {
    do {
      const rows = (await statement.fetchChunk({ maxRows: PAGE_ROWS, disableBuffering: true })) as Record<string, unknown>[]
      yield rows.map((row) => columns.map(({ name, type }) => toDatabricksCell(row[name], type)))
    } while (await statement.hasMoreRows())
  } finally {
    await statement.close().catch(() => {})
  }
}

const toDatabricksCell = (value: unknown, type: string): Cell =>
  typeof value === 'string' && type === 'decimal' ? toNumberCell(value) : toCell(value)

await runDriver<OpenOptions>({
  name: 'databricks',
  label: 'Databricks',
  dialect: 'databricks',
  settings: {
    type: 'object',
    required: ['host', 'http_path', 'token'],
    properties: {
      host: { type: 'string', title: 'Host', destination: true },
      http_path: { type: 'string', title: 'HTTP path', destination: true },
      token: { type: 'string', title: 'Token', secret: true },
      catalog: { type: 'string', title: 'Catalog' },
      port: { type: 'integer', title: 'Port', destination: true },
      ca: TLS_SETTINGS.ca,
    },
  },
  open: async (settings) => {
    await open(settings)
    return { run: begin, cancel: () => void operation?.cancel().catch(() => {}), close: () => session.close() }
  },
})
