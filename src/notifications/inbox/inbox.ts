import { type RawBuilder, type Selectable, sql } from 'kysely'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { parseId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { NotificationsTable } from '../../platform/db/tables/notify.ts'
import { rejectDuplicate } from '../../platform/db/unique-violation.ts'
import { toEventBlocks } from '../../platform/history/describe-activity.ts'
import { type EntryRow, toLogEntry } from '../../platform/history/entry.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { visibleTo } from '../../platform/permissions/permissions.ts'
import type { InboxQuery, Notification } from '../deliveries/schema.ts'
import { findCommonIncidents } from '../outbox/common-incidents.ts'
import { describeEntryFor, joinSentence, loadEntries } from '../outbox/entry-text.ts'
import { buildResourceUrl } from '../outbox/page-urls.ts'

/** A user's own inbox, which not even admins can read. Resources the user can no longer see are left out. */
type NotificationRow = Selectable<NotificationsTable>

/** The rows (`n`) of the actor's inbox. Visibility is that of the resource now or, if it was deleted, at that time. */
const ownRowsSql = (ctx: Pick<Context, 'actor'>): RawBuilder<unknown> => sql`
  n.user_id = ${ctx.actor.user_id} and case when r.id is null then n.gone and ${visibleTo(ctx.actor, 'n')} else ${visibleTo(ctx.actor, 'r')} end`
const FROM = sql`notifications n left join resources r on r.id = n.resource_id`

export const listInbox = async (ctx: Context, { unread, resource_id }: InboxQuery, page: PageRequest, publicUrl?: string) => {
  const conditions = sql.join(
    [
      ownRowsSql(ctx),
      ...(unread === undefined ? [] : [unread ? sql`n.read_at is null` : sql`n.read_at is not null`]),
      ...(resource_id === undefined ? [] : [sql`n.resource_id = ${parseId(resource_id)}`]),
    ],
    sql` and `,
  )
  const [{ results, ...head }, unread_count] = await Promise.all([
    readPage<NotificationRow & { resource_exists: boolean }>(ctx, page, {
      select: sql`n.*, r.id is not null as resource_exists`,
      from: FROM,
      where: conditions,
      order: [desc('timestamp', 'n.last_change_at'), asc('id', 'n.id')],
    }),
    countUnread(ctx),
  ])
  return { ...head, results: await toNotifications(ctx, results, publicUrl), unread_count }
}

export const countUnread = async (ctx: Pick<Context, 'db' | 'actor' | 'limits'>): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from ${FROM} where ${ownRowsSql(ctx)} and n.read_at is null`.execute(ctx.db, ctx.limits)
  return rows[0]!.count
}

export const getNotification = async (ctx: Context, id: string, publicUrl?: string): Promise<Notification> => {
  const { rows } = await sql<NotificationRow & { resource_exists: boolean }>`
    select n.*, r.id is not null as resource_exists from ${FROM} where ${ownRowsSql(ctx)} and n.id = ${id}`.execute(ctx.db)
  const [notification] = await toNotifications(ctx, rows, publicUrl)
  if (!notification) throw notFound('notification', id)
  return notification
}

export const markRead = (ctx: Context, id: string, read: boolean, publicUrl?: string): Promise<Notification> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockNotification(ctx, id)
    if (read === before.read) return getNotification(ctx, id, publicUrl)
    await rejectDuplicate(
      sql`
        update notifications set read_at = case when ${String(read)}::text::boolean then ${ctx.now}::timestamptz end, updated_at = ${nextUpdatedAtSql(ctx.now)}
        where id = ${id}
      `.execute(ctx.db),
      'This notification cannot be marked as unread because there is a newer unread notification for the same resource.',
    )
    return getNotification(ctx, id, publicUrl)
  })

/** Returns how many were unread. */
export const markAllRead = (ctx: Context): Promise<{ read: number }> =>
  inTransaction(ctx, async (ctx) => {
    const { rows } = await sql<{ count: number }>`
      with read as (
        update notifications set read_at = ${ctx.now}::timestamptz, updated_at = ${nextUpdatedAtSql(ctx.now)}
        where id in (select n.id from ${FROM} where ${ownRowsSql(ctx)} and n.read_at is null) returning 1
      )
      select count(*) as count from read
    `.execute(ctx.db)
    return { read: rows[0]!.count }
  })

export const deleteNotification = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    await lockNotification(ctx, id)
    await ctx.db.deleteFrom('notifications').where('id', '=', id).execute()
  })

const lockNotification = async (ctx: Context, id: string): Promise<{ read: boolean }> => {
  const { rows } = await sql<{ id: string; read: boolean; updated_at: string }>`
    select n.id, n.read_at is not null as read, n.updated_at from ${FROM} where ${ownRowsSql(ctx)} and n.id = ${id} for no key update of n
  `.execute(ctx.db)
  const row = rows[0]
  if (!row) throw notFound('notification', id)
  requireIfMatch(ctx, computeEtag({ updated_at: row.updated_at }))
  return row
}

/** Of discussions; comments on incidents are entries of their timelines and have no ID. */
const getComment = ({ activity_type, payload }: EntryRow): string | null =>
  activity_type === 'person_mentioned' || activity_type.startsWith('comment_') ? ((payload?.comment as string | undefined) ?? null) : null

const toNotifications = async (
  ctx: Context,
  rows: readonly (NotificationRow & { resource_exists: boolean })[],
  publicUrl?: string,
): Promise<Notification[]> => {
  const entries = await loadEntries(
    ctx,
    rows.flatMap(({ activity_ids }) => activity_ids),
    ctx.actor,
  )
  const incidents = await findCommonIncidents(
    ctx.db,
    rows.map(({ activity_ids, changes_count }) =>
      changes_count > activity_ids.length ? [] : activity_ids.flatMap((id) => entries.get(id) ?? []),
    ),
  )
  return rows.map((row, i) => {
    const changes = row.activity_ids.toReversed().flatMap((id) => {
      const entry = entries.get(id)
      if (!entry) return []
      const translatable = describeEntryFor(row.user_id, entry)
      const event_blocks = toEventBlocks(translatable)
      const { activity_type, performer_id, performer_metadata, logged_at } = toLogEntry(entry)
      return [
        {
          id,
          activity_type,
          performer_id,
          performer_name: performer_metadata.name,
          text: joinSentence(event_blocks),
          event_blocks,
          translatable,
          comment: getComment(entry),
          logged_at,
        },
      ]
    })
    const { id, created_at, updated_at, resource_id, resource_type, resource_title, changes_count, last_change_at, read_at } = row
    return {
      id,
      created_at,
      updated_at,
      resource_id,
      resource_type,
      resource_title,
      resource_deleted: !row.resource_exists,
      link: (row.resource_exists && buildResourceUrl(publicUrl, resource_id)) || null,
      incident: incidents[i] ?? null,
      text: changes[0]?.text ?? '',
      changes,
      changes_count,
      last_change_at,
      read: read_at !== null,
      read_at,
    }
  })
}
