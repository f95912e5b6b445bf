import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'

const MOST_PER_USER = 50
const MOST_PER_PROCESS = 5_000

/** Limits how many event streams are open, by user and in the process: each costs memory, and a share of every event that is sent. */
export class EventStreamLimit {
  readonly #byUser = new Map<string, number>()
  #all = 0

  open(user: string, raw: ServerResponse): void {
    // Nothing would say when it is over, so it must not be counted.
    if (raw.destroyed || raw.headersSent) throw new Refusal('unavailable', 'The caller has gone.')
    const own = this.#byUser.get(user) ?? 0
    if (own >= MOST_PER_USER)
      throw new Refusal('rate_limited', `You have ${MOST_PER_USER} event streams open, which is the most. Close one and try again.`)
    if (this.#all >= MOST_PER_PROCESS)
      throw new Refusal('rate_limited', 'This server has as many event streams open as it can. Try again later.')
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

/** From here on the answer is a stream of server-sent events, written by whoever asked for it. */
export const beginEventStream = ({ runtime, actor }: Context, request: FastifyRequest, reply: FastifyReply): ServerResponse => {
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
