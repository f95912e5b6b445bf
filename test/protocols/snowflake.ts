import { gunzipSync } from 'node:zlib'
import { checkAgainst } from '../api-descriptions/api-description.ts'
import {
  type CannedResponse,
  createLoopbackServer,
  findRecording,
  type LoopbackServer,
  type RecordedRequest,
  type RecordedStatement,
} from './loopback.ts'

/**
 * The HTTP protocol of Snowflake's drivers: a login that returns tokens, statements with JSON results, polling for long ones (code 333334),
 * abort, and the end of the session.
 */
export interface SnowflakeServer extends LoopbackServer {
  readonly statements: string[]
  /** The parameters of each statement. */
  readonly parameters: Record<string, unknown>[]
  readonly logins: Record<string, unknown>[]
  readonly aborted: string[]
  readonly ended: () => number
}

interface Options {
  readonly recorded: readonly RecordedStatement[]
  readonly password?: string
}

const PARAMETERS = [
  { name: 'TIMEZONE', value: 'UTC' },
  { name: 'TIMESTAMP_OUTPUT_FORMAT', value: 'YYYY-MM-DD HH24:MI:SS.FF3 TZHTZM' },
  { name: 'TIMESTAMP_NTZ_OUTPUT_FORMAT', value: 'YYYY-MM-DD HH24:MI:SS.FF3' },
  { name: 'DATE_OUTPUT_FORMAT', value: 'YYYY-MM-DD' },
  { name: 'BINARY_OUTPUT_FORMAT', value: 'HEX' },
]

const parseBody = ({ body, headers }: RecordedRequest) => {
  const plain = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
  return plain.length === 0 ? {} : JSON.parse(plain.toString('utf8'))
}

export const createSnowflakeServer = async ({ recorded, password = 'correct horse' }: Options): Promise<SnowflakeServer> => {
  const statements: string[] = []
  const parameters: Record<string, unknown>[] = []
  const logins: Record<string, unknown>[] = []
  const aborted: string[] = []
  const running = new Map<string, string>()
  let ended = 0

  const login = (request: RecordedRequest): CannedResponse => {
    const { data } = parseBody(request)
    logins.push(data)
    if (data.AUTHENTICATOR !== 'SNOWFLAKE_JWT' && data.PASSWORD !== password)
      return {
        body: {
          data: { nextAction: 'RETRY_LOGIN' },
          code: '390100',
          message: `Incorrect username or password was specified.`,
          success: false,
        },
      }
    return {
      body: {
        data: {
          token: 'session-token',
          masterToken: 'master-token',
          validityInSeconds: 3600,
          masterValidityInSeconds: 14_400,
          displayUserName: 'READER',
          serverVersion: '9.30.0',
          sessionId: 4711,
          parameters: PARAMETERS,
          sessionInfo: { databaseName: null, schemaName: null, warehouseName: 'WH', roleName: 'READER' },
          idToken: null,
        },
        code: null,
        message: null,
        success: true,
      },
    }
  }

  const result = (sql: string): CannedResponse | undefined => {
    const { columns = [], rows = [], error, hangs } = findRecording(recorded, sql)
    const queryId = `01b2-${statements.length}`
    if (hangs) return undefined
    if (error)
      return {
        body: {
          data: { errorCode: '002003', sqlState: '02000', queryId, line: 1, pos: 1, type: 'COMPILATION' },
          code: '002003',
          message: error,
          success: false,
        },
      }
    return {
      body: {
        data: {
          parameters: PARAMETERS,
          rowtype: columns.map(([name, type]) => rowType(name, type)),
          rowset: rows.map((row) => row.map((value) => (value === null ? null : String(value)))),
          total: rows.length,
          returned: rows.length,
          queryId,
          queryResultFormat: 'json',
          statementTypeId: 4096,
          version: 1,
          finalDatabaseName: null,
          finalSchemaName: null,
          finalWarehouseName: 'WH',
          finalRoleName: 'READER',
        },
        code: null,
        message: null,
        success: true,
      },
    }
  }

  const query = (request: RecordedRequest): CannedResponse | undefined => {
    const { sqlText, parameters: requestParameters } = parseBody(request)
    statements.push(sqlText)
    parameters.push(requestParameters)
    running.set(request.query.get('requestId') ?? '', sqlText)
    if (!/^show databases/.test(sqlText)) return result(sqlText)
    // Like a slow statement: the result must be polled.
    return {
      body: {
        data: { queryId: '01b2-slow', getResultUrl: '/queries/01b2-slow/result', queryAbortsAfterSecs: 300 },
        code: '333334',
        message: 'Query execution in progress.',
        success: true,
      },
    }
  }

  const server = await createLoopbackServer(
    (request) => {
      const { method, path, query: search, headers } = request
      if (path === '/session/v1/login-request') return login(request)
      if (!String(headers.authorization).includes('session-token'))
        return { status: 401, body: { code: '390104', success: false, message: 'No session' } }
      if (path === '/queries/v1/query-request') return query(request)
      if (path === '/queries/01b2-slow/result') return result('show databases')
      if (path === '/queries/v1/abort-request') {
        aborted.push(running.get(parseBody(request).requestId) ?? '')
        return { body: { data: null, code: null, message: null, success: true } }
      }
      if (method === 'POST' && path === '/session' && search.has('delete')) {
        ended += 1
        return { body: { data: null, code: null, message: null, success: true } }
      }
      return { status: 404, body: { success: false, code: '404', message: path } }
    },
    undefined,
    checkAgainst('snowflake'),
  )
  return { ...server, statements, parameters, logins, aborted, ended: () => ended }
}

const rowType = (name: string, type: string) => {
  const [, base = type, precision, scale] = /^(\w+)(?:\((\d+),(\d+)\))?$/.exec(type) ?? []
  return {
    name,
    type: base,
    nullable: true,
    precision: base === 'fixed' ? Number(precision ?? 38) : null,
    scale: base === 'fixed' ? Number(scale ?? 0) : base.startsWith('timestamp') ? 9 : null,
    length: base === 'text' ? 16_777_216 : null,
    byteLength: base === 'text' ? 16_777_216 : null,
    database: '',
    schema: '',
    table: '',
  }
}
