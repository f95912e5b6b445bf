import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findActors } from '../access/actors.ts'
import { type Actor, mustBeAble, type Permission } from '../access/permissions.ts'
import { noteTokenUse } from '../access/token-use.ts'
import { hashOf } from '../access/tokens.ts'
import type { Context, Once } from '../context.ts'
import { batched } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { Refusal } from '../errors.ts'
import type { Memory } from '../memory.ts'
import { deadline } from './deadline.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the caller must be able to do, or 'public'. A route without one does not start. */
    permission?: Permission | 'public'
  }
  interface FastifyRequest {
    ctx: Context
  }
}

export interface AuthOptions {
  readonly db: Db
  readonly memory: Memory
  readonly workspace_id: string
  readonly now: () => Date
  readonly timeoutMs: number
}

/** Every request gets its context here: who asks, and whether this door is theirs. Default is deny. */
export const addAuth = (app: FastifyInstance, { db, memory, workspace_id, now, timeoutMs }: AuthOptions): void => {
  const actorOf = batched((hashes: string[]) => findActors(db, hashes, now()))

  app.addHook('onRoute', ({ config, method, url }) => {
    if (!config?.permission) throw new Error(`${method} ${url} has no permission: say who may use it.`)
  })
  app.decorateRequest('ctx')
  app.addHook('onRequest', async (request, reply) => {
    const { permission } = request.routeOptions.config
    if (permission === 'public') return
    const actor = await authenticate(request, actorOf)
    request.ctx = {
      db,
      memory,
      workspace_id,
      actor,
      now: now(),
      limits: { signal: deadline(reply, timeoutMs), inflightQueryAbortStrategy: 'cancel query' },
      if_match: request.headers['if-match'],
    }
    noteTokenUse(request.ctx)
    // Unknown paths come here too: known callers then hear "not found", strangers nothing at all.
    if (permission) mustBeAble(actor, permission)
  })
}

const authenticate = async (request: FastifyRequest, actorOf: (hash: string) => Promise<Actor | undefined>): Promise<Actor> => {
  const [, token] = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  const actor = token && (await actorOf(hashOf(token).toString('hex')))
  if (actor) return actor
  throw new Refusal(
    'unauthenticated',
    request.headers.authorization ? 'This token is not known, has expired or was revoked.' : 'Send a token: Authorization: Bearer tbl_…',
  )
}

/** The caller's Idempotency-Key, bound to what was asked. */
export const onceOf = (request: FastifyRequest, status: number): Once | undefined => {
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || key === undefined) return undefined
  if (typeof key !== 'string' || key.length === 0 || key.length > 255)
    throw new Refusal('validation_failed', 'Idempotency-Key: 1 to 255 characters.')
  return { key, status, request_hash: hashOf(`${request.url}\n${JSON.stringify(request.body ?? null)}`) }
}
