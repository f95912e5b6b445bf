import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootCertificates } from 'node:tls'

export interface HttpClientOptions {
  /** Every request goes to this address; redirects are not followed, so that no secret is sent elsewhere. */
  readonly baseUrl: string
  /** The name of the API in error messages. */
  readonly name: string
  readonly headers?: Readonly<Record<string, string>>
  /** Resolves host names, e.g. to reject addresses of the internal network. */
  readonly lookup?: LookupFunction
  /** PEM of the certificate authority of the server, if the system does not trust it. */
  readonly ca?: string | undefined
  readonly timeoutMs?: number
  readonly maxBytes?: number
  /** Told why a request is repeated. */
  readonly log?: (line: string) => unknown
}

export interface HttpRequest {
  readonly method?: 'GET' | 'POST'
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as a form, in place of a body. */
  readonly form?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** Signs in: a rejection is final. */
  readonly login?: boolean
  /** The response is text and not JSON. */
  readonly text?: boolean
  /** The response is returned as bytes. */
  readonly bytes?: boolean
  /** Of the response. Without it, that of the client. */
  readonly maxBytes?: number
}

/** A status other than 2xx, after all attempts. */
export class HttpError extends Error {
  readonly status: number
  /** The start of the response, for connectors that know what it means. It is in no message: an API may repeat secrets. */
  readonly response: string

  constructor(status: number, message: string, response = '') {
    super(message)
    this.status = status
    this.response = response
  }
}

/** The cause of the error of a request whose response is larger than `maxBytes`. */
export class ResponseTooLargeError extends Error {}

const MAX_ERROR_LENGTH = 4_000

const ATTEMPTS = 5
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 60_000
const TIMEOUT_MS = 60_000
const MAX_BYTES = 256 * 1024 * 1024

/**
 * Reads a JSON API. A request that is rate-limited (429), meets an error of the server (500, 502–504) or a lost connection is repeated: as soon
 * as Retry-After says, or with growing delays. Error messages name the request, never its headers or body.
 */
export class HttpClient {
  readonly #options: HttpClientOptions
  readonly #base: URL
  readonly #agent: HttpAgent
  #headers: Readonly<Record<string, string>>
  #renew?: () => Promise<void>
  #renewing?: Promise<void>

  constructor(options: HttpClientOptions) {
    if (!/^https?:\/\//i.test(options.baseUrl) || !URL.canParse(options.baseUrl))
      throw new Error(`The URL of ${options.name} must start with https:// or http://.`)
    this.#options = options
    this.#base = new URL(options.baseUrl)
    this.#headers = options.headers ?? {}
    this.#agent =
      this.#base.protocol === 'https:'
        ? new HttpsAgent({ keepAlive: true, ...trustAlso(options.name, options.ca) })
        : new HttpAgent({ keepAlive: true })
  }

  /** Sent with every later request, e.g. the token a login returned. */
  setHeader(name: string, value: string): void {
    this.#headers = { ...this.#headers, [name]: value }
  }

  /** Called when a request is not authorized, once for each request: a token may have expired. It signs in with `login`. */
  renewWith(renew: () => Promise<void>): void {
    this.#renew = renew
  }

  get(path: string, query?: HttpRequest['query']): Promise<unknown> {
    return this.send(path, { query })
  }

  post(path: string, body: unknown, query?: HttpRequest['query']): Promise<unknown> {
    return this.send(path, { method: 'POST', body, query })
  }

  login(path: string, request: Pick<HttpRequest, 'body' | 'form'>): Promise<unknown> {
    return this.send(path, { ...request, method: 'POST', login: true })
  }

  async getText(path: string, query?: HttpRequest['query']): Promise<string> {
    return (await this.send(path, { query, text: true })) as string
  }

  async getBytes(path: string, request: Pick<HttpRequest, 'query' | 'headers'> = {}): Promise<Buffer> {
    return (await this.send(path, { ...request, bytes: true })) as Buffer
  }

  /** The parsed JSON of the response, its text or its bytes. */
  async send(path: string, request: HttpRequest = {}): Promise<unknown> {
    const { name, log } = this.#options
    const what = `${request.method ?? 'GET'} ${path}`
    let renewed = request.login === true
    for (let attempt = 1; ; attempt += 1) {
      const used = this.#headers
      const result = await this.#attempt(path, request).catch((error: Error) => error)
      if (!renewed && this.#renew && !(result instanceof Error) && EXPIRED_STATUSES.includes(result.status)) {
        renewed = true
        if (this.#headers === used) await this.#renewOnce(this.#renew)
        continue
      }
      const problem = findProblem(result)
      if (!problem) return readAs(request, result as Response, `${name}: ${what}`)
      const delay = getDelay(result, attempt)
      if (!problem.again || attempt === ATTEMPTS || delay > MAX_DELAY_MS) throw toError(result, `${name}: ${what} ${problem.message}`)
      await log?.(`${name}: ${what} ${problem.message} Trying again in ${Math.ceil(delay / 1000)} s.`)
      await sleep(delay)
    }
  }

  /** Requests at the same time share one sign-in: a second one may end the session of the first. */
  #renewOnce(renew: () => Promise<void>): Promise<void> {
    this.#renewing ??= renew().finally(() => {
      this.#renewing = undefined
    })
    return this.#renewing
  }

  /** Always on the host of the base URL: resolved against it, a path that begins with `//` would name another one. */
  #toUrl(path: string): URL {
    const { origin, pathname, username, password } = this.#base
    return Object.assign(new URL(`${origin}${pathname.replace(/\/+$/, '')}${path}`), { username, password })
  }

  #attempt(
    path: string,
    { method = 'GET', query = {}, body, form, text: asText, bytes, headers, maxBytes = this.#options.maxBytes ?? MAX_BYTES }: HttpRequest,
  ): Promise<Response> {
    const { timeoutMs = TIMEOUT_MS, lookup } = this.#options
    const url = this.#toUrl(path)
    for (const [name, value] of Object.entries(query))
      for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) url.searchParams.append(name, String(each))
    const text = form ? new URLSearchParams(form).toString() : body === undefined ? undefined : JSON.stringify(body)
    const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(
      url,
      {
        method,
        agent: this.#agent,
        signal: AbortSignal.timeout(timeoutMs),
        lookup,
        headers: {
          accept: bytes ? '*/*' : asText ? 'text/plain' : 'application/json',
          ...(text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }),
          ...this.#headers,
          ...headers,
        },
      },
      (response) => {
        const chunks: Buffer[] = []
        let size = 0
        response.on('data', (chunk: Buffer) => {
          size += chunk.length
          chunks.push(chunk)
          if (size > maxBytes)
            request.destroy(new ResponseTooLargeError(`the response is larger than ${Math.floor(maxBytes / 1024 / 1024)} MB`))
        })
        response.on('error', reject)
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }))
      },
    )
    request.on('error', reject)
    request.end(text)
    return promise
  }
}

