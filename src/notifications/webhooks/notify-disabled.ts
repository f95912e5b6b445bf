import type { ChannelName } from '../../platform/channels/channel.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { notifyAdmins } from '../alerts/queue-alerts.ts'
import type { WebhookRow } from './webhooks.ts'

/** Notifies the admins that a webhook was disabled automatically, because the missing deliveries might go unnoticed. */
export const notifyWebhookDisabled =
  (channels: readonly ChannelName[]) =>
  (ctx: Context, { name, url }: WebhookRow, reason: string): Promise<void> =>
    inTransaction(ctx, (ctx) =>
      notifyAdmins(
        ctx,
        {
          title: `Webhook ${name} was disabled`,
          lines: [
            reason,
            `Receiver: ${new URL(url).host}. Waiting deliveries are kept for 30 days and sent when the webhook is enabled again.`,
          ],
          path: '/settings/webhooks',
        },
        channels,
      ),
    )
