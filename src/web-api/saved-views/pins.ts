import { sql } from 'kysely'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import type { View } from './schema.ts'
import { getView } from './views.ts'

/** Views that the caller pinned to their navigation: their own choice, so it is not in the activity log. */
const MAX_PINNED = 20

export const pinView = (ctx: Context, id: string): Promise<View> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'self.write')
    const view = await getView(ctx, id, sql`for key share of v`)
    if (view.pinned) return view
    const user_id = ctx.actor.user_id!
    const { rows } = await sql<{ count: number }>`select count(*) as count from pinned_views p where p.user_id = ${user_id}::uuid`.execute(
      ctx.db,
    )
    if (rows[0]!.count >= MAX_PINNED) throw conflict(translatable('You have pinned {max} views. Unpin one first.', { max: MAX_PINNED }))
    await sql`
      insert into pinned_views (user_id, view_id, created_at) values (${user_id}::uuid, ${id}::uuid, ${ctx.now}::timestamptz) on conflict do nothing
    `.execute(ctx.db)
    return getView(ctx, id)
  })

export const unpinView = (ctx: Context, id: string): Promise<View> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'self.write')
    await getView(ctx, id)
    await sql`delete from pinned_views p where p.user_id = ${ctx.actor.user_id}::uuid and p.view_id = ${id}::uuid`.execute(ctx.db)
    return getView(ctx, id)
  })

/** By name. A view that is no longer shared is left out. */
export const listPinnedViews = async ({ db, actor, limits }: Context): Promise<{ id: string; name: string; query: string }[]> => {
  const { rows } = await sql<{ id: string; name: string; query: string }>`
    select v.id, v.name, v.query from pinned_views p join saved_views v on v.id = p.view_id
    where p.user_id = ${actor.user_id}::uuid and (v.shared or v.user_id = p.user_id) and v.page_name = 'catalog' order by lower(v.name), v.id
  `.execute(db, limits)
  return rows
}
