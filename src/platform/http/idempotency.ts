import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { sql } from 'kysely'
import { hashToken } from '../authentication/token-hash.ts'
import { type Context, inTransaction } from '../context/context.ts'
import { ApiError, conflict } from '../core/errors.ts'
import { computeEtag, hasEtag } from '../core/etag.ts'
import { newId } from '../core/id.ts'

/**
 * How a POST route supports an `Idempotency-Key`.
 * - `transaction`: the handler is one transaction, which also stores the response, so it is executed exactly once.
 * - `record`: the handler does slow or remote work, which must not hold a transaction open. The key is claimed before and the response stored
 *   after; if the process dies in between, the claim expires a minute after the request's time limit and the key can be used again.
 * - `streamed`: the handler reads the body itself and runs its transaction with `idempotentTransaction` once it knows the body.
 * - `none`: the handler changes nothing, or its caller is not authenticated.
 */
export type Idempotency = 'transaction' | 'record' | 'streamed' | 'none'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a POST route: default `transaction`, `none` for public routes. */
    idempotency?: Idempotency
    /** Fields of the response that are returned once and never stored: a replay does not contain them. */
    shown_once?: readonly string[]
  }
}

/** Thrown if a request with this key already has a response: the error handler sends it again. */
export class ReplayedResponse extends Error {
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super('This request already has a response.')
    this.status = status
    this.body = body
  }
}

class KeyInProgressError extends ApiError {
  override readonly retry_after: number = 1

  constructor() {
    super('conflict', 'A request with this Idempotency-Key is still in progress. Try again in a moment.')
  }
}

export const getIdempotency = (config: { permission?: string; idempotency?: Idempotency } | undefined): Idempotency =>
  config?.idempotency ?? (config?.permission === 'public' ? 'none' : 'transaction')

/** Wraps every POST handler. Without the header nothing changes. */
export const addIdempotency = (app: FastifyInstance, { timeoutMs }: { timeoutMs: number }): void => {
  app.addHook('onRoute', (route) => {
    const mode = getIdempotency(route.config)
    if (route.method !== 'POST' || mode === 'none') return
    const { handler } = route
    const wrapped: RouteHandlerMethod = async function (request, reply) {
      const key = parseIdempotencyKey(request)
      if (!key || mode === 'streamed') return handler.call(this, request, reply)
      const run = () => captureResponse(reply, (held) => handler.call(this, request, held), route.config?.shown_once)
      const { ctx } = request
      const response =
        mode === 'record'
          ? await runWithClaim(ctx, key, run, {
              claimMs: timeoutMs + CLAIM_SLACK_MS,
              onError: (error) =>
                request.log.warn({ err: error, request_id: request.id }, 'Failed to store the response of an Idempotency-Key'),
            })
          : await runWithKeyLock(ctx, key, (inner) => {
              request.ctx = inner
              return run()
            }).finally(() => {
              request.ctx = ctx
            })
      if (hasEtag(response.payload)) reply.header('ETag', computeEtag(response.payload))
      if (response.text === '') return reply.send()
      return reply.type(JSON_TYPE).send(response.text)
    }
    route.handler = wrapped
  })
}

const CLAIM_SLACK_MS = 60_000
const JSON_TYPE = 'application/json; charset=utf-8'

/** The transaction of a handler that reads its body itself: `inTransaction`, which also stores the response under the key. */
export const idempotentTransaction = (request: FastifyRequest, request_hash: Buffer, status = 200): typeof inTransaction => {
  const key = parseIdempotencyKey(request)
  if (!key) return inTransaction
  return async (ctx, work) => {
    const { result } = await runWithKeyLock(ctx, { ...key, request_hash }, async (ctx) => {
      const result = await work(ctx)
      return { result, status, stored: JSON.stringify(result) }
    })
    return result
  }
}

interface IdempotencyKey {
  readonly user_id: string
  readonly key: string
  readonly request_hash: Buffer
}

const MAX_KEY_LENGTH = 255

const parseIdempotencyKey = (request: FastifyRequest): IdempotencyKey | undefined => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY_LENGTH)
    throw new ApiError('validation_failed', `Idempotency-Key must have 1 to ${MAX_KEY_LENGTH} characters.`)
  // A trailing slash does not change the path.
  const url = request.url.replace(/\/(?=$|\?)/, '')
  const { user_id } = request.ctx.actor
  return user_id === null ? undefined : { user_id, key, request_hash: hashToken(`${url}\n${toText(request.body)}`) }
}

/** A route that takes bytes hashes them itself (`idempotentTransaction`). */
const toText = (body: unknown): string => (Buffer.isBuffer(body) ? '' : JSON.stringify(body ?? null))

interface StoredResponse {
  readonly status: number
  readonly stored: string
}

interface CapturedResponse extends StoredResponse {
  readonly payload: unknown
  readonly text: string
}

