import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Limits } from '../context/context.ts'
import { ApiError } from '../core/errors.ts'
import { translatable } from '../core/translatable.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** May take longer than other requests: file uploads and downloads. */
    long?: true
  }
  interface FastifyRequest {
    deadline: NodeJS.Timeout | undefined
  }
}

/**
 * Every request gets a response in time, even if its handler or its authentication hangs in an unresponsive database. Streams that have
 * started and routes that transfer files are exempt.
 */
export const addDeadline = (app: FastifyInstance, timeoutMs: number): void => {
  app.decorateRequest('deadline', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { large_body, long } = request.routeOptions.config
    if (!large_body && !long) request.deadline = setTimeout(sendTimeout, timeoutMs + GRACE_MS, reply, timeoutMs)
    done()
  })
  app.addHook('onResponse', (request, _, done) => {
    clearTimeout(request.deadline)
    done()
  })
}

/** Most handlers detect the timeout themselves, cancel their statement over a connection of its own, roll back and report what was saved. */
const GRACE_MS = 2_000

const sendTimeout = (reply: FastifyReply, timeoutMs: number): void => {
  if (reply.sent || reply.raw.headersSent) return
  const seconds = timeoutMs / 1000
  const reads = ['GET', 'HEAD'].includes(reply.request.method)
  reply.send(
    new ApiError(
      'unavailable',
      reads
        ? translatable('The request timed out after {seconds} s. Please try again.', { seconds })
        : translatable(
            'The request timed out after {seconds} s. Its changes may still have been saved: check before you retry, or retry with the same Idempotency-Key.',
            { seconds },
          ),
    ),
  )
}

/**
 * Limits for slow work of a request. The signal aborts when the request has timed out or its caller has disconnected (Fastify's own
 * `request.signal` aborts as soon as the body has been read). It is created on first use, because most requests never need it.
 * A class, because V8 allocates the getter of an object literal in the old generation, which would retain every request until a full collection.
 */
export class RequestLimits implements Limits {
  readonly inflightQueryAbortStrategy = 'cancel query'
  readonly #reply: FastifyReply
  readonly #until: number
  #signal: AbortSignal | undefined
  /** Transactions that `inTransaction` started and committed for this request, so that an error can say what was saved. */
  readonly transactions = { begun: 0, committed: 0 }

  constructor(reply: FastifyReply, timeoutMs: number) {
    this.#reply = reply
    this.#until = performance.now() + timeoutMs - reply.elapsedTime // measured from the start of the request, like its deadline
  }

  isOver(): boolean {
    return this.#signal?.aborted || hasDisconnected(this.#reply) || performance.now() >= this.#until
  }

  get signal(): AbortSignal {
    this.#signal ??= createSignal(this.#reply, this.#until - performance.now())
    return this.#signal
  }
}

export class RequestTimeoutError extends ApiError {
  constructor(detail = translatable('The request timed out and was cancelled.')) {
    super('unavailable', detail)
  }
}

const hasDisconnected = ({ raw }: FastifyReply): boolean => raw.destroyed && !raw.writableFinished

const createSignal = (reply: FastifyReply, timeoutMs: number): AbortSignal => {
  const { raw } = reply
  const controller = new AbortController()
  const onTimeout = () => controller.abort(new RequestTimeoutError())
  const onDisconnect = () => controller.abort(new ApiError('unavailable', 'The client disconnected.'))
  if (hasDisconnected(reply)) onDisconnect()
  if (timeoutMs <= 0) onTimeout()
  if (controller.signal.aborted) return controller.signal
  const timer = setTimeout(onTimeout, timeoutMs)
  raw.once('close', () => {
    clearTimeout(timer)
    if (!raw.writableFinished) onDisconnect()
  })
  return controller.signal
}
