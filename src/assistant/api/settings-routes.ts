import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import type { Context } from '../../platform/context/context.ts'
import { conflict } from '../../platform/core/errors.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { callModel, ModelError } from '../models/call-model.ts'
import { AssistantSettings, AssistantSettingsEdit } from '../settings/schema.ts'
import { findSettingsRow, getAssistantSettings, setAssistantSettings } from '../settings/settings.ts'

const tags = ['Assistant']
const MANAGE = { permission: 'assistant.manage' } as const
const PATH = '/ai/settings'

const ModelTest = Type.Object(
  { ok: Type.Boolean(), message: Type.String({ description: 'What the model answered, or why it did not.' }) },
  { title: 'ModelTest' },
)

/** The language model of the workspace. */
export const assistantSettingsRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    PATH,
    {
      config: MANAGE,
      schema: { summary: 'Get the settings of the assistant', tags, response: { 200: AssistantSettings, ...errorResponses() } },
    },
    (request) => getAssistantSettings(request.ctx),
  )

  app.put(
    PATH,
    {
      config: MANAGE,
      schema: {
        summary: 'Set the language model of the assistant and its limits',
        description: 'Changing `url` or `provider` requires `key` again, so that a stored key is never sent to another destination.',
        tags,
        body: AssistantSettingsEdit,
        response: { 200: AssistantSettings, ...errorResponses(400) },
      },
    },
    (request) => setAssistantSettings(request.ctx, request.body),
  )

  app.post(
    `${PATH}/test`,
    {
      config: { ...MANAGE, idempotency: 'record' },
      schema: {
        summary: 'Send a test question to the language model',
        description: 'Uses the saved settings, also while the assistant is turned off.',
        tags,
        response: { 200: ModelTest, ...errorResponses(409) },
      },
    },
    (request) => testModel(request.ctx),
  )
}

const TEST = { system: 'Answer with one word.', messages: [{ role: 'user', text: 'Say OK.' }], tools: [] } as const
const TEST_TIMEOUT_MS = 20_000

const testModel = async (ctx: Context): Promise<Static<typeof ModelTest>> => {
  const settings = await findSettingsRow(ctx)
  if (!settings?.model) throw conflict('No language model is configured. Save the settings first.')
  try {
    const { text } = await callModel(ctx, settings, TEST, { signal: AbortSignal.timeout(TEST_TIMEOUT_MS) })
    return { ok: true, message: text.trim().slice(0, 200) }
  } catch (error) {
    if (error instanceof ModelError) return { ok: false, message: error.detail ? `${error.message} (${error.detail})` : error.message }
    return { ok: false, message: `The language model did not answer within ${TEST_TIMEOUT_MS / 1000} seconds.` }
  }
}
