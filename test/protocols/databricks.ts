import { randomBytes, randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import { createCertificate } from './certificate.ts'
import { type CannedResponse, createLoopbackServer, findRecording, type LoopbackServer, type RecordedStatement } from './loopback.ts'

/**
 * The Thrift service of Databricks (TCLIService, binary, over HTTPS): sessions, statements with polling, results as Arrow batches, cancellation.
 * Built from the SDK's own service description, so that the bytes match those of a warehouse.
 */
export interface DatabricksServer extends LoopbackServer {
  readonly ca: string
  readonly statements: string[]
  readonly cancelled: string[]
  readonly sessions: Set<string>
  readonly requests: Record<string, unknown>[]
}

interface Options {
  readonly recorded: readonly RecordedStatement[]
  readonly token?: string
}

const requireFromSdk = createRequire(createRequire(import.meta.url).resolve('@databricks/sql'))
const thrift = requireFromSdk('thrift')
const arrow = requireFromSdk('apache-arrow')
const Int64 = requireFromSdk('node-int64')
const { Processor } = requireFromSdk('../thrift/TCLIService.js')
const types = requireFromSdk('../thrift/TCLIService_types.js')
const { TProtocolVersion, TOperationState, TSparkRowSetType, TStatusCode, TTypeId } = types

const PAGE_ROWS = 2
const SUCCESS = { statusCode: TStatusCode.SUCCESS_STATUS }

interface ThriftRequest {
  readonly sql: string
  cancelled: boolean
  at: number
}

// biome-ignore lint/suspicious/noExplicitAny: messages as the generated code knows them
type Message = any

/** Methods are called as described by the service. */
class Service {
  readonly statements: string[] = []
  readonly cancelled: string[] = []
  readonly sessions = new Set<string>()
  readonly requests: Record<string, unknown>[] = []
  readonly #operations = new Map<string, ThriftRequest>()
  readonly #recorded: readonly RecordedStatement[]

  constructor(recorded: readonly RecordedStatement[]) {
    this.#recorded = recorded
  }

  #find({ operationHandle }: Message): ThriftRequest {
    return this.#operations.get(operationHandle.operationId.guid.toString('hex'))!
  }

  #answerTo({ sql }: ThriftRequest): RecordedStatement {
    return sql.startsWith('set statement_timeout')
      ? { matches: /./, columns: [['key', 'STRING']], rows: [] }
      : findRecording(this.#recorded, sql)
  }

  async OpenSession(request: Message) {
    const guid = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
    this.sessions.add(guid.toString('hex'))
    this.requests.push(request)
    const sessionHandle = { sessionId: { guid, secret: randomBytes(16) } }
    return {
      status: SUCCESS,
      serverProtocolVersion: TProtocolVersion.SPARK_CLI_SERVICE_PROTOCOL_V8,
      sessionHandle,
      canUseMultipleCatalogs: true,
    }
  }
  async CloseSession({ sessionHandle }: Message) {
    this.sessions.delete(sessionHandle.sessionId.guid.toString('hex'))
    return { status: SUCCESS }
  }
  async ExecuteStatement(request: Message) {
    const guid = Buffer.from(randomUUID().replaceAll('-', ''), 'hex')
    this.#operations.set(guid.toString('hex'), { sql: request.statement, cancelled: false, at: 0 })
    this.statements.push(request.statement)
    this.requests.push(request)
    return { status: SUCCESS, operationHandle: { operationId: { guid, secret: randomBytes(16) }, operationType: 0, hasResultSet: true } }
  }
  async GetOperationStatus(request: Message) {
    const statement = this.#find(request)
    const { error, hangs } = this.#answerTo(statement)
    if (statement.cancelled) return { status: SUCCESS, operationState: TOperationState.CANCELED_STATE }
    if (hangs) return { status: SUCCESS, operationState: TOperationState.RUNNING_STATE }
    if (!error) return { status: SUCCESS, operationState: TOperationState.FINISHED_STATE, hasResultSet: true }
    return {
      status: SUCCESS,
      operationState: TOperationState.ERROR_STATE,
      sqlState: '42000',
      errorCode: 0,
      errorMessage: error,
      displayMessage: error,
    }
  }
  async GetResultSetMetadata(request: Message) {
    const { columns = [] } = this.#answerTo(this.#find(request))
    return {
      status: SUCCESS,
      schema: {
        columns: columns.map(([columnName, type], i) => ({
          columnName,
          position: i + 1,
          typeDesc: { types: [{ primitiveEntry: { type: TTypeId[`${type}_TYPE`] } }] },
        })),
      },
      resultFormat: TSparkRowSetType.ARROW_BASED_SET,
      lz4Compressed: false,
      arrowSchema: toSchema(columns),
      cacheLookupResult: 2,
      isStagingOperation: false,
    }
  }
  async FetchResults(request: Message) {
    const statement = this.#find(request)
    const { columns = [], rows = [] } = this.#answerTo(statement)
    const page = rows.slice(statement.at, statement.at + PAGE_ROWS)
    const startRowOffset = new Int64(statement.at)
    statement.at += PAGE_ROWS
    const arrowBatches = page.length === 0 ? [] : [{ batch: toBatch(columns, page), rowCount: new Int64(page.length) }]
    return { status: SUCCESS, hasMoreRows: statement.at < rows.length, results: { startRowOffset, rows: [], arrowBatches } }
  }
  async CancelOperation(request: Message) {
    const statement = this.#find(request)
    statement.cancelled = true
    this.cancelled.push(statement.sql)
    return { status: SUCCESS }
  }
  async CloseOperation(_: Message) {
    return { status: SUCCESS }
  }
}

