import { sql } from 'kysely'
import type { ChannelName } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { decideRules, type RuleDecision } from '../routing/match-rules.ts'
import { findMembers } from '../routing/members.ts'
import { type RoutedEvent, toSubject } from '../routing/route-alerts.ts'
import { findRules } from '../routing/rules.ts'
import { findSubjectResources } from '../routing/subjects.ts'
import { CHANNEL_TEXTS, toChannelReason } from './describe.ts'
import { containsEventSql, DELIVERY_FACTS_SQL, type DeliveryFacts, type ExplainedEvent } from './facts.ts'
import type { NotificationExplanation } from './schema.ts'

type ExplainedRule = NotificationExplanation['rules'][number]

/** What the rules decide about the event now, and what became of the messages to their channels. Admins see also rules that do not match. */
export const explainRules = async (ctx: Context, event: ExplainedEvent, all: boolean): Promise<ExplainedRule[]> => {
  const decisions = await decideAbout(ctx, event)
  const shown = decisions.filter(({ result }) => all || result === 'matched')
  const channels = await findChannels(
    ctx,
    event,
    shown.flatMap(({ rule }) => rule.channels),
  )
  return shown.map(({ rule, result, failed = null }) => ({
    ...{ id: rule.id, name: rule.name, result, failed },
    channels: result === 'matched' ? rule.channels.flatMap((id) => channels.get(id) ?? []) : [],
  }))
}

/** Whether a rule that matches the event names the user, or a group or team of theirs. */
export const isNamedByRule = async (ctx: Context, event: ExplainedEvent, user: string): Promise<boolean> => {
  const named = (await decideAbout(ctx, event)).flatMap(({ rule, result }) => (result === 'matched' ? rule.recipients : []))
  return [...(await findMembers(ctx, named)).values()].some((users) => users.includes(user))
}

const decideAbout = async (ctx: Context, event: ExplainedEvent): Promise<RuleDecision[]> => {
  const phase = PHASES[event.activity_type]
  const resource = phase && (await findSubjectResources(ctx, [event.resource_id])).get(event.resource_id)
  return resource ? decideRules(await findRules(ctx), { ...toSubject({ phase, payload: event.payload ?? {} }), ...resource }) : []
}

const PHASES: Partial<Record<string, RoutedEvent['phase']>> = {
  incident_opened: 'opened',
  incident_reopened: 'opened',
  incident_snooze_ended: 'opened',
  schema_changed: 'changed',
}

type ExplainedChannel = ExplainedRule['channels'][number]

const findChannels = async (ctx: Context, { id }: ExplainedEvent, ids: readonly string[]): Promise<Map<string, ExplainedChannel>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<DeliveryFacts & { id: string; name: string; type: ChannelName; enabled: boolean }>`
    select c.id, c.name, c.type, c.enabled, d.*
    from notification_channels c left join lateral (
      select ${DELIVERY_FACTS_SQL} from deliveries d where d.channel_id = c.id and ${containsEventSql(id)} order by d.created_at desc limit 1
    ) d on true
    where c.id = any(${ids}::uuid[])
  `.execute(ctx.db, ctx.limits)
  return new Map(
    rows.map(({ id, name, type, enabled, ...facts }) => {
      const { reason, at = null } = facts.status
        ? toChannelReason(facts, ctx.now)
        : { reason: enabled ? ('not_sent' as const) : ('off' as const) }
      return [id, { id, name, type, reason, at, text: CHANNEL_TEXTS[reason] }]
    }),
  )
}
