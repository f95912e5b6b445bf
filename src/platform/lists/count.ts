import { type RawBuilder, sql } from 'kysely'
import { type Context, onPrimary } from '../context/context.ts'
import { Cache, type CacheCounts, countTextBytes } from '../core/cache.ts'
import { SingleFlight } from '../db/single-flight.ts'

declare module '../context/runtime.ts' {
  interface RuntimeCaches {
    readonly counts: CountCache
  }
}

/**
 * Exact counts at any size. Counting a million rows takes 25–120 ms, reading a page 0.3 ms; so a count is cached with the snapshot it is
 * valid for and updated with the rows written since. See docs/decisions/0001-exact-counts.md.
 */
export interface CachedCount {
  readonly count: number
  /** pg_current_snapshot() of the statement that counted. */
  readonly snapshot: string
}

/** A count and how to update it. */
export interface CountQuery {
  /** Equal keys count the same rows. */
  readonly key: string
  /** Without a snapshot if it is not exactly known for which one it is valid: then it is not cached. */
  readonly countAll: (ctx: Context) => Promise<Pick<CachedCount, 'count'> & Partial<CachedCount>>
  /** Returns undefined if too much was written since: then a full count is cheaper. */
  readonly addWritten: (ctx: Context, then: CachedCount) => Promise<CachedCount | undefined>
  /** How long a cached count can be updated; default: forever. */
  readonly usable_for_ms?: number
}

type TimedCount = CachedCount & { readonly at: number }

/** Cached counts, and counts that are running. */
export class CountCache {
  readonly entries: Cache<TimedCount>
  readonly running = new SingleFlight<number>()

  constructor(maxBytes: number) {
    this.entries = new Cache(maxBytes, ({ snapshot }) => countTextBytes(snapshot))
  }

  clear(): void {
    this.entries.clear()
  }

  counts(): CacheCounts {
    return this.entries.counts()
  }
}

export const findCachedCount = (ctx: Context, { key, usable_for_ms = Number.POSITIVE_INFINITY }: CountQuery): CachedCount | undefined => {
  const cached = ctx.runtime.caches.counts.entries.get(key)
  return cached && performance.now() - cached.at < usable_for_ms ? cached : undefined
}

/**
 * For a cached count since which nothing was written up to this snapshot: it can be updated for as long as one counted then. A replica may be
 * behind the snapshot of the count, so its own do not count.
 */
export const renewCount = ({ runtime, replica }: Context, { key }: CountQuery, renewed: TimedCount): void => {
  if (!replica) runtime.caches.counts.entries.set(key, renewed)
}

/** The rows (under this alias, with an `xid`) of transactions that the snapshot does not see. */
export const writtenSinceSql = (snapshot: string, alias: string): RawBuilder<boolean> => {
  const xid = sql.ref(`${alias}.xid`)
  // The redundant lower bound lets an index on xid start the scan there.
  return sql<boolean>`${xid} >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(${xid}, ${snapshot}::pg_snapshot)`
}

/** Required with every limit: a generic plan expects many such rows and would otherwise scan the whole table to find none. */
export const NEWEST_FIRST_SQL = sql`order by c.xid desc`

/**
 * The snapshot of the statement, to find out later what was written since. On a replica Postgres leaves the running transactions out of it; there
 * everything from the oldest of them on counts as written since, which is too much but never too little.
 */
export const snapshotSql = ({ replica }: Context): RawBuilder<string> =>
  replica
    ? sql<string>`format('%s:%s:', pg_snapshot_xmin(pg_current_snapshot()), pg_snapshot_xmin(pg_current_snapshot()))`
    : sql<string>`pg_current_snapshot()::text`

/** The exact number of rows now, from the primary, whose snapshots are exact. Concurrent requests share one count, so it does not use the limits of any of them. */
export const countExactly = (ctx: Context, query: CountQuery): Promise<number> =>
  ctx.runtime.caches.counts.running.run(query.key, () => updateCount({ ...onPrimary(ctx), limits: {} }, query))

const updateCount = async (ctx: Context, query: CountQuery): Promise<number> => {
  const at = performance.now()
  const cached = findCachedCount(ctx, query)
  const { count, snapshot } = (cached && (await query.addWritten(ctx, cached))) ?? (await query.countAll(ctx))
  if (snapshot !== undefined) ctx.runtime.caches.counts.entries.set(query.key, { count, snapshot, at })
  return count
}
