import { type Context, inTransaction } from '../../context.ts'
import { noticeToAdmins } from '../alerts/announce.ts'
import type { ChannelName } from '../channels/channel.ts'
import type { WebhookRow } from './webhooks.ts'

/** Tells the admins that a webhook was switched off by itself: nobody would notice that nothing arrives. */
export const tellDisabled =
  (channels: readonly ChannelName[]) =>
  (ctx: Context, { name, url }: WebhookRow, reason: string): Promise<void> =>
    inTransaction(ctx, (ctx) =>
      noticeToAdmins(
        ctx,
        {
          title: `The webhook ${name} was switched off`,
          lines: [
            reason,
            `It leads to ${new URL(url).host}. What is waiting for it is kept for 30 days, and sent when it is switched on again.`,
          ],
          path: '/settings/webhooks',
        },
        channels,
      ),
    )
