import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'

/**
 * Exact counts at any size. A count(*) over a million rows costs 25–120 ms, a page 0.3 ms; so a count is taken once, with the
 * snapshot it was true in, and brought up to date from `resource_changes`, where the database notes each written row as it was:
 * count now = count then + changed rows that match now − changed rows that matched then. See docs/decisions/exact-counts.md.
 */
interface Taken {
  readonly count: number
  /** pg_current_snapshot() of the statement that counted. */
  readonly snapshot: string
  readonly at: number
}

/** Half of what `forgetOldChanges` keeps, so that no count in use outlives the changes it needs. */
const USABLE_FOR_MS = 5 * 60_000
const MOST_COUNTS = 5_000
const MOST_CHANGES = 2_000

class Counts {
  readonly taken = new LRUCache<string, Taken>({ max: MOST_COUNTS })
  readonly under_way = new Map<string, Promise<number>>()
}

/** A filter of resources, and a name for it: equal names, equal rows. */
export interface Matching {
  readonly key: string
  readonly where: (alias: string) => RawBuilder<boolean>
}

export const findTaken = (ctx: Context, key: string): Taken | undefined => {
  const taken = ctx.memory.of(Counts).taken.get(key)
  return taken && performance.now() - taken.at < USABLE_FOR_MS ? taken : undefined
}

/** How many rows were written since then, at most two: to be asked together with the page. */
export const changesSince = ({ snapshot }: Taken): RawBuilder<number> =>
  sql<number>`(select count(*) from (select from resource_changes c where ${writtenSince(snapshot)} limit 2) few)`

const writtenSince = (snapshot: string): RawBuilder<boolean> =>
  sql<boolean>`c.xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(c.xid, ${snapshot}::pg_snapshot)`

/** The exact number of matching rows now. Those who ask the same at the same time share one count. */
export const countResources = (ctx: Context, matching: Matching): Promise<number> => {
  const { under_way } = ctx.memory.of(Counts)
  const same = under_way.get(matching.key)
  // The one under way may have begun before a write this caller has already seen, so its answer is only a start to go on from.
  if (same) return same.then(() => countResources(ctx, matching))
  const counting = bringUpToDate(ctx, matching).finally(() => under_way.delete(matching.key))
  under_way.set(matching.key, counting)
  return counting
}

const bringUpToDate = async (ctx: Context, matching: Matching): Promise<number> => {
  const at = performance.now()
  const taken = findTaken(ctx, matching.key)
  const { count, snapshot } = (taken && (await addChanges(ctx, matching, taken))) ?? (await countAll(ctx, matching))
  ctx.memory.of(Counts).taken.set(matching.key, { count, snapshot, at })
  return count
}

interface Counted {
  readonly count: number
  readonly snapshot: string
}

const countAll = async (ctx: Context, { where }: Matching): Promise<Counted> => {
  const { rows } =
    await sql<Counted>`select count(*) as count, pg_current_snapshot()::text as snapshot from resources r where ${where('r')}`.execute(
      ctx.db,
      ctx.limits,
    )
  return rows[0]!
}

/** Nothing when too much was written since: then counting anew is cheaper. */
const addChanges = async (ctx: Context, { where }: Matching, { count, snapshot }: Taken): Promise<Counted | undefined> => {
  const { rows } = await sql<Counted & { changes: number; wide: boolean }>`
    with written as materialized (
      select c.seq, c.resource_id, c.old from resource_changes c where ${writtenSince(snapshot)} limit ${MOST_CHANGES + 1}
    ), first as (
      select distinct on (resource_id) resource_id, old from written where resource_id is not null order by resource_id, seq
    )
    select
      (select count(*) from written) as changes,
      exists (select from written where resource_id is null) as wide,
      ${count}::bigint
        + (select count(*) from resources r where r.id in (select resource_id from first) and ${where('r')})
        - (select count(*) from (select (f.old).* from first f where (f.old).id is not null) o where ${where('o')}) as count,
      pg_current_snapshot()::text as snapshot
  `.execute(ctx.db, ctx.limits)
  const { changes, wide, ...counted } = rows[0]!
  return wide || changes > MOST_CHANGES ? undefined : counted
}

/** Run every minute: changes of transactions that were over before the oldest count anybody may still use. */
export const forgetOldChanges = async (ctx: Context): Promise<void> => {
  await sql`insert into resource_change_horizons (at, oldest_xid) values (clock_timestamp(), pg_snapshot_xmin(pg_current_snapshot()))`.execute(
    ctx.db,
  )
  await sql`
    with horizon as (select max(oldest_xid) as xid from resource_change_horizons where at < clock_timestamp() - make_interval(secs => ${(2 * USABLE_FOR_MS) / 1000}))
    delete from resource_changes c using horizon h where c.xid < h.xid
  `.execute(ctx.db)
  await sql`delete from resource_change_horizons where at < clock_timestamp() - interval '1 hour'`.execute(ctx.db)
}
