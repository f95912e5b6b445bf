import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'

/** An HTTP server: always this host and port, whatever it responds. */
export interface Server {
  readonly host: string
  readonly port: number
  readonly ssl: boolean
  readonly ca?: string
}

export interface Call {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly signal: AbortSignal
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

const LONGEST = 64 * 1024 * 1024

export class HttpServer implements Disposable {
  readonly #server: Server
  readonly #agent: HttpAgent

  constructor(server: Server) {
    this.#server = server
    this.#agent = server.ssl
      ? new HttpsAgent({ keepAlive: true, ca: server.ca, rejectUnauthorized: true })
      : new HttpAgent({ keepAlive: true })
  }

  /** Redirects are returned, not followed. */
  async call({ method, path, headers, body, signal }: Call): Promise<Answer> {
    const { host, port, ssl } = this.#server
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const options = { host: host.replace(/^\[(.*)\]$/, '$1'), port, path, method, headers, signal, agent: this.#agent }
    const request = (ssl ? httpsRequest : httpRequest)(options, (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        chunks.push(chunk)
        if (size > LONGEST) request.destroy(new Error('The response of the server is too large.'))
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
