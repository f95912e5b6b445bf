import { sql } from 'kysely'
import { findPageHealth } from '../../catalog/listing/health.ts'
import { storedSeveritySql } from '../../catalog/records/health.ts'
import type { Context } from '../../platform/context/context.ts'
import { anyOf } from '../../platform/db/opaque-params.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { parseIds } from './names.ts'
import type { Health } from './schema.ts'

/** What the icons next to a resource's name show. */
export const findHealthByIds = async (ctx: Context, text: string): Promise<Health> => {
  const { rows } = await sql<{ id: string; severity: number; deprecated: boolean }>`
    select r.id, ${storedSeveritySql(ctx.actor, 'r')} as severity, r.deprecation is not null as deprecated
    from resources r where r.id = ${anyOf(parseIds(text))} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  const health = await findPageHealth(ctx, rows)
  return Object.fromEntries(rows.map(({ id, deprecated }) => [id, { status: health.get(id) ?? 'unknown', deprecated }]))
}
