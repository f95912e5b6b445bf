import { sql } from 'kysely'
import { findUserActors } from '../../platform/authentication/actors.ts'
import { PERSONAL_CHANNELS, type PersonalChannelName } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { type Actor, can, canSee, requirePermission, visibleTo } from '../../platform/permissions/permissions.ts'
import { tableIdSql } from '../alerts/column-path.ts'
import { findReachableTables } from '../alerts/reachable-tables.ts'
import { channelEnabledSql } from '../inbox/inbox-rows.ts'
import type { AvailableChannels } from '../inbox/settings.ts'
import { listAudienceUsers } from '../outbox/audience.ts'
import { findMembersByGroup } from '../outbox/members-by-group.ts'
import { type Audience, isNotifiedSql } from '../outbox/outbox.ts'
import { CHANNEL_TEXTS, INBOX_TEXTS, toChannelReason } from './describe.ts'
import { explainRules, isNamedByRule } from './explain-rules.ts'
import { containsEventSql, DELIVERY_FACTS_SQL, type DeliveryFacts, type ExplainedEvent } from './facts.ts'
import type { ExplanationQuery, InboxReason, NotificationExplanation, Relation } from './schema.ts'

/** Why a person was or was not notified: facts from the inbox and the ledger, and what their relation and settings are now. */
export const explainNotification = async (
  ctx: Context,
  subject: { readonly incident: string } | { readonly activity: string },
  query: ExplanationQuery,
  available: AvailableChannels,
): Promise<NotificationExplanation> => {
  const own = ctx.actor.user_id
  const user = query.user === undefined ? own : parseId(query.user)!
  if (user === null) throw invalid({ user: ['is required for a token without a user.'] })
  if (user !== own) requirePermission(ctx.actor, 'notifications.manage')
  const event = 'incident' in subject ? await getOpening(ctx, subject.incident) : await getEvent(ctx, subject.activity)
  await assertUserExists(ctx, user)
  const reader = (await findUserActors(ctx.db, [user])).get(user)
  const related = await findRelation(ctx, event, user)
  const relation = related === 'none' && (await isNamedByRule(ctx, event, user)) ? 'rule' : related
  const reason = await findInboxReason(ctx, event, { user, reader, relation })
  return {
    ...{ user, activity: event.id, incident: event.incident, resource_id: event.resource_id, relation },
    inbox: { reason, text: INBOX_TEXTS[reason] },
    channels: await explainChannels(ctx, event, { user, notified: reason === 'notified', available }),
    rules: await explainRules(ctx, event, can(ctx.actor, 'notifications.manage')),
  }
}

const OPENED_TYPES = ['incident_opened', 'incident_reopened', 'incident_snooze_ended']
const ALERT_TYPES = [...OPENED_TYPES, 'incident_resolved']

/** The latest opening of an incident. Before the follower has recorded it, it is found among the activities of the monitored resource. */
const getOpening = async (ctx: Context, incident: string): Promise<ExplainedEvent> => {
  const { rows } = await sql<{ id: string | null }>`
    select coalesce(
      (select n.activity_id from notification_alerts n where n.subject_id = ${incident} and n.phase = 'opened' order by n.opened_at desc, n.activity_id desc limit 1),
      (select a.id from monitor_incidents i join activities a on a.resource_id = i.target
        where i.id = ${incident} and a.activity_type = any(${OPENED_TYPES}::text[]) and a.related_resource_ids[1] = i.id
        order by a.logged_at desc, a.id desc limit 1)) as id
  `.execute(ctx.db, ctx.limits)
  const event = rows[0]?.id ? await findEvent(ctx, rows[0].id) : undefined
  if (!event) throw notFound('incident', incident)
  return event
}

const getEvent = async (ctx: Context, id: string): Promise<ExplainedEvent> => {
  const event = await findEvent(ctx, id)
  if (!event) throw notFound('activity', id)
  return event
}

/** The event, if the caller can see its resource. */
const findEvent = async (ctx: Context, id: string): Promise<ExplainedEvent | undefined> => {
  const { rows } = await sql<ExplainedEvent>`
    select a.id, a.activity_type, a.performer_id, a.recipients, a.resource_id, a.payload,
      ${isNotifiedSql} or a.activity_type = any(${ALERT_TYPES}::text[]) as notified,
      ${tableIdSql(sql`r.id`)} as table_id,
      case when a.activity_type like 'incident\\_%' then a.related_resource_ids[1] end as incident,
      r.owners, r.owners_groups, r.subscribers, r.published, r.teams
    from activities a join resources r on r.id = a.resource_id where a.id = ${id} and ${visibleTo(ctx.actor)}
  `.execute(ctx.db, ctx.limits)
  return rows[0]
}

const assertUserExists = async (ctx: Context, id: string): Promise<void> => {
  if (!(await ctx.db.selectFrom('users').select('id').where('id', '=', id).executeTakeFirst())) throw notFound('user', id)
}

