import { type RawBuilder, sql } from 'kysely'
import { Cache, type CacheCounts, textBytes } from '../cache.ts'
import type { Context } from '../context.ts'
import { SingleFlight } from '../db/single-flight.ts'

/**
 * Exact counts at any size. Counting a million rows costs 25–120 ms, a page 0.3 ms; so a count is taken once, with the snapshot it
 * was true in, and brought up to date with what was written since. See docs/decisions/0001-exact-counts.md.
 */
export interface Counted {
  readonly count: number
  /** pg_current_snapshot() of the statement that counted. */
  readonly snapshot: string
}

/** What is counted, and how. */
export interface Counting {
  /** Equal names, equal rows. */
  readonly key: string
  readonly countAll: (ctx: Context) => Promise<Counted>
  /** Nothing when too much was written since: then counting anew is cheaper. */
  readonly addWritten: (ctx: Context, then: Counted) => Promise<Counted | undefined>
  /** How long it can be gone on from; without it, always. */
  readonly usable_for_ms?: number
}

type TakenCount = Counted & { readonly at: number }

/** Counts that were taken before, and those being taken. */
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
  // Said twice so that an index on xid can begin the scan.
  return sql<boolean>`${xid} >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(${xid}, ${snapshot}::pg_snapshot)`
}

/** Said with every limit: a plan made for any snapshot would otherwise expect many such rows, and read the whole table to find none. */
export const NEWEST_FIRST = sql`order by c.xid desc`

/** The exact number of rows now. Those who ask the same at the same time share one count, so it does not end with any one of them. */
export const exactCount = (ctx: Context, counting: Counting): Promise<number> =>
  ctx.runtime.caches.counts.underWay.run(counting.key, () => bringUpToDate({ ...ctx, limits: {} }, counting))

const bringUpToDate = async (ctx: Context, counting: Counting): Promise<number> => {
  const at = performance.now()
  const taken = findTaken(ctx, counting)
  const { count, snapshot } = (taken && (await counting.addWritten(ctx, taken))) ?? (await counting.countAll(ctx))
  ctx.runtime.caches.counts.taken.set(counting.key, { count, snapshot, at })
  return count
}
