import { sql } from 'kysely'
import { findActorsOf } from '../../access/actors.ts'
import { type Actor, canSee } from '../../access/permissions.ts'
import { type Context, inTransaction } from '../../context.ts'
import { currentSnapshot, isFromElsewhere } from '../../history/commits.ts'
import { namedIn } from '../audience.ts'
import type { ChannelName } from '../channels/channel.ts'
import { membersOf } from '../follow.ts'
import { type Heard, putInInboxes } from '../inbox-store.ts'
import { lockPosition, savePosition } from '../outbox.ts'
import type { AlertItem } from './alert.ts'
import { type Addressee, type Announcement, announce } from './announce.ts'
import { threadsOf } from './group.ts'
import { reachOf } from './reach.ts'
import { type AlertRow, findDueAlerts, findFollowed, findOpenIn, findThreads, findUntold, noteAlerts, noteTold } from './store.ts'
import { itemOf } from './words.ts'

const MOST_ALERTS = 200 // in one transaction
const MOST_WAITING = 500 // considered for grouping
const MOST_ITEMS = 50 // in one message

const FOLLOWER = 'alert_position'

/** Records incidents committed since the last position, together with the new position. The query finds only incidents, so it is cheap. */
export const followAlerts = (ctx: Context): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const position = await lockPosition(ctx.db, FOLLOWER)
    if (!position) return
    const target = await currentSnapshot(ctx.db)
    if (isFromElsewhere(position.seen, target))
      return savePosition(ctx.db, { ...position, seen: target, since: ctx.now.toISOString() }, FOLLOWER)
    await sql`set local enable_seqscan = off`.execute(ctx.db) // as for inboxes, the planner would choose a full scan
    if (await noteAlerts(ctx, { ...position, target })) await savePosition(ctx.db, { ...position, seen: target }, FOLLOWER)
  })

/**
 * Queues messages about opened and resolved incidents: once for each owner and subscriber of the table and its downstream resources, and for
 * the monitor's Slack channel. Alerts are marked as sent in the same transaction. Returns whether there are more.
 */
export const tellAlerts = (ctx: Context, channels: readonly ChannelName[]): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    if (!(await lockPosition(ctx.db, FOLLOWER))) return false // only one instance at a time, so that related alerts are grouped
    const due = await findDueAlerts(ctx, MOST_ALERTS)
    if (due.length === 0) return false
    const told = await inThreads(ctx, due)
    const heard = await audiencesOf(ctx, told)
    await announce(ctx, announcementsOf(told, heard), channels)
    await fillInboxes(ctx, told, heard)
    await noteTold(
      ctx,
      told.map((row) => ({ ...row, people: heard.get(row)?.length ?? 0, channel: channels.includes('slack') ? channelOf(row) : null })),
    )
    return due.length === MOST_ALERTS
  })

type Told = AlertRow & { readonly thread: string }

/** Due alerts with their groups, and other unsent alerts of the same groups, which need not wait any longer. */
const inThreads = async (ctx: Context, due: readonly AlertRow[]): Promise<Told[]> => {
  const isDue = new Set(due.map(({ activity_id }) => activity_id))
  const opened = due.some(({ phase }) => phase === 'opened') ? await findUntold(ctx, MOST_WAITING) : []
  const resolved = due.filter(({ phase }) => phase === 'resolved')
  const upstream = await reachOf(ctx, [...new Set(opened.map(({ place }) => place))], 'up')
  const above = await findOpenIn(
    ctx,
    [...new Set([...upstream.values()].flatMap((places) => [...places]))],
    opened.flatMap(({ above }) => above ?? []),
  )
  const all = new Map([...opened, ...above].map((row) => [row.about, row]))
  const further = await reachOf(ctx, [...new Set(above.map(({ place }) => place))], 'up')
  const threads = threadsOf([...all.values()], new Map([...further, ...upstream]))
  const ready = new Set(opened.flatMap(({ activity_id, about }) => (isDue.has(activity_id) ? threads.get(about)! : [])))
  const known = await findThreads(
    ctx,
    resolved.map(({ about }) => about),
  )
  return [
    ...opened.map((row) => ({ ...row, thread: threads.get(row.about)! })).filter(({ thread }) => ready.has(thread)),
    ...resolved.map((row) => ({ ...row, thread: known.get(row.about) ?? row.about })),
  ]
}

