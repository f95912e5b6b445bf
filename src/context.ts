import { type AbortableQueryOptions, sql } from 'kysely'
import type { Actor } from './access/permissions.ts'
import type { Db } from './db/connect.ts'
import { conflict, Refusal } from './errors.ts'
import type { Runtime } from './runtime.ts'

/**
 * What every service function gets first: the database, who acts, and when. `now` is when the request or task began; a task reads it from the
 * database's clock. Work that goes on for minutes counts on from it (jobs/clock.ts).
 */
export interface Context {
  readonly db: Db
  readonly actor: Actor
  readonly now: Date
  readonly workspace_id: string
  /** What this process owns: pools, caches, threads, services. */
  readonly runtime: Runtime
  /** Given to slow reads, so that a request that was given up takes its SQL with it: `query.execute(ctx.limits)`. */
  readonly limits: AbortableQueryOptions & { readonly transactions?: { begun: number; committed: number } }
  /** What everything written here is part of, a sync for example: history names it. */
  readonly part_of?: { readonly id: string; readonly type: string }
  /** The caller's `If-Match`. */
  readonly if_match?: string
  /** The caller's `Idempotency-Key`, with a hash of what was asked. */
  readonly once?: Once
  readonly in_transaction?: true
}

export interface Once {
  readonly key: string
  readonly request_hash: Buffer
  readonly status: number
}

/** Thrown when a request with this Idempotency-Key was answered before: the edge sends the first answer again. */
export class AlreadyAnswered extends Error {
  readonly status: number
  readonly body: string

  constructor(status: number, body: string) {
    super('This request was answered before.')
    this.status = status
    this.body = body
  }
}

/** For work that outlives the request that began it: on the pool, with nothing of the request. */
export const detached = ({ runtime, workspace_id, actor, now }: Context): Context => ({
  db: runtime.databases.request.db,
  runtime,
  workspace_id,
  actor,
  now,
  limits: {},
})

const DEADLOCK = '40P01'
const SERIALIZATION = '40001'
const ATTEMPTS = 4

/** Runs a rule in one transaction, or joins the one already open. With an Idempotency-Key the answer is stored in the same transaction. */
export const inTransaction = async <T>(ctx: Context, rule: (ctx: Context) => Promise<T>): Promise<T> => {
  if (ctx.in_transaction) return rule(ctx)
  const { transactions } = ctx.limits
  if (transactions) transactions.begun += 1
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await ctx.db.transaction().execute(async (db) => {
        const inner: Context = { ...ctx, db, in_transaction: true }
        const answer = ctx.once ? await answerOnce(inner, ctx.once, rule) : await rule(inner)
        // The caller of a request that ran out of time was told so: then nothing of it may stay.
        ctx.limits.signal?.throwIfAborted()
        return answer
      })
      if (transactions) transactions.committed += 1
      return answer
    } catch (error) {
      const code = (error as { code?: string }).code
      if ((code !== DEADLOCK && code !== SERIALIZATION) || attempt === ATTEMPTS) throw error
    }
  }
}

const answerOnce = async <T>(ctx: Context, { key, request_hash, status }: Once, rule: (ctx: Context) => Promise<T>): Promise<T> => {
  const user_id = ctx.actor.user_id ?? ''
  // Two requests with one key at the same moment: the second waits here, then finds the first one's answer.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${user_id} ${key}`}, 0))`.execute(ctx.db)
  const before = await ctx.db
    .selectFrom('idempotent_answers')
    .selectAll()
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .executeTakeFirst()
  const fresh = before && Date.parse(before.created_at) > ctx.now.getTime() - 24 * 3_600_000
  if (fresh && !before.request_hash.equals(request_hash)) throw conflict('This Idempotency-Key was used for another request.')
  if (fresh) throw new AlreadyAnswered(before.status, before.body)
  const answer = await rule(ctx)
  const row = { request_hash, status, body: JSON.stringify(answer ?? null), created_at: ctx.now }
  await ctx.db
    .insertInto('idempotent_answers')
    .values({ user_id, key, ...row })
    .onConflict((c) => c.columns(['user_id', 'key']).doUpdateSet(row))
    .execute()
  return answer
}

/** `If-Match` on a write: the record must still be the one the caller read. */
export const mustMatch = (ctx: Context, etag: string): void => {
  const wanted = ctx.if_match?.split(',').map((tag) => tag.trim())
  if (!wanted || wanted.includes('*') || wanted.includes(etag)) return
  throw new Refusal('precondition_failed', 'The record has changed since it was read. Read it again and repeat the change.')
}
