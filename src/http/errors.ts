import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { CONNECTION_FAILED } from '../db/driver.ts'
import { type FieldErrors, Refusal, type RefusalCode, refusalCodes } from '../errors.ts'
import { etagOf, hasEtag } from '../etag.ts'
import { OneOf } from '../wire.ts'
import { TimedOut } from './deadline.ts'
import { ReplayedAnswer } from './idempotency.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Saves its parts one by one, and the same again changes nothing. */
    repeatable?: true
  }
}

/** One shape for every error, on every path. */
export const ErrorBody = Type.Object(
  {
    detail: Type.String({ description: 'A sentence for people.' }),
    code: OneOf(refusalCodes),
    errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
    request_id: Type.String(),
  },
  { title: 'Error' },
)

export const addErrors = (app: FastifyInstance): void => {
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    if (error instanceof ReplayedAnswer) {
      reply.code(error.status).header('Idempotent-Replayed', 'true')
      if (error.body === '') return reply.send()
      const record: unknown = JSON.parse(error.body)
      if (hasEtag(record)) reply.header('ETag', etagOf(record))
      return reply.type('application/json; charset=utf-8').send(error.body)
    }
    const refusal = withOutcome(toRefusal(error), request)
    if (refusal.status >= 500) request.log.error({ err: error, request_id: request.id }, refusal.code)
    return sendRefusal(refusal, request, reply)
  })
  app.setNotFoundHandler((request) => {
    throw new Refusal('not_found', `There is nothing at ${request.method} ${request.url.split('?')[0]}.`)
  })
}

export const sendRefusal = ({ status, code, message, errors, retry_after }: Refusal, request: FastifyRequest, reply: FastifyReply) => {
  reply.header('X-Request-Id', request.id)
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer')
  if (status === 503) reply.header('Retry-After', '1')
  if (retry_after !== undefined) reply.header('Retry-After', String(retry_after))
  return reply.code(status).type('application/json; charset=utf-8').send({ detail: message, code, errors, request_id: request.id })
}

/** What became of the writes of a request that timed out. Without a transaction it had not come to them, or has none. */
const withOutcome = (refusal: Refusal, { ctx, routeOptions }: FastifyRequest): Refusal => {
  if (!(refusal instanceof TimedOut)) return refusal
  const { begun = 0, committed = 0 } = ctx?.limits.transactions ?? {}
  if (committed > 0)
    return new TimedOut(
      `The request timed out. What it had saved by then stays saved${routeOptions.config.repeatable ? '; it is safe to send it again' : ''}.`,
    )
  return begun > 0 ? new TimedOut('The request timed out and was rolled back. Nothing was changed.') : refusal
}

export const toRefusal = (thrown: FastifyError): Refusal => {
  if (thrown instanceof Refusal) return thrown
  const error = { name: thrown.name, message: thrown.message, statusCode: thrown.statusCode, code: String(thrown.code ?? '') }
  if (thrown.validation) return invalidInput(thrown)
  const known = FASTIFY[error.code]
  if (known) return new Refusal(known.code, known.detail)
  if (isAway(error)) return new Refusal('unavailable', 'The database cannot be reached right now. Please try again.')
  if (TOO_SLOW.has(error.code) || error.name === 'AbortError' || error.name === 'TimeoutError') return new TimedOut()
  if (UNSTORABLE.has(error.code)) return new Refusal('validation_failed', 'The request holds a value that cannot be stored or compared.')
  if (error.statusCode === 400) return new Refusal('validation_failed', error.message)
  return new Refusal('internal_error', 'Something went wrong on our side. The request id helps to find it in the log.')
}

const FASTIFY: Record<string, { code: RefusalCode; detail: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { code: 'payload_too_large', detail: 'The body is too large.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: 'unsupported_media_type', detail: 'Send JSON with Content-Type: application/json.' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: 'malformed_json', detail: 'The body is not as long as Content-Length says.' },
  FST_ERR_BAD_URL: { code: 'validation_failed', detail: 'The address cannot be decoded.' },
  FST_ERR_MAX_PARAM_LENGTH: { code: 'not_found', detail: 'There is no such thing: the address is longer than any of ours.' },
}

const PAGING = ['page', 'page_size', 'cursor']

const invalidInput = (error: FastifyError): Refusal => {
  const errors: FieldErrors = {}
  for (const { instancePath, params, message = 'is not valid' } of error.validation ?? []) {
    const missing = (params as { missingProperty?: string }).missingProperty
    const path = [...instancePath.split('/').filter(Boolean), ...(missing ? [missing] : [])]
    const field =
      path
        .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
        .join('')
        .replace(/^\./, '') ||
      (error.validationContext ?? 'body')
    const allowed = (params as { allowedValues?: unknown[] }).allowedValues
    errors[field] = [
      ...(errors[field] ?? []),
      allowed ? `must be one of ${allowed.filter((value) => value !== null).join(', ')}` : missing ? 'is required' : message,
    ]
  }
  const [field = '', problems] = Object.entries(errors)[0] ?? []
  const code = error.validationContext === 'querystring' && PAGING.includes(field) ? 'invalid_page' : 'validation_failed'
  return new Refusal(code, `${field}: ${problems?.[0]}.`, errors)
}

const AWAY = new Set([
  CONNECTION_FAILED,
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  '57P01',
  '57P02',
  '57P03',
  '53300',
])
const isAway = ({ code }: { code: string }): boolean => AWAY.has(code) || /^08...$/.test(code)
const TOO_SLOW = new Set(['57014', 'ABORT_ERR', '55P03'])
/** Text that is no such value, or out of its range: it can only have come from the caller. */
const UNSTORABLE = new Set(['22021', '22P05', '22P02', '22003', '22007', '22008', '22009'])
