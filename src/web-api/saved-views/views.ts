import { type RawBuilder, sql } from 'kysely'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, invalid, notFound, permissionDenied } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { asc, orderByName } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { type Actor, can, requirePermission } from '../../platform/permissions/permissions.ts'
import { recordMatches } from './matches.ts'
import type { View, ViewCreate, ViewEdit, ViewQuery } from './schema.ts'

/** Saved views. Private views are visible to their owner only; only shared ones appear in the activity log. */
const MAX_VIEWS_PER_USER = 500 // per user
const AUDITED_FIELDS = ['name', 'query', 'shared']

const viewColumnsSql = ({ user_id }: Actor): RawBuilder<unknown> => sql`
  v.id, v.created_at, v.updated_at, v.name, v.query, v.page_name, v.shared, v.notify and v.user_id is not distinct from ${user_id}::uuid as notify, v.user_id as "user", v.user_id is not distinct from ${user_id}::uuid as mine,
  exists (select from pinned_views p where p.view_id = v.id and p.user_id = ${user_id}::uuid) as pinned`
const viewVisibleTo = ({ user_id }: Actor): RawBuilder<unknown> => sql`(v.shared or v.user_id is not distinct from ${user_id}::uuid)`

export const listViews = (ctx: Context, { page_name, shared }: ViewQuery, page: PageRequest) => {
  const conditions = [
    viewVisibleTo(ctx.actor),
    ...(page_name === undefined ? [] : [sql`v.page_name = ${page_name}`]),
    ...(shared === undefined ? [] : [shared ? sql`v.shared` : sql`not v.shared`]),
  ]
  return readPage<View>(ctx, page, {
    select: viewColumnsSql(ctx.actor),
    from: sql`saved_views v`,
    where: sql.join(conditions, sql` and `),
    order: [orderByName('v.name'), asc('id', 'v.id')],
  })
}

export const getView = async (ctx: Context, id: string, lock = sql``): Promise<View> => {
  const { rows } = await sql<View>`
    select ${viewColumnsSql(ctx.actor)} from saved_views v where v.id = ${id} and ${viewVisibleTo(ctx.actor)} ${lock}`.execute(ctx.db)
  if (!rows[0]) throw notFound('saved view', id)
  return rows[0]
}

export const createView = (
  ctx: Context,
  { name, query, page_name = 'catalog', shared = false, notify = false }: ViewCreate,
): Promise<View> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'self.write')
    if (shared) requireSharePermission(ctx.actor)
    const user_id = ctx.actor.user_id!
    const { rows } = await sql<{ count: number }>`select count(*) as count from saved_views where user_id = ${user_id}`.execute(ctx.db)
    if (rows[0]!.count >= MAX_VIEWS_PER_USER)
      throw conflict(translatable('You have reached the limit of {max} saved views. Delete one first.', { max: MAX_VIEWS_PER_USER }))
    const id = newId()
    const times = { created_at: ctx.now, updated_at: ctx.now }
    await ctx.db
      .insertInto('saved_views')
      .values({ id, user_id, name: name.trim(), query, page_name, shared, notify, checked_at: null, ...times })
      .execute()
    const view = await getView(ctx, id)
    if (notify) await startNotifying(ctx, view)
    await recordChange(ctx, 'created', undefined, view)
    return view
  })

export const editView = (ctx: Context, id: string, { name, query, shared, notify }: ViewEdit): Promise<View> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockViewForEdit(ctx, id)
    const after = {
      ...before,
      name: name?.trim() ?? before.name,
      query: query ?? before.query,
      shared: shared ?? before.shared,
      notify: notify ?? before.notify,
    }
    const watched = diffFields(before, after, ['query', 'notify']).length > 0
    if (!watched && diffFields(before, after, AUDITED_FIELDS).length === 0) return before
    if (before.notify !== after.notify && !before.mine)
      throw permissionDenied(translatable('Only the owner of a view is notified about its matches. Save a copy of it.'))
    if (after.shared) requireSharePermission(ctx.actor)
    // After unsharing, the caller could no longer see the view of another user.
    if (!after.shared && !before.mine)
      throw permissionDenied(translatable('Only the owner can stop sharing this view. You can delete it instead.'))
    await ctx.db
      .updateTable('saved_views')
      .set({
        name: after.name,
        query: after.query,
        shared: after.shared,
        ...(before.mine ? { notify: after.notify } : {}),
        updated_at: nextUpdatedAtSql(ctx.now),
      })
      .where('id', '=', id)
      .execute()
    if (watched && after.notify && before.mine) await startNotifying(ctx, after)
    await recordChange(ctx, 'updated', before, after)
    return getView(ctx, id)
  })

export const deleteView = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const view = await lockViewForEdit(ctx, id)
    await ctx.db.deleteFrom('saved_views').where('id', '=', id).execute()
    await recordChange(ctx, 'deleted', view, undefined)
  })

const MAX_NOTIFYING_PER_USER = 20

/** What matches now is not new. A view of another person that is edited starts again with its next check. */
const startNotifying = async (ctx: Context, { id, query, page_name }: View): Promise<void> => {
  if (page_name !== 'catalog') throw invalid({ notify: [translatable('Only views of the catalog can notify you about new matches.')] })
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from saved_views where user_id = ${ctx.actor.user_id} and notify`.execute(ctx.db)
  if (rows[0]!.count > MAX_NOTIFYING_PER_USER)
    throw conflict(
      translatable('At most {max} of your views can notify you. Turn off the notifications of another view first.', {
        max: MAX_NOTIFYING_PER_USER,
      }),
    )
  await recordMatches(ctx, id, query)
}

/** Views can be edited by their owner; shared ones also with `people.manage`. */
const lockViewForEdit = async (ctx: Context, id: string): Promise<View> => {
  requirePermission(ctx.actor, 'self.write')
  const view = await getView(ctx, id, sql`for no key update`)
  if (!view.mine && !can(ctx.actor, 'people.manage'))
    throw permissionDenied(translatable('This view belongs to another user. Save a copy to change it.'))
  requireIfMatch(ctx, computeEtag(view))
  return view
}

const requireSharePermission = (actor: Actor): void => {
  if (!can(actor, 'catalog.write'))
    throw permissionDenied(translatable('You do not have permission to share views. It requires the catalog.write permission.'))
}

const recordChange = async (ctx: Context, verb: string, before: View | undefined, after: View | undefined): Promise<void> => {
  const view = after ?? before
  if (!view || !(before?.shared || after?.shared)) return
  await recordActivity(ctx, {
    activity_type: `view_${verb}`,
    resource_id: view.id,
    resource_type: 'view',
    resource_title: view.name,
    changes: diffFields(before ?? {}, after ?? {}, AUDITED_FIELDS),
  })
}
