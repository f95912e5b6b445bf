import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { anyOf } from '../../platform/db/opaque-params.ts'
import type { RowState } from '../../platform/db/row-versions.ts'
import { snapshotSql } from '../../platform/lists/count.ts'
import { getVisibilityKey, seesEverything, visibleTo } from '../../platform/permissions/permissions.ts'
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

/**
 * The health of the rows of a page. Only what was not stored when they were read needs another statement. `seen` was checked by the statement that read
 * them; without it, that takes another one too.
 */
export const findPageHealth = async (
  ctx: Context,
  states: readonly StoredHealth[],
  seen?: CheckedHealth,
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
  if (differing.length > 0) {
    const { snapshot, at, statuses } = seen ?? (await checkSeenHealth(ctx))
    const [unseen, known] = [differing.filter((id) => !statuses.has(id)), differing.filter((id) => statuses.has(id))]
    for (const id of known) health.set(id, statuses.get(id)!)
    for (const [id, status] of await computeHealth(ctx, unseen)) {
      health.set(id, status)
      statuses.set(id, status)
    }
    const result: SeenHealth = { size: statuses.size, statuses }
    setCached(ctx, getSeenKey(ctx), { snapshot, at, result })
  }
  for (const [id, status] of await computeHealth(ctx, missing)) health.set(id, status)
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

/** What was valid in this snapshot. */
interface CheckedHealth {
  readonly snapshot: string
  readonly at: number
  readonly statuses: Map<string, HealthStatus>
}

const getSeenKey = ({ actor }: Context): string => `health ${JSON.stringify(getVisibilityKey(actor))}`

/**
 * The health of resources that differs from caller to caller is cached for all callers with the same visibility, until any change of health is logged.
 * Whether one was is checked by the statement that reads the stored severities: `changed` there, beside its snapshot.
 */
export const recallSeenHealth = (ctx: Context) => {
  const at = performance.now()
  const cached = seesEverything(ctx.actor) ? undefined : getCached<SeenHealth>(ctx, getSeenKey(ctx))
  return {
    changed: cached ? valuesWrittenSinceSql(cached.snapshot, [HEALTH_CHANGES]) : sql<boolean>`true`,
    check: ({ snapshot, changed }: { snapshot: string; changed: boolean }): CheckedHealth => ({
      snapshot,
      at,
      statuses: cached && !changed && cached.result.size < MAX_SEEN_ROWS ? cached.result.statuses : new Map(),
    }),
  }
}

const checkSeenHealth = async (ctx: Context): Promise<CheckedHealth> => {
  const seen = recallSeenHealth(ctx)
  const { rows } = await sql<{
    snapshot: string
    changed: boolean
  }>`select ${snapshotSql(ctx)} as snapshot, ${seen.changed} as changed`.execute(ctx.db, ctx.limits)
  return seen.check(rows[0]!)
}

/** The JSON of a record starts with its ID; parsing all of it would cost more than the rest of the page. */
export const getRecordId = (record: string): string => RECORD_ID.exec(record)![1]!
const RECORD_ID = /^\{"id":"([^"]+)"/
