import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** An HTTP server: always this host and port, whatever it responds. */
export interface HttpEndpoint {
  readonly host: string
  readonly port: number
  readonly ssl: boolean
  readonly ca?: string | undefined
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export interface HttpResult {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const MAX_RESPONSE_BYTES = 64 * 1024 * 1024

export class HttpClient implements Disposable {
  readonly #endpoint: HttpEndpoint
  readonly #agent: HttpAgent

  constructor(server: HttpEndpoint) {
    this.#endpoint = server
    this.#agent = server.ssl
      ? new HttpsAgent({ keepAlive: true, ca: server.ca, rejectUnauthorized: true })
      : new HttpAgent({ keepAlive: true })
  }

  /** Redirects are returned, not followed. */
  async send({ method, path, headers, body, signal }: HttpRequest): Promise<HttpResult> {
    const { host, port, ssl } = this.#endpoint
    const { promise, resolve, reject } = Promise.withResolvers<HttpResult>()
    const options = { host: host.replace(/^\[(.*)\]$/, '$1'), port, path, method, headers, signal, agent: this.#agent }
    const request = (ssl ? httpsRequest : httpRequest)(options, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        chunks.push(chunk)
        if (size > MAX_RESPONSE_BYTES) request.destroy(new Error('The response of the server is too large.'))
      })
      response.on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }),
      )
    })
    request.on('error', reject)
    request.end(body)
    return promise
  }

  [Symbol.dispose](): void {
    this.#agent.destroy()
  }
}
