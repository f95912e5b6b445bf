import type { FastifyReply } from 'fastify'
import { ApiError } from '../../platform/core/errors.ts'

/** Aborts when the client disconnects before the response is complete. */
export const createDisconnectSignal = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  const abort = () => {
    if (!reply.raw.writableFinished) controller.abort(new ApiError('unavailable', 'The client disconnected.'))
  }
  if (reply.raw.destroyed) abort()
  else reply.raw.once('close', abort)
  return controller.signal
}
