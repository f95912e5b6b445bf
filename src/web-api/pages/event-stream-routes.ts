import type { FastifyReply, FastifyRequest } from 'fastify'
import { startEventStream } from '../../platform/http/event-stream.ts'
import type { BrowserStream } from './event-broadcaster.ts'

const MAX_PENDING_BYTES = 1_000_000 // bytes; a browser that stops reading is disconnected and reconnects
/** A Postgres snapshot: the position of an interrupted stream. */
const POSITION = /^\d{1,20}:\d{1,20}:(\d{1,20}(,\d{1,20})*)?$/

/** Streams server-sent events until the client disconnects, the session or token ends, or the server shuts down. */
export const streamEvents = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
  const { ctx } = request
  const { eventBroadcaster, streams } = ctx.runtime
  await eventBroadcaster.followJobs()
  const raw = startEventStream(request.ctx, request, reply)
  raw.write('retry: 3000\n\n')
  let leave = () => {}
  const end = () => {
    leave()
    streams.delete(end)
    raw.end()
  }
  const write = (text: string) => {
    if (raw.destroyed || raw.writableEnded) return
    if (raw.writableLength > MAX_PENDING_BYTES) return void raw.destroy()
    raw.write(text)
  }
  const stream: BrowserStream = {
    actor: ctx.actor,
    reauthenticate: () => request.server.findCaller(request),
    send: (event, data, id) => write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`),
    ping: () => write(': ping\n\n'),
    end,
  }
  streams.add(end)
  raw.once('close', end)
  const missed = String(request.headers['last-event-id'] ?? '')
  const from = missed.length < 2_000 && POSITION.test(missed) ? missed : undefined
  try {
    leave = await eventBroadcaster.add(stream, from)
  } catch (error) {
    request.log.warn({ err: error, request_id: request.id }, 'event stream failed to start')
    return end() // headers are already sent; the browser reconnects by itself
  }
  if (raw.destroyed || raw.writableEnded) end() // disconnected during startup
}
