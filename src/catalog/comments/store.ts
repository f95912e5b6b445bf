import { sql } from 'kysely'
import { userNameSql } from '../../accounts/shared/names.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { type Actor, visibleTo } from '../../platform/permissions/permissions.ts'
import { reactionsSql } from './reactions-sql.ts'
import type { Comment, CommentQuery } from './schema.ts'

const nameSql = (actor: Actor, alias: string) => sql`case when ${sql.ref(`${alias}.id`)} is not null then ${userNameSql(actor, alias)} end`

const selectSql = (
  actor: Actor,
) => sql`c.id, c.created_at, c.updated_at, c.resource_id, r.title as resource_title, r.entity_type as resource_type,
  c.thread as thread_id, c.text, c.created_by, ${nameSql(actor, 'u')} as created_by_name, c.edited_at,
  case when t.resolved_at is null then 'open' else 'resolved' end as status, c.resolved_by, ${nameSql(actor, 's')} as resolved_by_name, c.resolved_at,
  ${reactionsSql(actor)} as reactions`
const FROM_SQL = sql`comments c join resources r on r.id = c.resource_id join comments t on t.id = c.thread
  left join users u on u.id = c.created_by left join users s on s.id = c.resolved_by`

const parseIdParam = (name: string, value: string): string => {
  const id = parseId(value)
  if (!id) throw invalid({ [name]: ['must be a UUID.'] })
  return id
}

/** Threads with the newest first, each from its first to its last comment. */
export const listCommentRows = (ctx: Context, { resource_id, thread_id, created_by, status }: CommentQuery, page: PageRequest) => {
  const conditions = [visibleTo(ctx.actor)]
  if (resource_id !== undefined) {
    const id = parseIdParam('resource_id', resource_id)
    conditions.push(
      sql`c.resource_id in (select ${id}::uuid union all select o.id from resources o where o.parent = ${id} and o.entity_type = 'column')`,
    )
  }
  if (thread_id !== undefined) conditions.push(sql`c.thread = ${parseIdParam('thread_id', thread_id)}`)
  if (created_by !== undefined) conditions.push(sql`c.created_by = ${parseIdParam('created_by', created_by)} and c.text is not null`)
  if (status) conditions.push(status === 'open' ? sql`t.resolved_at is null` : sql`t.resolved_at is not null`)
  return readPage<Comment>(ctx, page, {
    select: selectSql(ctx.actor),
    from: FROM_SQL,
    where: sql`${sql.join(conditions, sql` and `)}`,
    order: [desc('timestamp', 'c.thread_at'), asc('id', 'c.thread'), asc('timestamp', 'c.created_at'), asc('id', 'c.id')],
  })
}

export const findCommentRow = async (ctx: Context, id: string, lock = false): Promise<Comment | undefined> => {
  const { rows } = await sql<Comment>`
    select ${selectSql(ctx.actor)} from ${FROM_SQL} where c.id = ${id} and ${visibleTo(ctx.actor)} ${lock ? sql`for no key update of c` : sql``}
  `.execute(ctx.db)
  return rows[0]
}

/** Who wrote in a thread, and how many comments it has. The thread is locked, so that no reply is lost when it is deleted. */
export const lockThread = async (
  { db }: Context,
  thread: string,
): Promise<{ authors: string[]; comments: number; started_at: string } | undefined> => {
  const { rows } = await sql<{
    started_at: string
  }>`select t.created_at as started_at from comments t where t.id = ${thread} for no key update`.execute(db)
  if (!rows[0]) return undefined
  const { rows: counted } = await sql<{ authors: string[] | null; comments: number }>`
    select array_agg(distinct c.created_by) filter (where c.created_by is not null and c.text is not null) as authors, count(*) as comments
    from comments c where c.thread = ${thread}
  `.execute(db)
  return { ...rows[0], comments: counted[0]!.comments, authors: counted[0]!.authors ?? [] }
}

export const countComments = async ({ db }: Context, resource_id: string): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*) as count from comments c where c.resource_id = ${resource_id}`.execute(db)
  return rows[0]!.count
}

interface NewComment {
  readonly id: string
  readonly resource_id: string
  readonly thread: string
  readonly thread_at: Date
  readonly text: string
}

export const insertComment = ({ db, actor, now }: Context, comment: NewComment) =>
  db
    .insertInto('comments')
    .values({ ...comment, created_by: actor.user_id, created_at: now, updated_at: now })
    .execute()

export const updateCommentText = ({ db, now }: Context, id: string, text: string | null) =>
  db
    .updateTable('comments')
    .set({ text, edited_at: now, updated_at: nextUpdatedAtSql(now) })
    .where('id', '=', id)
    .execute()

export const updateThreadStatus = ({ db, actor, now }: Context, id: string, resolved: boolean) =>
  db
    .updateTable('comments')
    .set({ resolved_by: resolved ? actor.user_id : null, resolved_at: resolved ? now : null, updated_at: nextUpdatedAtSql(now) })
    .where('id', '=', id)
    .execute()

export const deleteReactions = ({ db }: Context, comment_id: string) =>
  db.deleteFrom('comment_reactions').where('comment_id', '=', comment_id).execute()

/** Deletes a comment and, with its last reply, a first comment that was deleted before. */
export const deleteCommentRow = async ({ db }: Context, { id, thread_id }: Pick<Comment, 'id' | 'thread_id'>): Promise<void> => {
  await sql`delete from comments c where c.id = ${id}`.execute(db)
  await sql`
    delete from comments c where c.id = ${thread_id} and c.text is null and not exists (select from comments o where o.thread = c.id and o.id <> c.id)
  `.execute(db)
}
