import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { Cache, type CacheCounts } from '../../platform/core/cache.ts'
import { NEWEST_FIRST_SQL, snapshotSql, writtenSinceSql } from '../../platform/lists/count.ts'
import { type MatchCondition, valuesWrittenSinceSql } from './count.ts'

declare module '../../platform/context/runtime.ts' {
  interface RuntimeCaches {
    readonly results: ResultCache
  }
}

/**
 * A result of a search or list stays valid until a resource is written that matches, or matched before. `resource_changes` lists the
 * written rows with their previous state, so a cached result is reused if none of them affects it, and is never older than the request.
 */
export interface CachedResult<T> {
  /** Snapshot taken before the query. */
  readonly snapshot: string
  readonly at: number
  readonly result: T
}

interface SizedResult {
  /** Number of resources in the result. */
  readonly size: number
}

export class ResultCache {
  /** A result that was just invalidated probably will be again soon. It is not cached during this time. */
  cooldownMs = 1_000
  readonly #found: Cache<CachedResult<SizedResult>>
  readonly #invalidated: Cache<{ readonly until: number }>

  constructor(maxBytes: number) {
    this.#found = new Cache(Math.floor(maxBytes * 0.9), ({ snapshot, result: found }) => 2 * snapshot.length + found.size * RESOURCE_BYTES)
    this.#invalidated = new Cache(Math.floor(maxBytes * 0.1), () => 8)
  }

  get(key: string): CachedResult<SizedResult> | undefined {
    return this.#found.get(key)
  }

  set(key: string, cached: CachedResult<SizedResult>): void {
    this.#found.set(key, cached)
  }

  invalidate(key: string): void {
    this.#found.delete(key)
    this.#invalidated.set(key, { until: performance.now() + this.cooldownMs })
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
const RESULT_MAX_AGE_MS = 4 * 60_000 // less than the retention of changes (count.ts)
const MAX_RESULT_CHANGES = 50 // each previous row is matched like in a search, about 50 µs

/** Each replica has its own results: one that is a moment behind may lack rows that another result contains. */
const ofServer = ({ replica }: Context, key: string): string => (replica ? `${replica.name} ${key}` : key)

/** Returns the cached result. The caller still has to check whether writes since then affect it. */
export const findCached = <T>(ctx: Context, key: string): CachedResult<T> | undefined => {
  const cached = ctx.in_transaction ? undefined : ctx.runtime.caches.results.get(ofServer(ctx, key))
  return cached && performance.now() - cached.at < RESULT_MAX_AGE_MS ? (cached as CachedResult<unknown> as CachedResult<T>) : undefined
}

export const setCached = (ctx: Context, key: string, cached: CachedResult<SizedResult>): void => {
  if (!ctx.in_transaction) ctx.runtime.caches.results.set(ofServer(ctx, key), cached)
}

export const invalidate = (ctx: Context, key: string): void => {
  ctx.runtime.caches.results.invalidate(ofServer(ctx, key))
}

export const wasRecentlyInvalidated = (ctx: Context, key: string): boolean => ctx.runtime.caches.results.wasInvalidated(ofServer(ctx, key))

/** Whether any resource was written since. */
export const hasWritesSince = (then: string): RawBuilder<boolean> =>
  sql<boolean>`exists (select from (select from resource_changes c where ${writtenSinceSql(then, 'c')} ${NEWEST_FIRST_SQL} limit 1) one)`

/** Whether any write since then affects the result. A separate query because planning it takes longer than everything else here. */
export const isAffectedByWrites = async (ctx: Context, then: string, matching: MatchCondition): Promise<boolean> => {
  const { rows } = await sql<{ concerned: boolean }>`
    with written as materialized (
      select c.resource_id, c.old from resource_changes c where ${writtenSinceSql(then, 'c')} ${NEWEST_FIRST_SQL} limit ${MAX_RESULT_CHANGES + 1}
    )
    select (select count(*) from written) > ${MAX_RESULT_CHANGES}
      or exists (select from written where resource_id is null)
      or exists (select from resources w where w.id in (select resource_id from written) and ${matching('w')})
      or exists (select from (select (c.old).* from written c where (c.old).id is not null) o where ${matching('o')}) as concerned
  `.execute(ctx.db, ctx.limits)
  return rows[0]!.concerned
}

/** `property_changes` lists changed names of tags, people, groups and custom properties under this ID. */
const NAMES_ID = '00000000-0000-0000-0000-000000000000'

/** Whether a value of any custom property was written since, or a name that searches find. */
const hasValuesOrNamesWrittenSince = (then: string): RawBuilder<boolean> => sql<boolean>`exists (
  select from (select id from custom_properties union all select ${sql.lit(NAMES_ID)}::uuid) p cross join lateral (
    select from property_changes c where c.property_id = p.id and ${writtenSinceSql(then, 'c')} ${NEWEST_FIRST_SQL} limit 1
  ) one)`

/** A result that may be cached, and what invalidates it. */
export interface CacheEntry {
  readonly key: string
  /** The condition on written rows (alias 'w') and on their previous state (alias 'o'); with `any`, every written resource, custom property value and name counts. */
  readonly matching: MatchCondition | 'any'
  /** The IDs in `property_changes` of values in other tables that it depends on. */
  readonly logs?: readonly string[]
}

type GetOrCompute = <T extends SizedResult>(entry: CacheEntry, compute: () => Promise<T>) => Promise<T>

/** Checks in one statement which of these results are cached and valid. The function that it returns computes and caches the others. */
export const checkCached = async (ctx: Context, entries: readonly CacheEntry[]): Promise<GetOrCompute> => {
  const at = performance.now()
  const cached = new Map(entries.map(({ key }) => [key, findCached<SizedResult>(ctx, key)]))
  const checks = entries.flatMap(({ key, matching, logs = [] }): RawBuilder<boolean>[] => {
    const before = cached.get(key)
    return before ? [isWrittenSql(before.snapshot, matching), valuesWrittenSinceSql(before.snapshot, logs)] : [TRUE_SQL, TRUE_SQL]
  })
  const { rows } = await sql<{ checked: boolean[]; snapshot: string }>`
    select array[${sql.join(checks)}] as checked, ${snapshotSql(ctx)} as snapshot
  `.execute(ctx.db, ctx.limits)
  const { checked, snapshot } = rows[0]!
  return async <T extends SizedResult>(entry: CacheEntry, compute: () => Promise<T>): Promise<T> => {
    const { key, matching } = entry
    const [written, outdated] = checked.slice(2 * entries.indexOf(entry))
    const before = outdated ? undefined : cached.get(key)
    const valid = before && !(written && (matching === 'any' || (await isAffectedByWrites(ctx, before.snapshot, matching))))
    const result = valid ? (before.result as T) : await compute()
    setCached(ctx, key, { snapshot, at, result })
    return result
  }
}

const TRUE_SQL = sql<boolean>`true`

const isWrittenSql = (then: string, matching: CacheEntry['matching']): RawBuilder<boolean> =>
  matching === 'any' ? sql<boolean>`(${hasWritesSince(then)} or ${hasValuesOrNamesWrittenSince(then)})` : hasWritesSince(then)
