import { type RawBuilder, sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import type { Db } from '../../platform/db/connect.ts'
import { inXidRangesSql, isForeignSnapshot, readCurrentSnapshot, xidRangesBetween } from '../../platform/history/commits.ts'

/** Changes, incidents and webhooks are followed separately, so that none waits for another. */
export type Follower = 'inbox' | 'alerts' | 'webhooks'

/** Where a follower is in the log: everything that `seen` sees is processed, and the step to `target` up to the entry `at`. */
interface FollowerPosition {
  readonly seen: string
  /** Null between two steps. */
  readonly target: string | null
  readonly at_xid: string | null
  readonly at_id: string | null
  /** Entries logged earlier are skipped. */
  readonly since: string
}

/** What is to be processed: the entries that `target` sees and `seen` does not, after `at`. */
export interface LogStep extends FollowerPosition {
  readonly target: string
}

const STATEMENT_TIMEOUT = '10min' // skipping an import of a million rows is one statement

/**
 * Processes what was committed since the follower's last position. What `process` writes and the new position are saved in one transaction, and
 * only one instance can lock the position, so nothing is lost or duplicated after a crash. `process` returns the last entry it
 * processed if there are more. Returns whether there are.
 */
export const followLog = (
  ctx: Context,
  follower: Follower,
  process: (ctx: Context, step: LogStep) => Promise<{ readonly id: string; readonly xid: string } | undefined>,
): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    const position = await lockPosition(ctx.db, follower)
    const step = position && (isStep(position) ? position : await startStep(ctx, follower, position))
    if (!step) return false
    // The planner estimates an unknown range as a third of the table and would scan all of it to find three rows.
    await sql`set local enable_seqscan = off`.execute(ctx.db)
    await sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`.execute(ctx.db)
    const last = await process(ctx, step)
    await savePosition(
      ctx.db,
      follower,
      last ? { ...step, at_xid: last.xid, at_id: last.id } : { ...step, seen: step.target, target: null, at_xid: null, at_id: null },
    )
    return last !== undefined
  })

const isStep = (position: FollowerPosition): position is LogStep => position.target !== null

/** Starts a step up to the current snapshot, or returns undefined if nothing is new, so that an idle workspace causes no writes. */
const startStep = async (ctx: Context, follower: Follower, position: FollowerPosition): Promise<LogStep | undefined> => {
  const step = { ...position, target: await readCurrentSnapshot(ctx.db) }
  if (isForeignSnapshot(step.seen, step.target)) {
    await savePosition(ctx.db, follower, { ...position, seen: step.target, since: ctx.now.toISOString() })
    return undefined
  }
  return (await hasNewEntries(ctx.db, step)) ? step : undefined
}

/** `offset 0` and the order make Postgres use the index on xid, although it cannot estimate the range. */
const hasNewEntries = async (db: Db, { seen, target }: LogStep): Promise<boolean> => {
  const { rows } = await sql`
    select from ${inXidRangesSql(xidRangesBetween(seen, target))} cross join lateral (
      select from activities a
      where a.xid >= x.from_xid and a.xid < x.below_xid and not pg_visible_in_snapshot(a.xid, ${seen}::text::pg_snapshot)
      order by a.xid limit 1 offset 0
    ) a limit 1`.execute(db)
  return rows.length > 0
}

/** Whether an entry (`a`) comes after what was processed in this step. */
export const afterSql = ({ at_xid, at_id }: LogStep): RawBuilder<unknown> =>
  at_xid === null ? sql`true` : sql`(a.xid, a.id) > (${at_xid}::text::xid8, ${at_id}::uuid)`

/** Locks and returns the position of a follower; undefined while another instance holds the lock. */
export const lockPosition = async (db: Db, follower: Follower): Promise<FollowerPosition | undefined> => {
  const { rows } = await sql<FollowerPosition>`
    select seen, target, at_xid::text as at_xid, at_id, since from follower_positions where follower = ${follower} for update skip locked
  `.execute(db)
  return rows[0]
}

const savePosition = async (db: Db, follower: Follower, { seen, target, at_xid, at_id, since }: FollowerPosition): Promise<void> => {
  await sql`
    update follower_positions
    set seen = ${seen}, target = ${target}, at_xid = ${at_xid}::text::xid8, at_id = ${at_id}, since = ${since}::timestamptz
    where follower = ${follower}
  `.execute(db)
}

/** Makes the follower start now: earlier entries are skipped. Waits for a step that is being processed. */
export const skipToNow = async (ctx: Context, follower: Follower, condition: RawBuilder<unknown>): Promise<void> => {
  await sql`select from follower_positions where follower = ${follower} for update`.execute(ctx.db)
  await sql`
    update follower_positions set seen = pg_current_snapshot()::text, target = null, at_xid = null, at_id = null, since = ${ctx.now}::timestamptz
    where follower = ${follower} and ${condition}
  `.execute(ctx.db)
}
