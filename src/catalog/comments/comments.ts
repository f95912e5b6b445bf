import { findMentionedUsers } from '../../accounts/shared/mentions.ts'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { conflict, invalid, notFound, permissionDenied } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { type DomainEvent, recordEvents } from '../../platform/history/events.ts'
import { type Activity, recordActivity } from '../../platform/history/record.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { can, requirePermission, SYSTEM } from '../../platform/permissions/permissions.ts'
import type { ResourceRow } from '../records/record.ts'
import { findResourceRow, lockResourceRows } from '../records/resource-rows.ts'
import { excerpt, findVisibleOwners } from '../resources/directed-events.ts'
import { toEventResource } from './event-resource.ts'
import type { Comment, CommentCreate, CommentEdit, CommentQuery } from './schema.ts'
import {
  countComments,
  deleteCommentRow,
  deleteReactions,
  findCommentRow,
  insertComment,
  listCommentRows,
  lockThread,
  updateCommentText,
  updateThreadStatus,
} from './store.ts'

/**
 * Comments on resources and columns. Who sees a resource reads its comments and, like questions, can write one. Authors edit and delete
 * their own, admins delete any. Threads are resolved by who started them and by those who can edit the resource.
 */

const MAX_COMMENTS_PER_RESOURCE = 5_000
const MAX_COMMENTS_PER_THREAD = 500

export const listComments = (ctx: Context, query: CommentQuery, page: PageRequest) => listCommentRows(ctx, query, page)

export const getComment = async (ctx: Context, id: string): Promise<Comment> => {
  const found = await findCommentRow(ctx, id)
  if (!found) throw notFound('comment', id)
  return found
}

/** Owners and subscribers of the resource and everyone who wrote in the thread are notified; people mentioned are notified of that instead. */
export const addComment = (ctx: Context, create: CommentCreate): Promise<Comment> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'questions.ask')
    const thread_id = create.thread_id ? parseId(create.thread_id)! : undefined
    const thread = thread_id === undefined ? undefined : await getThread(ctx, thread_id)
    const resource = await lockResource(ctx, thread?.resource_id ?? parseResourceId(create))
    if (thread && create.resource_id && parseId(create.resource_id) !== thread.resource_id)
      throw invalid({ resource_id: [translatable('must be the resource of the thread.')] })
    const counts = thread && (await lockThread(ctx, thread.id))
    if (thread && !counts) throw notFound('comment', thread.id)
    if (counts && counts.comments >= MAX_COMMENTS_PER_THREAD)
      throw conflict(translatable('This discussion has {max} comments. Start a new one.', { max: MAX_COMMENTS_PER_THREAD }))
    if ((await countComments(ctx, resource.id)) >= MAX_COMMENTS_PER_RESOURCE)
      throw conflict(
        translatable('{resource} has {max} comments. Delete some of them first.', {
          resource: resource.title,
          max: MAX_COMMENTS_PER_RESOURCE,
        }),
      )
    const id = newId()
    const text = create.text.trim()
    await insertComment(ctx, {
      id,
      resource_id: resource.id,
      thread: thread?.id ?? id,
      thread_at: counts ? new Date(counts.started_at) : ctx.now,
      text,
    })
    const mentioned = await findMentionedUsers(ctx.db, text)
    const mentionedIds = new Set(mentioned.map((user) => user.id))
    const recipients = [...(await findFollowers(ctx, resource)), ...(counts?.authors ?? [])].filter((user) => !mentionedIds.has(user))
    await recordEvents(ctx, [
      {
        kind: 'comment_added',
        resource: toEventResource(resource),
        recipients: [...new Set(recipients)],
        payload: { comment: id, thread: thread?.id ?? id, text: excerpt(text) },
      },
      ...toMentionEvents(resource, id, text, mentioned),
    ])
    return getComment(ctx, id)
  })

const parseResourceId = ({ resource_id }: CommentCreate): string => {
  if (!resource_id) throw invalid({ resource_id: [translatable('is required.')] })
  return parseId(resource_id)!
}

const getThread = async (ctx: Context, id: string): Promise<Comment> => {
  const thread = await getComment(ctx, id)
  if (thread.thread_id === thread.id) return thread
  throw invalid({ thread_id: [translatable('is a reply. Use the ID of the first comment of its thread.')] })
}

/** Locked, so that it cannot be deleted before the comment is written. */
const lockResource = async (ctx: Context, id: string): Promise<ResourceRow> => {
  const resource = (await lockResourceRows(ctx.db, ctx.actor, [id], { to: 'refer' })).get(id)
  if (!resource) throw notFound('resource', id)
  return resource
}

