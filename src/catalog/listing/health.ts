import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { type HealthStatus, healthSql } from '../records/health.ts'

/** The health of those of these resources that the caller can see, in one statement. */
export const findHealth = async (ctx: Context, ids: readonly string[]): Promise<Map<string, HealthStatus>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; health: HealthStatus }>`
    select r.id, ${healthSql(ctx.actor)} as health from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return new Map(rows.map(({ id, health }) => [id, health]))
}

/** Adds `health` to rendered records. It changes without its record, so it is never part of the cached text. */
export const addHealth = async (ctx: Context, records: readonly string[]): Promise<string[]> => {
  const ids = records.map(getRecordId)
  const health = await findHealth(ctx, ids)
  return records.map((record, i) => `${record.slice(0, -1)},"health":"${health.get(ids[i]!) ?? 'unknown'}"}`)
}

/** The JSON of a record starts with its ID; parsing all of it would cost more than the rest of the page. */
export const getRecordId = (record: string): string => RECORD_ID.exec(record)![1]!
const RECORD_ID = /^\{"id":"([^"]+)"/
