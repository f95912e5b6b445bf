import type { FastifyReply, FastifyRequest } from 'fastify'
import { beginEventStream } from '../http/event-stream.ts'
import type { Stream } from './hub.ts'

const MOST_WAITING = 1_000_000 // bytes; a browser that reads no more is let go, and comes back
/** A snapshot as Postgres writes it: where a stream was when it broke off. */
const POSITION = /^\d{1,20}:\d{1,20}:(\d{1,20}(,\d{1,20})*)?$/

/** What happens, as server-sent events, until the caller goes, their session or token is over, or the server drains. */
export const watchAll = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const { ctx } = request
  const { hub, streams } = ctx.runtime
  await hub.followJobs(ctx)
  const raw = beginEventStream(request.ctx, request, reply)
  raw.write('retry: 3000\n\n')
  let leave = () => {}
  const end = () => {
    leave()
    streams.delete(end)
    raw.end()
  }
  const write = (text: string) => {
    if (raw.destroyed || raw.writableEnded) return
    if (raw.writableLength > MOST_WAITING) return void raw.destroy()
    raw.write(text)
  }
  const stream: Stream = {
    actor: ctx.actor,
    again: () => request.server.findCaller(request),
    send: (event, data, id) => write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    beat: () => write(': still here\n\n'),
    end,
  }
  streams.add(end)
  raw.once('close', end)
  const missed = String(request.headers['last-event-id'] ?? '')
  const from = missed.length < 2_000 && POSITION.test(missed) ? missed : undefined
  try {
    leave = await hub.add(ctx, stream, from)
  } catch (error) {
    request.log.warn({ err: error, request_id: request.id }, 'a stream that did not begin')
    return end() // the answer has begun: the browser comes back by itself
  }
  if (raw.destroyed || raw.writableEnded) end() // it went while we began
}
