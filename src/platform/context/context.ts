import { setTimeout as sleep } from 'node:timers/promises'
import type { AbortableQueryOptions } from 'kysely'
import { ApiError } from '../core/errors.ts'
import { translatable } from '../core/translatable.ts'
import type { Db } from '../db/connect.ts'
import { DEADLOCK_ERROR, isPlanOutdated, READ_ONLY_ERROR } from '../db/driver.ts'
import type { Replica } from '../db/replicas.ts'
import type { Actor } from '../permissions/permissions.ts'
import type { Runtime } from './runtime.ts'

/**
 * First argument of every service function: the database, the actor and the time. `now` is when the request or task started; a task reads it
 * from the database's clock. Work that takes minutes derives the current time from it (jobs/clock.ts).
 */
export interface Context {
  readonly db: Db
  readonly actor: Actor
  readonly now: Date
  readonly workspace_id: string
  /** Resources of this process: pools, caches, threads, services. */
  readonly runtime: Runtime
  /** Passed to slow reads, so that the SQL of a cancelled request is cancelled too: `query.execute(ctx.limits)`. */
  readonly limits: Limits
  /** The operation these writes belong to, e.g. a sync, and the integration that performs it; recorded in history. */
  readonly part_of?: { readonly id: string; readonly type: string; readonly integration?: string }
  /** Set in syncs of metadata that users have sent: names in SQL and metadata refer only to what this actor sees, instead of `actor`. */
  readonly names_for?: Actor | undefined
  /** The caller's `If-Match`. */
  readonly if_match?: string
  readonly in_transaction?: true
  /** Called at the beginning of each transaction: throws if another process has taken over the work of this context. */
  readonly fence?: (db: Db) => Promise<void>
  /** Set if `db` is a replica: it has everything that was committed when the request arrived. */
  readonly replica?: Replica
}

export interface Limits extends AbortableQueryOptions {
  readonly transactions?: { begun: number; committed: number }
  /** Whether the signal is aborted or would be, without creating it: that costs a timer. */
  isOver?(): boolean
}

const SERIALIZATION = '40001'
const ATTEMPTS = 4
const MAX_PAUSE_MS = 100

/** How often a transaction that failed with this error is attempted in total. Each of these errors has rolled it back. */
const attemptsFor = (error: unknown): number => {
  const { code } = error as { code?: string }
  if (code === DEADLOCK_ERROR || code === SERIALIZATION || isPlanOutdated(error)) return ATTEMPTS
  return code === READ_ONLY_ERROR ? 2 : 1 // retry on a new connection: the database may be writable again
}

/** Runs a function in one transaction on the primary, or joins the one already open. */
export const inTransaction = async <T>(ctx: Context, work: (ctx: Context) => Promise<T>): Promise<T> => {
  if (ctx.in_transaction) return work(ctx)
  if (ctx.replica) return inTransaction(onPrimary(ctx), work)
  const { transactions } = ctx.limits
  if (transactions) transactions.begun += 1
  for (let attempt = 1; ; attempt += 1) {
    try {
      const result = await ctx.db.transaction().execute(async (db) => {
        const inner: Context = { ...ctx, db, in_transaction: true }
        await ctx.fence?.(db)
        const result = await work(inner)
        // The caller of a timed-out request has already received an error, so its writes must not be committed.
        if (ctx.limits.isOver?.() ?? true) ctx.limits.signal?.throwIfAborted()
        return result
      })
      if (transactions) transactions.committed += 1
      return result
    } catch (error) {
      if (attempt >= attemptsFor(error)) throw error
      // Those that have failed together would fail together again.
      if (attempt > 1) await sleep(Math.random() * attempt * MAX_PAUSE_MS)
    }
  }
}

/** For what a replica cannot answer exactly. */
export const onPrimary = (ctx: Context): Context =>
  ctx.replica ? { ...ctx, db: ctx.runtime.databases.request.db, replica: undefined } : ctx

/** Continues the request as another actor. `If-Match` applies to the caller's own change only, so it is dropped. */
export const contextAs = (ctx: Context, actor: Actor): Context => ({ ...ctx, actor, if_match: undefined })

/** Checks `If-Match` on a write: the record must not have changed since the caller read it. */
export const requireIfMatch = (ctx: Context, etag: string): void => {
  const expected = ctx.if_match?.split(',').map((tag) => tag.trim())
  if (!expected || expected.includes('*') || expected.includes(etag)) return
  throw new ApiError('precondition_failed', translatable('The record has changed since it was read. Read it again and repeat the change.'))
}
