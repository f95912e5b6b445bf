import { findUserActors } from '../../platform/authentication/actors.ts'
import { type ChannelName, separatesIncidents } from '../../platform/channels/channel.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { type Actor, canSee } from '../../platform/permissions/permissions.ts'
import type { AlertItem } from '../deliveries/alert.ts'
import { addToInboxes, type InboxItem, scheduleDigests } from '../inbox/inbox-rows.ts'
import { listAudienceUsers } from '../outbox/audience.ts'
import { followLog, lockPosition } from '../outbox/follow-log.ts'
import { findMembersByGroup } from '../outbox/members-by-group.ts'
import { findMembers } from '../routing/members.ts'
import { type RoutedChannel, type RoutedPeople, routeEvents } from '../routing/route-alerts.ts'
import { toAlertItem } from './alert-item.ts'
import { groupAlerts } from './group-alerts.ts'
import { type AlertRecipient, type QueuedAlert, queueAlerts } from './queue-alerts.ts'
import { findReachableTables } from './reachable-tables.ts'
import {
  type AlertRow,
  findAlertGroups,
  findAudiences,
  findDueAlerts,
  findOpenAlerts,
  findUnsentAlerts,
  markAlertsSent,
  recordAlerts,
} from './store.ts'

const MAX_ALERTS = 200 // in one transaction
const MAX_WAITING = 500 // considered for grouping
const MAX_ITEMS = 50 // in one message

/** Records incidents committed since the last position. All at once: the query finds only incidents, so it is cheap. */
export const followAlerts = (ctx: Context): Promise<boolean> =>
  followLog(ctx, 'alerts', async (ctx, step) => {
    await recordAlerts(ctx, step)
    return undefined
  })

/**
 * Queues messages about opened and resolved incidents: once for each owner and subscriber of the table and its downstream resources, for
 * the monitor's Slack channel, and for the channels of the routing rules. Alerts are marked as sent in the same transaction. Returns whether there are more.
 */
export const sendAlerts = (ctx: Context, channels: readonly ChannelName[]): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await lockPosition(ctx.db, 'alerts'))) return false // only one instance at a time, so that related alerts are grouped
    const due = await findDueAlerts(ctx, MAX_ALERTS)
    if (due.length === 0) return false
    const alerts = await assignGroups(ctx, due)
    const routed = silenceSnoozed(alerts, await routeEvents(ctx, alerts))
    const recipients = await findAlertRecipients(ctx, alerts, routed.people)
    await queueAlerts(ctx, buildQueuedAlerts(alerts, recipients, routed.channels), channels)
    await addAlertsToInboxes(ctx, alerts, recipients, channels)
    await markAlertsSent(
      ctx,
      alerts.map((row) => ({
        ...row,
        people: recipients.get(row)?.length ?? 0,
        channel: channels.includes('slack') ? getSlackChannel(row) : null,
        channel_ids: (routed.channels.get(row.activity_id) ?? []).flatMap(({ channel, type }) =>
          channels.includes(type) ? [channel] : [],
        ),
        routed: [...(routed.channels.get(row.activity_id) ?? []), ...(routed.people.get(row.activity_id) ?? [])],
      })),
    )
    return true // what waited for these is due now
  })

/** No one is notified of a snoozed incident. A pager that has an alert of it learns that it is over, because nobody would close it there. */
const silenceSnoozed = (alerts: readonly GroupedAlert[], { channels, people }: Awaited<ReturnType<typeof routeEvents>>) => {
  const phases = new Map(alerts.filter(isSnoozed).map(({ activity_id, phase }) => [activity_id, phase]))
  return {
    channels: new Map(
      [...channels].map(([id, to]) => [
        id,
        phases.has(id) ? to.filter(({ type }) => phases.get(id) !== 'opened' && separatesIncidents(type)) : to,
      ]),
    ),
    people: new Map([...people].filter(([id]) => !phases.has(id))),
  }
}

const isSnoozed = ({ payload }: AlertRow): boolean => payload.snoozed_until !== undefined

type GroupedAlert = AlertRow & { readonly thread: string }