/** The generated code leaves out fields that the description of the service does not have, silently. Here they are errors. */
const withKnownFieldsOnly = (service: Message): Service =>
  new Proxy(service, {
    get: (methods, name: string) => async (request: Message) => {
      const answer = await methods[name](request)
      const unknown = findUnknownField(new types[`T${name}Resp`](answer), answer)
      if (unknown !== undefined) throw new Error(`The description of the service has no field ${unknown} in the answer of ${name}.`)
      return answer
    },
  })

const findUnknownField = (known: Message, given: Message): string | undefined => {
  if (typeof given !== 'object' || given === null || Buffer.isBuffer(given) || given instanceof Int64) return
  for (const [name, value] of Object.entries(given)) {
    if (!(name in Object(known))) return name
    const unknown = findUnknownField(known[name], value)
    if (unknown !== undefined) return `${name}.${unknown}`
  }
}

export const createDatabricksServer = async ({ recorded, token = 'dapi-correct-horse' }: Options): Promise<DatabricksServer> => {
  const service = new Service(recorded)
  const processor = new Processor(withKnownFieldsOnly(service))
  const handle = (body: Buffer): Promise<CannedResponse> =>
    new Promise((resolve) => {
      const output = new thrift.TBufferedTransport(undefined, (bytes: Buffer) =>
        resolve({ headers: { 'content-type': 'application/x-thrift' }, body: bytes }),
      )
      thrift.TBufferedTransport.receiver((transport: unknown) =>
        processor.process(new thrift.TBinaryProtocol(transport), new thrift.TBinaryProtocol(output)),
      )(body)
    })

  const tls = createCertificate()
  const server = await createLoopbackServer(({ path, headers, body }) => {
    if (path !== '/sql/1.0/warehouses/abc') return { status: 404, body: `no endpoint ${path}` }
    return headers.authorization === `Bearer ${token}` ? handle(body) : { status: 401, body: 'Invalid access token.' }
  }, tls)
  const { statements, cancelled, sessions, requests } = service
  return { ...server, ca: tls.cert, statements, cancelled, sessions, requests }
}

const ARROW: Readonly<Record<string, () => unknown>> = {
  BOOLEAN: () => new arrow.Bool(),
  INT: () => new arrow.Int32(),
  BIGINT: () => new arrow.Int64(),
  DOUBLE: () => new arrow.Float64(),
}
const toFields = (columns: NonNullable<RecordedStatement['columns']>) =>
  columns.map(([name, type]) => new arrow.Field(name, (ARROW[type] ?? (() => new arrow.Utf8()))(), true))

const END_MARKER_BYTES = 8 // a stream ends with an eight-byte marker, which is cut off here

const toStream = (columns: NonNullable<RecordedStatement['columns']>, rows?: readonly (readonly unknown[])[]): Buffer => {
  const schema = new arrow.Schema(toFields(columns))
  const writer = new arrow.RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  if (rows) {
    const vectors = schema.fields.map(
      ({ type }: Message, i: number) =>
        arrow.vectorFromArray(
          rows.map((row) => row[i]),
          type,
        ).data[0],
    )
    const data = arrow.makeData({ type: new arrow.Struct(schema.fields), length: rows.length, children: vectors })
    writer.write(new arrow.RecordBatch(schema, data))
  }
  writer.finish()
  return Buffer.from(writer.toUint8Array(true)).subarray(0, -END_MARKER_BYTES)
}
const toSchema = (columns: NonNullable<RecordedStatement['columns']>): Buffer => toStream(columns)
const toBatch = (columns: NonNullable<RecordedStatement['columns']>, rows: readonly (readonly unknown[])[]): Buffer =>
  toStream(columns, rows).subarray(toSchema(columns).length)
