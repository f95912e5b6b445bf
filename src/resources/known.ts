import { type RawBuilder, sql } from 'kysely'
import { Cache, type CacheCounts } from '../cache.ts'
import type { Context } from '../context.ts'
import { NEWEST_FIRST, writtenSince } from '../lists/count.ts'
import type { Matching } from './count.ts'

/**
 * A result of a search or list stays valid until a resource is written that matches, or matched before. `resource_changes` lists the
 * written rows with their previous state, so a cached result is reused if none of them affects it, and is never older than the request.
 */
export interface Known<T> {
  /** Snapshot taken before the query. */
  readonly snapshot: string
  readonly at: number
  readonly found: T
}

interface Sized {
  /** Number of resources in the result. */
  readonly size: number
}

export class ResultCache {
  /** A result that was just invalidated probably will be again soon. It is not cached during this time. */
  restMs = 1_000
  readonly #found: Cache<Known<Sized>>
  readonly #invalidated: Cache<{ readonly until: number }>

  constructor(maxBytes: number) {
    this.#found = new Cache(Math.floor(maxBytes * 0.9), ({ snapshot, found }) => 2 * snapshot.length + found.size * RESOURCE_BYTES)
    this.#invalidated = new Cache(Math.floor(maxBytes * 0.1), () => 8)
  }

  get(key: string): Known<Sized> | undefined {
    return this.#found.get(key)
  }

  set(key: string, known: Known<Sized>): void {
    this.#found.set(key, known)
  }

  invalidate(key: string): void {
    this.#found.delete(key)
    this.#invalidated.set(key, { until: performance.now() + this.restMs })
  }

  wasInvalidated(key: string): boolean {
    return (this.#invalidated.get(key)?.until ?? 0) > performance.now()
  }

  clear(): void {
    this.#found.clear()
  }

  counts(): CacheCounts {
    return this.#found.counts()
  }
}

const RESOURCE_BYTES = 150 // an ID and, for a search, its rank and reasons
const USABLE_FOR_MS = 4 * 60_000 // less than the retention of changes (count.ts)
const MOST_CHANGES = 50 // each previous row is matched like in a search, about 50 µs

/** Returns the cached result. The caller still has to check whether writes since then affect it. */
export const recall = <T>(ctx: Context, key: string): Known<T> | undefined => {
  const known = ctx.in_transaction ? undefined : ctx.runtime.caches.results.get(key)
  return known && performance.now() - known.at < USABLE_FOR_MS ? (known as Known<unknown> as Known<T>) : undefined
}

export const remember = (ctx: Context, key: string, known: Known<Sized>): void => {
  if (!ctx.in_transaction) ctx.runtime.caches.results.set(key, known)
}

export const forget = (ctx: Context, key: string): void => {
  ctx.runtime.caches.results.invalidate(key)
}

export const isRestless = (ctx: Context, key: string): boolean => ctx.runtime.caches.results.wasInvalidated(key)

/** Whether any resource was written since. */
export const anythingWritten = (then: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from (select from resource_changes c where ${writtenSince(then, 'c')} ${NEWEST_FIRST} limit 1) one)`

/** Whether any write since then affects the result. A separate query because planning it takes longer than everything else here. */
export const concerns = async (ctx: Context, then: string, matching: Matching): Promise<boolean> => {
  const { rows } = await sql<{ concerned: boolean }>`
    with written as materialized (
      select c.resource_id, c.old from resource_changes c where ${writtenSince(then, 'c')} ${NEWEST_FIRST} limit ${MOST_CHANGES + 1}
    )
    select (select count(*) from written) > ${MOST_CHANGES}
      or exists (select from written where resource_id is null)
      or exists (select from resources w where w.id in (select resource_id from written) and ${matching('w')})
      or exists (select from (select (c.old).* from written c where (c.old).id is not null) o where ${matching('o')}) as concerned
  `.execute(ctx.db, ctx.limits)
  return rows[0]!.concerned
}

/**
 * Returns the cached result or computes it. `matching` is the condition on written rows (alias 'w') and on their previous state (alias
 * 'o').
 */
export const findOnce = async <T extends { readonly size: number }>(
  ctx: Context,
  key: string,
  matching: Matching,
  find: () => Promise<T>,
): Promise<T> => {
  const at = performance.now()
  const before = recall<T>(ctx, key)
  const { rows } = await sql<{ written: boolean; snapshot: string }>`
    select ${before ? anythingWritten(before.snapshot) : sql`true`} as written, pg_current_snapshot()::text as snapshot
  `.execute(ctx.db, ctx.limits)
  const { written, snapshot } = rows[0]!
  const same = before && !(written && (await concerns(ctx, before.snapshot, matching)))
  const found = same ? before.found : await find()
  remember(ctx, key, { snapshot, at, found })
  return found
}
