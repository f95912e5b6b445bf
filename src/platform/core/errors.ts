import { formatText, type Translatable, translatable } from './translatable.ts'

/** Every error code of the API with its HTTP status. The HTTP layer turns an error into the one error body (http/errors.ts). */
const STATUS = {
  validation_failed: 400,
  malformed_json: 400,
  invalid_filter: 400,
  invalid_sort: 400,
  invalid_page: 400,
  window_exceeded: 400,
  too_many_entities: 400,
  sql_unparsable: 400,
  unauthenticated: 401,
  permission_denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
} as const

export type ApiErrorCode = keyof typeof STATUS
export type FieldErrors = Record<string, string[]>
type FieldTexts = Record<string, readonly (string | Translatable)[]>

export class ApiError extends Error {
  readonly code: ApiErrorCode
  readonly status: number
  readonly errors?: FieldErrors
  /** The detail and the errors of fields, as far as they can be translated. */
  readonly translatable?: { readonly detail?: Translatable; readonly errors?: Record<string, Translatable[]> }
  /** Seconds to wait before a retry, if a retry can succeed. */
  readonly retry_after?: number

  constructor(code: ApiErrorCode, detail: string | Translatable, errors?: FieldTexts) {
    super(formatText(detail))
    this.name = 'ApiError'
    this.code = code
    this.status = STATUS[code]
    this.errors = errors && mapFields(errors, (texts) => texts.map(formatText))
    const fields = Object.entries(errors ?? {}).filter(([, texts]) => texts.every(isTranslatable))
    if (isTranslatable(detail) || fields.length > 0)
      this.translatable = {
        ...(isTranslatable(detail) && { detail }),
        ...(fields.length > 0 && { errors: Object.fromEntries(fields) as Record<string, Translatable[]> }),
      }
  }
}

const isTranslatable = (text: string | Translatable): text is Translatable => typeof text !== 'string'

const mapFields = (errors: FieldTexts, map: (texts: FieldTexts[string]) => string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).map(([field, texts]) => [field, map(texts)]))

export const API_ERROR_CODES = Object.keys(STATUS) as ApiErrorCode[]

/** Invalid input: names each field and what is wrong with it, so that the caller can fix it. */
export const invalid = (errors: FieldTexts, detail?: string | Translatable): ApiError => {
  const [field = '', [problem = ''] = []] = Object.entries(errors)[0] ?? []
  return new ApiError('validation_failed', detail ?? describeProblem(field, problem), errors)
}

const describeProblem = (field: string, problem: string | Translatable): string | Translatable =>
  typeof problem === 'string' ? `${field}: ${problem}` : translatable('{field}: {problem}', { field, problem })

export const notFound = (noun: string, id?: string): ApiError =>
  new ApiError(
    'not_found',
    `${noun[0]!.toUpperCase()}${noun.slice(1)} ${id ? `${id} was not found, or you do not have access to it.` : 'not found.'}`,
  )

export const permissionDenied = (detail: string | Translatable = translatable('You do not have permission to do this.')): ApiError =>
  new ApiError('permission_denied', detail)

export const conflict = (detail: string | Translatable, errors?: FieldTexts): ApiError => new ApiError('conflict', detail, errors)
