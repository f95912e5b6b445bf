import type { FastifyReply } from 'fastify'
import { Refusal } from '../errors.ts'

/** Aborts when the client disconnects before the response is complete. */
export const gone = (reply: FastifyReply): AbortSignal => {
  const controller = new AbortController()
  const leave = () => {
    if (!reply.raw.writableFinished) controller.abort(new Refusal('unavailable', 'The client disconnected.'))
  }
  if (reply.raw.destroyed) leave()
  else reply.raw.once('close', leave)
  return controller.signal
}
