import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  /** How the server was reached. */
  readonly origin: string
}
export interface Told {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body?: string | Buffer | object
}
/** Undefined: it never responds. */
type Answers = (asked: Asked) => Told | undefined | Promise<Told | undefined>

/** A server on loopback that replays a recorded protocol, so that real clients can talk to it. */
export interface Loopback extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  readonly asked: readonly Asked[]
}

/** With a key and certificate it uses TLS. */
export const aLoopback = async (answers: Answers, tls?: { readonly key: string; readonly cert: string }): Promise<Loopback> => {
  const asked: Asked[] = []
  const hear = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const url = new URL(request.url ?? '/', `http${tls ? 's' : ''}://${request.headers.host}`)
    const one: Asked = {
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: Buffer.concat(chunks),
      origin: url.origin,
    }
    asked.push(one)
    send(response, await answers(one))
  }
  const server = tls ? createSecureServer(tls, hear) : createServer(hear)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    origin: `http${tls ? 's' : ''}://127.0.0.1:${port}`,
    asked,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const send = (response: ServerResponse, told: Told | undefined): void => {
  if (!told || response.destroyed) return
  const { status = 200, headers = {}, body = '' } = told
  const plain = typeof body === 'string' || Buffer.isBuffer(body)
  response.writeHead(status, { ...(plain ? {} : { 'content-type': 'application/json' }), ...headers })
  response.end(plain ? body : JSON.stringify(body))
}

/** The response of a recorded server to a statement: the first matching pattern. */
export interface Recorded {
  readonly asks: RegExp
  readonly columns?: readonly (readonly [name: string, type: string])[]
  readonly rows?: readonly (readonly unknown[])[]
  readonly error?: string
  /** It never responds. */
  readonly hangs?: boolean
  /** The statement type the server reports, if any. */
  readonly kind?: string
}

export const recordedFor = (recorded: readonly Recorded[], sql: string): Recorded =>
  recorded.find(({ asks }) => asks.test(sql)) ?? { asks: /./, error: `line 1:1: nothing was recorded for ${sql}` }
