import { sql } from 'kysely'
import { getResource } from '../../catalog/listing/read.ts'
import { type Context, contextAs, inTransaction } from '../../platform/context/context.ts'
import { ApiError, conflict, notFound, permissionDenied } from '../../platform/core/errors.ts'
import { newId, parseId } from '../../platform/core/id.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { SYSTEM } from '../../platform/permissions/permissions.ts'
import { type AssistantSettingsRow, findSettingsRow } from '../settings/settings.ts'
import { findReachedLimit, findUsageToday } from '../usage/usage.ts'
import { type Question, recordAnswer, writeAnswer } from './answer.ts'
import type { Answer, AssistantStatus, Conversation } from './schema.ts'
import {
  countRunningAnswers,
  deleteConversationRow,
  endSilentAnswers,
  findAnswerRow,
  findAnswerRows,
  findConversationRow,
  insertAnswer,
  insertConversation,
  listConversationRows,
  requestCancel,
} from './store.ts'

const MAX_RUNNING_PER_USER = 3
const MAX_ANSWERS = 100 // in a conversation
const MAX_TITLE_LENGTH = 100

/** What writing an answer needs from its request. */
export type AnswerRequest = Pick<Question, 'baseUrl' | 'findActor' | 'onError'>

export const NO_MODEL =
  'No language model is configured in this workspace, so questions cannot be answered. Connect your own assistant to /mcp, or call the tools at /api/v1/ai/mcp/tools/call/.'

export const getAssistantStatus = async (ctx: Context): Promise<AssistantStatus> => {
  const [settings, used] = await Promise.all([findSettingsRow(ctx), findUsageToday(ctx)])
  return {
    enabled: settings?.enabled ?? false,
    model: settings?.enabled ? settings.model : null,
    tokens_used: used.input_tokens + used.output_tokens,
    tokens_per_day: settings?.tokens_per_day ?? 0,
    cost_used: used.cost,
    cost_per_day: settings?.cost_per_day ?? null,
  }
}

export const listConversations = (ctx: Context, page: PageRequest) => listConversationRows(ctx, page)

export const getConversation = async (ctx: Context, id: string): Promise<Conversation> => {
  const conversation = await findConversationRow(ctx, id)
  if (!conversation) throw notFound('conversation', id)
  const about = conversation.resource_id ? await getResource(ctx, conversation.resource_id).catch(() => undefined) : undefined
  return { ...conversation, resource_title: about?.title ?? null, answers: await findAnswerRows(ctx, id) }
}

export const getAnswer = async (ctx: Context, id: string): Promise<Answer> => {
  const answer = await findAnswerRow(ctx, id)
  if (!answer) throw notFound('answer', id)
  return answer
}

/** Starts a conversation; the answer is written in the background. */
export const startConversation = async (
  ctx: Context,
  { question, resource_id }: { question: string; resource_id?: string | null },
  request: AnswerRequest,
): Promise<Conversation> => {
  const settings = await requireModel(ctx)
  const about = resource_id ? (await getResource(ctx, parseId(resource_id)!)).id : null
  const id = newId()
  await ask(ctx, settings, { conversation_id: id, question, resource_id: about, request }, (ctx, user_id) =>
    insertConversation(ctx, { id, user_id, title: toTitle(question), resource_id: about }),
  )
  return getConversation(ctx, id)
}

/** Asks the next question of a conversation. */
export const continueConversation = async (ctx: Context, id: string, question: string, request: AnswerRequest): Promise<Answer> => {
  const settings = await requireModel(ctx)
  const { resource_id } = await getConversation(ctx, id)
  const answer_id = await ask(ctx, settings, { conversation_id: id, question, resource_id, request }, async (ctx) => {
    if (!(await findConversationRow(ctx, id, true))) throw notFound('conversation', id)
  })
  return getAnswer(ctx, answer_id)
}

