import type { FastifyReply } from 'fastify'
import { Refusal } from '../errors.ts'

/**
 * A signal that fires when the request has taken too long or its caller has gone. (Fastify's own `request.signal` fires as soon as
 * a body has been read to its end.)
 */
export const deadline = (reply: FastifyReply, timeoutMs: number): AbortSignal => {
  const controller = new AbortController()
  const timer = setTimeout(
    () => controller.abort(new Refusal('unavailable', 'This took too long and was given up. Nothing was changed.')),
    timeoutMs,
  )
  reply.raw.once('close', () => {
    clearTimeout(timer)
    if (!reply.raw.writableFinished) controller.abort(new Refusal('unavailable', 'The caller has gone.'))
  })
  return controller.signal
}
