import type { AbortableQueryOptions } from 'kysely'
import type { Actor } from './access/permissions.ts'
import type { Db } from './db/connect.ts'
import { isPlanOutdated, READ_ONLY } from './db/driver.ts'
import { Refusal } from './errors.ts'
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
  readonly in_transaction?: true
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

/** How often a transaction that ended with this error is run in all. Each of these errors has undone it. */
const attemptsFor = (error: unknown): number => {
  const { code } = error as { code?: string }
  if (code === DEADLOCK || code === SERIALIZATION || isPlanOutdated(error)) return ATTEMPTS
  return code === READ_ONLY ? 2 : 1 // once more on a new connection: the database may be writable again
}

/** Runs a rule in one transaction, or joins the one already open. */
export const inTransaction = async <T>(ctx: Context, rule: (ctx: Context) => Promise<T>): Promise<T> => {
  if (ctx.in_transaction) return rule(ctx)
  const { transactions } = ctx.limits
  if (transactions) transactions.begun += 1
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await ctx.db.transaction().execute(async (db) => {
        const inner: Context = { ...ctx, db, in_transaction: true }
        const answer = await rule(inner)
        // The caller of a request that ran out of time was told so: then nothing of it may stay.
        ctx.limits.signal?.throwIfAborted()
        return answer
      })
      if (transactions) transactions.committed += 1
      return answer
    } catch (error) {
      if (attempt >= attemptsFor(error)) throw error
    }
  }
}

/** The same request going on as somebody else. `If-Match` was about what the caller asked for, not about what follows from it. */
export const actingAs = (ctx: Context, actor: Actor): Context => ({ ...ctx, actor, if_match: undefined })

/** `If-Match` on a write: the record must still be the one the caller read. */
export const mustMatch = (ctx: Context, etag: string): void => {
  const wanted = ctx.if_match?.split(',').map((tag) => tag.trim())
  if (!wanted || wanted.includes('*') || wanted.includes(etag)) return
  throw new Refusal('precondition_failed', 'The record has changed since it was read. Read it again and repeat the change.')
}
