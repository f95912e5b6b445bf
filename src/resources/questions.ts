import { can, SYSTEM } from '../access/permissions.ts'
import type { Context } from '../context.ts'
import { denied, invalid } from '../errors.ts'
import { readId } from '../id.ts'
import { AUTHORS_FIELDS, findAuthors } from './authors.ts'
import { VERSIONED_FIELDS } from './change.ts'
import { editResources } from './edit.ts'
import { type Own, readOwn, storedOwn } from './own-fields.ts'
import type { ResourceRow } from './record.ts'
import type { ResourceCreate } from './schema.ts'
import { findRow, lockRows } from './store.ts'
import type { AcceptedReply } from './trash/store.ts'

/** Questions and replies: visibility and accepted replies. Every user can ask questions. */

type Writing = ResourceCreate & Own

/** A question has the visibility of the resource it refers to. */
export const prepareQuestion = async (ctx: Context, create: Writing): Promise<ResourceCreate> =>
  seenLike(ctx, create, create.base_entity_id ? await getRow(ctx, 'base_entity_id', create.base_entity_id) : undefined)

/** A reply has the visibility of its question. */
export const prepareReply = async (ctx: Context, create: Writing): Promise<ResourceCreate> =>
  seenLike(ctx, create, await getRow(ctx, 'parent', create.parent), ['parent'])

const getRow = async (ctx: Context, field: string, id: unknown): Promise<ResourceRow> => {
  const row = await findRow(ctx.db, ctx.actor, readId(String(id))!)
  if (!row) throw invalid({ [field]: [`Resource ${id} does not exist.`] })
  return row
}

/** The author is subscribed. Callers without `catalog.write` cannot choose visibility or owners. */
const seenLike = (
  { actor }: Context,
  create: Writing,
  about: ResourceRow | undefined,
  also: readonly string[] = [],
): ResourceCreate & Own => {
  const seen = { published: about?.published ?? true, teams: about ? about.teams : actor.role === 'guest' ? [...actor.teams] : null }
  const subscribers = actor.user_id ? [actor.user_id] : null
  if (can(actor, 'catalog.write')) return { ...seen, subscribers, ...create }
  const open = [...AUTHORS_FIELDS, ...also, 'entity_type']
  const other = VERSIONED_FIELDS.find((field) => !open.includes(field) && saysSomething(create[field]) && create[field] !== at(seen, field))
  if (other) throw denied(`You do not have permission to set ${other}. It requires the catalog.write permission.`)
  if (actor.role === 'guest' && !seen.teams?.length)
    throw invalid({ teams: ['You are not a member of any team yet, so no one could see this. Ask an admin to add you to a team.'] })
  return { subscribers, ...create, ...seen }
}

const at = (record: object, field: string): unknown => (record as Record<string, unknown>)[field]
const saysSomething = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

/**
 * Derives the answer fields from an edit of a question. Accepting a reply answers the question; clearing it or reopening the question
 * removes the answer. Unchanged fields that a client sends back have no effect.
 */
export const settleAnswer = async (ctx: Context, id: string, written: Own): Promise<Own> => {
  // Locked so that concurrent edits are applied one after the other.
  const row = (await lockRows(ctx.db, ctx.actor, [id])).get(id)
  if (!row) return written // the edit itself throws
  const before = storedOwn(row)
  const own = readOwn('question', written)
  const wish = Object.fromEntries(Object.entries(own).filter(([field, value]) => value !== before[field]))
  const { accepted_reply, question_status: status, question_answered_by: answered_by } = wish
  if (typeof accepted_reply === 'string') {
    const author = await authorOfReply(ctx, id, accepted_reply)
    return { ...own, question_status: 'answered', question_answered_by: answered_by ?? author }
  }
  if (accepted_reply === null && status !== 'answered') return { ...own, ...OPEN, question_answered_by: answered_by ?? null }
  if (status === 'open' || status === null) return { ...own, ...OPEN }
  if (status === 'answered') return { ...own, question_answered_by: answered_by ?? before.question_answered_by ?? ctx.actor.user_id }
  return own
}

const OPEN: Own = { question_status: 'open', question_answered_by: null, accepted_reply: null }

const authorOfReply = async (ctx: Context, question: string, reply: string): Promise<string | null> => {
  const row = await findRow(ctx.db, ctx.actor, reply)
  if (row?.entity_type !== 'question_reply' || row.parent !== question)
    throw invalid({ accepted_reply: [`Reply ${reply} does not exist or does not belong to this question.`] })
  return (await findAuthors(ctx.db, [reply])).get(reply) ?? null
}

/** Deleting an accepted reply reopens its question, even if the caller could not edit the question. */
export const forgetReply = async (ctx: Context, { id, entity_type, parent }: ResourceRow): Promise<AcceptedReply | undefined> => {
  if (entity_type !== 'question_reply' || !parent) return undefined
  const question = await findRow(ctx.db, SYSTEM, parent)
  if (question?.entity_type !== 'question' || storedOwn(question).accepted_reply !== id) return undefined
  await editResources({ ...ctx, actor: SYSTEM, if_match: undefined }, [{ id: parent, data: {}, own: OPEN }])
  return { question: parent, reply: id, answered_by: question.question_answered_by }
}

/** A restored reply is accepted again unless the question has been answered since. */
export const acceptAgain = async (ctx: Context, { question, reply, answered_by }: AcceptedReply): Promise<void> => {
  const row = (await lockRows(ctx.db, SYSTEM, [question])).get(question)
  if (row?.entity_type !== 'question' || storedOwn(row).accepted_reply || row.question_status === 'answered') return
  const own: Own = { question_status: 'answered', question_answered_by: answered_by, accepted_reply: reply }
  await editResources({ ...ctx, actor: SYSTEM, if_match: undefined }, [{ id: question, data: {}, own }])
}