const findRelation = async (ctx: Context, event: ExplainedEvent, user: string): Promise<Relation> => {
  if (event.recipients?.includes(user)) return 'addressed'
  const own = { users: event.owners, groups: event.owners_groups, subscribers: event.subscribers }
  if (own.users?.includes(user)) return 'owner'
  const members = await findMembersByGroup(ctx, [own])
  if (listAudienceUsers(members, { groups: own.groups }).has(user)) return 'owner_group'
  if (own.subscribers?.includes(user)) return 'subscriber'
  const downstream = await findDownstreamAudience(ctx, event)
  return listAudienceUsers(await findMembersByGroup(ctx, downstream), ...downstream).has(user) ? 'downstream' : 'none'
}

/** Owners and subscribers of the table and of what is downstream of an incident; owners of what a schema change may break. */
const findDownstreamAudience = async (ctx: Context, { activity_type, table_id, payload }: ExplainedEvent): Promise<Audience[]> => {
  const isAlert = ALERT_TYPES.includes(activity_type)
  const ids = isAlert
    ? [table_id, ...((await findReachableTables(ctx, [table_id], 'down')).get(table_id) ?? [])]
    : (payload?.breaks ?? []).map(({ table_id }) => table_id)
  if (ids.length === 0) return []
  const { rows } = await sql<Audience>`
    select r.owners as users, r.owners_groups as groups, case when ${String(isAlert)}::text::boolean then r.subscribers end as subscribers
    from resources r where r.id = any(${ids}::uuid[])`.execute(ctx.db, ctx.limits)
  return rows
}

interface ExplainedUser {
  readonly user: string
  readonly reader: Actor | undefined
  readonly relation: Relation
}

const findInboxReason = async (ctx: Context, event: ExplainedEvent, { user, reader, relation }: ExplainedUser): Promise<InboxReason> => {
  if (!reader) return 'user_disabled'
  if (!canSee(reader, event)) return 'cannot_see'
  const { rows } = await sql`
    select from notifications n where n.user_id = ${user} and n.resource_id = ${event.resource_id} and ${event.id}::uuid = any(n.activity_ids) limit 1
  `.execute(ctx.db, ctx.limits)
  if (rows.length > 0) return 'notified'
  if (event.performer_id === user && !OPENED_TYPES.includes(event.activity_type)) return 'own_action'
  if (!event.notified) return 'kind_not_notified'
  if (ALERT_TYPES.includes(event.activity_type) && event.payload?.snoozed_until) return 'snoozed'
  if (relation === 'none') return 'no_relation'
  return (await isProcessed(ctx, event)) ? 'not_in_inbox' : 'not_processed_yet'
}

/** Whether the follower has passed the event. */
const isProcessed = async (ctx: Context, { id, activity_type }: ExplainedEvent): Promise<boolean> => {
  if (ALERT_TYPES.includes(activity_type)) {
    const { rows } = await sql`select from notification_alerts n where n.activity_id = ${id} and n.sent_at is not null`.execute(ctx.db)
    return rows.length > 0
  }
  const { rows } = await sql`
    select from activities a join follower_positions f on f.follower = 'inbox'
    where a.id = ${id} and pg_visible_in_snapshot(a.xid, f.seen::text::pg_snapshot)`.execute(ctx.db)
  return rows.length > 0
}

const explainChannels = async (
  ctx: Context,
  { id, resource_id }: ExplainedEvent,
  { user, notified, available }: { user: string; notified: boolean; available: AvailableChannels },
): Promise<NotificationExplanation['channels']> => {
  const { rows } = await sql<Partial<DeliveryFacts> & { channel: PersonalChannelName; enabled: boolean; waits_until: string | null }>`
    select c.channel, ${channelEnabledSql('c.channel')} as enabled, w.due_at as waits_until, d.*
    from unnest(${[...PERSONAL_CHANNELS]}::text[]) c(channel) join users u on u.id = ${user}
      left join notification_settings s on s.user_id = u.id
      left join notification_windows w on w.user_id = u.id and w.channel = c.channel and w.resource_id = ${resource_id} and ${id}::uuid = any(w.activity_ids)
      left join lateral (
        select ${DELIVERY_FACTS_SQL} from deliveries d where d.user_id = u.id and d.channel = c.channel and ${containsEventSql(id)}
        order by d.created_at desc limit 1
      ) d on true
    order by c.channel
  `.execute(ctx.db, ctx.limits)
  return rows.map(({ channel, enabled, waits_until, status, ...facts }) => {
    const delivered =
      status === undefined || status === null ? undefined : toChannelReason({ ...(facts as DeliveryFacts), status }, ctx.now)
    const { reason, at = null } =
      delivered ??
      (!available[channel]
        ? { reason: 'not_available' as const }
        : !enabled
          ? { reason: 'off' as const }
          : !notified
            ? { reason: 'not_notified' as const }
            : waits_until
              ? { reason: 'waiting' as const, at: waits_until }
              : { reason: 'not_sent' as const })
    return { channel, reason, at, text: CHANNEL_TEXTS[reason] }
  })
}
