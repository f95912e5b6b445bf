import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { getResource } from '../listing/read.ts'
import type { ResourceRow } from '../records/record.ts'
import type { Resource } from '../records/schema.ts'

/**
 * Personal relations of a user to a resource: bookmark and subscription. They are not edits: they create no version and ignore `If-Match`.
 * Subscriptions are recorded in the activity log; bookmarks are private.
 */
export interface UserRelation {
  readonly noun: 'bookmark' | 'subscription'
  readonly field: 'bookmarked_by' | 'subscribers'
  readonly audited: boolean
}

export const BOOKMARK: UserRelation = { noun: 'bookmark', field: 'bookmarked_by', audited: false }
export const SUBSCRIPTION: UserRelation = { noun: 'subscription', field: 'subscribers', audited: true }

/** Idempotent. */
export const addUserRelation = (ctx: Context, relation: UserRelation, id: string): Promise<Resource> =>
  setUserRelation(ctx, relation, id, true)
export const removeUserRelation = (ctx: Context, relation: UserRelation, id: string): Promise<Resource> =>
  setUserRelation(ctx, relation, id, false)

const setUserRelation = (ctx: Context, { noun, field, audited }: UserRelation, id: string, active: boolean): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'self.write')
    const me = ctx.actor.user_id
    const column = sql`r.${sql.ref(field)}`
    const exists = sql`coalesce(${column} @> array[${me}]::uuid[], false)`
    const { rows } = await sql<Pick<ResourceRow, 'entity_type' | 'title' | 'icon' | 'integration'>>`
      update resources r
      set ${sql.ref(field)} = ${active ? sql`array_append(${column}, ${me}::uuid)` : sql`nullif(array_remove(${column}, ${me}::uuid), '{}')`}
      where r.id = ${id} and ${active ? sql`not ${exists}` : exists} and ${visibleTo(ctx.actor)}
      returning r.entity_type, r.title, r.icon, r.integration
    `.execute(ctx.db)
    const [row] = rows
    if (row && audited)
      await recordActivity(ctx, {
        activity_type: `${noun}_${active ? 'created' : 'deleted'}`,
        resource_id: id,
        resource_type: row.entity_type,
        resource_title: row.title,
        resource_icon: row.icon,
        integration_id: row.integration,
      })
    return getResource(ctx, id)
  })