/** Runs a handler and buffers its response: nothing may be sent before the commit. */
const captureResponse = async (
  reply: FastifyReply,
  handler: (reply: FastifyReply) => unknown,
  secret: readonly string[] = [],
): Promise<CapturedResponse> => {
  let sent: { payload: unknown } | undefined
  const code = (status: number) => {
    reply.code(status)
    return held
  }
  const send = (payload: unknown) => {
    sent = { payload }
    return held
  }
  // A reply is thenable and would be awaited here until it is sent.
  // biome-ignore lint/suspicious/noThenProperty: removes the promise
  const held: FastifyReply = Object.assign(Object.create(reply), { code, status: code, send, then: undefined })
  const returned = await handler(held)
  const payload = sent ? sent.payload : returned
  return { payload, text: toBodyText(payload), status: reply.statusCode, stored: toBodyText(omitFields(payload, secret)) }
}

const toBodyText = (payload: unknown): string => {
  if (payload === null || payload === undefined) return ''
  return typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.toString() : JSON.stringify(payload)
}

const omitFields = (payload: unknown, fields: readonly string[]): unknown =>
  fields.length === 0 ? payload : Object.fromEntries(Object.entries(payload as object).filter(([name]) => !fields.includes(name)))

/** Of two concurrent requests with the same key, the second waits without holding a connection and then returns the first one's response. */
const runWithKeyLock = async <T extends StoredResponse>(
  ctx: Context,
  key: IdempotencyKey,
  work: (ctx: Context) => Promise<T>,
): Promise<T> => {
  for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await runInKeyTransaction(ctx, key, work)
    } catch (error) {
      if (!(error instanceof KeyLockedError)) throw error
      ctx.limits.signal?.throwIfAborted()
      await sleep(pauseMs)
    }
  }
}

const MAX_PAUSE_MS = 500

/** Another request with this key is running. */
class KeyLockedError extends Error {}

const runInKeyTransaction = <T extends StoredResponse>(ctx: Context, key: IdempotencyKey, work: (ctx: Context) => Promise<T>): Promise<T> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`${key.user_id} ${key.key}`}, 0)) as locked
    `.execute(ctx.db, ctx.limits)
    if (!rows[0]!.locked) throw new KeyLockedError()
    await assertKeyUnused(ctx, key)
    const response = await work(ctx)
    const row = {
      request_hash: key.request_hash,
      status: response.status,
      body: response.stored,
      created_at: ctx.now,
      claim: null,
      claimed_until: null,
    }
    await ctx.db
      .insertInto('idempotency_responses')
      .values({ user_id: key.user_id, key: key.key, ...row })
      .onConflict((c) => c.columns(['user_id', 'key']).doUpdateSet(row))
      .execute()
    return response
  })

interface ClaimOptions {
  readonly claimMs: number
  readonly onError: (error: unknown) => void
}

const runWithClaim = async <T extends StoredResponse>(
  ctx: Context,
  key: IdempotencyKey,
  work: () => Promise<T>,
  { claimMs, onError }: ClaimOptions,
): Promise<T> => {
  const claim = await claimKey(ctx, key, claimMs)
  const ownClaim = sql`user_id = ${key.user_id} and key = ${key.key} and claim = ${claim}`
  let response: T
  try {
    response = await work()
  } catch (error) {
    // A failed request does not use up the key.
    await sql`delete from idempotency_responses where ${ownClaim}`.execute(ctx.db).catch(onError)
    throw error
  }
  // The work is done: the caller gets the response even if it cannot be stored.
  await sql`
    update idempotency_responses set status = ${response.status}, body = ${response.stored}, claim = null, claimed_until = null where ${ownClaim}
  `
    .execute(ctx.db)
    .catch(onError)
  return response
}

const claimKey = async (ctx: Context, key: IdempotencyKey, claimMs: number): Promise<string> => {
  const claim = newId()
  const { rows } = await sql`
    insert into idempotency_responses as a (user_id, key, request_hash, created_at, claim, claimed_until)
    values (${key.user_id}, ${key.key}, ${key.request_hash}, ${ctx.now}::timestamptz, ${claim}, clock_timestamp() + make_interval(secs => ${claimMs / 1000}))
    on conflict (user_id, key) do update set request_hash = excluded.request_hash, status = null, body = null, created_at = excluded.created_at,
      claim = excluded.claim, claimed_until = excluded.claimed_until
    where a.created_at <= ${oneDayAgo(ctx)}::timestamptz or (a.status is null and a.claimed_until <= clock_timestamp())
    returning a.claim
  `.execute(ctx.db)
  if (rows.length > 0) return claim
  await assertKeyUnused(ctx, key)
  throw new KeyInProgressError() // released just now: the caller can retry
}

const assertKeyUnused = async (ctx: Context, key: IdempotencyKey): Promise<void> => {
  const { rows } = await sql<{ request_hash: Buffer; status: number | null; body: string | null }>`
    select request_hash, status, body from idempotency_responses
    where user_id = ${key.user_id} and key = ${key.key} and created_at > ${oneDayAgo(ctx)}::timestamptz
      and (status is not null or claimed_until > clock_timestamp())
  `.execute(ctx.db)
  const [earlier] = rows
  if (!earlier) return
  if (!earlier.request_hash.equals(key.request_hash))
    throw conflict('This Idempotency-Key was already used for a different request. Send a new key.')
  if (earlier.status === null) throw new KeyInProgressError()
  throw new ReplayedResponse(earlier.status, earlier.body ?? '')
}

const oneDayAgo = ({ now }: Context): Date => new Date(now.getTime() - 24 * 3_600_000)
