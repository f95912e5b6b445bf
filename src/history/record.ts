import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { newId } from '../id.ts'

/** One field of a record before and after. */
export interface Change {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

export interface Activity {
  readonly id?: string
  /** `<noun>_<verb past>`, as `resource_updated`. */
  readonly activity_type: string
  /** The entry this one follows from: a column published because its table was. */
  readonly parent_id?: string
  readonly resource_id?: string
  readonly resource_type?: string
  readonly resource_title?: string | null
  readonly resource_icon?: string | null
  readonly integration_id?: string | null
  readonly related_resource_ids?: readonly string[]
  readonly related_resource_type?: string
  readonly version?: number
  readonly changes?: readonly Change[]
}

/** The only writer of history. Called in the transaction of the change itself: there is no change without its entry, and no entry without its change. */
export const recordActivities = async (ctx: Context, activities: readonly Activity[]): Promise<void> => {
  if (!ctx.in_transaction) throw new Error('History is written in the transaction of the change.')
  if (activities.length === 0) return
  const rows = activities.map((activity) => ({ id: newId(), ...activity }))
  await sql`
    insert into activities (id, parent_id, activity_type, performer_id, performer_type, resource_id, resource_type, resource_title, resource_icon,
      integration_id, related_resource_ids, related_resource_type, version, changes, logged_at)
    select id, parent_id, activity_type, ${ctx.actor.user_id}::uuid, ${ctx.actor.performer_type}, resource_id, resource_type, resource_title, resource_icon,
      integration_id, related_resource_ids, related_resource_type, version, changes, ${ctx.now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as a(
      id uuid, parent_id uuid, activity_type text, resource_id uuid, resource_type text, resource_title text, resource_icon text,
      integration_id uuid, related_resource_ids uuid[], related_resource_type text, version int, changes jsonb)
  `.execute(ctx.db)
}

export const recordActivity = (ctx: Context, activity: Activity): Promise<void> => recordActivities(ctx, [activity])
