import { sql } from 'kysely'
import { findUserActors } from '../../platform/authentication/actors.ts'
import type { ChannelName } from '../../platform/channels/channel.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { isForeignSnapshot, readCurrentSnapshot } from '../../platform/history/commits.ts'
import { findRecipients, getVisibilityAtChange, listAudienceUsers } from '../outbox/audience.ts'
import {
  type Audience,
  type FollowerPosition,
  hasNewEntries,
  lockPosition,
  markDeletedInInboxes,
  type OutboxEntry,
  readOutboxEntries,
  readVisibilityChanges,
  savePosition,
} from '../outbox/outbox.ts'
import { addToInboxes, type InboxItem, scheduleDigests } from './inbox-rows.ts'

const MAX_ENTRIES = 500 // read at a time
const MAX_ROWS = 20_000 // written in one transaction; a single entry may exceed it
const STATEMENT_TIMEOUT = '10min' // skipping an import of a million rows is one statement

/**
 * Adds changes committed since the last step to the inboxes and schedules digests. The rows and the new position are saved in one
 * transaction, and only one instance can lock the position, so nothing is lost or duplicated after a crash. Returns whether there is more.
 */
export const followChanges = (ctx: Context, channels: readonly ChannelName[]): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    const position = await lockPosition(ctx.db)
    if (!position) return false
    const step = position.target === null ? await startStep(ctx, position) : position
    if (!step) return false
    // The planner estimates an unknown range as a third of the table and would scan all of it to find three rows.
    await sql`set local enable_seqscan = off`.execute(ctx.db)
    await sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, true)`.execute(ctx.db)
    if (position.target === null) await markDeletedInInboxes(ctx.db, step.seen, step.target!)
    const entries = await readOutboxEntries(ctx.db, step, MAX_ENTRIES)
    const done = await notifyRecipients(ctx, entries, channels)
    const last = done < MAX_ENTRIES && done === entries.length ? undefined : entries[done - 1]
    await savePosition(
      ctx.db,
      last ? { ...step, at_xid: last.xid, at_id: last.id } : { ...step, seen: step.target!, target: null, at_xid: null, at_id: null },
    )
    return last !== undefined
  })

/** Starts a step up to the current snapshot, or returns undefined if nothing is new, so that an idle workspace causes no writes. */
const startStep = async (ctx: Context, position: FollowerPosition): Promise<FollowerPosition | undefined> => {
  const { seen } = position
  const target = await readCurrentSnapshot(ctx.db)
  if (isForeignSnapshot(seen, target)) {
    await savePosition(ctx.db, { ...position, seen: target, since: ctx.now.toISOString() })
    return undefined
  }
  if (!(await hasNewEntries(ctx.db, seen, target))) return undefined
  return { ...position, target }
}

/** Returns how many entries were processed, which is limited by the rows one transaction should write. */
const notifyRecipients = async (ctx: Context, entries: readonly OutboxEntry[], channels: readonly ChannelName[]): Promise<number> => {
  if (entries.length === 0) return 0
  const members = await findMembers(
    ctx,
    entries.flatMap(({ audience, former, container }) => [audience, former, container]),
  )
  const people = listAudienceUsers(members, ...entries.flatMap(({ audience, former }) => [audience, former]))
  const actors = await findUserActors(ctx.db, [...people])
  const relevant = entries.filter(({ audience, former }) => [...listAudienceUsers(members, audience, former)].some((id) => actors.has(id)))
  const visibilityChanges = relevant.length > 0 ? await readVisibilityChanges(ctx.db, relevant) : []
  const items = new Map<string, InboxItem>()
  let done = 0
  for (const each of entries) {
    if (items.size >= MAX_ROWS) break
    done += 1
    for (const { user_id } of findRecipients(each, getVisibilityAtChange(each, visibilityChanges), members, actors)) {
      const key = `${user_id} ${each.resource_id}`
      const before = items.get(key)
      if (before) before.activity_ids.push(each.id)
      else items.set(key, { user_id: user_id!, resource_id: each.resource_id, activity_ids: [each.id] })
    }
  }
  if (items.size > 0) {
    await addToInboxes(ctx, [...items.values()], entries.slice(0, done))
    await scheduleDigests(ctx, [...items.values()], channels)
  }
  return done
}

/** The members of all groups in these audiences. */
export const findMembers = async (ctx: Context, audiences: readonly Audience[]): Promise<Map<string, string[]>> => {
  const groups = new Set(audiences.flatMap((each) => each.groups ?? []))
  if (groups.size === 0) return new Map()
  const { rows } = await sql<{ group_id: string; users: string[] }>`
    select m.group_id, array_agg(m.user_id) as users from group_members m where m.group_id = any(${[...groups]}::uuid[]) group by 1
  `.execute(ctx.db)
  return new Map(rows.map(({ group_id, users }) => [group_id, users]))
}
