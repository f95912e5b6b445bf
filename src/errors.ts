/** Every refusal the product can make, by code. The edge turns it into a status and the one error body. */
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

export type RefusalCode = keyof typeof STATUS
export type FieldErrors = Record<string, string[]>

export class Refusal extends Error {
  readonly code: RefusalCode
  readonly status: number
  readonly errors?: FieldErrors
  /** Seconds to wait, where waiting helps. */
  readonly retry_after?: number

  constructor(code: RefusalCode, detail: string, errors?: FieldErrors) {
    super(detail)
    this.name = 'Refusal'
    this.code = code
    this.status = STATUS[code]
    this.errors = errors
  }
}

export const refusalCodes = Object.keys(STATUS) as RefusalCode[]

/** Bad input. Name each field and what is wrong with it, so that the caller can act. */
export const invalid = (errors: FieldErrors, detail?: string): Refusal => {
  const [field, problems] = Object.entries(errors)[0] ?? []
  return new Refusal('validation_failed', detail ?? `${field}: ${problems?.[0]}`, errors)
}

export const notFound = (noun: string, id?: string): Refusal =>
  new Refusal('not_found', id ? `There is no ${noun} ${id}, or you may not see it.` : `There is no such ${noun}.`)

export const denied = (detail = 'You may not do this.'): Refusal => new Refusal('permission_denied', detail)

export const conflict = (detail: string, errors?: FieldErrors): Refusal => new Refusal('conflict', detail, errors)
