import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import type { RowState } from '../../platform/db/row-versions.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { findStatus, type HealthStatus, healthSql } from '../records/health.ts'

/** The health of those of these resources that the caller can see, in one statement. */
export const findHealth = async (ctx: Context, ids: readonly string[]): Promise<Map<string, HealthStatus>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; health: HealthStatus }>`
    select r.id, ${healthSql(ctx.actor)} as health from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, health }) => [id, health]))
}

/** The state of a row with its stored severity, if that was read with it. */
export type HealthState = RowState & { readonly severity?: number | undefined }

/**
 * Adds `health` to rendered records. It changes without its record, so it is never part of the cached text. Only what is not stored needs another
 * statement.
 */
export const addHealth = async (ctx: Context, records: readonly string[], states: readonly HealthState[]): Promise<string[]> => {
  const stored = new Map(states.map(({ id, severity }) => [id, findStatus(severity)]))
  const computed = await findHealth(
    ctx,
    states.flatMap(({ id }) => (stored.get(id) ? [] : [id])),
  )
  return records.map((record) => {
    const id = getRecordId(record)
    return `${record.slice(0, -1)},"health":"${stored.get(id) ?? computed.get(id) ?? 'unknown'}"}`
  })
}

/** The JSON of a record starts with its ID; parsing all of it would cost more than the rest of the page. */
export const getRecordId = (record: string): string => RECORD_ID.exec(record)![1]!
const RECORD_ID = /^\{"id":"([^"]+)"/
