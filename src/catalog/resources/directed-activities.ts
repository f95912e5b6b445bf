import { findMentionedUsers } from '../../accounts/shared/mentions.ts'
import { findGroupMembers, findUserNames } from '../../accounts/shared/people.ts'
import { findUserActors } from '../../platform/authentication/actors.ts'
import type { Context } from '../../platform/context/context.ts'
import { type Activity, type Change, recordActivities } from '../../platform/history/record.ts'
import { canSee, SYSTEM } from '../../platform/permissions/permissions.ts'
import { findResourceAuthors } from '../records/authors.ts'
import type { ResourceRow } from '../records/record.ts'
import { findChildRows, findResourceRow } from '../records/resource-rows.ts'
import { getStoredTypeFields } from '../records/type-fields.ts'

/**
 * Activities directed at specific users, whether or not they subscribe to the resource: questions, replies, accepted replies, assignments
 * and mentions. Each stores its recipients; notifications leave out the performer and users who cannot see the resource.
 */
export interface DirectedEvent {
  readonly before?: ResourceRow
  readonly after: ResourceRow
}

export const recordDirectedActivities = async (ctx: Context, events: readonly DirectedEvent[]): Promise<void> => {
  if (!ctx.actor.user_id) return // sources do not notify users
  const entries: Activity[] = []
  for (const each of events) {
    if (each.after.entity_type === 'question') entries.push(...(await findQuestionActivities(ctx, each)))
    if (each.after.entity_type === 'question_reply' && !each.before) entries.push(...(await findReplyActivities(ctx, each.after)))
    entries.push(...(await findMentionActivities(ctx, each)))
  }
  await recordActivities(ctx, entries)
}

const MAX_EXCERPT_LENGTH = 500
const excerpt = (text: string | null): string | null =>
  text && [...text.slice(0, 2 * MAX_EXCERPT_LENGTH)].slice(0, MAX_EXCERPT_LENGTH).join('')

const toDirectedActivity = (
  activity_type: string,
  { id, entity_type, title, icon, integration }: ResourceRow,
  recipients: readonly string[],
  facts: Readonly<Record<string, unknown>>,
): Activity => ({
  activity_type,
  resource_id: id,
  resource_type: entity_type,
  resource_title: title,
  resource_icon: icon,
  integration_id: integration,
  recipients: [...new Set(recipients)],
  changes: Object.entries(facts).map(([field, to]): Change => ({ field, from: null, to: to ?? null })),
})

const findQuestionActivities = async (ctx: Context, { before, after }: DirectedEvent): Promise<Activity[]> => {
  const entries: Activity[] = []
  const fields = getStoredTypeFields(after)
  const previousFields = before && getStoredTypeFields(before)
  const text = (row: ResourceRow) => excerpt(row.definition ?? row.description)
  if (!before) {
    const about = after.base_entity_id ? await findResourceRow(ctx.db, SYSTEM, after.base_entity_id) : undefined
    const owners = about ? await findVisibleOwners(ctx, about) : []
    if (about || owners.length > 0)
      entries.push(
        toDirectedActivity('question_asked', after, owners, {
          about: about?.title,
          base_entity_id: after.base_entity_id,
          text: text(after),
        }),
      )
  }
  const assignee = after.question_assigned_to
  if (assignee && assignee !== before?.question_assigned_to) {
    const assignee_name = (await findUserNames(ctx.db, [assignee])).get(assignee)
    if (assignee_name !== undefined) entries.push(toDirectedActivity('question_assigned', after, [assignee], { assignee, assignee_name }))
  }
  const accepted = fields.accepted_reply
  if (before && typeof accepted === 'string' && accepted !== previousFields?.accepted_reply) {
    const authors = await findResourceAuthors(ctx.db, [accepted, after.id])
    const [author, questionAuthor] = [authors.get(accepted), authors.get(after.id)]
    const author_name = author && (await findUserNames(ctx.db, [author])).get(author)
    entries.push(
      toDirectedActivity('question_reply_accepted', after, compact(author, questionAuthor), {
        accepted_reply: accepted,
        author,
        author_name,
      }),
    )
  }
  return entries
}

/** Recipients: the author of the question, everyone who replied, and the assignee. */
const findReplyActivities = async (ctx: Context, reply: ResourceRow): Promise<Activity[]> => {
  const question = reply.parent ? await findResourceRow(ctx.db, SYSTEM, reply.parent) : undefined
  if (question?.entity_type !== 'question') return []
  const replies = (await findChildRows(ctx.db, [question.id])).filter(({ entity_type }) => entity_type === 'question_reply')
  const authors = await findResourceAuthors(ctx.db, [question.id, ...replies.map(({ id }) => id)])
  const recipients = compact(...authors.values(), question.question_assigned_to)
  return [
    toDirectedActivity('question_replied', question, recipients, {
      reply: reply.id,
      text: excerpt(reply.definition ?? reply.description ?? reply.title),
    }),
  ]
}

/** Owners of the resource (directly or through a group) who can see it. The owners of a table also own its columns. */
const findVisibleOwners = async (ctx: Context, about: ResourceRow): Promise<string[]> => {
  const table = about.entity_type === 'column' && about.parent ? await findResourceRow(ctx.db, SYSTEM, about.parent) : undefined
  const owned = compact(about, table)
  const members = await findGroupMembers(
    ctx.db,
    owned.flatMap(({ owners_groups }) => owners_groups ?? []),
  )
  const people = [...new Set([...owned.flatMap(({ owners }) => owners ?? []), ...members])]
  const actors = await findUserActors(ctx.db, people)
  return people.filter((id) => {
    const actor = actors.get(id)
    return actor && canSee(actor, about)
  })
}

/** Users mentioned in the new text but not in the previous version. */
const findMentionActivities = async (ctx: Context, { before, after }: DirectedEvent): Promise<Activity[]> => {
  const texts = (['description', 'definition'] as const).filter((field) => after[field] !== before?.[field])
  const found = new Map<string, string>()
  for (const field of texts) for (const { id, name } of await findMentionedUsers(ctx.db, after[field], before?.[field])) found.set(id, name)
  if (found.size === 0) return []
  return [toDirectedActivity('person_mentioned', after, [...found.keys()], { names: [...found.values()].join(', ') })]
}

const compact = <T>(...some: readonly (T | null | undefined)[]): T[] => some.filter((each) => each !== null && each !== undefined)
