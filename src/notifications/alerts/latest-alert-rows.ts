import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { pathTitleSql, tableIdSql } from './column-path.ts'
import type { AlertRow } from './store.ts'

/** The newest alert about an event of this type whose resource (`r`) meets the condition. */
export const findLatestAlert = async (
  ctx: Context,
  event: 'incident_opened' | 'incident_resolved' | 'schema_changed',
  condition: RawBuilder<unknown>,
): Promise<AlertRow | undefined> => {
  const { rows } = await sql<AlertRow>`
    select a.id as activity_id, a.related_resource_ids[1] as subject_id, false as reopened, a.resource_id, t.id as table_id,
      coalesce(a.resource_type, 'resource') as resource_type, ${pathTitleSql} as resource_title, a.performer_id,
      nullif(concat_ws(' ', u.first_name, u.last_name), '') as performer_name, a.logged_at, coalesce(a.payload, '{}') as payload
    from activities a join resources r on r.id = a.resource_id left join resources t on t.id = ${tableIdSql(sql`r.id`)}
      left join users u on u.id = a.performer_id
    where a.activity_type = ${sql.lit(event)} and ${condition} order by a.xid desc, a.logged_at desc limit 1
  `.execute(ctx.db)
  return rows[0]
}
