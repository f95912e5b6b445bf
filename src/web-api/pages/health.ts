import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { parseIds } from './names.ts'
import type { Health } from './schema.ts'

/** Number of open incidents per resource; those of columns also count for their table. Resources without any are left out. */
export const countOpenIncidents = async (ctx: Context, text: string): Promise<Health> => {
  const ids = parseIds(text)
  const { rows } = await sql<{ id: string; open_incidents: number; since: string }>`
    select x.id, count(*) as open_incidents, min(i.first_seen_at) as since
    from monitor_incidents i join resources r on r.id = i.target
      cross join lateral (values (r.id), (case when r.entity_type = 'column' then r.parent end)) as x(id)
    where i.status <> 'resolved' and x.id = any(${ids}::uuid[]) and ${visibleTo(ctx.actor)}
    group by x.id
  `.execute(ctx.db, ctx.limits)
  return Object.fromEntries(rows.map(({ id, open_incidents, since }) => [id, { open_incidents, since }]))
}
