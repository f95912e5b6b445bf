import { type RawBuilder, sql } from 'kysely'
import { Cache, type CacheCounts, textBytes } from '../cache.ts'
import type { Context } from '../context.ts'
import { SingleFlight } from '../db/single-flight.ts'

/**
 * Exact counts at any size. Counting a million rows takes 25–120 ms, reading a page 0.3 ms; so a count is cached with the snapshot it is
 * valid for and updated with the rows written since. See docs/decisions/0001-exact-counts.md.
 */
export interface Counted {
  readonly count: number
  /** pg_current_snapshot() of the statement that counted. */
  readonly snapshot: string
}

/** A count and how to update it. */
export interface Counting {
  /** Equal keys count the same rows. */
  readonly key: string
  readonly countAll: (ctx: Context) => Promise<Counted>
  /** Returns undefined if too much was written since: then a full count is cheaper. */
  readonly addWritten: (ctx: Context, then: Counted) => Promise<Counted | undefined>
  /** How long a cached count can be updated; default: forever. */
  readonly usable_for_ms?: number
}

type TakenCount = Counted & { readonly at: number }

/** Cached counts, and counts that are running. */
export class CountCache {
  readonly taken: Cache<TakenCount>
  readonly underWay = new SingleFlight<number>()

  constructor(maxBytes: number) {
    this.taken = new Cache(maxBytes, ({ snapshot }) => textBytes(snapshot))
  }

  clear(): void {
    this.taken.clear()
  }

  counts(): CacheCounts {
    return this.taken.counts()
  }
}

export const findTaken = (ctx: Context, { key, usable_for_ms = Number.POSITIVE_INFINITY }: Counting): Counted | undefined => {
  const taken = ctx.runtime.caches.counts.taken.get(key)
  return taken && performance.now() - taken.at < usable_for_ms ? taken : undefined
}

/** The rows (under this alias, with an `xid`) of transactions that the snapshot does not see. */
export const writtenSince = (snapshot: string, alias: string): RawBuilder<boolean> => {
  const xid = sql.ref(`${alias}.xid`)
  // The redundant lower bound lets an index on xid start the scan there.
  return sql<boolean>`${xid} >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(${xid}, ${snapshot}::pg_snapshot)`
}

/** Required with every limit: a generic plan expects many such rows and would otherwise scan the whole table to find none. */
export const NEWEST_FIRST = sql`order by c.xid desc`

/** The exact number of rows now. Concurrent requests share one count, so it does not use the limits of any of them. */
export const exactCount = (ctx: Context, counting: Counting): Promise<number> =>
  ctx.runtime.caches.counts.underWay.run(counting.key, () => bringUpToDate({ ...ctx, limits: {} }, counting))

const bringUpToDate = async (ctx: Context, counting: Counting): Promise<number> => {
  const at = performance.now()
  const taken = findTaken(ctx, counting)
  const { count, snapshot } = (taken && (await counting.addWritten(ctx, taken))) ?? (await counting.countAll(ctx))
  ctx.runtime.caches.counts.taken.set(counting.key, { count, snapshot, at })
  return count
}
