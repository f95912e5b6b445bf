import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../platform/context/context.ts'
import { recordActivitiesSql } from '../../platform/history/record.ts'
import { ENTITY_TYPE_CONFIGS } from '../entity-types/entity-types.ts'

/** Activity nouns by entity type, for activities recorded in SQL. */
export const ACTIVITY_NOUNS = JSON.stringify(
  Object.fromEntries([...ENTITY_TYPE_CONFIGS].map(([entity_type, { noun }]) => [entity_type, noun])),
)

/**
 * Records the versions of the resources in the CTE `written`, whose field changed from `before` to `after`, in the same statement. `entry` is the activity
 * they belong to.
 */
export const recordUpdatesSql = (ctx: Context, field: string, entry: string): RawBuilder<unknown> =>
  recordActivitiesSql(
    ctx,
    sql`
      select gen_random_uuid() as id, ${entry}::uuid as parent_id, (${ACTIVITY_NOUNS}::text::json ->> w.entity_type) || '_updated' as activity_type,
        w.id as resource_id, w.entity_type as resource_type, w.title as resource_title, w.icon as resource_icon, w.integration as integration_id,
        w.version, jsonb_build_array(jsonb_build_object('field', ${field}::text, 'from', to_jsonb(w.before), 'to', to_jsonb(w.after))) as changes,
        null::uuid as parent_left
      from written w`,
    'versions',
  )
