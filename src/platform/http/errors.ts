import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { API_ERROR_CODES, ApiError, type ApiErrorCode } from '../core/errors.ts'
import { computeEtag, hasEtag } from '../core/etag.ts'
import { ID_PATTERN } from '../core/id.ts'
import { OneOf } from '../core/schema-types.ts'
import { Translatable, translatable } from '../core/translatable.ts'
import { isDatabaseError } from '../db/database-error.ts'
import { RequestTimeoutError } from './deadline.ts'
import { ReplayedResponse } from './idempotency.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Saves its parts one by one and can be repeated without effect. */
    repeatable?: true
  }
}

/** The body of every error response. */
export const ErrorBody = Type.Object(
  {
    detail: Type.String({ description: 'A readable explanation.' }),
    code: OneOf(API_ERROR_CODES),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    translatable: Type.Optional(
      Type.Object(
        { detail: Type.Optional(Translatable), errors: Type.Optional(Type.Record(Type.String(), Type.Array(Translatable))) },
        { description: 'The same texts as templates with their values, as far as they can be translated.' },
      ),
    ),
    request_id: Type.String(),
  },
  { title: 'Error' },
)

export const addErrors = (app: FastifyInstance): void => {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (error instanceof ReplayedResponse) {
      reply.code(error.status).header('Idempotent-Replayed', 'true')
      if (error.body === '') return reply.send()
      const record: unknown = JSON.parse(error.body)
      if (hasEtag(record)) reply.header('ETag', computeEtag(record))
      return reply.type('application/json; charset=utf-8').send(error.body)
    }
    const apiError = describeTimeoutOutcome(toApiError(error), request)
    // Work that was aborted because the client disconnected is not an error of the server.
    const disconnected = reply.raw.destroyed && !reply.raw.writableFinished
    if (disconnected) logDisconnected(request)
    else if (apiError.status >= 500) request.log.error({ err: error, request_id: request.id }, apiError.code)
    return sendApiError(apiError, request, reply)
  })
  app.setNotFoundHandler((request) => {
    throw new ApiError('not_found', `Endpoint not found: ${request.method} ${request.url.split('?')[0]}.`)
  })
}

/** The only line about this request: there is no response to log. */
const logDisconnected = ({ log, id, method, url }: FastifyRequest): void =>
  log.info({ request_id: id, method, url: url.split('?')[0] }, 'The client disconnected before the response.')

export const sendApiError = (error: ApiError, request: FastifyRequest, reply: FastifyReply) => {
  const { status, code, message, errors, retry_after } = error
  reply.header('X-Request-Id', request.id)
  if (status === 401) reply.header('WWW-Authenticate', buildChallenge(request))
  if (status === 503) reply.header('Retry-After', '1')
  if (retry_after !== undefined) reply.header('Retry-After', String(retry_after))
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .send({ detail: message, code, errors, translatable: error.translatable, request_id: request.id })
}

/** Tells OAuth clients of a route where they learn how to get a token (RFC 9728). */
const buildChallenge = (request: FastifyRequest): string => {
  const resource = request.routeOptions.config?.oauth_resource?.(request)
  if (resource === undefined) return 'Bearer'
  const { origin, pathname } = new URL(resource)
  return `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource${pathname}", scope="read write"`
}

/** Says whether the writes of a timed-out request were saved. Without a transaction there were none. */
const describeTimeoutOutcome = (apiError: ApiError, { ctx, routeOptions }: FastifyRequest): ApiError => {
  if (!(apiError instanceof RequestTimeoutError)) return apiError
  const { begun = 0, committed = 0 } = ctx?.limits.transactions ?? {}
  if (committed > 0)
    return new RequestTimeoutError(
      routeOptions.config.repeatable
        ? translatable('The request timed out. Changes saved before that are kept; it is safe to retry.')
        : translatable('The request timed out. Changes saved before that are kept.'),
    )
  return begun > 0 ? new RequestTimeoutError(translatable('The request timed out and was rolled back. No changes were saved.')) : apiError
}

export const toApiError = (thrown: FastifyError): ApiError => {
  if (thrown instanceof ApiError) return thrown
  const error = { name: thrown.name, message: thrown.message, statusCode: thrown.statusCode, code: String(thrown.code ?? '') }
  if (isDatabaseError(thrown)) return fromDatabaseError(error.code)
  if (thrown.validation) return fromValidationError(thrown)
  const mapped = FASTIFY_ERRORS[error.code]
  if (mapped) return new ApiError(mapped.code, mapped.detail)
  if (error.name === 'AbortError' || error.name === 'TimeoutError' || error.code === 'ABORT_ERR') return timeoutError()
  if (error.statusCode === 400) return new ApiError('validation_failed', error.message)
  return internalError()
}

