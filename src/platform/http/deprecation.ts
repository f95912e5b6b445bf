import type { FastifyReply } from 'fastify'
import { addWarning } from './validate.ts'

const SINCE = '@1767225600' // 2026-01-01 in the format of RFC 9745

/** Marks the response of a deprecated route and names its successor. */
export const deprecate = (reply: FastifyReply, filter: object): void => {
  const text = JSON.stringify(filter)
  reply.header('Deprecation', SINCE)
  reply.header('Link', `</api/v1/resource/catalog?filter=${encodeURIComponent(text)}>; rel="successor-version"`)
  addWarning(reply, `299 - "use GET /api/v1/resource/catalog with filter ${text.replaceAll('"', "'")}"`)
}
