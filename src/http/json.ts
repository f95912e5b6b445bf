import type { FastifyReply } from 'fastify'

/** Sends what is JSON already. The reply's type wants the record it holds, hence the cast. */
export const sendJson = (
  reply: { type(type: string): unknown; send: (payload: never) => unknown },
  json: string | Buffer,
): FastifyReply => {
  reply.type('application/json; charset=utf-8')
  return reply.send(json as never) as FastifyReply
}
