import { sql } from 'kysely'
import { visibleTo } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { recordedFrom } from '../history/record.ts'
import { CONTAINERS } from './kinds.ts'
import type { ResourceRow } from './record.ts'

/**
 * Publishes what contains these published resources, up to the first container that is published already: otherwise viewers would find a
 * table without its schema and database. Only containers are published, not what else is in them, and none that the actor cannot see.
 * One statement with its history: an import runs two batches in one transaction, and both may publish the same schema.
 */
export const publishContainers = async (ctx: Context, published: readonly Pick<ResourceRow, 'parent'>[]): Promise<void> => {
  const parents = [...new Set(published.flatMap(({ parent }) => parent ?? []))]
  if (parents.length === 0) return
  const hidden = sql`not r.published and r.entity_type = any(${CONTAINERS}::text[]) and ${visibleTo(ctx.actor)}`
  await sql`
    with recursive above as (
      select r.id, r.parent from resources r where r.id = any(${parents}::uuid[]) and ${hidden}
      union
      select r.id, r.parent from above a join resources r on r.id = a.parent where ${hidden}
    ), locked as materialized (
      select r.id from resources r where r.id = any(array(select a.id from above a)) and not r.published order by r.id for no key update
    ), written as (
      update resources r set published = true, version = r.version + 1, updated_at = ${ctx.now}::timestamptz from locked l where r.id = l.id
      returning r.id, r.entity_type, r.title, r.icon, r.integration, r.version
    )
    ${recordedFrom(
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