interface Response {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** In addition to the authorities Node trusts: a server with a public certificate stays reachable. */
export const trustAlso = (name: string, ca: string | undefined): { ca?: string[] } => {
  if (!ca?.trim()) return {}
  if (!/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/.test(ca))
    throw new Error(`The certificate authority of ${name} must be PEM: it starts with -----BEGIN CERTIFICATE-----.`)
  return { ca: [...rootCertificates, ca] }
}

const readAs = ({ bytes, text }: HttpRequest, response: Response, what: string): unknown => {
  if (bytes) return response.body
  if (!text) return parseJson(response, what)
  // A proxy answers with its sign-in page.
  if (/^text\/html\b/i.test(response.headers['content-type'] ?? ''))
    throw new Error(`${what} returned a web page. Is the URL that of the API?`)
  return response.body.toString('utf8')
}

/** 419 is what Iceberg catalogs respond with when a token has expired. */
const EXPIRED_STATUSES = [401, 419]
const REPEATED_STATUSES = [429, 500, 502, 503, 504]
const LOST = ['ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', 'EAI_AGAIN']

const findProblem = (result: Response | Error): { readonly message: string; readonly again: boolean } | undefined => {
  if (result instanceof Error) {
    const timedOut = result.name === 'TimeoutError' || result.name === 'AbortError'
    const again = timedOut || LOST.includes((result as NodeJS.ErrnoException).code ?? '')
    return { message: timedOut ? 'timed out.' : `failed: ${result.message}.`, again }
  }
  const { status, headers } = result
  if (status >= 200 && status < 300) return undefined
  if (status === 403 || EXPIRED_STATUSES.includes(status))
    return { message: `was rejected (${status}). Check the credentials and what they are allowed to read.`, again: false }
  if (status >= 300 && status < 400)
    return { message: `redirects to ${getOrigin(headers.location)}. Set the URL to the final address.`, again: false }
  return { message: `returned status ${status}.`, again: REPEATED_STATUSES.includes(status) }
}

const getOrigin = (location = ''): string => (URL.canParse(location) ? new URL(location).origin : 'another page')

/** Retry-After in seconds or as a date, else 0.5, 1, 2 … seconds. */
const getDelay = (result: Response | Error, attempt: number): number => {
  const after = result instanceof Error ? undefined : result.headers['retry-after']
  if (after !== undefined && /^\d+$/.test(after)) return Number(after) * 1000
  if (after !== undefined && !Number.isNaN(Date.parse(after))) return Math.max(0, Date.parse(after) - Date.now())
  return FIRST_DELAY_MS * 2 ** (attempt - 1)
}

const toError = (result: Response | Error, message: string): Error =>
  result instanceof Error
    ? new Error(message, { cause: result })
    : new HttpError(result.status, message, result.body.toString('utf8', 0, MAX_ERROR_LENGTH))

const parseJson = ({ body }: Response, what: string): unknown => {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw new Error(`${what} did not return JSON. Is the URL that of the API?`)
  }
}
