import { findMentionedUsers } from '../../accounts/shared/mentions.ts'
import { findGroupMembers, findUserNames } from '../../accounts/shared/people.ts'
import { findUserActors } from '../../platform/authentication/actors.ts'
import type { Context } from '../../platform/context/context.ts'
import { type DomainEvent, type EventResource, recordEvents } from '../../platform/history/events.ts'
import { canSee, SYSTEM } from '../../platform/permissions/permissions.ts'
import { findResourceAuthors } from '../records/authors.ts'
import type { ResourceRow } from '../records/record.ts'
import { findChildRows, findResourceRow } from '../records/resource-rows.ts'
import { getStoredTypeFields } from '../records/type-fields.ts'

/** A resource that was created or edited. */
export interface WrittenResource {
  readonly before?: ResourceRow
  readonly after: ResourceRow
}

/**
 * Events directed at specific users, whether or not they subscribe to the resource: questions, replies, accepted replies, assignments
 * and mentions. Each stores its recipients; notifications leave out the performer and users who cannot see the resource.
 */
export const recordDirectedEvents = async (ctx: Context, written: readonly WrittenResource[]): Promise<void> => {
  if (!ctx.actor.user_id) return // sources do not notify users
  const events: DomainEvent[] = []
  for (const each of written) {
    if (each.after.entity_type === 'question') events.push(...(await findQuestionEvents(ctx, each)))
    if (each.after.entity_type === 'question_reply' && !each.before) events.push(...(await findReplyEvents(ctx, each.after)))
    events.push(...(await findMentionEvents(ctx, each)))
  }
  await recordEvents(ctx, events)
}

const MAX_EXCERPT_LENGTH = 500
export const excerpt = (text: string | null): string | null =>
  text && [...text.slice(0, 2 * MAX_EXCERPT_LENGTH)].slice(0, MAX_EXCERPT_LENGTH).join('')

const directedAt = (
  recipients: readonly string[],
  { id, entity_type, title, icon, integration }: ResourceRow,
): { readonly resource: EventResource; readonly recipients: readonly string[] } => ({
  resource: { id, type: entity_type, title, icon, integration_id: integration },
  recipients: [...new Set(recipients)],
})

const findQuestionEvents = async (ctx: Context, { before, after }: WrittenResource): Promise<DomainEvent[]> => {
  const events: DomainEvent[] = []
  const fields = getStoredTypeFields(after)
  const previousFields = before && getStoredTypeFields(before)
  const text = (row: ResourceRow) => excerpt(row.definition ?? row.description)
  if (!before) {
    const about = after.base_entity_id ? await findResourceRow(ctx.db, SYSTEM, after.base_entity_id) : undefined
    const owners = about ? await findVisibleOwners(ctx, about) : []
    if (about || owners.length > 0)
      events.push({
        kind: 'question_asked',
        ...directedAt(owners, after),
        payload: { about: about?.title ?? null, base_entity_id: after.base_entity_id, text: text(after) },
      })
  }
  const assignee = after.question_assigned_to
  if (assignee && assignee !== before?.question_assigned_to) {
    const assignee_name = (await findUserNames(ctx.db, [assignee])).get(assignee)
    if (assignee_name !== undefined)
      events.push({ kind: 'question_assigned', ...directedAt([assignee], after), payload: { assignee, assignee_name } })
  }
  const accepted = fields.accepted_reply
  if (before && typeof accepted === 'string' && accepted !== previousFields?.accepted_reply) {
    const authors = await findResourceAuthors(ctx.db, [accepted, after.id])
    const [author, questionAuthor] = [authors.get(accepted), authors.get(after.id)]
    const author_name = author && (await findUserNames(ctx.db, [author])).get(author)
    events.push({
      kind: 'question_reply_accepted',
      ...directedAt(compact(author, questionAuthor), after),
      payload: { accepted_reply: accepted, author: author ?? null, author_name: author_name ?? null },
    })
  }
  return events
}

/** Recipients: the author of the question, everyone who replied, and the assignee. */
const findReplyEvents = async (ctx: Context, reply: ResourceRow): Promise<DomainEvent[]> => {
  const question = reply.parent ? await findResourceRow(ctx.db, SYSTEM, reply.parent) : undefined
  if (question?.entity_type !== 'question') return []
  const replies = (await findChildRows(ctx.db, [question.id])).filter(({ entity_type }) => entity_type === 'question_reply')
  const authors = await findResourceAuthors(ctx.db, [question.id, ...replies.map(({ id }) => id)])
  const recipients = compact(...authors.values(), question.question_assigned_to)
  return [
    {
      kind: 'question_replied',
      ...directedAt(recipients, question),
      payload: { reply: reply.id, text: excerpt(reply.definition ?? reply.description ?? reply.title) },
    },
  ]
}

/** Owners of the resource (directly or through a group) who can see it. The owners of a table also own its columns. */
export const findVisibleOwners = async (ctx: Context, about: ResourceRow): Promise<string[]> => {
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
const findMentionEvents = async (ctx: Context, { before, after }: WrittenResource): Promise<DomainEvent[]> => {
  const texts = (['description', 'definition'] as const).filter((field) => after[field] !== before?.[field])
  const found = new Map<string, string>()
  for (const field of texts) for (const { id, name } of await findMentionedUsers(ctx.db, after[field], before?.[field])) found.set(id, name)
  if (found.size === 0) return []
  return [{ kind: 'person_mentioned', ...directedAt([...found.keys()], after), payload: { names: [...found.values()].join(', ') } }]
}

const compact = <T>(...some: readonly (T | null | undefined)[]): T[] => some.filter((each) => each !== null && each !== undefined)
