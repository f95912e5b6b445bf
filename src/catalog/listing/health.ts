import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { anyOf } from '../../platform/db/opaque-params.ts'
import type { RowState } from '../../platform/db/row-versions.ts'
import { snapshotSql } from '../../platform/lists/count.ts'
import { getVisibilityKey, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
import { differs, findStatus, HEALTH_CHANGES, type HealthStatus, statusSql, storedSeveritySql } from '../records/health.ts'
import { computedSeveritySql } from '../records/health-conditions.ts'
import { valuesWrittenSinceSql } from './count.ts'
import { findCached, setCached } from './result-cache.ts'

/** The state of a row with its stored severity, if that was read with it. */
export type HealthState = RowState & { readonly severity?: number | undefined }

type StoredHealth = Pick<HealthState, 'id' | 'severity'>

/** The health of those of these resources that the caller can see. */
export const findHealth = async (ctx: Context, ids: readonly string[]): Promise<Map<string, HealthStatus>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<StoredHealth>`
    select r.id, ${storedSeveritySql(ctx.actor, 'r')} as severity from resources r where r.id = ${anyOf(ids)} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return findPageHealth(ctx, rows)
}

/**
 * The health of the rows of a page. Only what was not stored when they were read needs another statement. What is cached of
 * that was checked by the statement that read them; otherwise that takes another one too.
 */
export const findPageHealth = async (
  ctx: Context,
  states: readonly StoredHealth[],
  checked?: CheckedHealth,
): Promise<Map<string, HealthStatus>> => {
  const health = new Map<string, HealthStatus>()
  const differing: string[] = []
  const missing: string[] = []
  for (const { id, severity } of states) {
    const status = findStatus(severity)
    if (status) health.set(id, status)
    else if (differs(severity)) differing.push(id)
    else missing.push(id)
  }
  const cached = differing.length > 0 ? (checked ?? (await checkCachedHealth(ctx))) : undefined
  const computed = await computeHealth(ctx, [...missing, ...differing.filter((id) => !cached?.statuses.has(id))])
  for (const [id, status] of computed) health.set(id, status)
  if (cached) {
    for (const id of differing) {
      const status = computed.get(id) ?? cached.statuses.get(id)
      if (!status) continue // deleted meanwhile
      cached.statuses.set(id, status)
      health.set(id, status)
    }
    setCachedHealth(ctx, cached)
  }
  return health
}

const computeHealth = async (ctx: Context, ids: readonly string[]): Promise<Map<string, HealthStatus>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; health: HealthStatus }>`
    select r.id, ${statusSql(computedSeveritySql(ctx.actor, 'r'))} as health from resources r where r.id = ${anyOf(ids)} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, health }) => [id, health]))
}

const MAX_CACHED_ROWS = 20_000 // for callers with the same visibility

interface CachedHealth {
  readonly size: number
  readonly statuses: Map<string, HealthStatus>
}

/** What is valid in this snapshot. */
interface CheckedHealth {
  readonly snapshot: string
  readonly at: number
  readonly statuses: Map<string, HealthStatus>
}

const getCacheKey = ({ actor }: Context): string => `health ${JSON.stringify(getVisibilityKey(actor))}`

/**
 * The health of resources that differs from caller to caller is cached for all callers with the same visibility, until any change of health is logged.
 * Whether one was is checked by the statement that reads the stored severities: `changed` there, beside its snapshot.
 */
export const findCachedHealth = (ctx: Context) => {
  const at = performance.now()
  const cached = seesEverything(ctx.actor) ? undefined : findCached<CachedHealth>(ctx, getCacheKey(ctx))
  return {
    changed: cached ? valuesWrittenSinceSql(cached.snapshot, [HEALTH_CHANGES]) : sql<boolean>`true`,
    check: ({ snapshot, changed }: { readonly snapshot: string; readonly changed: boolean }): CheckedHealth => {
      const statuses = cached && !changed && cached.result.size < MAX_CACHED_ROWS ? cached.result.statuses : new Map<string, HealthStatus>()
      return { snapshot, at, statuses }
    },
  }
}

const checkCachedHealth = async (ctx: Context): Promise<CheckedHealth> => {
  const { changed, check } = findCachedHealth(ctx)
  const { rows } = await sql<{ snapshot: string; changed: boolean }>`
    select ${snapshotSql(ctx)} as snapshot, ${changed} as changed`.execute(ctx.db, ctx.limits)
  return check(rows[0]!)
}

const setCachedHealth = (ctx: Context, { snapshot, at, statuses }: CheckedHealth): void => {
  const result: CachedHealth = { size: statuses.size, statuses }
  setCached(ctx, getCacheKey(ctx), { snapshot, at, result })
}

/** The JSON of a record starts with its ID; parsing all of it would cost more than the rest of the page. */
export const getRecordId = (record: string): string => RECORD_ID.exec(record)![1]!
const RECORD_ID = /^\{"id":"([^"]+)"/
