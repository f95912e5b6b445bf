import { sql } from 'kysely'
import { type ChannelName, PERSONAL_CHANNELS } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import type { Alert } from '../deliveries/alert.ts'
import { channelEnabledSql } from '../inbox/inbox-rows.ts'

/** A user, on the channels they have turned on, the Slack channel of a monitor, or a notification channel. */
export type AlertRecipient =
  | { readonly user_id: string }
  | { readonly address: string }
  | { readonly channel_id: string; readonly type: ChannelName }

const listChannels = (to: AlertRecipient): readonly ChannelName[] =>
  'address' in to ? ['slack'] : 'channel_id' in to ? [to.type] : PERSONAL_CHANNELS

export interface QueuedAlert {
  readonly to: AlertRecipient
  readonly thread?: string
  readonly alert: Alert
}

/** Creates the deliveries of alerts in the caller's transaction. */
export const queueAlerts = async (ctx: Context, alerts: readonly QueuedAlert[], channels: readonly ChannelName[]): Promise<void> => {
  if (alerts.length === 0 || channels.length === 0) return
  const rows = alerts.flatMap(({ to, thread = null, alert }) =>
    listChannels(to)
      .filter((channel) => channels.includes(channel))
      .map((channel) => ({
        id: newId(),
        user_id: null,
        address: null,
        channel_id: null,
        ...to,
        channel,
        thread,
        alert,
        n: alert.items.length,
      })),
  )
  await sql`
    insert into deliveries (id, user_id, address, channel_id, channel, resources, resources_count, status, due_at, thread, alert, created_at, updated_at)
    select d.id, d.user_id, d.address, d.channel_id, d.channel, '[]', d.n, 'pending', ${ctx.now}::timestamptz, d.thread, d.alert, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as d(id uuid, user_id uuid, address text, channel_id uuid, channel text, thread uuid, alert jsonb, n int)
      left join users u on u.id = d.user_id
      left join notification_settings s on s.user_id = d.user_id
    where d.user_id is null or (u.id is not null and ${channelEnabledSql('d.channel')})
  `.execute(ctx.db)
}

/** Sends a notice about the workspace to all admins. */
export const notifyAdmins = async (
  ctx: Context,
  notice: { readonly title: string; readonly lines: readonly string[]; readonly path?: string },
  channels: readonly ChannelName[],
): Promise<void> => {
  const admins = await ctx.db.selectFrom('users').select('id').where('role', '=', 'admin').where('disabled_at', 'is', null).execute()
  const alert: Alert = { phase: 'notice', same_cause: false, items: [{ resource_id: null, ...notice }] }
  await queueAlerts(
    ctx,
    admins.map(({ id }) => ({ to: { user_id: id }, alert })),
    channels,
  )
}
