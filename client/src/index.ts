import { readError } from './error.ts'
import { fetchWithRetries } from './retry.ts'
import type { Item, ListOptions, Lists, OperationOf, OptionalArgument, Options, PathsOf, RequestOptions, ResponseOf } from './types.ts'

export { TablinumError } from './error.ts'
export type { FileBody, Filter, Schemas, Sort } from './types.ts'

export interface ClientOptions {
  /** URL of the server, e.g. `https://catalog.example.com`. */
  readonly baseUrl: string
  readonly token: string
  /** Retries after 429 and 503. Default: 4. */
  readonly retries?: number
  /** Pause before the first retry if the response has no `Retry-After`; it doubles with each retry. Default: 500. */
  readonly retryWaitMs?: number
  /** Used instead of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Every path of the API by method, with typed parameters, bodies and responses. */
export interface Client {
  get<P extends PathsOf<'get'>>(
    path: P,
    ...options: OptionalArgument<Options<OperationOf<'get', P>>>
  ): Promise<ResponseOf<OperationOf<'get', P>>>
  post<P extends PathsOf<'post'>>(
    path: P,
    ...options: OptionalArgument<Options<OperationOf<'post', P>>>
  ): Promise<ResponseOf<OperationOf<'post', P>>>
  put<P extends PathsOf<'put'>>(
    path: P,
    ...options: OptionalArgument<Options<OperationOf<'put', P>>>
  ): Promise<ResponseOf<OperationOf<'put', P>>>
  patch<P extends PathsOf<'patch'>>(
    path: P,
    ...options: OptionalArgument<Options<OperationOf<'patch', P>>>
  ): Promise<ResponseOf<OperationOf<'patch', P>>>
  delete<P extends PathsOf<'delete'>>(
    path: P,
    ...options: OptionalArgument<Options<OperationOf<'delete', P>>>
  ): Promise<ResponseOf<OperationOf<'delete', P>>>
  /** Every record of a list, page by page with a cursor: concurrent writes neither repeat nor skip records. */
  all<P extends Lists>(path: P, ...options: OptionalArgument<ListOptions<P>>): AsyncGenerator<Item<P>, void, undefined>
  /** The response of a successful request, for its headers (`ETag`, `Warning`) or to stream a file. */
  raw(method: string, path: string, options?: RawOptions): Promise<Response>
}

export interface RawOptions extends RequestOptions {
  path?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

const PREFIX = '/api/v1'
const PAGE_SIZE = 200

export const createClient = ({ baseUrl, token, retries = 4, retryWaitMs = 500, fetch = globalThis.fetch }: ClientOptions): Client => {
  const base = baseUrl.replace(/\/+$/, '') + PREFIX

  const raw: Client['raw'] = async (method, path, { path: parts = {}, query = {}, body, headers = {}, signal } = {}) => {
    const file = isFile(body)
    const init: RequestInit & { duplex?: 'half' } = {
      method,
      signal: signal ?? null,
      headers: {
        accept: 'application/json, */*;q=0.5',
        authorization: `Bearer ${token}`,
        // The same for each retry, so that the server runs the request only once.
        ...(method === 'POST' ? { 'idempotency-key': globalThis.crypto.randomUUID() } : {}),
        ...(body === undefined || file ? {} : { 'content-type': 'application/json' }),
        ...lowerCaseNames(headers),
      },
      ...(body === undefined ? {} : { body: file ? (body as RequestBody) : JSON.stringify(body) }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    }
    const repeatable = !(body instanceof ReadableStream) // a stream can be read only once
    const response = await fetchWithRetries({ retries, waitMs: retryWaitMs }, () => fetch(base + buildPath(path, parts, query), init), {
      repeat: { afterResponse: repeatable, afterLostConnection: repeatable && (method === 'GET' || method === 'POST') },
      signal,
    })
    if (!response.ok) throw await readError(response)
    return response
  }

  // `Client` types paths, parameters and responses; here they are untyped.
  const call =
    (method: string) =>
    async (path: string, options: RawOptions = {}): Promise<never> => {
      const response = await raw(method, path, options)
      const text = await response.text()
      const json = response.headers.get('content-type')?.includes('application/json')
      return (text === '' ? undefined : json ? JSON.parse(text) : text) as never
    }
  const get = call('GET')

  async function* all(path: string, { query = {}, ...options }: RawOptions = {}): AsyncGenerator<never, void, undefined> {
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { results, meta }: Page = await get(path, { ...options, query: { page_size: PAGE_SIZE, ...query, cursor } })
      yield* results as never[]
      cursor = meta.next_cursor
    }
  }

  return { get, post: call('POST'), put: call('PUT'), patch: call('PATCH'), delete: call('DELETE'), all, raw }
}

interface Page {
  readonly results: unknown[]
  readonly meta: { readonly next_cursor: string | null }
}

type RequestBody = NonNullable<RequestInit['body']>
const isFile = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  body instanceof Blob ||
  body instanceof FormData ||
  body instanceof ReadableStream

const lowerCaseNames = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const buildPath = (path: string, parts: Readonly<Record<string, unknown>>, query: Readonly<Record<string, unknown>>): string => {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const part = parts[name]
    if (part === undefined || part === null || part === '') throw new TypeError(`${path} needs ${name}.`)
    return encodeURIComponent(String(part))
  })
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) parameters.append(name, typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))
  return parameters.size === 0 ? filled : `${filled}?${parameters}`
}
