import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ChannelName, PersonalChannelName } from '../../platform/channels/channel.ts'
import { type Context, inTransaction, requireIfMatch } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { computeEtag } from '../../platform/core/etag.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import { isTimezone } from '../../platform/queue/cron.ts'
import { releaseHeld } from '../deliveries/message-deliveries.ts'
import type { NotificationSettings, NotificationSettingsEdit } from '../deliveries/schema.ts'
import { channelEnabledSql } from './inbox-rows.ts'
import type { QuietHours } from './quiet-hours.ts'

/** Notification settings of a user. Personal, so changes are not recorded in the activity log. */
export type AvailableChannels = Record<PersonalChannelName, boolean>

export const getNotificationSettings = async (ctx: Context, available: AvailableChannels): Promise<NotificationSettings> => {
  const { rows } = await sql<Omit<NotificationSettings, 'email_available' | 'slack_available'>>`
    select u.id, u.created_at, coalesce(s.updated_at, u.created_at) as updated_at, coalesce(s.email, true) as email,
      coalesce(s.slack, false) as slack, s.slack_id, s.quiet_hours
    from users u left join notification_settings s on s.user_id = u.id where u.id = ${ctx.actor.user_id}
  `.execute(ctx.db)
  const row = rows[0]
  if (!row) throw notFound('user')
  return { ...row, email_available: available.email, slack_available: available.slack }
}

export const editNotificationSettings = (
  ctx: Context,
  edit: NotificationSettingsEdit,
  available: AvailableChannels,
): Promise<NotificationSettings> =>
  inTransaction(ctx, async (ctx) => {
    // Locks the user, because the settings may not exist yet: two concurrent first edits are serialized.
    await sql`select from users where id = ${ctx.actor.user_id} for no key update`.execute(ctx.db)
    const before = await getNotificationSettings(ctx, available)
    requireIfMatch(ctx, computeEtag(before))
    const { email = before.email, slack = before.slack, slack_id = before.slack_id, quiet_hours = before.quiet_hours } = edit
    if (slack && slack_id === null)
      throw invalid({ slack_id: [translatable('is required to receive notifications on Slack: a Slack user or channel ID.')] })
    if (quiet_hours) assertQuietHours(quiet_hours)
    const after = { email, slack, slack_id, quiet_hours }
    if (isDeepStrictEqual({ ...before, ...after }, before)) return before
    await sql`
      insert into notification_settings as s (user_id, email, slack, slack_id, quiet_hours, updated_at)
      values (${ctx.actor.user_id}, ${email}, ${slack}, ${slack_id}, ${quiet_hours && JSON.stringify(quiet_hours)}::text::jsonb, ${ctx.now}::timestamptz)
      on conflict (user_id) do update set email = excluded.email, slack = excluded.slack, slack_id = excluded.slack_id,
        quiet_hours = excluded.quiet_hours, updated_at = ${nextUpdatedAtSql(ctx.now, 's.updated_at')}
    `.execute(ctx.db)
    await releaseHeld(ctx, ctx.actor.user_id!)
    return getNotificationSettings(ctx, available)
  })

const assertQuietHours = ({ timezone, days, from, to }: QuietHours): void => {
  if (!isTimezone(timezone))
    throw invalid({
      'quiet_hours.timezone': [translatable('“{timezone}” is not a time zone. Use an IANA name such as Europe/Berlin.', { timezone })],
    })
  if (from === to && days.length === 7)
    throw invalid({
      'quiet_hours.days': [translatable('must leave some time without quiet hours. To get no messages at all, turn the channels off.')],
    })
}

/** The address of a user on a channel, if they have turned it on, and their quiet hours. */
export const findPersonalAddress = async (
  ctx: Context,
  user_id: string,
  channel: ChannelName,
): Promise<{ address: string; quiet_hours: QuietHours | null } | undefined> => {
  const { rows } = await sql<{ address: string; quiet_hours: QuietHours | null }>`
    select case c.channel when 'email' then u.email else s.slack_id end as address, s.quiet_hours
    from (select ${channel}::text as channel) c, users u left join notification_settings s on s.user_id = u.id
    where u.id = ${user_id} and ${channelEnabledSql('c.channel')}
  `.execute(ctx.db)
  return rows[0]
}