/** Due alerts with their groups, and other unsent alerts of the same groups, which need not wait any longer. */
const assignGroups = async (ctx: Context, due: readonly AlertRow[]): Promise<GroupedAlert[]> => {
  const isDue = new Set(due.map(({ activity_id }) => activity_id))
  const opened = due.some(({ phase }) => phase === 'opened') ? await findUnsentAlerts(ctx, MAX_WAITING) : []
  const others = due.filter(({ phase }) => phase !== 'opened')
  const upstream = await findReachableTables(ctx, [...new Set(opened.map(({ table_id }) => table_id))], 'up')
  const upstreamAlerts = await findOpenAlerts(
    ctx,
    [...new Set([...upstream.values()].flatMap((tables) => [...tables]))],
    opened.flatMap(({ upstream_incident }) => upstream_incident ?? []),
  )
  const all = new Map([...opened, ...upstreamAlerts].map((row) => [row.subject_id, row]))
  const furtherUpstream = await findReachableTables(ctx, [...new Set(upstreamAlerts.map(({ table_id }) => table_id))], 'up')
  const groups = groupAlerts([...all.values()], new Map([...furtherUpstream, ...upstream]))
  const ready = new Set(opened.flatMap(({ activity_id, subject_id }) => (isDue.has(activity_id) ? groups.get(subject_id)! : [])))
  const threads = await findAlertGroups(
    ctx,
    others.map(({ subject_id }) => subject_id),
  )
  return [
    ...opened.map((row) => ({ ...row, thread: groups.get(row.subject_id)! })).filter(({ thread }) => ready.has(thread)),
    ...others.map((row) => ({ ...row, thread: threads.get(row.subject_id) ?? row.subject_id })),
  ]
}

/**
 * Recipients of each opened or resolved incident, and people whom a rule names: only users who can see the resource, without the one who resolved
 * it. An acknowledgement is for pagers only, and schema changes reach owners and subscribers like other changes.
 */
const findAlertRecipients = async (
  ctx: Context,
  all: readonly GroupedAlert[],
  people: ReadonlyMap<string, readonly RoutedPeople[]>,
): Promise<Map<GroupedAlert, string[]>> => {
  const alerts = all.filter(({ phase, activity_id }) => phase === 'opened' || phase === 'resolved' || people.has(activity_id))
  const downstream = await findReachableTables(ctx, [...new Set(alerts.map(({ table_id }) => table_id))], 'down')
  const listConcerned = (row: GroupedAlert) => [row.resource_id, row.table_id, ...(downstream.get(row.table_id) ?? [])]
  const audiences = await findAudiences(ctx.db, [...new Set(alerts.flatMap(listConcerned))])
  const members = await findMembersByGroup(ctx, [...audiences.values()])
  const routed = [...people.values()].flat().flatMap(({ recipients }) => recipients)
  const membersOfRoutes = await findMembers(ctx, [...new Set(routed)])
  const listRouted = ({ activity_id }: GroupedAlert) =>
    (people.get(activity_id) ?? []).flatMap(({ recipients }) => recipients.flatMap((id) => membersOfRoutes.get(id) ?? []))
  const actors = await findUserActors(ctx.db, [
    ...new Set([...listAudienceUsers(members, ...audiences.values()), ...[...membersOfRoutes.values()].flat()]),
  ])
  return new Map(
    alerts.map((row) => {
      const target = audiences.get(row.resource_id)
      const isRecipient = (actor: Actor | undefined, id: string) =>
        actor && target && canSee(actor, target) && (row.phase === 'opened' || id !== row.performer_id)
      const concerned = row.phase === 'changed' || isSnoozed(row) ? [] : listConcerned(row)
      const users = listAudienceUsers(members, ...concerned.flatMap((id) => audiences.get(id) ?? []))
      return [row, [...new Set([...users, ...listRouted(row)])].filter((id) => isRecipient(actors.get(id), id))]
    }),
  )
}

/**
 * One message per group in a channel, furthest upstream first, and one per incident for a program. A person gets all alerts in one message,
 * because an unavailable source can affect a hundred tables.
 */
