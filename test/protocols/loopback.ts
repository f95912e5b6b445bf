import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Cassette } from '../../connector/src/replay.ts'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** How the server was reached. */
  readonly origin: string
}
export interface CannedResponse {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer | object
}
/** Undefined: it never responds. */
type RequestHandler = (requests: RecordedRequest) => CannedResponse | undefined | Promise<CannedResponse | undefined>

/** A server on loopback that replays a recorded protocol, so that real clients can talk to it. */
export interface LoopbackServer extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  readonly recordedRequests: readonly RecordedRequest[]
  /** From now on, this happens instead of the recorded responses. */
  fail(fault: LoopbackFault | undefined): void
}

/** Requests that fail, after some that do not; without `times`, all of them. */
export interface LoopbackFault extends CannedResponse {
  readonly after: number
  readonly times?: number
}

/** With a key and certificate it uses TLS. What `checkAnswer` finds wrong, e.g. by the vendor's API description, is answered with an error that says so. */
export const createLoopbackServer = async (
  responses: RequestHandler,
  tls?: { readonly key: string; readonly cert: string },
  checkAnswer?: NonNullable<Cassette['checkAnswer']>,
): Promise<LoopbackServer> => {
  const requests: RecordedRequest[] = []
  let [fault, seen]: [LoopbackFault | undefined, number] = [undefined, 0]
  const findFault = (): LoopbackFault | undefined => {
    seen += 1
    return fault && seen > fault.after && seen <= fault.after + (fault.times ?? Number.POSITIVE_INFINITY) ? fault : undefined
  }
  const handleRequest = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', `http${tls ? 's' : ''}://${request.headers.host}`)
    const one: RecordedRequest = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks),
      origin: url.origin,
    }
    requests.push(one)
    const injected = findFault()
    const answered = injected ?? (await responses(one))
    const wrong = answered && !injected && checkAnswer ? findProblem(checkAnswer, one, answered) : undefined
    sendResponse(response, wrong === undefined ? answered : { status: 422, body: wrong })
  }
  const server = tls ? createSecureServer(tls, handleRequest) : createServer(handleRequest)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http${tls ? 's' : ''}://127.0.0.1:${port}`,
    recordedRequests: requests,
    fail: (next) => {
      fault = next
      seen = 0
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const findProblem = (
  check: NonNullable<Cassette['checkAnswer']>,
  request: RecordedRequest,
  response: CannedResponse,
): string | undefined => {
  const { status = 200, headers = {}, body } = response
  const { method, path, headers: requestHeaders } = request
  const query = Object.fromEntries(request.query)
  const answered: unknown = typeof body === 'string' && headers['content-type'] === 'application/json' ? JSON.parse(body) : body
  return check({ method, path, status, body: answered, query, request: parseRequest(request), requestHeaders })
}

/** Empty if it is not JSON, e.g. a statement. */
const parseRequest = ({ body, headers }: RecordedRequest): Record<string, unknown> =>
  /^application\/json/.test(headers['content-type'] ?? '') && headers['content-encoding'] === undefined && body.length > 0
    ? JSON.parse(body.toString('utf8'))
    : {}

const sendResponse = (response: ServerResponse, canned: CannedResponse | undefined): void => {
  if (!canned || response.destroyed) return
  const { status = 200, headers = {}, body = '' } = canned
  const plain = typeof body === 'string' || Buffer.isBuffer(body)
  response.writeHead(status, { ...(plain ? {} : { 'content-type': 'application/json' }), ...headers })
  response.end(plain ? body : JSON.stringify(body))
}

/** The response of a recorded server to a statement: the first matching pattern. */
export interface RecordedStatement {
  readonly matches: RegExp
  readonly columns?: readonly (readonly [name: string, type: string])[]
  readonly rows?: readonly (readonly unknown[])[]
  readonly error?: string
  /** It never responds. */
  readonly hangs?: boolean
  /** The statement type the server reports, if any. */
  readonly kind?: string
}

export const findRecording = (recorded: readonly RecordedStatement[], sql: string): RecordedStatement =>
  recorded.find(({ matches }) => matches.test(sql)) ?? { matches: /./, error: `line 1:1: nothing was recorded for ${sql}` }
