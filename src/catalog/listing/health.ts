import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { anyOf } from '../../platform/db/opaque-params.ts'
import type { RowState } from '../../platform/db/row-versions.ts'
import { snapshotSql } from '../../platform/lists/count.ts'
import { getVisibilityKey, visibleTo } from '../../platform/permissions/permissions.ts'
import { differs, findStatus, HEALTH_CHANGES, type HealthStatus, statusSql, storedSeveritySql } from '../records/health.ts'
import { computedSeveritySql } from '../records/health-conditions.ts'
import { valuesWrittenSinceSql } from './count.ts'
import { getCached, setCached } from './result-cache.ts'

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

/** The health of the rows of a page. Only what was not stored when they were read needs another statement. */
export const findPageHealth = async (ctx: Context, states: readonly StoredHealth[]): Promise<Map<string, HealthStatus>> => {
  const health = new Map<string, HealthStatus>()
  const differing: string[] = []
  const missing: string[] = []
  for (const { id, severity } of states) {
    const status = findStatus(severity)
    if (status) health.set(id, status)
    else if (differs(severity)) differing.push(id)
    else missing.push(id)
  }
  const [seen, computed] = await Promise.all([findSeenHealth(ctx, differing), computeHealth(ctx, missing)])
  for (const found of [seen, computed]) for (const [id, status] of found) health.set(id, status)
  return health
}

const computeHealth = async (ctx: Context, ids: readonly string[]): Promise<Map<string, HealthStatus>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; health: HealthStatus }>`
    select r.id, ${statusSql(computedSeveritySql(ctx.actor, 'r'))} as health from resources r where r.id = ${anyOf(ids)} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, health }) => [id, health]))
}

const MAX_SEEN_ROWS = 20_000 // for callers with the same visibility

interface SeenHealth {
  readonly size: number
  readonly statuses: Map<string, HealthStatus>
}

/**
 * The health of resources that differs from caller to caller: cached for all callers with the same visibility, until any change of health is logged.
 * To check that takes a tenth of the time of computing it.
 */
const findSeenHealth = async (ctx: Context, ids: readonly string[]): Promise<ReadonlyMap<string, HealthStatus>> => {
  if (ids.length === 0) return NOTHING_SEEN
  const at = performance.now()
  const key = `health ${JSON.stringify(getVisibilityKey(ctx.actor))}`
  const cached = getCached<SeenHealth>(ctx, key)
  const { rows } = await sql<{ snapshot: string; changed: boolean }>`
    select ${snapshotSql(ctx)} as snapshot, ${cached ? valuesWrittenSinceSql(cached.snapshot, [HEALTH_CHANGES]) : sql`true`} as changed
  `.execute(ctx.db, ctx.limits)
  const { snapshot, changed } = rows[0]!
  const statuses = cached && !changed && cached.result.size < MAX_SEEN_ROWS ? cached.result.statuses : new Map<string, HealthStatus>()
  const computed = await computeHealth(
    ctx,
    ids.filter((id) => !statuses.has(id)),
  )
  for (const [id, status] of computed) statuses.set(id, status)
  const result: SeenHealth = { size: statuses.size, statuses }
  setCached(ctx, key, { snapshot, at, result })
  return new Map(ids.flatMap((id) => (statuses.has(id) ? [[id, statuses.get(id)!]] : [])))
}

const NOTHING_SEEN: ReadonlyMap<string, HealthStatus> = new Map()

/** The JSON of a record starts with its ID; parsing all of it would cost more than the rest of the page. */
export const getRecordId = (record: string): string => RECORD_ID.exec(record)![1]!
const RECORD_ID = /^\{"id":"([^"]+)"/