const internalError = (): ApiError =>
  new ApiError('internal_error', translatable('Internal error. Include the request_id when you report it.'))
const timeoutError = (): ApiError => new RequestTimeoutError()

/** Maps an error of Tablinum's own database, by SQLSTATE or connection error code. */
const fromDatabaseError = (code: string): ApiError => {
  const unavailable = Object.entries(UNAVAILABLE_STATES).find(([codes]) => new RegExp(`^(?:${codes})$`).test(code))
  if (unavailable) return new ApiError('unavailable', translatable('{problem} Please try again.', { problem: unavailable[1] }))
  if (TIMEOUT_STATES.has(code)) return timeoutError()
  if (UNSTORABLE_STATES.has(code))
    return new ApiError('validation_failed', 'The request contains a value that cannot be stored or compared.')
  return internalError()
}

const UNAVAILABLE_STATES: Readonly<Record<string, Translatable>> = {
  'ECONN.*|ENOENT|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|CONNECT.*|57P0.|08...|53300': translatable(
    'The database is currently unreachable.',
  ),
  '25006': translatable('The database is currently read-only.'),
  '53100': translatable('The database has run out of disk space.'),
  '53200|53000|53400': translatable('The database has run out of resources.'),
  // After several attempts: many requests change the same few records.
  '40P01|40001': translatable('Other changes of the same records are being saved.'),
}
const TIMEOUT_STATES = new Set(['57014', '55P03'])
/** Characters Postgres cannot store can only come from the caller. Other data errors are bugs, because values are checked before they are sent. */
const UNSTORABLE_STATES = new Set(['22021', '22P05'])

const FASTIFY_ERRORS: Record<string, { code: ApiErrorCode; detail: string | Translatable }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'payload_too_large', detail: translatable('The request body is too large.') },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', detail: 'Send JSON with Content-Type: application/json.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'malformed_json', detail: 'The length of the body does not match Content-Length.' },
  FST_ERR_BAD_URL: { code: 'validation_failed', detail: 'The URL cannot be decoded.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', detail: 'Not found: the URL path is too long.' },
}

const PAGING = ['page', 'page_size', 'cursor']

const fromValidationError = (error: FastifyError): ApiError => {
  const errors: Record<string, (string | Translatable)[]> = {}
  for (const { keyword, instancePath, params, message = 'is not valid' } of error.validation ?? []) {
    const missing = (params as { missingProperty?: string }).missingProperty
    const path = [...instancePath.split('/').filter(Boolean), ...(missing ? [missing] : [])]
    const field =
      path
        .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
        .join('')
        .replace(/^\./, '') ||
      (error.validationContext ?? 'body')
    errors[field] = [...(errors[field] ?? []), describeViolation(keyword, params, message)]
  }
  const [field = '', [problem = ''] = []] = Object.entries(errors)[0] ?? []
  const code = error.validationContext === 'querystring' && PAGING.includes(field) ? 'invalid_page' : 'validation_failed'
  const detail = typeof problem === 'string' ? `${field}: ${problem}.` : translatable('{field}: {problem}.', { field, problem })
  return new ApiError(code, detail, errors)
}

/** What a value does not fulfil, in the words of the validator unless a form of the web app can show it. */
export const describeViolation = (keyword: string, params: unknown, message: string): string | Translatable => {
  const { allowedValues, limit, pattern } = params as { allowedValues?: unknown[]; limit?: number; pattern?: string }
  if (allowedValues) return translatable('must be one of {values}', { values: allowedValues.filter((value) => value !== null).join(', ') })
  if (pattern === ID_PATTERN) return translatable('must be a UUID')
  if (keyword === 'required') return translatable('is required')
  if ((keyword === 'minLength' || keyword === 'minItems') && limit === 1) return translatable('must not be empty')
  if (keyword === 'minLength') return translatable('must have at least {limit} characters', { limit: limit! })
  if (keyword === 'maxLength') return translatable('must have at most {limit} characters', { limit: limit! })
  if (keyword === 'minimum') return translatable('must be at least {limit}', { limit: limit! })
  if (keyword === 'maximum') return translatable('must be at most {limit}', { limit: limit! })
  return message
}
