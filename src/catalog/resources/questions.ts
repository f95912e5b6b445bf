import type { Context } from '../../platform/context/context.ts'
import { invalid, permissionDenied } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { can, SYSTEM } from '../../platform/permissions/permissions.ts'
import { AUTHOR_EDITABLE_FIELDS, findResourceAuthors } from '../records/authors.ts'
import { VERSIONED_FIELDS } from '../records/change.ts'
import type { ResourceRow } from '../records/record.ts'
import { findResourceRow, lockResourceRows } from '../records/resource-rows.ts'
import type { ResourceCreate } from '../records/schema.ts'
import { getStoredTypeFields, parseTypeFields, type TypeFields } from '../records/type-fields.ts'
import type { AcceptedReply } from '../trash/trash-rows.ts'
import { editResources } from './edit.ts'

/** Questions and replies: visibility and accepted replies. Every user can ask questions. */

type QuestionInput = ResourceCreate & TypeFields

/** A question has the visibility of the resource it refers to. */
export const prepareQuestion = async (ctx: Context, create: QuestionInput): Promise<ResourceCreate> =>
  inheritVisibility(ctx, create, create.base_entity_id ? await getReferencedRow(ctx, 'base_entity_id', create.base_entity_id) : undefined)

/** A reply has the visibility of its question. */
export const prepareReply = async (ctx: Context, create: QuestionInput): Promise<ResourceCreate> =>
  inheritVisibility(ctx, create, await getReferencedRow(ctx, 'parent', create.parent), ['parent'])

const getReferencedRow = async (ctx: Context, field: string, id: unknown): Promise<ResourceRow> => {
  const row = await findResourceRow(ctx.db, ctx.actor, parseId(String(id))!)
  if (!row) throw invalid({ [field]: [translatable('Resource {id} does not exist.', { id: String(id) })] })
  return row
}

/** The author is subscribed. Callers without `catalog.write` cannot choose visibility or owners. */
const inheritVisibility = (
  { actor }: Context,
  create: QuestionInput,
  about: ResourceRow | undefined,
  allowed: readonly string[] = [],
): ResourceCreate & TypeFields => {
  const visibility = { published: about?.published ?? true, teams: about ? about.teams : actor.role === 'guest' ? [...actor.teams] : null }
  const subscribers = actor.user_id ? [actor.user_id] : null
  if (can(actor, 'catalog.write')) return { ...visibility, subscribers, ...create }
  const editable = [...AUTHOR_EDITABLE_FIELDS, ...allowed, 'entity_type']
  const other = VERSIONED_FIELDS.find(
    (field) => !editable.includes(field) && isNonEmpty(create[field]) && create[field] !== getField(visibility, field),
  )
  if (other)
    throw permissionDenied(
      translatable('You do not have permission to set {field}. It requires the catalog.write permission.', { field: other }),
    )
  if (actor.role === 'guest' && !visibility.teams?.length)
    throw invalid({
      teams: [translatable('You are not a member of any team yet, so no one could see this. Ask an admin to add you to a team.')],
    })
  return { subscribers, ...create, ...visibility }
}

const getField = (record: object, field: string): unknown => (record as Record<string, unknown>)[field]
const isNonEmpty = (value: unknown): boolean =>
  value !== null && value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0)

/**
 * Derives the answer fields from an edit of a question. Accepting a reply answers the question; clearing it or reopening the question
 * removes the answer. Unchanged fields that a client sends back have no effect.
 */
export const applyAnswerChange = async (ctx: Context, id: string, input: TypeFields): Promise<TypeFields> => {
  // Locked so that concurrent edits are applied one after the other.
  const row = (await lockResourceRows(ctx.db, ctx.actor, [id])).get(id)
  if (!row) return input // the edit itself throws
  const before = getStoredTypeFields(row)
  const fields = parseTypeFields('question', input)
  const changed = Object.fromEntries(Object.entries(fields).filter(([field, value]) => value !== before[field]))
  const { accepted_reply, question_status: status, question_answered_by: answered_by } = changed
  if (typeof accepted_reply === 'string') {
    const author = await getReplyAuthor(ctx, id, accepted_reply)
    return { ...fields, question_status: 'answered', question_answered_by: answered_by ?? author }
  }
  if (accepted_reply === null && status !== 'answered') return { ...fields, ...OPEN_STATE, question_answered_by: answered_by ?? null }
  if (status === 'open' || status === null) return { ...fields, ...OPEN_STATE }
  if (status === 'answered') return { ...fields, question_answered_by: answered_by ?? before.question_answered_by ?? ctx.actor.user_id }
  return fields
}

const OPEN_STATE: TypeFields = { question_status: 'open', question_answered_by: null, accepted_reply: null }

const getReplyAuthor = async (ctx: Context, question: string, reply: string): Promise<string | null> => {
  const row = await findResourceRow(ctx.db, ctx.actor, reply)
  if (row?.entity_type !== 'question_reply' || row.parent !== question)
    throw invalid({ accepted_reply: [translatable('Reply {reply} does not exist or does not belong to this question.', { reply })] })
  return (await findResourceAuthors(ctx.db, [reply])).get(reply) ?? null
}

/** Deleting an accepted reply reopens its question, even if the caller could not edit the question. */
export const clearAcceptedReply = async (ctx: Context, { id, entity_type, parent }: ResourceRow): Promise<AcceptedReply | undefined> => {
  if (entity_type !== 'question_reply' || !parent) return undefined
  const question = await findResourceRow(ctx.db, SYSTEM, parent)
  if (question?.entity_type !== 'question' || getStoredTypeFields(question).accepted_reply !== id) return undefined
  await editResources({ ...ctx, actor: SYSTEM, if_match: undefined }, [{ id: parent, data: {}, own: OPEN_STATE }])
  return { question: parent, reply: id, answered_by: question.question_answered_by }
}

/** A restored reply is accepted again unless the question has been answered since. */
export const restoreAcceptedReply = async (ctx: Context, { question, reply, answered_by }: AcceptedReply): Promise<void> => {
  const row = (await lockResourceRows(ctx.db, SYSTEM, [question])).get(question)
  if (row?.entity_type !== 'question' || getStoredTypeFields(row).accepted_reply || row.question_status === 'answered') return
  const fields: TypeFields = { question_status: 'answered', question_answered_by: answered_by, accepted_reply: reply }
  await editResources({ ...ctx, actor: SYSTEM, if_match: undefined }, [{ id: question, data: {}, own: fields }])
}
