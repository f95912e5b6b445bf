import { type Context, inTransaction } from '../../context.ts'
import { noticeToAdmins } from '../alerts/announce.ts'
import type { ChannelName } from '../channels/channel.ts'
import type { WebhookRow } from './webhooks.ts'

/** Notifies the admins that a webhook was disabled automatically, because the missing deliveries might go unnoticed. */
export const tellDisabled =
  (channels: readonly ChannelName[]) =>
  (ctx: Context, { name, url }: WebhookRow, reason: string): Promise<void> =>
    inTransaction(ctx, (ctx) =>
      noticeToAdmins(
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
