import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { anyOf } from '../../platform/db/opaque-params.ts'
import type { RowState } from '../../platform/db/row-versions.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { findStatus, type HealthStatus, healthSql } from '../records/health.ts'

/** The health of those of these resources that the caller can see, in one statement. */
export const findHealth = async (ctx: Context, ids: readonly string[]): Promise<Map<string, HealthStatus>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; health: HealthStatus }>`
    select r.id, ${healthSql(ctx.actor)} as health from resources r where r.id = ${anyOf(ids)} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, health }) => [id, health]))
}

/** The state of a row with its stored severity, if that was read with it. */
export type HealthState = RowState & { readonly severity?: number | undefined }

/** The health of the rows of a page. Only what was not stored when they were read needs another statement. */
export const findPageHealth = async (ctx: Context, states: readonly HealthState[]): Promise<Map<string, HealthStatus>> => {
  const missing: string[] = []
  const health = new Map<string, HealthStatus>()
  for (const { id, severity } of states) {
    const status = findStatus(severity)
    if (status) health.set(id, status)
    else missing.push(id)
  }
  for (const [id, status] of await findHealth(ctx, missing)) health.set(id, status)
  return health
}

/** The JSON of a record starts with its ID; parsing all of it would cost more than the rest of the page. */
export const getRecordId = (record: string): string => RECORD_ID.exec(record)![1]!
const RECORD_ID = /^\{"id":"([^"]+)"/