const buildQueuedAlerts = (
  alerts: readonly GroupedAlert[],
  recipients: ReadonlyMap<GroupedAlert, readonly string[]>,
  routed: ReadonlyMap<string, readonly RoutedChannel[]>,
): QueuedAlert[] => {
  const messages = new Map<string, QueuedAlert & { readonly alert: { items: AlertItem[] } }>()
  const add = (to: AlertRecipient, row: GroupedAlert, key: string, thread = row.thread, closed_teams?: readonly string[] | null) => {
    const { phase } = row
    const before = messages.get(`${phase} ${key}`)
    const items = before?.alert.items ?? []
    items.push(toAlertItem(row))
    const same_cause = (before?.alert.same_cause ?? true) && (before?.thread ?? thread) === thread
    const teams = before?.alert.closed_teams === null || closed_teams === null ? null : union(before?.alert.closed_teams, closed_teams)
    messages.set(`${phase} ${key}`, { to, thread: before?.thread ?? thread, alert: { phase, same_cause, items, closed_teams: teams } })
  }
  const ordered = [...alerts].sort((a, b) =>
    a.thread < b.thread ? -1 : a.thread > b.thread ? 1 : Number(b.subject_id === b.thread) - Number(a.subject_id === a.thread),
  )
  for (const row of ordered) {
    const address = getSlackChannel(row)
    if (address) add({ address }, row, `${address} ${row.thread}`)
    for (const { channel, type, closed_teams } of routed.get(row.activity_id) ?? []) {
      const thread = separatesIncidents(type) ? row.subject_id : row.thread
      add({ channel_id: channel, type }, row, `${channel} ${thread}`, thread, closed_teams)
    }
    // A schema change is in the digest of its recipients, like for owners.
    if (row.phase !== 'changed') for (const user_id of recipients.get(row) ?? []) add({ user_id }, row, user_id)
  }
  return [...messages.values()]
    .map((message) => ({ ...message, alert: { ...message.alert, items: message.alert.items.slice(0, MAX_ITEMS) } }))
    .sort((a, b) => PHASES.indexOf(a.alert.phase) - PHASES.indexOf(b.alert.phase))
}

/** The order in which messages of one incident are sent. */
const PHASES: readonly string[] = ['opened', 'acknowledged', 'resolved', 'changed']

const union = (a: readonly string[] | undefined, b: readonly string[] | undefined): string[] | undefined =>
  a || b ? [...new Set([...(a ?? []), ...(b ?? [])])] : undefined

/** The channel that the monitor names. Acknowledgements are not sent there. */
const getSlackChannel = (row: GroupedAlert): string | null =>
  row.phase === 'acknowledged' || isSnoozed(row) ? null : row.payload.notify_slack_channel || null

const addAlertsToInboxes = async (
  ctx: Context,
  alerts: readonly GroupedAlert[],
  recipients: ReadonlyMap<GroupedAlert, readonly string[]>,
  channels: readonly ChannelName[],
): Promise<void> => {
  const audiences = await findAudiences(
    ctx.db,
    alerts.map(({ resource_id }) => resource_id),
  )
  const rows = new Map<string, InboxItem>()
  const changed = new Map<string, InboxItem>()
  for (const row of alerts)
    for (const user_id of recipients.get(row) ?? []) {
      const key = `${user_id} ${row.resource_id}`
      const before = rows.get(key)
      if (before) before.activity_ids.push(row.activity_id)
      else rows.set(key, { user_id, resource_id: row.resource_id, activity_ids: [row.activity_id] })
      if (row.phase === 'changed') changed.set(key, { user_id, resource_id: row.resource_id, activity_ids: [row.activity_id] })
    }
  if (rows.size === 0) return
  const entries = alerts.flatMap((row) => {
    const now = audiences.get(row.resource_id)
    return now ? [{ ...row, deleted: false, now: { published: now.published, teams: now.teams } }] : []
  })
  await addToInboxes(ctx, [...rows.values()], entries)
  await scheduleDigests(ctx, [...changed.values()], channels)
}
