import { sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { recordActivitiesSql } from '../../platform/history/record.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import { CONTAINER_ENTITY_TYPES } from '../entity-types/entity-types.ts'
import type { ResourceRow } from '../records/record.ts'

/**
 * Publishes the containers of these published resources, up to the first one that is already published: otherwise viewers would see a table
 * without its schema and database. Siblings stay unpublished, and containers that the actor cannot see are skipped. A resource of a closed
 * team only publishes containers of the same team, since others would see an empty container. One statement with its activities, because an
 * import runs two batches in one transaction and both may publish the same schema.
 */
export const publishContainers = async (ctx: Context, published: readonly Pick<ResourceRow, 'parent' | 'teams'>[]): Promise<void> => {
  const children = [...new Set(published.flatMap(({ parent, teams }) => (parent ? JSON.stringify({ parent, teams }) : [])))]
  if (children.length === 0) return
  const isHidden = sql`not r.published and r.entity_type = any(${CONTAINER_ENTITY_TYPES}::text[]) and ${visibleTo(ctx.actor)}`
  // "offset 0" forces a lookup by key: during an import the statistics of the table are outdated, and it is read as a whole.
  const parentOf = (child: string) => sql`(select r.* from resources r where r.id = ${sql.ref(`${child}.parent`)} offset 0)`
  await sql`
    with recursive shown as (
      select c.parent, array(select t.id from teams t where t.closed and t.id = any(c.teams)) as closed
      from json_to_recordset(${`[${children.join()}]`}::text::json) as c(parent uuid, teams uuid[])
    ), above as (
      select r.id, r.parent, s.closed from shown s cross join lateral ${parentOf('s')} r where ${isHidden} and (s.closed = '{}' or r.teams && s.closed)
      union
      select r.id, r.parent, a.closed from above a cross join lateral ${parentOf('a')} r where ${isHidden} and (a.closed = '{}' or r.teams && a.closed)
    ), locked as materialized (
      select r.id from resources r where r.id = any(array(select a.id from above a)) and not r.published order by r.id for no key update
    ), written as (
      update resources r set published = true, version = r.version + 1, updated_at = ${ctx.now}::timestamptz from locked l where r.id = l.id
      returning r.id, r.entity_type, r.title, r.icon, r.integration, r.version
    )
    ${recordActivitiesSql(
      ctx,
      sql`
        select gen_random_uuid() as id, null::uuid as parent_id, 'resource_updated' as activity_type, w.id as resource_id, w.entity_type as resource_type,
          w.title as resource_title, w.icon as resource_icon, w.integration as integration_id, w.version,
          '[{"field": "published", "from": false, "to": true}]'::jsonb as changes, null::uuid as parent_left
        from written w`,
      'versions',
    )}
  `.execute(ctx.db)
}
