import { type RawBuilder, sql } from 'kysely'
import { type Actor, can, mustBeAble } from '../access/permissions.ts'
import { type Context, inTransaction, mustMatch } from '../context.ts'
import { conflict, denied, notFound } from '../errors.ts'
import { etagOf } from '../etag.ts'
import { diff } from '../history/diff.ts'
import { recordActivity } from '../history/record.ts'
import { newId } from '../id.ts'
import { asc, byName } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { readPage } from '../lists/read-page.ts'
import type { View, ViewCreate, ViewEdit, ViewQuery } from './schema.ts'

/** Saved views. Private views are visible to their owner only; only shared ones appear in the activity log. */
const MOST_OF_ONE = 500 // per user
const TOLD = ['name', 'query', 'shared']

const record = ({ user_id }: Actor): RawBuilder<unknown> => sql`
  v.id, v.created_at, v.updated_at, v.name, v.query, v.page_name, v.shared, v.user_id as "user", v.user_id is not distinct from ${user_id}::uuid as mine`
const seenBy = ({ user_id }: Actor): RawBuilder<unknown> => sql`(v.shared or v.user_id is not distinct from ${user_id}::uuid)`

export const listViews = (ctx: Context, { page_name, shared }: ViewQuery, page: PageRequest) => {
  const conditions = [
    seenBy(ctx.actor),
    ...(page_name === undefined ? [] : [sql`v.page_name = ${page_name}`]),
    ...(shared === undefined ? [] : [shared ? sql`v.shared` : sql`not v.shared`]),
  ]
  return readPage<View>(ctx, page, {
    select: record(ctx.actor),
    from: sql`saved_views v`,
    where: sql.join(conditions, sql` and `),
    order: [byName('v.name'), asc('id', 'v.id')],
  })
}

export const readView = async (ctx: Context, id: string, lock = sql``): Promise<View> => {
  const { rows } = await sql<View>`
    select ${record(ctx.actor)} from saved_views v where v.id = ${id} and ${seenBy(ctx.actor)} ${lock}`.execute(ctx.db)
  if (!rows[0]) throw notFound('saved view', id)
  return rows[0]
}

export const createView = (ctx: Context, { name, query, page_name = 'catalog', shared = false }: ViewCreate): Promise<View> =>
  inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'self.write')
    if (shared) mustBeAbleToShare(ctx.actor)
    const user_id = ctx.actor.user_id!
    const { rows } = await sql<{ count: number }>`select count(*) as count from saved_views where user_id = ${user_id}`.execute(ctx.db)
    if (rows[0]!.count >= MOST_OF_ONE) throw conflict(`You have reached the limit of ${MOST_OF_ONE} saved views. Delete one first.`)
    const id = newId()
    const times = { created_at: ctx.now, updated_at: ctx.now }
    await ctx.db
      .insertInto('saved_views')
      .values({ id, user_id, name: name.trim(), query, page_name, shared, ...times })
      .execute()
    const view = await readView(ctx, id)
    await tell(ctx, 'created', undefined, view)
    return view
  })

export const editView = (ctx: Context, id: string, { name, query, shared }: ViewEdit): Promise<View> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lock(ctx, id)
    const after = { ...before, name: name?.trim() ?? before.name, query: query ?? before.query, shared: shared ?? before.shared }
    if (diff(before, after, TOLD).length === 0) return before
    if (after.shared) mustBeAbleToShare(ctx.actor)
    // After unsharing, the caller could no longer see the view of another user.
    if (!after.shared && !before.mine) throw denied('Only the owner can stop sharing this view. You can delete it instead.')
    await ctx.db
      .updateTable('saved_views')
      .set({
        name: after.name,
        query: after.query,
        shared: after.shared,
        updated_at: sql<Date>`greatest(${ctx.now}::timestamptz, updated_at + interval '1 millisecond')`,
      })
      .where('id', '=', id)
      .execute()
    await tell(ctx, 'updated', before, after)
    return readView(ctx, id)
  })

export const removeView = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const view = await lock(ctx, id)
    await ctx.db.deleteFrom('saved_views').where('id', '=', id).execute()
    await tell(ctx, 'deleted', view, undefined)
  })

/** Views can be edited by their owner; shared ones also with `people.manage`. */
const lock = async (ctx: Context, id: string): Promise<View> => {
  mustBeAble(ctx.actor, 'self.write')
  const view = await readView(ctx, id, sql`for no key update`)
  if (!view.mine && !can(ctx.actor, 'people.manage')) throw denied('This view belongs to another user. Save a copy to change it.')
  mustMatch(ctx, etagOf(view))
  return view
}

const mustBeAbleToShare = (actor: Actor): void => {
  if (!can(actor, 'catalog.write')) throw denied('You do not have permission to share views. It requires the catalog.write permission.')
}

const tell = async (ctx: Context, verb: string, before: View | undefined, after: View | undefined): Promise<void> => {
  const view = after ?? before
  if (!view || !(before?.shared || after?.shared)) return
  await recordActivity(ctx, {
    activity_type: `view_${verb}`,
    resource_id: view.id,
    resource_type: 'view',
    resource_title: view.name,
    changes: diff(before ?? {}, after ?? {}, TOLD),
  })
}
