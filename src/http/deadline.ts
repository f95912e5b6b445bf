import type { FastifyReply } from 'fastify'
import type { AbortableQueryOptions } from 'kysely'
import { Refusal } from '../errors.ts'

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
    this.#until = performance.now() + timeoutMs
  }

  get signal(): AbortSignal {
    this.#signal ??= deadline(this.#reply, this.#until - performance.now())
    return this.#signal
  }
}

export class TimedOut extends Refusal {
  constructor(detail = 'The request timed out and was cancelled.') {
    super('unavailable', detail)
  }
}

const deadline = ({ raw }: FastifyReply, timeoutMs: number): AbortSignal => {
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
