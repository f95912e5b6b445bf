import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** From here on the answer is a stream of server-sent events, written by whoever asked for it. */
export const beginEventStream = (request: FastifyRequest, reply: FastifyReply): ServerResponse => {
  reply.hijack()
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  })
  return reply.raw
}
