import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { ResourceRow } from './record.ts'
import { lockResourceRows } from './resource-rows.ts'

/** The current rows that the actor can see. */
export const findVisibleRows = async (ctx: Context, ids: readonly string[]): Promise<Map<string, ResourceRow>> => {
  const { rows } = await sql<ResourceRow>`select r.* from resources r where r.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}`.execute(
    ctx.db,
    ctx.limits,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The same, locked until the transaction ends. */
export const lockVisibleRows = (ctx: Context, ids: readonly string[]): Promise<Map<string, ResourceRow>> =>
  lockResourceRows(ctx.db, ctx.actor, ids)
