import { type Context, inTransaction } from '../../platform/context/context.ts'
import { conflict, notFound, permissionDenied } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { findResourceRow } from '../records/resource-rows.ts'
import { toEventResource } from './event-resource.ts'
import type { Comment, Reaction } from './schema.ts'
import { findCommentRow } from './store.ts'

/** Adds the caller's reaction to a comment, or removes it. Nobody is notified. */
export const react = (ctx: Context, id: string, kind: Reaction, on: boolean): Promise<Comment> =>
  inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'questions.ask')
    const { user_id } = ctx.actor
    if (user_id === null) throw permissionDenied(translatable('Only users can react to comments, and this token belongs to no user.'))
    const comment = await findCommentRow(ctx, id, true)
    if (!comment) throw notFound('comment', id)
    if (on && comment.text === null) throw conflict(translatable('This comment was deleted.'))
    const changed = on ? await addReaction(ctx, comment, user_id, kind) : await removeReaction(ctx, id, user_id, kind)
    if (!changed) return comment
    const resource = (await findResourceRow(ctx.db, ctx.actor, comment.resource_id))!
    await recordEvent(ctx, {
      kind: on ? 'comment_reacted' : 'comment_reaction_removed',
      resource: toEventResource(resource),
      payload: { comment: id, thread: comment.thread_id, reaction: kind },
    })
    return (await findCommentRow(ctx, id))!
  })

const addReaction = async ({ db, now }: Context, { id, resource_id }: Comment, user_id: string, kind: Reaction): Promise<boolean> => {
  const added = await db
    .insertInto('comment_reactions')
    .values({ comment_id: id, user_id, kind, resource_id, created_at: now })
    .onConflict((c) => c.doNothing())
    .returning('kind')
    .execute()
  return added.length > 0
}

const removeReaction = async ({ db }: Context, comment_id: string, user_id: string, kind: Reaction): Promise<boolean> => {
  const removed = await db
    .deleteFrom('comment_reactions')
    .where('comment_id', '=', comment_id)
    .where('user_id', '=', user_id)
    .where('kind', '=', kind)
    .returning('kind')
    .execute()
  return removed.length > 0
}
