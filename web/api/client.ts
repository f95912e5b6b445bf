import { computeEtag } from '../../src/platform/core/etag.ts'
import { t } from '../i18n/messages.ts'
import { showServerError, type Translatable } from './server-text.ts'

/** The API client: JSON in and out, one error class. */

/** An error response of the API, or a network error (status 0). */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly request_id?: string
  readonly errors: Record<string, string[]>

  constructor(status: number, body: ErrorBody) {
    super(describeError(status, body))
    this.status = status
    this.code = body.code ?? (status === 0 ? 'unreachable' : 'unknown')
    this.request_id = body.request_id
    this.errors = translateFields(body)
  }
}

interface ErrorBody {
  readonly detail?: string
  readonly code?: string
  readonly request_id?: string
  readonly errors?: Record<string, string[]>
  readonly translatable?: { readonly detail?: Translatable; readonly errors?: Record<string, Translatable[]> }
}

const describeError = (status: number, { detail, code, translatable }: ErrorBody): string => {
  if (status === 0) return t('Couldn’t reach the server.')
  if (detail === undefined) return t('The server returned an error ({status}).', { status })
  // Its detail names records by kind and ID, which helps programs.
  if (code === 'not_found' && !translatable?.detail) return t('It was not found, or you don’t have access to it.')
  return showServerError(detail, translatable?.detail)
}

const translateFields = ({ errors = {}, translatable }: ErrorBody): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [
      field,
      texts.map((text, i) => showServerError(text, translatable?.errors?.[field]?.[i])),
    ]),
  )

export const isApiError = (error: unknown, code?: string): error is ApiError =>
  error instanceof ApiError && (code === undefined || error.code === code)

type Query = Record<string, string | number | boolean | null | undefined>

/** A record as it was read: identified by its version or, if it has none, by its last update. */
export type WithEtag = { readonly version: number } | { readonly updated_at: string }

export interface RequestOptions {
  readonly query?: Query
  readonly signal?: AbortSignal
  /** The version the caller has; the server rejects with `precondition_failed` if there is a newer one. */
  readonly if_match?: WithEtag
  /** Content type of a text body; the default is JSON. */
  readonly type?: string
}

const API_PATH = '/api/v1'

/** An API URL for links the browser opens itself, e.g. an export. */
export const buildUrl = (path: string, query: Query = {}): string => {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null && value !== '') parameters.set(name, String(value))
  const text = parameters.toString()
  return `${API_PATH}${path}${text && `?${text}`}`
}

const request = async <T>(
  method: string,
  path: string,
  body: unknown,
  { query, signal, if_match, type = 'application/json' }: RequestOptions = {},
): Promise<T> => {
  // Against CSRF: the server rejects writes by cookie without this header, which a form of another site cannot send.
  const headers: Record<string, string> = { accept: 'application/json', 'x-requested-with': 'tablinum' }
  const isForm = body instanceof FormData
  if (body !== undefined && !isForm) headers['content-type'] = type // that of a form contains its boundary
  if (if_match) headers['if-match'] = computeEtag(if_match)
  // A file is sent as it is: reading a large one into memory first would block the page.
  const isRaw = body === undefined || body instanceof Blob || isForm || type !== 'application/json'
  const payload = isRaw ? (body as Blob | FormData | string | undefined) : JSON.stringify(body)
  let response: Response
  try {
    response = await fetch(buildUrl(path, query), { method, headers, signal, body: payload })
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiError(0, {})
  }
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const parsed: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text
  if (!response.ok) {
    const apiError = new ApiError(response.status, {
      request_id: response.headers.get('x-request-id') ?? undefined,
      ...(isJson && (parsed as object)),
    })
    if (response.status === 401) for (const listener of signedOutListeners) listener()
    throw apiError
  }
  return parsed as T // the server's tests check its responses against the OpenAPI document that the types come from
}

const signedOutListeners = new Set<() => void>()

/** Called on a 401 response: the session has ended. */
export const onSignedOut = (listener: () => void): void => void signedOutListeners.add(listener)

export const api = {
  get: <T>(path: string, options?: RequestOptions) => request<T>('GET', path, undefined, options),
  post: <T>(path: string, body?: unknown, options?: RequestOptions) => request<T>('POST', path, body ?? {}, options),
  put: <T>(path: string, body?: unknown, options?: RequestOptions) => request<T>('PUT', path, body, options),
  patch: <T>(path: string, body: unknown, options?: RequestOptions) => request<T>('PATCH', path, body, options),
  delete: <T = void>(path: string, options?: RequestOptions) => request<T>('DELETE', path, undefined, options),
}
