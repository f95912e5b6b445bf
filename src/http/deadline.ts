import type { FastifyInstance, FastifyReply } from 'fastify'
import type { AbortableQueryOptions } from 'kysely'
import { Refusal } from '../errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** May take longer than other requests: files in and out. */
    long?: true
  }
  interface FastifyRequest {
    deadline: NodeJS.Timeout | undefined
  }
}

/**
 * Every request is answered in time, whatever it waits for: the handler may hang in a database that does not answer, even before it is known
 * who asks. Streams that have begun, and routes that move files, take their time.
 */
export const addDeadline = (app: FastifyInstance, timeoutMs: number): void => {
  app.decorateRequest('deadline', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { large_body, long } = request.routeOptions.config
    if (!large_body && !long) request.deadline = setTimeout(giveUp, timeoutMs + GRACE_MS, reply, timeoutMs)
    done()
  })
  app.addHook('onResponse', (request, _, done) => {
    clearTimeout(request.deadline)
    done()
  })
}

/** Most handlers hear of the limit themselves, undo what they did, and say so. */
const GRACE_MS = 500

const giveUp = (reply: FastifyReply, timeoutMs: number): void => {
  if (reply.sent || reply.raw.headersSent) return
  reply.send(
    new Refusal(
      'unavailable',
      `There was no answer within ${timeoutMs / 1000} s. What was asked may still have been done: look before you repeat it, or repeat it with the same Idempotency-Key.`,
    ),
  )
}

/**
 * What slow work of a request is held to. The signal fires when the request has taken too long or its caller has gone (Fastify's own
 * `request.signal` fires as soon as a body has been read to its end). It is made when somebody asks for it: most requests are over before.
 * A class, because V8 makes the getter of an object literal among its old objects, and would keep every request until it goes through all.
 */
export class Limits implements AbortableQueryOptions {
  readonly inflightQueryAbortStrategy = 'cancel query'
  readonly #reply: FastifyReply
  readonly #until: number
  #signal: AbortSignal | undefined
  /** What `inTransaction` began and committed for this request: an error then says no more than what is true of it. */
  readonly transactions = { begun: 0, committed: 0 }

  constructor(reply: FastifyReply, timeoutMs: number) {
    this.#reply = reply
    this.#until = performance.now() + timeoutMs - reply.elapsedTime // from the beginning of the request, as its deadline
  }

  get signal(): AbortSignal {
    this.#signal ??= signalOf(this.#reply, this.#until - performance.now())
    return this.#signal
  }
}

export class TimedOut extends Refusal {
  constructor(detail = 'The request timed out and was cancelled.') {
    super('unavailable', detail)
  }
}

const signalOf = ({ raw }: FastifyReply, timeoutMs: number): AbortSignal => {
  const controller = new AbortController()
  const tooLong = () => controller.abort(new TimedOut())
  const gone = () => controller.abort(new Refusal('unavailable', 'The caller has gone.'))
  if (raw.destroyed && !raw.writableFinished) gone()
  if (timeoutMs <= 0) tooLong()
  if (controller.signal.aborted) return controller.signal
  const timer = setTimeout(tooLong, timeoutMs)
  raw.once('close', () => {
    clearTimeout(timer)
    if (!raw.writableFinished) gone()
  })
  return controller.signal
}
