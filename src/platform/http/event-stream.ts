import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context/context.ts'
import { ApiError } from '../core/errors.ts'

declare module '../context/runtime.ts' {
  interface Runtime {
    /** At most 50 event streams per user and 5,000 per process. */
    readonly eventStreamLimit: EventStreamLimit
  }
}

const MAX_STREAMS_PER_USER = 50
const MAX_STREAMS_PER_PROCESS = 5_000

/** Limits the open event streams per user and per process: each costs memory and work for every event. */
export class EventStreamLimit {
  readonly #byUser = new Map<string, number>()
  #all = 0

  open(user: string, raw: ServerResponse): void {
    // A closed connection emits no `close` event any more, so it would be counted forever.
    if (raw.destroyed || raw.headersSent) throw new ApiError('unavailable', 'The client disconnected.')
    const own = this.#byUser.get(user) ?? 0
    if (own >= MAX_STREAMS_PER_USER)
      throw new ApiError(
        'rate_limited',
        `You have reached the limit of ${MAX_STREAMS_PER_USER} open event streams. Close one and try again.`,
      )
    if (this.#all >= MAX_STREAMS_PER_PROCESS)
      throw new ApiError('rate_limited', 'This server has reached its limit of open event streams. Try again later.')
    this.#byUser.set(user, own + 1)
    this.#all += 1
    raw.once('close', () => {
      const left = this.#byUser.get(user)! - 1
      if (left === 0) this.#byUser.delete(user)
      else this.#byUser.set(user, left)
      this.#all -= 1
    })
  }
}

/** Turns the response into a stream of server-sent events, written by the caller of this function. */
export const startEventStream = ({ runtime, actor }: Context, request: FastifyRequest, reply: FastifyReply): ServerResponse => {
  runtime.eventStreamLimit.open(actor.user_id ?? '', reply.raw)
  reply.hijack()
  reply.raw.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': request.id,
  })
  return reply.raw
}
