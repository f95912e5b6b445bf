import type { FastifyReply } from 'fastify'
import { addWarning } from './validate.ts'

const SINCE = '@1767225600' // 2026-01-01, as RFC 9745 writes a date

/** A deprecated door works, and says what to use instead. */
export const deprecate = (reply: FastifyReply, filter: object): void => {
  const text = JSON.stringify(filter)
  reply.header('Deprecation', SINCE)
  reply.header('Link', `</api/v1/resource/catalog?filter=${encodeURIComponent(text)}>; rel="successor-version"`)
  addWarning(reply, `299 - "use GET /api/v1/resource/catalog with filter ${text.replaceAll('"', "'")}"`)
}
