import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { findDownstream } from '../graph/impact.ts'

/** A resource that depends on a column that was dropped, renamed or given another type. */
export interface BrokenResource {
  readonly id: string
  readonly entity_type: string
  readonly title: string
  /** Of a column: its table. Otherwise the resource itself. */
  readonly table_id: string
}

const MAX_BROKEN = 200

/** What depends on these columns of a table, nearest first, at most 200. Without resources that are gone themselves. */
export const findBroken = async (ctx: Context, table_id: string, columns: readonly string[]): Promise<BrokenResource[]> => {
  if (columns.length === 0) return []
  const { affected } = await findDownstream(ctx, columns, 'column', { limit: MAX_BROKEN })
  const { rows } = await sql<{ id: string }>`
    select r.id from resources r where r.id = any(${affected.map(({ node }) => node.id)}::uuid[]) and not r.stale and not r.archived
  `.execute(ctx.db)
  const current = new Set(rows.map(({ id }) => id))
  return affected.flatMap(({ node: { id, entity_type, title_full, parent } }) => {
    const table = entity_type === 'column' && parent ? parent : id
    return current.has(id) && table !== table_id ? [{ id, entity_type, title: title_full, table_id: table }] : []
  })
}