const requireModel = async (ctx: Context): Promise<AssistantSettingsRow> => {
  const settings = await findSettingsRow(ctx)
  if (!settings?.enabled) throw conflict(NO_MODEL)
  return settings
}

interface NewQuestion {
  readonly conversation_id: string
  readonly question: string
  readonly resource_id: string | null
  readonly request: AnswerRequest
}

const ask = async (
  ctx: Context,
  settings: AssistantSettingsRow,
  { conversation_id, question, resource_id, request }: NewQuestion,
  prepare: (ctx: Context, user_id: string) => Promise<unknown>,
): Promise<string> => {
  const { user_id } = ctx.actor
  if (!user_id) throw permissionDenied('Only users can have conversations, and this token belongs to no user.')
  const limit = await findReachedLimit(ctx, settings)
  if (limit) throw new ApiError('rate_limited', limit)
  ctx.runtime.answers.assertCapacity()
  const answer_id = newId()
  const earlier = await inTransaction(ctx, async (ctx) => {
    await sql`select from users u where u.id = ${user_id} for no key update`.execute(ctx.db) // concurrent questions are counted one after the other
    if ((await countRunningAnswers(ctx)) >= MAX_RUNNING_PER_USER)
      throw new ApiError('rate_limited', `${MAX_RUNNING_PER_USER} of your questions are being answered. Wait for an answer, or cancel one.`)
    await prepare(ctx, user_id)
    const earlier = await findAnswerRows(ctx, conversation_id)
    if (earlier.some(({ status }) => status === 'running')) throw conflict('The last question is still being answered. Wait, or cancel it.')
    if (earlier.length >= MAX_ANSWERS) throw conflict('This conversation is too long. Start a new one.')
    await insertAnswer(ctx, settings, { id: answer_id, conversation_id, question })
    return earlier
  })
  const background = toBackground(ctx)
  ctx.runtime.answers.start((stop) =>
    writeAnswer(background, { answer_id, question, earlier, resource_id, settings, ...request }, stop).catch(request.onError),
  )
  return answer_id
}

/** An answer outlives its request: it uses the pool, and none of the request's limits. */
const toBackground = ({ runtime, workspace_id, actor, now }: Context): Context => ({
  db: runtime.databases.request.db,
  runtime,
  workspace_id,
  actor,
  now,
  limits: {},
})

const toTitle = (question: string): string => {
  const letters = [...question.replace(/\s+/g, ' ').trim()]
  return letters.length > MAX_TITLE_LENGTH ? `${letters.slice(0, MAX_TITLE_LENGTH).join('').trimEnd()}…` : letters.join('')
}

/** The process that writes the answer sees it within a second. */
export const cancelAnswer = async (ctx: Context, id: string): Promise<Answer> => {
  await getAnswer(ctx, id)
  await requestCancel(ctx, id)
  return getAnswer(ctx, id)
}

export const deleteConversation = async (ctx: Context, id: string): Promise<void> => {
  if (!(await deleteConversationRow(ctx, id))) throw notFound('conversation', id)
}

/** Housekeeping: answers of dead processes get their entry in the audit log, and old conversations are deleted. */
export const cleanUpConversations = async (ctx: Context): Promise<void> => {
  await inTransaction(ctx, async (ctx) => {
    for (const { id, user_id, ...answer } of await endSilentAnswers(ctx))
      await recordAnswer(contextAs(ctx, { ...SYSTEM, user_id, performer_type: 'USER' }), id, { status: 'interrupted', ...answer })
  })
  const days = (await findSettingsRow(ctx))?.retention_days
  if (days === undefined) return
  await deleteInBatches(ctx.db, 'assistant_conversations', sql`updated_at < ${ctx.now}::timestamptz - ${days}::int * interval '1 day'`)
  await deleteInBatches(ctx.db, 'assistant_usage', sql`day < (${ctx.now}::timestamptz - ${days}::int * interval '1 day')::date`)
}