/** Recipients of each alert: only users who can see the resource, without the one who resolved the incident. */
const audiencesOf = async (ctx: Context, told: readonly Told[]): Promise<Map<Told, string[]>> => {
  const downstream = await reachOf(ctx, [...new Set(told.map(({ place }) => place))], 'down')
  const near = (row: Told) => [row.resource_id, row.place, ...(downstream.get(row.place) ?? [])]
  const followed = await findFollowed(ctx.db, [...new Set(told.flatMap(near))])
  const members = await membersOf(ctx, [...followed.values()])
  const actors = await findActorsOf(ctx.db, [...namedIn(members, ...followed.values())])
  return new Map(
    told.map((row) => {
      const target = followed.get(row.resource_id)
      const hears = (actor: Actor | undefined, id: string) =>
        actor && target && canSee(actor, target) && (row.phase === 'opened' || id !== row.performer_id)
      const named = namedIn(members, ...near(row).flatMap((id) => followed.get(id) ?? []))
      return [row, [...named].filter((id) => hears(actors.get(id), id))]
    }),
  )
}

/**
 * One message per group in a channel, furthest upstream first. A person gets all alerts in one message, because an unavailable source can
 * affect a hundred tables.
 */
const announcementsOf = (told: readonly Told[], heard: ReadonlyMap<Told, readonly string[]>): Announcement[] => {
  const messages = new Map<string, { to: Addressee; row: Told; together: boolean; items: AlertItem[] }>()
  const add = (to: Addressee, row: Told) => {
    const key = `${row.phase} ${'address' in to ? `${to.address} ${row.thread}` : to.user_id}`
    const message = messages.get(key) ?? { to, row, together: true, items: [] }
    message.together &&= message.row.thread === row.thread
    message.items.push(itemOf(row))
    messages.set(key, message)
  }
  const ordered = [...told].sort((a, b) =>
    a.thread < b.thread ? -1 : a.thread > b.thread ? 1 : Number(b.about === b.thread) - Number(a.about === a.thread),
  )
  for (const row of ordered) {
    const channel = channelOf(row)
    if (channel) add({ address: channel }, row)
    for (const user_id of heard.get(row) ?? []) add({ user_id }, row)
  }
  return [...messages.values()]
    .sort((a, b) => (a.row.phase < b.row.phase ? -1 : a.row.phase > b.row.phase ? 1 : 0))
    .map(({ to, row, together, items }) => ({
      to,
      thread: row.thread,
      alert: { phase: row.phase, together, items: items.slice(0, MOST_ITEMS) },
    }))
}

const channelOf = ({ fields: { notify_slack_channel: channel } }: Told): string | null =>
  typeof channel === 'string' && channel !== '' ? channel : null

const fillInboxes = async (ctx: Context, told: readonly Told[], heard: ReadonlyMap<Told, readonly string[]>): Promise<void> => {
  const followed = await findFollowed(
    ctx.db,
    told.map(({ resource_id }) => resource_id),
  )
  const rows = new Map<string, Heard>()
  for (const row of told)
    for (const user_id of heard.get(row) ?? []) {
      const key = `${user_id} ${row.resource_id}`
      const before = rows.get(key)
      if (before) before.activity_ids.push(row.activity_id)
      else rows.set(key, { user_id, resource_id: row.resource_id, activity_ids: [row.activity_id] })
    }
  if (rows.size === 0) return
  const about = told.flatMap((row) => {
    const now = followed.get(row.resource_id)
    return now ? [{ ...row, deleted: false, now: { published: now.published, teams: now.teams } }] : []
  })
  await putInInboxes(ctx, [...rows.values()], about)
}