/** Owners and subscribers of the resource; for a column, those of its table as well. */
const findFollowers = async (ctx: Context, resource: ResourceRow): Promise<string[]> => {
  const table = resource.entity_type === 'column' && resource.parent ? await findResourceRow(ctx.db, SYSTEM, resource.parent) : undefined
  return [...(await findVisibleOwners(ctx, resource)), ...(resource.subscribers ?? []), ...(table?.subscribers ?? [])]
}

const toMentionEvents = (
  resource: ResourceRow,
  comment: string,
  text: string,
  mentioned: readonly { id: string; name: string }[],
): DomainEvent[] =>
  mentioned.length === 0
    ? []
    : [
        {
          kind: 'person_mentioned',
          resource: toEventResource(resource),
          recipients: mentioned.map(({ id }) => id),
          payload: { names: mentioned.map(({ name }) => name).join(', '), comment, text: excerpt(text) },
        },
      ]

/** Edits the text, or resolves or reopens the thread. */
export const editComment = (ctx: Context, id: string, { text, status }: CommentEdit): Promise<Comment> =>
  inTransaction(ctx, async (ctx) => {
    const before = await lockComment(ctx, id)
    if (text !== undefined && text.trim() !== before.text) await editText(ctx, before, text.trim())
    if (status !== undefined && status !== before.status) await setThreadStatus(ctx, before, status)
    return getComment(ctx, id)
  })

const lockComment = async (ctx: Context, id: string): Promise<Comment> => {
  requirePermission(ctx.actor, 'questions.ask')
  const comment = await findCommentRow(ctx, id, true)
  if (!comment) throw notFound('comment', id)
  requireIfMatch(ctx, computeEtag(comment))
  return comment
}

const isAuthor = ({ actor }: Context, { created_by }: Comment): boolean => created_by !== null && created_by === actor.user_id

const editText = async (ctx: Context, before: Comment, text: string): Promise<void> => {
  if (before.text === null) throw conflict(translatable('This comment was deleted.'))
  if (!isAuthor(ctx, before)) throw permissionDenied(translatable('You can only edit your own comments.'))
  const resource = (await findResourceRow(ctx.db, ctx.actor, before.resource_id))!
  await updateCommentText(ctx, before.id, text)
  await recordActivity(ctx, { ...toActivity(before, 'updated'), changes: [{ field: 'text', from: before.text, to: text }] })
  await recordEvents(ctx, toMentionEvents(resource, before.id, text, await findMentionedUsers(ctx.db, text, before.text)))
}

const setThreadStatus = async (ctx: Context, { id, thread_id, ...comment }: Comment, status: Comment['status']): Promise<void> => {
  if (id !== thread_id) throw invalid({ status: [translatable('is only for the first comment of a thread.')] })
  if (comment.created_by !== ctx.actor.user_id && !can(ctx.actor, 'catalog.write'))
    throw permissionDenied(
      translatable('Only the person who started a discussion and people who can edit the resource can resolve or reopen it.'),
    )
  const resource = (await findResourceRow(ctx.db, ctx.actor, comment.resource_id))!
  const { authors } = (await lockThread(ctx, id))!
  await updateThreadStatus(ctx, id, status === 'resolved')
  await recordEvents(ctx, [
    {
      kind: status === 'resolved' ? 'comment_resolved' : 'comment_reopened',
      resource: toEventResource(resource),
      recipients: authors,
      payload: { comment: id, thread: id },
    },
  ])
}

const toActivity = ({ resource_id, resource_type, resource_title }: Comment, verb: string): Activity => ({
  activity_type: `comment_${verb}`,
  resource_id,
  resource_type,
  resource_title,
})

/** A first comment with replies stays without its text. */
export const deleteComment = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const comment = await lockComment(ctx, id)
    if (!isAuthor(ctx, comment) && ctx.actor.role !== 'admin')
      throw permissionDenied(translatable('You can only delete your own comments.'))
    const { comments } = (await lockThread(ctx, comment.thread_id))!
    const hasReplies = comment.id === comment.thread_id && comments > 1
    if (hasReplies && comment.text === null) return
    if (hasReplies) {
      await updateCommentText(ctx, id, null)
      await deleteReactions(ctx, id)
    } else await deleteCommentRow(ctx, comment)
    await recordActivity(ctx, { ...toActivity(comment, 'deleted'), changes: [{ field: 'text', from: comment.text, to: null }] })
  })
