import { t } from '../words/words.ts'

/** The API client: JSON in and out, one error class. */

/** An error response of the API, or a network error (status 0). */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly request_id?: string
  readonly errors: Record<string, string[]>

  constructor(status: number, body: { detail?: string; code?: string; request_id?: string; errors?: Record<string, string[]> }) {
    super(body.detail ?? (status === 0 ? t('Couldn’t reach the server.') : t('The server returned an error ({status}).', { status })))
    this.status = status
    this.code = body.code ?? (status === 0 ? 'unreachable' : 'unknown')
    this.request_id = body.request_id
    this.errors = body.errors ?? {}
  }
}

export const isFailure = (error: unknown, code?: string): error is Failure =>
  error instanceof Failure && (code === undefined || error.code === code)

type Query = Record<string, string | number | boolean | null | undefined>

/** A record as it was read: identified by its version or, if it has none, by its last update. */
export type Versioned = { readonly version: number } | { readonly updated_at: string }

/** Must match the server's `src/etag.ts`. */
const etagOf = (record: Versioned): string =>
  'version' in record ? `"v${record.version}"` : `"t${Date.parse(record.updated_at).toString(36)}"`

export interface Asking {
  readonly query?: Query
  readonly signal?: AbortSignal
  /** The version the caller has; the server rejects with `precondition_failed` if there is a newer one. */
  readonly if_match?: Versioned
  /** Content type of a text body; the default is JSON. */
  readonly type?: string
}

const API = '/api/v1'

/** An API URL for links the browser opens itself, e.g. an export. */
export const address = (path: string, query: Query = {}): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  const text = parameters.toString()
  return `${API}${path}${text && `?${text}`}`
}

const ask = async <T>(
  method: string,
  path: string,
  body: unknown,
  { query, signal, if_match, type = 'application/json' }: Asking = {},
): Promise<T> => {
  // Against CSRF: the server rejects writes by cookie without this header, which a form of another site cannot send.
  const headers: Record<string, string> = { accept: 'application/json', 'x-requested-with': 'tablinum' }
  if (body !== undefined) headers['content-type'] = type
  if (if_match) headers['if-match'] = etagOf(if_match)
  // A file is sent as it is: reading a large one into memory first would block the page.
  const asItIs = body === undefined || body instanceof Blob || type !== 'application/json'
  const sent = asItIs ? (body as Blob | string | undefined) : JSON.stringify(body)
  let answer: Response
  try {
    answer = await fetch(address(path, query), { method, headers, signal, body: sent })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new Failure(0, {})
  }
  const text = await answer.text()
  const isJson = answer.headers.get('content-type')?.includes('json') ?? false
  const said: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text
  if (!answer.ok) {
    const failure = new Failure(answer.status, {
      request_id: answer.headers.get('x-request-id') ?? undefined,
      ...(isJson && (said as object)),
    })
    if (answer.status === 401) for (const tell of signedOut) tell()
    throw failure
  }
  return said as T // the server's tests check its responses against the OpenAPI document that the types come from
}

const signedOut = new Set<() => void>()

/** Called on a 401 response: the session has ended. */
export const onSignedOut = (tell: () => void): void => void signedOut.add(tell)

export const api = {
  get: <T>(path: string, asking?: Asking) => ask<T>('GET', path, undefined, asking),
  post: <T>(path: string, body?: unknown, asking?: Asking) => ask<T>('POST', path, body ?? {}, asking),
  put: <T>(path: string, body?: unknown, asking?: Asking) => ask<T>('PUT', path, body, asking),
  patch: <T>(path: string, body: unknown, asking?: Asking) => ask<T>('PATCH', path, body, asking),
  delete: <T = void>(path: string, asking?: Asking) => ask<T>('DELETE', path, undefined, asking),
}
