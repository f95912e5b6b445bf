import { findUserActors } from '../../platform/authentication/actors.ts'
import type { ChannelName } from '../../platform/channels/channel.ts'
import type { Context } from '../../platform/context/context.ts'
import { findRecipients, getVisibilityAtChange, listAudienceUsers } from '../outbox/audience.ts'
import { followLog } from '../outbox/follow-log.ts'
import { findMembersByGroup } from '../outbox/members-by-group.ts'
import { markDeletedInInboxes, type OutboxEntry, readOutboxEntries, readVisibilityChanges } from '../outbox/outbox.ts'
import { addToInboxes, type InboxItem, scheduleDigests } from './inbox-rows.ts'

const MAX_ENTRIES = 500 // read at a time
const MAX_ROWS = 20_000 // written in one transaction; a single entry may exceed it

/** Adds changes committed since the last step to the inboxes and schedules digests. Returns whether there is more. */
export const followChanges = (ctx: Context, channels: readonly ChannelName[]): Promise<boolean> =>
  followLog(ctx, 'inbox', async (ctx, step) => {
    if (step.at_xid === null) await markDeletedInInboxes(ctx.db, step)
    const entries = await readOutboxEntries(ctx.db, step, MAX_ENTRIES)
    const done = await notifyRecipients(ctx, entries, channels)
    return done < MAX_ENTRIES && done === entries.length ? undefined : entries[done - 1]
  })

/** Returns how many entries were processed, which is limited by the rows one transaction should write. */
const notifyRecipients = async (ctx: Context, entries: readonly OutboxEntry[], channels: readonly ChannelName[]): Promise<number> => {
  if (entries.length === 0) return 0
  const members = await findMembersByGroup(
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
