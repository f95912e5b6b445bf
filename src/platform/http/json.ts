import type { FastifyReply } from 'fastify'

/** Sends a value that is already serialized. The reply's type expects the record itself, hence the cast. */
export const sendJson = (
  reply: { type(type: string): unknown; send: (payload: never) => unknown },
  json: string | Buffer,
): FastifyReply => {
  reply.type('application/json; charset=utf-8')
  return reply.send(json as never) as FastifyReply
}
