import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { EVENT_STREAM_RESPONSE, errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import {
  cancelAnswer,
  continueConversation,
  deleteConversation,
  getAnswer,
  getAssistantStatus,
  getConversation,
  listConversations,
  startConversation,
} from '../conversations/conversations.ts'
import { Answer, AssistantStatus, Conversation, ConversationCreate, ConversationEntry, QuestionCreate } from '../conversations/schema.ts'
import { streamAnswer } from '../conversations/stream-answer.ts'
import { type AssistantRouteOptions, toAnswerRequest } from './answer-request.ts'

const tags = ['Assistant']
const USE = { permission: 'assistant.use' } as const
/** The answer is written after the question is committed. */
const ASK = { ...USE, idempotency: 'record' } as const
const CONVERSATIONS = '/ai/conversations'
const CONVERSATION = `${CONVERSATIONS}/:conversation_id` as const
const ANSWER = '/ai/answers/:answer_id'
const conversationParams = Type.Object({ conversation_id: Id() })
const answerParams = Type.Object({ answer_id: Id() })

/** Questions to the assistant. A conversation is visible to its user only, also for admins. */
export const assistantRoutes =
  (options: AssistantRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/ai/status',
      {
        config: USE,
        schema: {
          summary: 'Get whether the assistant is available and what you have used today',
          tags,
          response: { 200: AssistantStatus, ...errorResponses() },
        },
      },
      (request) => getAssistantStatus(request.ctx),
    )

    app.get(
      CONVERSATIONS,
      {
        config: USE,
        schema: {
          summary: 'List your conversations, latest first',
          tags,
          querystring: PageQuery,
          response: { 200: PageSchema(ConversationEntry, 'AssistantConversationPage'), ...errorResponses(400) },
        },
      },
      (request) => listConversations(request.ctx, parsePageRequest(request.query, getRequestUrl(request))),
    )

    app.post(
      CONVERSATIONS,
      {
        config: ASK,
        schema: {
          summary: 'Ask the assistant a question',
          description:
            'Starts a conversation. The answer is written in the background: read `/ai/answers/{answer_id}/events`. 409 without a language model, 429 if you have reached a daily limit.',
          tags,
          body: ConversationCreate,
          response: { 201: Conversation, ...errorResponses(400, 404, 409) },
        },
      },
      async (request, reply) => reply.code(201).send(await startConversation(request.ctx, request.body, toAnswerRequest(request, options))),
    )

    app.get(
      CONVERSATION,
      {
        config: USE,
        schema: {
          summary: 'Get a conversation',
          tags,
          params: conversationParams,
          response: { 200: Conversation, ...errorResponses(404) },
        },
      },
      (request) => getConversation(request.ctx, request.params.conversation_id),
    )

    app.delete(
      CONVERSATION,
      {
        config: USE,
        schema: {
          summary: 'Delete a conversation',
          description: 'A running answer is cancelled.',
          tags,
          params: conversationParams,
          response: { 204: Type.Null(), ...errorResponses(404) },
        },
      },
      async (request, reply) => {
        await deleteConversation(request.ctx, request.params.conversation_id)
        return reply.code(204).send(null)
      },
    )

    app.post(
      `${CONVERSATION}/answers`,
      {
        config: ASK,
        schema: {
          summary: 'Ask the next question of a conversation',
          tags,
          params: conversationParams,
          body: QuestionCreate,
          response: { 201: Answer, ...errorResponses(400, 404, 409) },
        },
      },
      async (request, reply) =>
        reply
          .code(201)
          .send(
            await continueConversation(
              request.ctx,
              request.params.conversation_id,
              request.body.question,
              toAnswerRequest(request, options),
            ),
          ),
    )

    app.get(
      ANSWER,
      { config: USE, schema: { summary: 'Get an answer', tags, params: answerParams, response: { 200: Answer, ...errorResponses(404) } } },
      (request) => getAnswer(request.ctx, request.params.answer_id),
    )

    app.get(
      `${ANSWER}/events`,
      {
        config: USE,
        schema: {
          summary: 'Watch an answer',
          description:
            'Server-sent events: `answer` with the whole record immediately, after each step and at the end; `text` with what was added to its text.',
          tags,
          params: answerParams,
          response: { 200: EVENT_STREAM_RESPONSE, ...errorResponses(404) },
        },
      },
      (request, reply) => streamAnswer(request.ctx, request.params.answer_id, request, reply),
    )

    app.post(
      `${ANSWER}/cancel`,
      {
        config: USE,
        schema: {
          summary: 'Cancel an answer',
          description: 'It ends within a second or two, with the text written so far.',
          tags,
          params: answerParams,
          response: { 200: Answer, ...errorResponses(404) },
        },
      },
      (request) => cancelAnswer(request.ctx, request.params.answer_id),
    )
  }
