import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { errorResponses } from '../../platform/http/openapi.ts'
import { MessageTemplate, MessageTemplateEdit, TemplateParams, TemplatePreview, TemplatePreviewRequest } from '../templates/schema.ts'
import { listTemplates, resetTemplate, saveTemplate } from '../templates/templates.ts'
import { previewTemplate } from './preview-template.ts'

const MANAGE = { permission: 'notifications.manage' } as const
const tags = ['Notification routing']
const ALL = '/notification/templates'
const ONE = `${ALL}/:channel/:event`

export const templateRoutes =
  ({ publicUrl }: { readonly publicUrl?: string }): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      ALL,
      {
        config: MANAGE,
        schema: {
          summary: 'Get the texts of messages, by kind of channel and event',
          tags,
          response: { 200: Type.Array(MessageTemplate) },
        },
      },
      (request) => listTemplates(request.ctx),
    )

    app.post(
      `${ALL}/preview`,
      {
        config: { ...MANAGE, idempotency: 'none' },
        schema: {
          summary: 'Render a text with the newest incident or schema change',
          description: 'Nothing is saved or sent.',
          tags,
          body: TemplatePreviewRequest,
          response: { 200: TemplatePreview, ...errorResponses(400) },
        },
      },
      (request) => previewTemplate(request.ctx, request.body, publicUrl),
    )

    app.put(
      ONE,
      {
        config: MANAGE,
        schema: {
          summary: 'Change the text of a message',
          description: 'An unknown placeholder is rejected. Values are escaped for the channel, so names in the catalog cannot add markup.',
          tags,
          params: TemplateParams,
          body: MessageTemplateEdit,
          response: { 200: MessageTemplate, ...errorResponses(400, 404) },
        },
      },
      (request) => saveTemplate(request.ctx, request.params.channel, request.params.event, request.body),
    )

    app.delete(
      ONE,
      {
        config: MANAGE,
        schema: {
          summary: 'Reset the text of a message to the default',
          tags,
          params: TemplateParams,
          response: { 204: Type.Null(), ...errorResponses(404) },
        },
      },
      async (request, reply) => {
        await resetTemplate(request.ctx, request.params.channel, request.params.event)
        return reply.code(204).send(null)
      },
    )
  }
