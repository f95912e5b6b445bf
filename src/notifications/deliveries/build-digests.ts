import { sql } from 'kysely'
import type { ChannelName } from '../../platform/channels/channel.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { lockPosition } from '../outbox/follow-log.ts'

const MAX_RECIPIENTS = 500
const MAX_RESOURCES = 50 // listed in one message; the inbox contains all of them
const MIN_PAUSE = '1 minute' // minimum time between two messages to one person, so that a script that edits for an hour causes only a few messages

/**
 * Combines everything that is due for a person and channel into one message, so that a bulk edit is one message. The next one is not created
 * while the previous one is still unsent, so that an outage ends with one message instead of a hundred.
 */
export const buildDigests = (ctx: Context, channels: readonly ChannelName[]): Promise<number> =>
  inTransaction(ctx, async (ctx) => {
    const position = await lockPosition(ctx.db, 'inbox')
    if (!position || position.target !== null) return 0 // the rest of a bulk edit is still being processed
    const { rows } = await sql<{ created: number }>`
      with people as (
        select w.user_id, w.channel from notification_windows w
        where w.due_at <= ${ctx.now}::timestamptz and w.channel = any(${channels}::text[])
          and not exists (
            select from deliveries d
            where d.user_id = w.user_id and d.channel = w.channel and d.status in ('pending', 'sending') and d.alert is null)
          and not exists (
            select from deliveries d
            where d.user_id = w.user_id and d.channel = w.channel and d.status <> 'dropped' and d.alert is null
              and d.created_at > ${ctx.now}::timestamptz - ${MIN_PAUSE}::interval)
        group by 1, 2 order by min(w.due_at), 1 limit ${MAX_RECIPIENTS}
      ), due as (
        select w.* from notification_windows w join people p using (user_id, channel) where w.due_at <= ${ctx.now}::timestamptz for update of w
      ), emptied as (
        update notification_windows w set activity_ids = null, changes_count = 0, due_at = null, last_sent_at = ${ctx.now}::timestamptz
        from due d where (w.user_id, w.channel, w.resource_id) = (d.user_id, d.channel, d.resource_id)
      ), created as (
        insert into deliveries (id, user_id, channel, resources, resources_count, status, due_at, created_at, updated_at)
        select gen_random_uuid(), d.user_id, d.channel,
          to_jsonb((array_agg(
            jsonb_build_object('resource_id', d.resource_id, 'activity_ids', d.activity_ids, 'changes_count', d.changes_count)
            order by d.due_at, d.resource_id))[1:${sql.lit(MAX_RESOURCES)}]),
          count(*), 'pending', ${ctx.now}::timestamptz, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
        from due d group by d.user_id, d.channel
        returning 1
      )
      select count(*) as created from created
    `.execute(ctx.db)
    return rows[0]!.created
  })
