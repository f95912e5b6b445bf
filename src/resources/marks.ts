import { sql } from 'kysely'
import { mustBeAble, visibleTo } from '../access/permissions.ts'
import { type Context, inTransaction } from '../context.ts'
import { recordActivity } from '../history/record.ts'
import { readResource } from './read.ts'
import type { ResourceRow } from './record.ts'
import type { Resource } from './schema.ts'

/**
 * Personal relations of a user to a resource: bookmark and subscription. They are not edits: they create no version and ignore `If-Match`.
 * Subscriptions are recorded in the activity log; bookmarks are private.
 */
export interface Mark {
  readonly noun: 'bookmark' | 'subscription'
  readonly field: 'bookmarked_by' | 'subscribers'
  readonly told: boolean
}

export const BOOKMARK: Mark = { noun: 'bookmark', field: 'bookmarked_by', told: false }
export const SUBSCRIPTION: Mark = { noun: 'subscription', field: 'subscribers', told: true }

/** Idempotent. */
export const addMark = (ctx: Context, mark: Mark, id: string): Promise<Resource> => write(ctx, mark, id, true)
export const removeMark = (ctx: Context, mark: Mark, id: string): Promise<Resource> => write(ctx, mark, id, false)

const write = (ctx: Context, { noun, field, told }: Mark, id: string, marked: boolean): Promise<Resource> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'self.write')
    const me = ctx.actor.user_id
    const column = sql`r.${sql.ref(field)}`
    const there = sql`coalesce(${column} @> array[${me}]::uuid[], false)`
    const { rows } = await sql<Pick<ResourceRow, 'entity_type' | 'title' | 'icon' | 'integration'>>`
      update resources r
      set ${sql.ref(field)} = ${marked ? sql`array_append(${column}, ${me}::uuid)` : sql`nullif(array_remove(${column}, ${me}::uuid), '{}')`}
      where r.id = ${id} and ${marked ? sql`not ${there}` : there} and ${visibleTo(ctx.actor)}
      returning r.entity_type, r.title, r.icon, r.integration
    `.execute(ctx.db)
    const [row] = rows
    if (row && told)
      await recordActivity(ctx, {
        activity_type: `${noun}_${marked ? 'created' : 'deleted'}`,
        resource_id: id,
        resource_type: row.entity_type,
        resource_title: row.title,
        resource_icon: row.icon,
        integration_id: row.integration,
      })
    return readResource(ctx, id)
  })
