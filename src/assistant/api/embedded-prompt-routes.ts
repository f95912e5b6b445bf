import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { notFound, permissionDenied } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { Nullable } from '../../platform/core/schema-types.ts'
import { continueConversation, getAnswer, NO_MODEL, startConversation } from '../conversations/conversations.ts'
import type { Answer } from '../conversations/schema.ts'
import { isAssistantEnabled } from '../settings/settings.ts'
import { type AssistantRouteOptions, toAnswerRequest } from './answer-request.ts'

const PromptBody = Type.Object(
  {
    prompt: Type.String({ minLength: 1, maxLength: 8_000, pattern: '\\S' }),
    parent: Type.Optional(Nullable(Type.String({ maxLength: 100, description: 'The ID of the previous prompt of the conversation.' }))),
    user_generated: Type.Optional(Type.Boolean()),
    persona_id: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
  },
  { title: 'Prompt', examples: [{ prompt: 'Which table has our revenue?' }] },
)
const USE = { permission: 'assistant.use' } as const

/** The chat of the commercial interface: a prompt is posted, and its answer polled. */
export const embeddedPromptRoutes =
  (options: AssistantRouteOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.post(
      '/ai/embedded_prompt/',
      { config: { ...USE, idempotency: 'none' }, schema: { hide: true, body: PromptBody } },
      async (request, reply) => {
        const { prompt, parent } = request.body
        if (!(await isAssistantEnabled(request.ctx))) throw permissionDenied(NO_MODEL)
        const answerRequest = toAnswerRequest(request, options)
        const answer = parent
          ? await continueConversation(request.ctx, (await getPrompt(request.ctx, parent)).conversation_id, prompt, answerRequest)
          : (await startConversation(request.ctx, { question: prompt }, answerRequest)).answers.at(-1)!
        return reply.code(201).send(toPrompt(answer, answerRequest.baseUrl))
      },
    )
    app.get(
      '/ai/embedded_prompt/:prompt_id/',
      { config: USE, schema: { hide: true, params: Type.Object({ prompt_id: Type.String() }) } },
      async (request) => toPrompt(await getPrompt(request.ctx, request.params.prompt_id), toAnswerRequest(request, options).baseUrl),
    )
  }

const getPrompt = (ctx: Parameters<typeof getAnswer>[0], text: string): Promise<Answer> => {
  const id = parseId(text)
  if (!id) throw notFound('prompt', text)
  return getAnswer(ctx, id)
}

/** Clients know three states. They show the text elsewhere, so its links are absolute. */
const toPrompt = ({ id, status, question, text, error }: Answer, baseUrl: string) => ({
  id,
  prompt: question,
  status: status === 'running' || status === 'completed' ? status : 'failed',
  ...(error && { error }),
  ...(status === 'completed' && { response: { content: text.replaceAll('](/r/', `](${baseUrl}/r/`) } }),
})
