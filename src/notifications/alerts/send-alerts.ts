import { findUserActors } from '../../platform/authentication/actors.ts'
import type { ChannelName } from '../../platform/channels/channel.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { type Actor, canSee } from '../../platform/permissions/permissions.ts'
import type { AlertItem } from '../deliveries/alert.ts'
import { findMembers } from '../inbox/follow.ts'
import { addToInboxes, type InboxItem } from '../inbox/inbox-rows.ts'
import { listAudienceUsers } from '../outbox/audience.ts'
import { followLog, lockPosition } from '../outbox/follow-log.ts'
import { toAlertItem } from './alert-item.ts'
import { groupAlerts } from './group.ts'
import { type AlertRecipient, type QueuedAlert, queueAlerts } from './queue-alerts.ts'
import { findReachable } from './reachable.ts'
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
 * Queues messages about opened and resolved incidents: once for each owner and subscriber of the table and its downstream resources, and for
 * the monitor's Slack channel. Alerts are marked as sent in the same transaction. Returns whether there are more.
 */
export const sendAlerts = (ctx: Context, channels: readonly ChannelName[]): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await lockPosition(ctx.db, 'alerts'))) return false // only one instance at a time, so that related alerts are grouped
    const due = await findDueAlerts(ctx, MAX_ALERTS)
    if (due.length === 0) return false
    const alerts = await assignGroups(ctx, due)
    const recipients = await findAlertRecipients(ctx, alerts)
    await queueAlerts(ctx, buildQueuedAlerts(alerts, recipients), channels)
    await addAlertsToInboxes(ctx, alerts, recipients)
    await markAlertsSent(
      ctx,
      alerts.map((row) => ({
        ...row,
        people: recipients.get(row)?.length ?? 0,
        channel: channels.includes('slack') ? getSlackChannel(row) : null,
      })),
    )
    return due.length === MAX_ALERTS
  })

type GroupedAlert = AlertRow & { readonly thread: string }

/** Due alerts with their groups, and other unsent alerts of the same groups, which need not wait any longer. */
const assignGroups = async (ctx: Context, due: readonly AlertRow[]): Promise<GroupedAlert[]> => {
  const isDue = new Set(due.map(({ activity_id }) => activity_id))
  const opened = due.some(({ phase }) => phase === 'opened') ? await findUnsentAlerts(ctx, MAX_WAITING) : []
  const resolved = due.filter(({ phase }) => phase === 'resolved')
  const upstream = await findReachable(ctx, [...new Set(opened.map(({ place }) => place))], 'up')
  const above = await findOpenAlerts(
    ctx,
    [...new Set([...upstream.values()].flatMap((places) => [...places]))],
    opened.flatMap(({ above }) => above ?? []),
  )
  const all = new Map([...opened, ...above].map((row) => [row.about, row]))
  const further = await findReachable(ctx, [...new Set(above.map(({ place }) => place))], 'up')
  const groups = groupAlerts([...all.values()], new Map([...further, ...upstream]))
  const ready = new Set(opened.flatMap(({ activity_id, about }) => (isDue.has(activity_id) ? groups.get(about)! : [])))
  const threads = await findAlertGroups(
    ctx,
    resolved.map(({ about }) => about),
  )
  return [
    ...opened.map((row) => ({ ...row, thread: groups.get(row.about)! })).filter(({ thread }) => ready.has(thread)),
    ...resolved.map((row) => ({ ...row, thread: threads.get(row.about) ?? row.about })),
  ]
}

/** Recipients of each alert: only users who can see the resource, without the one who resolved the incident. */
const findAlertRecipients = async (ctx: Context, alerts: readonly GroupedAlert[]): Promise<Map<GroupedAlert, string[]>> => {
  const downstream = await findReachable(ctx, [...new Set(alerts.map(({ place }) => place))], 'down')
  const near = (row: GroupedAlert) => [row.resource_id, row.place, ...(downstream.get(row.place) ?? [])]
  const audiences = await findAudiences(ctx.db, [...new Set(alerts.flatMap(near))])
  const members = await findMembers(ctx, [...audiences.values()])
  const actors = await findUserActors(ctx.db, [...listAudienceUsers(members, ...audiences.values())])
  return new Map(
    alerts.map((row) => {
      const target = audiences.get(row.resource_id)
      const isRecipient = (actor: Actor | undefined, id: string) =>
        actor && target && canSee(actor, target) && (row.phase === 'opened' || id !== row.performer_id)
      const named = listAudienceUsers(members, ...near(row).flatMap((id) => audiences.get(id) ?? []))
      return [row, [...named].filter((id) => isRecipient(actors.get(id), id))]
    }),
  )
}

/**
 * One message per group in a channel, furthest upstream first. A person gets all alerts in one message, because an unavailable source can
 * affect a hundred tables.
 */
const buildQueuedAlerts = (alerts: readonly GroupedAlert[], recipients: ReadonlyMap<GroupedAlert, readonly string[]>): QueuedAlert[] => {
  const messages = new Map<string, { to: AlertRecipient; row: GroupedAlert; together: boolean; items: AlertItem[] }>()
  const add = (to: AlertRecipient, row: GroupedAlert) => {
    const key = `${row.phase} ${'address' in to ? `${to.address} ${row.thread}` : to.user_id}`
    const message = messages.get(key) ?? { to, row, together: true, items: [] }
    message.together &&= message.row.thread === row.thread
    message.items.push(toAlertItem(row))
    messages.set(key, message)
  }
  const ordered = [...alerts].sort((a, b) =>
    a.thread < b.thread ? -1 : a.thread > b.thread ? 1 : Number(b.about === b.thread) - Number(a.about === a.thread),
  )
  for (const row of ordered) {
    const channel = getSlackChannel(row)
    if (channel) add({ address: channel }, row)
    for (const user_id of recipients.get(row) ?? []) add({ user_id }, row)
  }
  return [...messages.values()]
    .sort((a, b) => (a.row.phase < b.row.phase ? -1 : a.row.phase > b.row.phase ? 1 : 0))
    .map(({ to, row, together, items }) => ({
      to,
      thread: row.thread,
      alert: { phase: row.phase, together, items: items.slice(0, MAX_ITEMS) },
    }))
}

const getSlackChannel = ({ payload }: GroupedAlert): string | null => payload.notify_slack_channel || null

const addAlertsToInboxes = async (
  ctx: Context,
  alerts: readonly GroupedAlert[],
  recipients: ReadonlyMap<GroupedAlert, readonly string[]>,
): Promise<void> => {
  const audiences = await findAudiences(
    ctx.db,
    alerts.map(({ resource_id }) => resource_id),
  )
  const rows = new Map<string, InboxItem>()
  for (const row of alerts)
    for (const user_id of recipients.get(row) ?? []) {
      const key = `${user_id} ${row.resource_id}`
      const before = rows.get(key)
      if (before) before.activity_ids.push(row.activity_id)
      else rows.set(key, { user_id, resource_id: row.resource_id, activity_ids: [row.activity_id] })
    }
  if (rows.size === 0) return
  const about = alerts.flatMap((row) => {
    const now = audiences.get(row.resource_id)
    return now ? [{ ...row, deleted: false, now: { published: now.published, teams: now.teams } }] : []
  })
  await addToInboxes(ctx, [...rows.values()], about)
}
