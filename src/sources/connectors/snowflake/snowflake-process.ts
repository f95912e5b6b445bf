import snowflake from 'snowflake-sdk'
import { toCell, toNumberCell } from '../../../../connector/src/cells.ts'
import type { Cell, Statement } from '../../../../connector/src/protocol.ts'
import { runDriver } from '../shared/driver-program.ts'

/** The process that runs the Snowflake SDK. Its environment, set in `snowflake.ts`, disables telemetry and detection. */

export interface OpenOptions {
  readonly account: string
  readonly user: string
  readonly password?: string
  readonly private_key?: string
  readonly warehouse: string
  readonly role?: string
  readonly database?: string
  /** Overrides the URL of the account in tests. */
  readonly address?: string
}

const CONNECT_MS = 20_000
const BATCH_ROWS = 200

const identity = (value: string): string => value
const noop = (): void => {}

snowflake.configure({
  customLogger: { error: noop, warn: noop, info: noop, debug: noop, trace: noop },
  useEnvProxy: false,
  // Its own parsers fall back to evaluating a value as JavaScript.
  jsonColumnVariantParser: identity,
  xmlColumnVariantParser: identity,
})

const AS_TEXT: snowflake.DataType[] = ['Boolean', 'Number', 'Date', 'JSON', 'Buffer']

let connection: snowflake.Connection
let statement: snowflake.RowStatement | undefined

const open = async ({ account, user, password, private_key, warehouse, role, database, address }: OpenOptions): Promise<void> => {
  connection = snowflake.createConnection({
    account,
    username: user,
    ...(private_key === undefined ? { password } : { authenticator: 'SNOWFLAKE_JWT', privateKey: private_key }),
    warehouse,
    ...(role === undefined ? {} : { role }),
    ...(database === undefined ? {} : { database }),
    ...(address === undefined ? {} : { accessUrl: address }),
    application: 'tablinum',
    queryTag: 'tablinum',
    validateDefaultParameters: true,
    clientSessionKeepAlive: false,
    clientStoreTemporaryCredential: false,
    clientRequestMFAToken: false,
    timeout: CONNECT_MS,
    rowMode: 'array',
    streamResult: true,
    fetchAsString: AS_TEXT,
    representNullAsStringNull: false,
    // Missing in its types: number of login retries.
    ...({ sfRetryMaxLoginRetries: 1 } as object),
  })
  await new Promise<void>((resolve, reject) => connection.connect((error) => (error ? reject(error) : resolve())))
}

const begin = async ({ sql: sqlText, timeout_ms }: Statement) => {
  const { promise, resolve, reject } = Promise.withResolvers<snowflake.RowStatement>()
  statement = connection.execute({
    sqlText,
    parameters: { STATEMENT_TIMEOUT_IN_SECONDS: Math.max(1, Math.ceil(timeout_ms / 1000)), TIMEZONE: 'UTC' },
    complete: (error, done) => (error ? reject(error) : resolve(done as snowflake.RowStatement)),
  }) as snowflake.RowStatement
  const done = await promise
  const columns = done.getColumns() ?? []
  return { columns: columns.map((column) => ({ name: column.getName(), type: getColumnType(column) })), rows: readRows(done, columns) }
}

const getColumnType = (column: snowflake.Column): string =>
  column.isNumber() && column.getType() === 'fixed'
    ? `NUMBER(${column.getPrecision()},${column.getScale()})`
    : column.getType().toUpperCase()

async function* readRows(done: snowflake.RowStatement, columns: readonly snowflake.Column[]): AsyncGenerator<Cell[][], void> {
  const types = columns.map((column) => column.getType())
  let batch: Cell[][] = []
  for await (const row of done.streamRows() as AsyncIterable<(string | null)[]>) {
    batch.push(row.map((value, i) => toSnowflakeCell(value, types[i]!)))
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  yield batch
}

const toSnowflakeCell = (value: string | null, type: string): Cell => {
  if (typeof value !== 'string') return toCell(value)
  if (type === 'boolean') return /^(true|1)$/i.test(value)
  return type === 'fixed' || type === 'real' ? toNumberCell(value) : toCell(value)
}

await runDriver<OpenOptions>({
  name: 'snowflake',
  label: 'Snowflake',
  dialect: 'snowflake',
  settings: {
    type: 'object',
    required: ['account', 'user', 'warehouse'],
    properties: {
      account: { type: 'string', title: 'Account', destination: true },
      user: { type: 'string', title: 'User' },
      password: { type: 'string', title: 'Password', secret: true },
      private_key: { type: 'string', title: 'Private key', secret: true, multiline: true },
      warehouse: { type: 'string', title: 'Warehouse' },
      role: { type: 'string', title: 'Role' },
      database: { type: 'string', title: 'Database' },
      address: { type: 'string', title: 'Address', destination: true },
    },
  },
  open: async (settings) => {
    await open(settings)
    return {
      run: begin,
      cancel: () => statement?.cancel(noop),
      close: () => new Promise<void>((resolve) => connection.destroy(() => resolve())),
    }
  },
})
