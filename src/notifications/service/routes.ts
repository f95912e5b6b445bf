import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Id } from '../../platform/core/schema-types.ts'
import { errorResponses } from '../../platform/http/openapi.ts'
import { getRequestUrl, PageSchema, parsePageRequest } from '../../platform/lists/page.ts'
import { readServices, type ServerConfig } from '../../platform/server-settings/services.ts'
import { getDelivery, listDeliveries, retryDelivery } from '../deliveries/deliveries.ts'
import {
  Delivery,
  DeliveryQuery,
  InboxQuery,
  Notification,
  NotificationEdit,
  NotificationPage,
  NotificationSettings,
  NotificationSettingsEdit,
  Unread,
} from '../deliveries/schema.ts'
import { explainNotification } from '../explain/explain.ts'
import { ExplanationQuery, NotificationExplanation } from '../explain/schema.ts'
import { countUnread, deleteNotification, getNotification, listInbox, markAllRead, markRead } from '../inbox/inbox.ts'
import { type AvailableChannels, editNotificationSettings, getNotificationSettings } from '../inbox/settings.ts'

const READ = { permission: 'self.read' } as const
const WRITE = { permission: 'self.write' } as const
const MANAGE = { permission: 'notifications.manage' } as const
const tags = ['Notifications']
const params = Type.Object({ notification_id: Id() })
const deliveryParams = Type.Object({ delivery_id: Id() })

export const notifyRoutes =
  (config: ServerConfig): FastifyPluginAsyncTypebox =>
  async (app) => {
    const { publicUrl } = config
    const getAvailable = async ({ ctx }: FastifyRequest): Promise<AvailableChannels> => {
      const { email, slack } = await readServices(ctx, config)
      return { email: email !== undefined, slack: slack !== undefined }
    }

    app.get(
      '/notification/inbox',
      {
        config: READ,
        schema: {
          summary: 'List your notifications, latest change first',
          description: 'Changes made by others to resources you own or subscribe to. Resources you can no longer see are left out.',
          tags,
          querystring: InboxQuery,
          response: { 200: NotificationPage, ...errorResponses(400) },
        },
      },
      (request) => listInbox(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request)), publicUrl),
    )

    app.get(
      '/notification/inbox/unread_count',
      { config: READ, schema: { summary: 'Count your unread notifications', tags, response: { 200: Unread, ...errorResponses() } } },
      async (request) => ({ unread_count: await countUnread(request.ctx) }),
    )

    app.post(
      '/notification/inbox/read_all',
      {
        config: WRITE,
        schema: {
          summary: 'Mark all your notifications as read',
          tags,
          response: {
            200: Type.Object({ read: Type.Integer({ description: 'Number of notifications that were unread.' }) }),
            ...errorResponses(),
          },
        },
      },
      (request) => markAllRead(request.ctx),
    )

    app.get(
      '/notification/inbox/:notification_id',
      { config: READ, schema: { summary: 'Get a notification', tags, params, response: { 200: Notification, ...errorResponses(404) } } },
      (request) => getNotification(request.ctx, request.params.notification_id, publicUrl),
    )

    app.patch(
      '/notification/inbox/:notification_id',
      {
        config: WRITE,
        schema: {
          summary: 'Mark a notification as read or unread',
          tags,
          params,
          body: NotificationEdit,
          response: { 200: Notification, ...errorResponses(400, 404, 409, 412) },
        },
      },
      (request) => markRead(request.ctx, request.params.notification_id, request.body.read, publicUrl),
    )

    app.delete(
      '/notification/inbox/:notification_id',
      {
        config: WRITE,
        schema: { summary: 'Delete a notification', tags, params, response: { 204: Type.Null(), ...errorResponses(404, 412) } },
      },
      async (request, reply) => {
        await deleteNotification(request.ctx, request.params.notification_id)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/notification/settings',
      {
        config: READ,
        schema: { summary: 'Get your notification settings', tags, response: { 200: NotificationSettings, ...errorResponses() } },
      },
      async (request) => getNotificationSettings(request.ctx, await getAvailable(request)),
    )

    app.patch(
      '/notification/settings',
      {
        config: WRITE,
        schema: {
          summary: 'Edit your notification settings',
          description: 'The inbox is always on. To get no notifications about a resource, unsubscribe from it.',
          tags,
          body: NotificationSettingsEdit,
          response: { 200: NotificationSettings, ...errorResponses(400, 412) },
        },
      },
      async (request) => editNotificationSettings(request.ctx, request.body, await getAvailable(request)),
    )

    app.get(
      '/notification/explanation/incident/:incident_id',
      {
        config: READ,
        schema: {
          summary: 'Explain why you were or were not notified of an incident',
          description: 'Of its latest opening. Admins can ask for any user.',
          tags,
          params: Type.Object({ incident_id: Id() }),
          querystring: ExplanationQuery,
          response: { 200: NotificationExplanation, ...errorResponses(400, 404) },
        },
      },
      async (request) =>
        explainNotification(request.ctx, { incident: request.params.incident_id }, request.query, await getAvailable(request)),
    )

    app.get(
      '/notification/explanation/activity/:activity_id',
      {
        config: READ,
        schema: {
          summary: 'Explain why you were or were not notified of an entry of the activity log',
          description: 'Admins can ask for any user.',
          tags,
          params: Type.Object({ activity_id: Id() }),
          querystring: ExplanationQuery,
          response: { 200: NotificationExplanation, ...errorResponses(400, 404) },
        },
      },
      async (request) =>
        explainNotification(request.ctx, { activity: request.params.activity_id }, request.query, await getAvailable(request)),
    )

    app.get(
      '/notification/deliveries',
      {
        config: MANAGE,
        schema: {
          summary: 'List deliveries, newest first',
          tags,
          querystring: DeliveryQuery,
          response: { 200: PageSchema(Delivery, 'DeliveryPage'), ...errorResponses(400) },
        },
      },
      (request) => listDeliveries(request.ctx, request.query, parsePageRequest(request.query, getRequestUrl(request))),
    )

    app.get(
      '/notification/deliveries/:delivery_id',
      {
        config: MANAGE,
        schema: { summary: 'Get a delivery', tags, params: deliveryParams, response: { 200: Delivery, ...errorResponses(404) } },
      },
      (request) => getDelivery(request.ctx, request.params.delivery_id),
    )

    app.post(
      '/notification/deliveries/:delivery_id/retry',
      {
        config: MANAGE,
        schema: {
          summary: 'Retry a failed or uncertain delivery',
          tags,
          params: deliveryParams,
          response: { 200: Delivery, ...errorResponses(404, 409, 412) },
        },
      },
      (request) => retryDelivery(request.ctx, request.params.delivery_id),
    )
  }
