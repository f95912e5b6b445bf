import { sql } from 'kysely'
import { type ChannelName, PERSONAL_CHANNELS } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { newId } from '../../platform/core/id.ts'
import { nextUpdatedAtSql } from '../../platform/db/next-updated-at.ts'
import type { OutboxEntry } from '../outbox/outbox.ts'

/** Changes of one resource for one recipient. */
export interface InboxItem {
  readonly user_id: string
  readonly resource_id: string
  readonly activity_ids: string[]
}

/** For a resource that changes constantly, only the latest changes and the total count are stored. */
const MAX_ACTIVITY_IDS = 20
const allIdsSql = (before: string) => sql`
  (${sql.raw(before)} || array(select x.id from unnest(excluded.activity_ids) with ordinality x(id, n) where x.id <> all(${sql.raw(before)}) order by x.n))`
/** A change that reaches a person in two ways, e.g. as the owner and through a routing rule, is listed and counted once. */
const latestIdsSql = (before: string) => sql`
  (${allIdsSql(before)})[greatest(1, cardinality(${allIdsSql(before)}) - ${sql.lit(MAX_ACTIVITY_IDS - 1)}):]`
const repeatedCountSql = (before: string) => sql`
  (select count(*)::int from unnest(excluded.activity_ids) x(id) where x.id = any(${sql.raw(before)}))`
const toItemRows = (items: readonly InboxItem[]): string =>
  JSON.stringify(
    items.map((each) => ({ id: newId(), ...each, activity_ids: each.activity_ids.slice(-MAX_ACTIVITY_IDS), n: each.activity_ids.length })),
  )

/** There is one unread notification per person and resource; later changes are added to it. */
export const addToInboxes = async (
  ctx: Context,
  items: readonly InboxItem[],
  entries: readonly Pick<OutboxEntry, 'resource_id' | 'resource_type' | 'resource_title' | 'deleted' | 'now' | 'logged_at'>[],
): Promise<void> => {
  const resources = new Map(entries.map((each) => [each.resource_id, each])) // the last entry of each resource has its latest title and state
  const resourceRows = [...resources.values()].map(({ resource_id, resource_type, resource_title, deleted, now, logged_at }) => ({
    resource_id,
    resource_type,
    resource_title,
    gone: deleted,
    ...now,
    logged_at,
  }))
  await sql`
    insert into notifications as n (id, user_id, resource_id, resource_type, resource_title, gone, published, teams, activity_ids, changes_count,
      last_change_at, created_at, updated_at)
    select h.id, h.user_id, h.resource_id, r.resource_type, r.resource_title, r.gone, r.published, r.teams, h.activity_ids, h.n,
      r.logged_at, ${ctx.now}::timestamptz, ${ctx.now}::timestamptz
    from json_to_recordset(${toItemRows(items)}::text::json) as h(id uuid, user_id uuid, resource_id uuid, activity_ids uuid[], n int)
      join json_to_recordset(${JSON.stringify(resourceRows)}::text::json)
        as r(resource_id uuid, resource_type text, resource_title text, gone boolean, published boolean, teams uuid[], logged_at timestamptz)
        using (resource_id)
    order by h.user_id, h.resource_id
    on conflict (user_id, resource_id) where read_at is null do update set
      resource_type = excluded.resource_type, resource_title = excluded.resource_title, gone = excluded.gone, published = excluded.published,
      teams = excluded.teams, activity_ids = ${latestIdsSql('n.activity_ids')}, changes_count = n.changes_count + excluded.changes_count - ${repeatedCountSql('n.activity_ids')},
      last_change_at = greatest(n.last_change_at, excluded.last_change_at),
      updated_at = ${nextUpdatedAtSql(ctx.now, 'n.updated_at')}
  `.execute(ctx.db)
}

/** Whether a person has turned the channel on; `s` are their settings, which may not exist. */
export const channelEnabledSql = (channel: string) => sql`
  case ${sql.raw(channel)} when 'email' then coalesce(s.email, true) when 'slack' then coalesce(s.slack and s.slack_id is not null, false) end`

/** Schedules the digest: now, or five minutes after the last message about the same resource. */
export const scheduleDigests = async (ctx: Context, items: readonly InboxItem[], channels: readonly ChannelName[]): Promise<void> => {
  if (channels.length === 0 || items.length === 0) return
  await sql`
    insert into notification_windows as w (user_id, channel, resource_id, activity_ids, changes_count, due_at)
    select h.user_id, c.channel, h.resource_id, h.activity_ids, h.n, ${ctx.now}::timestamptz
    from json_to_recordset(${toItemRows(items)}::text::json) as h(user_id uuid, resource_id uuid, activity_ids uuid[], n int)
      cross join unnest(${PERSONAL_CHANNELS.filter((name) => channels.includes(name))}::text[]) as c(channel)
      left join notification_settings s on s.user_id = h.user_id
    where ${channelEnabledSql('c.channel')}
    order by h.user_id, c.channel, h.resource_id
    on conflict (user_id, channel, resource_id) do update set
      activity_ids = ${latestIdsSql("coalesce(w.activity_ids, '{}')")},
      changes_count = w.changes_count + excluded.changes_count - ${repeatedCountSql("coalesce(w.activity_ids, '{}')")},
      due_at = coalesce(w.due_at, greatest(excluded.due_at, w.last_sent_at + interval '5 minutes'))
  `.execute(ctx.db)
}
