import { sql } from 'kysely'
import { healthSql } from '../../catalog/records/health.ts'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { parseIds } from './names.ts'
import type { Health } from './schema.ts'

/** What the icons next to a resource's name show. */
export const findHealthByIds = async (ctx: Context, text: string): Promise<Health> => {
  const { rows } = await sql<Health[string] & { id: string }>`
    select r.id, ${healthSql(ctx.actor)} as status, r.deprecation is not null as deprecated
    from resources r where r.id = any(${parseIds(text)}::uuid[]) and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return Object.fromEntries(rows.map(({ id, status, deprecated }) => [id, { status, deprecated }]))
}
