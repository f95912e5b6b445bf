import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { getWebhookDelivery, listWebhookDeliveries, redeliver, testWebhook } from './deliveries.ts'
import { NewWebhook, Webhook, WebhookCreate, WebhookDelivery, WebhookDeliveryQuery, WebhookEdit } from './schema.ts'
import type { SendOptions } from './send.ts'
import { createWebhook, deleteWebhook, editWebhook, getWebhook, listWebhooks, rotateSecret } from './webhooks.ts'

const MANAGE = { permission: 'notifications.manage' } as const
const tags = ['Webhooks']
const params = Type.Object({ webhook_id: Id() })
const deliveryParams = Type.Object({ webhook_id: Id(), webhook_delivery_id: Id() })

const ALL = '/notification/webhooks'
const ONE = `${ALL}/:webhook_id`
const DELIVERIES = `${ONE}/deliveries`
const DELIVERY = `${DELIVERIES}/:webhook_delivery_id`

export const webhookRoutes =
  (options: SendOptions): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { allowed } = options

    app.get(
      ALL,
      {
        config: MANAGE,
        schema: {
          summary: 'List webhooks, newest first',
          tags,
          querystring: PageQuery,
          response: { 200: PageSchema(Webhook, 'WebhookPage'), ...errorResponses(400) },
        },
      },
      (request) => listWebhooks(request.ctx, parsePageRequest(request.query, getRequestUrl(request))),
    )

    app.post(
      ALL,
      {
        config: { ...MANAGE, shown_once: ['secret'] },
        schema: {
          summary: 'Create a webhook',
          description: 'The secret is returned only in this response.',
          tags,
          body: WebhookCreate,
          response: { 201: NewWebhook, ...errorResponses(400, 409) },
        },
      },
      async (request, reply) => reply.code(201).send(await createWebhook(request.ctx, request.body, allowed)),
    )

    app.get(
      ONE,
      { config: MANAGE, schema: { summary: 'Get a webhook', tags, params, response: { 200: Webhook, ...errorResponses(404) } } },
      (request) => getWebhook(request.ctx, request.params.webhook_id),
    )

    app.patch(
      ONE,
      {
        config: MANAGE,
        schema: {
          summary: 'Edit a webhook',
          tags,
          params,
          body: WebhookEdit,
          response: { 200: Webhook, ...errorResponses(400, 404, 412) },
        },
      },
      (request) => editWebhook(request.ctx, request.params.webhook_id, request.body, allowed),
    )

    app.delete(
      ONE,
      {
        config: MANAGE,
        schema: { summary: 'Delete a webhook', tags, params, response: { 204: Type.Null(), ...errorResponses(404, 412) } },
      },
      async (request, reply) => {
        await deleteWebhook(request.ctx, request.params.webhook_id)
        return reply.code(204).send(null)
      },
    )

    app.post(
      `${ONE}/rotate_secret`,
      {
        config: { ...MANAGE, shown_once: ['secret'] },
        schema: {
          summary: 'Rotate the secret of a webhook',
          description: 'For one day deliveries are signed with both the new and the old secret.',
          tags,
          params,
          response: { 200: NewWebhook, ...errorResponses(404, 412) },
        },
      },
      (request) => rotateSecret(request.ctx, request.params.webhook_id),
    )

    app.post(
      `${ONE}/test`,
      {
        config: { ...MANAGE, idempotency: 'record' },
        schema: {
          summary: 'Send a test delivery to a webhook',
          tags,
          params,
          response: { 200: WebhookDelivery, ...errorResponses(404) },
        },
      },
      (request) => testWebhook(request.ctx, request.params.webhook_id, options),
    )

    app.get(
      DELIVERIES,
      {
        config: MANAGE,
        schema: {
          summary: 'List deliveries of a webhook, newest first',
          tags,
          params,
          querystring: WebhookDeliveryQuery,
          response: { 200: PageSchema(WebhookDelivery, 'WebhookDeliveryPage'), ...errorResponses(400, 404) },
        },
      },
      (request) =>
        listWebhookDeliveries(
          request.ctx,
          request.params.webhook_id,
          request.query,
          parsePageRequest(request.query, getRequestUrl(request)),
        ),
    )

    app.get(
      DELIVERY,
      {
        config: MANAGE,
        schema: {
          summary: 'Get a delivery of a webhook',
          tags,
          params: deliveryParams,
          response: { 200: WebhookDelivery, ...errorResponses(404) },
        },
      },
      (request) => getWebhookDelivery(request.ctx, request.params.webhook_id, request.params.webhook_delivery_id),
    )

    app.post(
      `${DELIVERY}/redeliver`,
      {
        config: MANAGE,
        schema: {
          summary: 'Send a delivery again with the same ID',
          tags,
          params: deliveryParams,
          response: { 200: WebhookDelivery, ...errorResponses(404, 409, 412) },
        },
      },
      (request) => redeliver(request.ctx, request.params.webhook_id, request.params.webhook_delivery_id),
    )
  }
