import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { failures } from '../http/openapi.ts'
import { addressOf, PageOf, pageRequest } from '../lists/page.ts'
import { Id } from '../wire.ts'
import { listDeliveries, readDelivery, retryDelivery } from './deliveries.ts'
import { countUnread, listInbox, markAllRead, markRead, readNotification, removeNotification } from './inbox.ts'
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
} from './schema.ts'
import { editSettings, readSettings } from './settings.ts'

const READ = { permission: 'self.read' } as const
const WRITE = { permission: 'self.write' } as const
const MANAGE = { permission: 'notifications.manage' } as const
const tags = ['Notifications']
const params = Type.Object({ notification_id: Id() })
const deliveryParams = Type.Object({ delivery_id: Id() })

export type NotifyConfig = Pick<Config, 'publicUrl' | 'smtpUrl' | 'slackBotToken'>

export const notifyRoutes =
  ({ publicUrl, smtpUrl, slackBotToken }: NotifyConfig): FastifyPluginAsyncTypebox =>
  async (app) => {
    const available = { email: smtpUrl !== undefined, slack: slackBotToken !== undefined }

    app.get(
      '/notification/inbox',
      {
        config: READ,
        schema: {
          summary: 'List your notifications, latest change first',
          description: 'Changes made by others to resources you own or subscribe to. Resources you can no longer see are left out.',
          tags,
          querystring: InboxQuery,
          response: { 200: NotificationPage, ...failures(400) },
        },
      },
      (request) => listInbox(request.ctx, request.query, pageRequest(request.query, addressOf(request)), publicUrl),
    )

    app.get(
      '/notification/inbox/unread_count',
      { config: READ, schema: { summary: 'Count your unread notifications', tags, response: { 200: Unread, ...failures() } } },
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
            ...failures(),
          },
        },
      },
      (request) => markAllRead(request.ctx),
    )

    app.get(
      '/notification/inbox/:notification_id',
      { config: READ, schema: { summary: 'Get a notification', tags, params, response: { 200: Notification, ...failures(404) } } },
      (request) => readNotification(request.ctx, request.params.notification_id, publicUrl),
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
          response: { 200: Notification, ...failures(400, 404, 409, 412) },
        },
      },
      (request) => markRead(request.ctx, request.params.notification_id, request.body.read, publicUrl),
    )

    app.delete(
      '/notification/inbox/:notification_id',
      {
        config: WRITE,
        schema: { summary: 'Delete a notification', tags, params, response: { 204: Type.Null(), ...failures(404, 412) } },
      },
      async (request, reply) => {
        await removeNotification(request.ctx, request.params.notification_id)
        return reply.code(204).send(null)
      },
    )

    app.get(
      '/notification/settings',
      { config: READ, schema: { summary: 'Get your notification settings', tags, response: { 200: NotificationSettings, ...failures() } } },
      (request) => readSettings(request.ctx, available),
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
          response: { 200: NotificationSettings, ...failures(400, 412) },
        },
      },
      (request) => editSettings(request.ctx, request.body, available),
    )

    app.get(
      '/notification/deliveries',
      {
        config: MANAGE,
        schema: {
          summary: 'List deliveries, newest first',
          tags,
          querystring: DeliveryQuery,
          response: { 200: PageOf(Delivery, 'DeliveryPage'), ...failures(400) },
        },
      },
      (request) => listDeliveries(request.ctx, request.query, pageRequest(request.query, addressOf(request))),
    )

    app.get(
      '/notification/deliveries/:delivery_id',
      {
        config: MANAGE,
        schema: { summary: 'Get a delivery', tags, params: deliveryParams, response: { 200: Delivery, ...failures(404) } },
      },
      (request) => readDelivery(request.ctx, request.params.delivery_id),
    )

    app.post(
      '/notification/deliveries/:delivery_id/retry',
      {
        config: MANAGE,
        schema: {
          summary: 'Retry a failed or uncertain delivery',
          tags,
          params: deliveryParams,
          response: { 200: Delivery, ...failures(404, 409, 412) },
        },
      },
      (request) => retryDelivery(request.ctx, request.params.delivery_id),
    )
  }
