import { sql } from 'kysely'
import type { ChannelName } from '../../platform/channels/channel.ts'
import { isPager, separatesIncidents } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { decideRules, type Rule, type RuleSubject } from './match-rules.ts'
import { findRules } from './rules.ts'
import { findSubjectResources } from './subjects.ts'

/** An event that rules are applied to. */
export interface RoutedEvent {
  readonly activity_id: string
  /** The incident, or the activity of a schema change. */
  readonly subject_id: string
  readonly phase: 'opened' | 'acknowledged' | 'resolved' | 'changed'
  readonly resource_id: string
  readonly payload: { readonly severity?: string }
}

/** A channel that gets an event, and the closed teams whose resources it may name: null for all. */
export interface RoutedChannel {
  readonly rule: string
  readonly channel: string
  readonly type: ChannelName
  readonly closed_teams: readonly string[] | null
}

/** Where events go, by activity. */
interface Routed {
  readonly channels: ReadonlyMap<string, RoutedChannel[]>
  /** Users, by the rule that names them or a group or team of theirs. */
  readonly people: ReadonlyMap<string, RoutedPeople[]>
}

export interface RoutedPeople {
  readonly rule: string
  readonly recipients: readonly string[]
}

/**
 * The channels and people that rules choose for each event. Opened incidents and schema changes follow the rules. Acknowledgements and resolutions go where the
 * incident went, whatever the rules are by then, so that no alert stays open in a pager.
 */
export const routeEvents = async (ctx: Context, events: readonly RoutedEvent[]): Promise<Routed> => {
  const enabled = await findEnabledChannels(ctx)
  const ruled = events.filter(({ phase }) => phase === 'opened' || phase === 'changed')
  const rules = ruled.length > 0 ? await findRules(ctx) : []
  const ids = rules.length > 0 ? [...new Set(ruled.map((each) => each.resource_id))] : []
  const resources = await findSubjectResources(ctx, ids)
  const opened = await findOpenedRoutes(ctx, events)
  const channels = new Map<string, RoutedChannel[]>()
  const people = new Map<string, RoutedPeople[]>()
  for (const event of events) {
    const resource = resources.get(event.resource_id)
    const routes = ruled.includes(event)
      ? resource && decideRoutes(rules, { ...toSubject(event), ...resource })
      : opened.get(event.subject_id)
    const receives = ({ type }: { type: ChannelName }) =>
      event.phase === 'acknowledged' ? separatesIncidents(type) : event.phase !== 'changed' || !isPager(type)
    const routed = (routes ?? []).flatMap((route) => {
      const type = 'channel' in route ? enabled.get(route.channel) : undefined
      return 'channel' in route && type && receives({ type }) ? [{ ...route, type }] : []
    })
    if (routed.length > 0) channels.set(event.activity_id, routed)
    const notified = (routes ?? []).flatMap((route) => ('recipients' in route ? [route] : []))
    if (notified.length > 0 && event.phase !== 'acknowledged') people.set(event.activity_id, notified)
  }
  return { channels, people }
}

export const toSubject = ({ phase, payload }: Pick<RoutedEvent, 'phase' | 'payload'>): Pick<RuleSubject, 'event' | 'severity'> =>
  phase === 'changed' ? { event: 'schema_changed', severity: null } : { event: 'incident', severity: payload.severity ?? null }

type Route = Omit<RoutedChannel, 'type'> | RoutedPeople

/** A channel that several rules name gets the event once, for the first of them. */
const decideRoutes = (rules: readonly Rule[], subject: RuleSubject): Route[] => {
  const routes = new Map<string, Route>()
  for (const { rule, result } of decideRules(rules, subject)) {
    if (result !== 'matched') continue
    const closed_teams = rule.include_restricted ? null : subject.closed_teams.filter((team) => rule.teams.includes(team))
    for (const channel of rule.channels) if (!routes.has(channel)) routes.set(channel, { rule: rule.id, channel, closed_teams })
    if (rule.recipients.length > 0) routes.set(`people ${rule.id}`, { rule: rule.id, recipients: rule.recipients })
  }
  return [...routes.values()]
}

const findEnabledChannels = async (ctx: Context): Promise<Map<string, ChannelName>> => {
  const { rows } = await sql<{ id: string; type: ChannelName }>`
    select c.id, c.type from notification_channels c where c.enabled`.execute(ctx.db)
  return new Map(rows.map(({ id, type }) => [id, type]))
}

/** Where the latest opening of these incidents was sent; one of a snoozed incident was not. */
const findOpenedRoutes = async (ctx: Context, events: readonly RoutedEvent[]): Promise<Map<string, Route[]>> => {
  const incidents = events.filter(({ phase }) => phase === 'acknowledged' || phase === 'resolved').map((each) => each.subject_id)
  if (incidents.length === 0) return new Map()
  const { rows } = await sql<{ subject_id: string; routed: Route[] | null }>`
    select distinct on (n.subject_id) n.subject_id, n.routed from notification_alerts n join activities a on a.id = n.activity_id
    where n.subject_id = any(${incidents}::uuid[]) and n.phase = 'opened' and n.sent_at is not null and a.payload -> 'snoozed_until' is null order by n.subject_id, n.opened_at desc, n.activity_id desc
  `.execute(ctx.db)
  return new Map(rows.map(({ subject_id, routed }) => [subject_id, routed ?? []]))
}
