import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import oracledb from 'oracledb'
import { toCell, toNumberCell } from '../../../../connector/src/cells.ts'
import type { Cell, Statement } from '../../../../connector/src/protocol.ts'
import { runDriver } from '../shared/driver-program.ts'
import { tlsSwitch } from '../tls/tls-settings.ts'

/** The process that runs the driver of Oracle, in its mode without Oracle's client libraries. */

export interface OpenOptions {
  readonly host: string
  readonly port: number
  readonly service: string
  readonly user: string
  readonly password: string
  readonly ssl: boolean
  readonly ca?: string | undefined
}

const CONNECT_SECONDS = 20
const BATCH_ROWS = 500

type Connection = Awaited<ReturnType<typeof oracledb.getConnection>>

let connection: Connection

const open = async ({ host, port, service, user, password, ssl, ca }: OpenOptions): Promise<void> => {
  // The driver has no setting for it, except in a wallet with a key; this process has one connection only.
  if (ca !== undefined) setDefaultCACertificates([...getCACertificates('default'), ca])
  connection = await oracledb.getConnection({
    user,
    password,
    connectString: `${ssl ? 'tcps' : 'tcp'}://${host.includes(':') ? `[${host}]` : host}:${port}/${service}`,
    connectTimeout: CONNECT_SECONDS,
    transportConnectTimeout: CONNECT_SECONDS,
    retryCount: 0,
  })
  // The catalog is read as of one moment, and nothing can be written.
  await connection.execute('set transaction read only', [], {})
}

const begin = async ({ sql }: Statement) => {
  const { metaData, resultSet } = await connection.execute(sql, [], {
    resultSet: true,
    outFormat: oracledb.OUT_FORMAT_ARRAY,
    fetchArraySize: BATCH_ROWS,
    // As text: a double has fewer digits than a number of Oracle.
    fetchTypeHandler: ({ dbType }: { readonly dbType: unknown }) =>
      dbType === oracledb.DB_TYPE_NUMBER ? { type: oracledb.STRING } : undefined,
  })
  const types = metaData.map(({ dbTypeName }) => dbTypeName)
  async function* readRows(): AsyncGenerator<Cell[][], void> {
    try {
      for (;;) {
        const rows = await resultSet.getRows(BATCH_ROWS)
        if (rows.length === 0) return
        yield rows.map((row) => row.map((value, i) => toOracleCell(value, types[i]!)))
      }
    } finally {
      await resultSet.close()
    }
  }
  return { columns: metaData.map(({ name, dbTypeName }) => ({ name, type: dbTypeName })), rows: readRows() }
}

const toOracleCell = (value: unknown, type: string): Cell =>
  typeof value === 'string' && type === 'NUMBER' ? toNumberCell(value) : toCell(value)

await runDriver<OpenOptions>({
  name: 'oracle',
  label: 'Oracle',
  settings: {
    type: 'object',
    required: ['host', 'port', 'service', 'user', 'password'],
    properties: {
      host: { type: 'string', title: 'Host', destination: true },
      port: { type: 'integer', title: 'Port', destination: true },
      service: { type: 'string', title: 'Service', destination: true },
      user: { type: 'string', title: 'User' },
      password: { type: 'string', title: 'Password', secret: true },
      ...tlsSwitch(false),
    },
  },
  open: async (settings) => {
    await open(settings)
    return { run: begin, cancel: () => void connection.break().catch(() => {}), close: () => connection.close() }
  },
})
