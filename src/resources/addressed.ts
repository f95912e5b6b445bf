import { findActorsOf } from '../access/actors.ts'
import { findMentioned } from '../access/mentions.ts'
import { membersOfGroups, namesOfUsers } from '../access/people.ts'
import { canSee, SYSTEM } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { type Activity, type Change, recordActivities } from '../history/record.ts'
import { findAuthors } from './authors.ts'
import { storedOwn } from './own-fields.ts'
import type { ResourceRow } from './record.ts'
import { findChildren, findRow } from './store.ts'

/**
 * Activities directed at specific users, whether or not they subscribe to the resource: questions, replies, accepted replies, assignments
 * and mentions. Each stores its recipients; notifications leave out the performer and users who cannot see the resource.
 */
export interface Written {
  readonly before?: ResourceRow
  readonly after: ResourceRow
}

export const recordAddressed = async (ctx: Context, written: readonly Written[]): Promise<void> => {
  if (!ctx.actor.user_id) return // sources do not notify users
  const entries: Activity[] = []
  for (const each of written) {
    if (each.after.entity_type === 'question') entries.push(...(await ofQuestion(ctx, each)))
    if (each.after.entity_type === 'question_reply' && !each.before) entries.push(...(await ofReply(ctx, each.after)))
    entries.push(...(await ofMentions(ctx, each)))
  }
  await recordActivities(ctx, entries)
}

const LONGEST_TEXT = 500
const excerpt = (text: string | null): string | null => text && [...text.slice(0, 2 * LONGEST_TEXT)].slice(0, LONGEST_TEXT).join('')

const entryOf = (
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

const ofQuestion = async (ctx: Context, { before, after }: Written): Promise<Activity[]> => {
  const entries: Activity[] = []
  const own = storedOwn(after)
  const had = before && storedOwn(before)
  const text = (row: ResourceRow) => excerpt(row.definition ?? row.description)
  if (!before) {
    const about = after.base_entity_id ? await findRow(ctx.db, SYSTEM, after.base_entity_id) : undefined
    const owners = about ? await ownersOf(ctx, about) : []
    if (about || owners.length > 0)
      entries.push(
        entryOf('question_asked', after, owners, { about: about?.title, base_entity_id: after.base_entity_id, text: text(after) }),
      )
  }
  const assignee = after.question_assigned_to
  if (assignee && assignee !== before?.question_assigned_to) {
    const assignee_name = (await namesOfUsers(ctx.db, [assignee])).get(assignee)
    if (assignee_name !== undefined) entries.push(entryOf('question_assigned', after, [assignee], { assignee, assignee_name }))
  }
  const accepted = own.accepted_reply
  if (before && typeof accepted === 'string' && accepted !== had?.accepted_reply) {
    const authors = await findAuthors(ctx.db, [accepted, after.id])
    const [author, asker] = [authors.get(accepted), authors.get(after.id)]
    const author_name = author && (await namesOfUsers(ctx.db, [author])).get(author)
    entries.push(entryOf('question_reply_accepted', after, isThere(author, asker), { accepted_reply: accepted, author, author_name }))
  }
  return entries
}

/** Recipients: the author of the question, everyone who replied, and the assignee. */
const ofReply = async (ctx: Context, reply: ResourceRow): Promise<Activity[]> => {
  const question = reply.parent ? await findRow(ctx.db, SYSTEM, reply.parent) : undefined
  if (question?.entity_type !== 'question') return []
  const replies = (await findChildren(ctx.db, [question.id])).filter(({ entity_type }) => entity_type === 'question_reply')
  const authors = await findAuthors(ctx.db, [question.id, ...replies.map(({ id }) => id)])
  const recipients = isThere(...authors.values(), question.question_assigned_to)
  return [
    entryOf('question_replied', question, recipients, {
      reply: reply.id,
      text: excerpt(reply.definition ?? reply.description ?? reply.title),
    }),
  ]
}

/** Owners of the resource (directly or through a group) who can see it. The owners of a table also own its columns. */
const ownersOf = async (ctx: Context, about: ResourceRow): Promise<string[]> => {
  const table = about.entity_type === 'column' && about.parent ? await findRow(ctx.db, SYSTEM, about.parent) : undefined
  const places = isThere(about, table)
  const members = await membersOfGroups(
    ctx.db,
    places.flatMap(({ owners_groups }) => owners_groups ?? []),
  )
  const people = [...new Set([...places.flatMap(({ owners }) => owners ?? []), ...members])]
  const actors = await findActorsOf(ctx.db, people)
  return people.filter((id) => {
    const actor = actors.get(id)
    return actor && canSee(actor, about)
  })
}

/** Users mentioned in the new text but not in the previous version. */
const ofMentions = async (ctx: Context, { before, after }: Written): Promise<Activity[]> => {
  const texts = (['description', 'definition'] as const).filter((field) => after[field] !== before?.[field])
  const found = new Map<string, string>()
  for (const field of texts) for (const { id, name } of await findMentioned(ctx.db, after[field], before?.[field])) found.set(id, name)
  if (found.size === 0) return []
  return [entryOf('person_mentioned', after, [...found.keys()], { names: [...found.values()].join(', ') })]
}

const isThere = <T>(...some: readonly (T | null | undefined)[]): T[] => some.filter((each) => each !== null && each !== undefined)
