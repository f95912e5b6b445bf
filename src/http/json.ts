import type { FastifyReply } from 'fastify'

/** Sends text that is JSON already. The reply's type wants the record the text holds, hence the cast. */
export const sendJson = (reply: { type(type: string): unknown; send: (payload: never) => unknown }, text: string): FastifyReply => {
  reply.type('application/json; charset=utf-8')
  return reply.send(text as never) as FastifyReply
}
