import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageQuery, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import type { AddressAllowlist } from '../../platform/outbound/address-policy.ts'
import {
  type ChannelOptions,
  createNotificationChannel,
  deleteNotificationChannel,
  editNotificationChannel,
  getNotificationChannel,
  listNotificationChannels,
} from '../channels/channels.ts'
import { NotificationChannel, NotificationChannelCreate, NotificationChannelEdit, NotificationChannelTest } from '../channels/schema.ts'
import { type ChannelConfig, listChannels } from './notifier.ts'
import type { SenderOptions } from './send-deliveries.ts'
import { testNotificationChannel } from './test-channel.ts'

const MANAGE = { permission: 'notifications.manage' } as const
const tags = ['Notification routing']
const params = Type.Object({ notification_channel_id: Id() })
const ALL = '/notification/channels'
const ONE = `${ALL}/:notification_channel_id`

export const channelRoutes =
  ({ config, allowed }: { readonly config: ChannelConfig; readonly allowed: AddressAllowlist }): FastifyPluginAsyncTypebox =>
  async (app) => {
    const getSender = async (request: FastifyRequest): Promise<SenderOptions> => ({
      channels: await listChannels(request.ctx, config),
      publicUrl: config.publicUrl,
    })
    const getOptions = async (request: FastifyRequest): Promise<ChannelOptions> => {
      const { channels } = await getSender(request)
      return { allowed, available: (type) => channels.some(({ name }) => name === type) }
    }

    app.get(
      ALL,
      {
        config: MANAGE,
        schema: {
          summary: 'List notification channels, newest first',
          tags,
          querystring: PageQuery,
          response: { 200: PageSchema(NotificationChannel, 'NotificationChannelPage'), ...errorResponses(400) },
        },
      },
      async (request) =>
        listNotificationChannels(request.ctx, parsePageRequest(request.query, getRequestUrl(request)), await getOptions(request)),
    )

    app.post(
      ALL,
      {
        config: MANAGE,
        schema: {
          summary: 'Create a notification channel',
          description:
            'Needs `address` (e-mail, Slack), `url` (Teams, webhook) or `key` (PagerDuty, Opsgenie, webhook). Routing rules send to it.',
          tags,
          body: NotificationChannelCreate,
          response: { 201: NotificationChannel, ...errorResponses(400, 409) },
        },
      },
      async (request, reply) => reply.code(201).send(await createNotificationChannel(request.ctx, request.body, await getOptions(request))),
    )

    app.get(
      ONE,
      {
        config: MANAGE,
        schema: { summary: 'Get a notification channel', tags, params, response: { 200: NotificationChannel, ...errorResponses(404) } },
      },
      async (request) => getNotificationChannel(request.ctx, request.params.notification_channel_id, await getOptions(request)),
    )

    app.patch(
      ONE,
      {
        config: MANAGE,
        schema: {
          summary: 'Edit a notification channel',
          description: 'To change the URL of a pager or webhook, send its key again.',
          tags,
          params,
          body: NotificationChannelEdit,
          response: { 200: NotificationChannel, ...errorResponses(400, 404, 412) },
        },
      },
      async (request) =>
        editNotificationChannel(request.ctx, request.params.notification_channel_id, request.body, await getOptions(request)),
    )

    app.delete(
      ONE,
      {
        config: MANAGE,
        schema: {
          summary: 'Delete a notification channel',
          tags,
          params,
          response: { 204: Type.Null(), ...errorResponses(404, 409, 412) },
        },
      },
      async (request, reply) => {
        await deleteNotificationChannel(request.ctx, request.params.notification_channel_id)
        return reply.code(204).send(null)
      },
    )

    app.post(
      `${ONE}/test`,
      {
        config: { ...MANAGE, idempotency: 'record' },
        schema: {
          summary: 'Send a test message to a notification channel',
          description: 'Returns what the receiver answered. The alert of a pager is closed at once.',
          tags,
          params,
          response: { 200: NotificationChannelTest, ...errorResponses(404, 409) },
        },
      },
      async (request) => testNotificationChannel(request.ctx, request.params.notification_channel_id, await getSender(request)),
    )
  }
