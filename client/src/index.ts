import { errorOf } from './error.ts'
import { withPatience } from './retry.ts'
import type { Answer, Common, Given, Item, ListOptions, Lists, OperationOf, Options, PathsOf } from './types.ts'

export { TablinumError } from './error.ts'
export type { FileBody, Filter, Schemas, Sort } from './types.ts'

export interface ClientOptions {
  /** Where the catalog is, such as `https://catalog.example.com`. */
  readonly baseUrl: string
  readonly token: string
  /** How many times more a request is sent when the server is busy (429) or away (503). 4 unless told. */
  readonly retries?: number
  /** What is waited before the second time when the server does not say; it doubles each time. */
  readonly retryWaitMs?: number
  /** Instead of the global one. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/** Every path of the API, by method: what a path takes and brings is known to the compiler. */
export interface Client {
  get<P extends PathsOf<'get'>>(path: P, ...options: Given<Options<OperationOf<'get', P>>>): Promise<Answer<OperationOf<'get', P>>>
  post<P extends PathsOf<'post'>>(path: P, ...options: Given<Options<OperationOf<'post', P>>>): Promise<Answer<OperationOf<'post', P>>>
  put<P extends PathsOf<'put'>>(path: P, ...options: Given<Options<OperationOf<'put', P>>>): Promise<Answer<OperationOf<'put', P>>>
  patch<P extends PathsOf<'patch'>>(path: P, ...options: Given<Options<OperationOf<'patch', P>>>): Promise<Answer<OperationOf<'patch', P>>>
  delete<P extends PathsOf<'delete'>>(
    path: P,
    ...options: Given<Options<OperationOf<'delete', P>>>
  ): Promise<Answer<OperationOf<'delete', P>>>
  /** Every record of a list, page after page, by cursor: writes meanwhile repeat and skip nothing. */
  all<P extends Lists>(path: P, ...options: Given<ListOptions<P>>): AsyncGenerator<Item<P>, void, undefined>
  /** The response itself, once it went well: for its headers (`ETag`, `Warning`), or for a file that is read as it comes. */
  raw(method: string, path: string, options?: RawOptions): Promise<Response>
}

export interface RawOptions extends Common {
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
        // The same for each time it is sent: what was done already is answered, not done again.
        ...(method === 'POST' ? { 'idempotency-key': globalThis.crypto.randomUUID() } : {}),
        ...(body === undefined || file ? {} : { 'content-type': 'application/json' }),
        ...lowerCased(headers),
      },
      ...(body === undefined ? {} : { body: file ? (body as BodyOf) : JSON.stringify(body) }),
      ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
    }
    const again = !(body instanceof ReadableStream) // a stream is read once
    const response = await withPatience({ retries, waitMs: retryWaitMs }, () => fetch(base + addressOf(path, parts, query), init), {
      again: { afterRefusal: again, afterSilence: again && (method === 'GET' || method === 'POST') },
      signal,
    })
    if (!response.ok) throw await errorOf(response)
    return response
  }

  // The compiler has checked the path and what goes with it; what comes back is what the document says of it.
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

type BodyOf = NonNullable<RequestInit['body']>
const isFile = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof Uint8Array ||
  body instanceof Blob ||
  body instanceof FormData ||
  body instanceof ReadableStream

const lowerCased = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

const addressOf = (path: string, parts: Readonly<Record<string, unknown>>, query: Readonly<Record<string, unknown>>): string => {
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
