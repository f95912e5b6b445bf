import { sql } from 'kysely'
import { findActorsOf } from '../access/actors.ts'
import { type Context, inTransaction } from '../context.ts'
import { currentSnapshot, isFromElsewhere } from '../history/commits.ts'
import { namedIn, recipientsOf, seenThen } from './audience.ts'
import type { ChannelName } from './channels/channel.ts'
import { type Heard, openWindows, putInInboxes } from './inbox-store.ts'
import {
  type Audience,
  isAnything,
  lockPosition,
  markGone,
  type Position,
  readOpened,
  readTold,
  savePosition,
  type Told,
} from './outbox.ts'

const MOST_ENTRIES = 500 // read at a time
const MOST_ROWS = 20_000 // written in one transaction; a single entry may exceed it
const PATIENCE = '10min' // skipping an import of a million rows is one statement

/**
 * Adds changes committed since the last step to the inboxes and schedules digests. The rows and the new position are saved in one
 * transaction, and only one instance can lock the position, so nothing is lost or duplicated after a crash. Returns whether there is more.
 */
export const followChanges = (ctx: Context, channels: readonly ChannelName[]): Promise<boolean> =>
  inTransaction(ctx, async (ctx) => {
    const position = await lockPosition(ctx.db)
    if (!position) return false
    const step = position.target === null ? await begin(ctx, position) : position
    if (!step) return false
    // The planner estimates an unknown range as a third of the table and would scan all of it to find three rows.
    await sql`set local enable_seqscan = off`.execute(ctx.db)
    await sql`select set_config('statement_timeout', ${PATIENCE}, true)`.execute(ctx.db)
    if (position.target === null) await markGone(ctx.db, step.seen, step.target!)
    const told = await readTold(ctx.db, step, MOST_ENTRIES)
    const done = await tell(ctx, told, channels)
    const last = done < MOST_ENTRIES && done === told.length ? undefined : told[done - 1]
    await savePosition(
      ctx.db,
      last ? { ...step, at_xid: last.xid, at_id: last.id } : { ...step, seen: step.target!, target: null, at_xid: null, at_id: null },
    )
    return last !== undefined
  })

/** Starts a step up to the current snapshot, or returns undefined if nothing is new, so that an idle workspace causes no writes. */
const begin = async (ctx: Context, position: Position): Promise<Position | undefined> => {
  const { seen } = position
  const target = await currentSnapshot(ctx.db)
  if (isFromElsewhere(seen, target)) {
    await savePosition(ctx.db, { ...position, seen: target, since: ctx.now.toISOString() })
    return undefined
  }
  if (!(await isAnything(ctx.db, seen, target))) return undefined
  return { ...position, target }
}

/** Returns how many entries were processed, which is limited by the rows one transaction should write. */
const tell = async (ctx: Context, told: readonly Told[], channels: readonly ChannelName[]): Promise<number> => {
  if (told.length === 0) return 0
  const members = await membersOf(
    ctx,
    told.flatMap(({ audience, former, container }) => [audience, former, container]),
  )
  const people = namedIn(members, ...told.flatMap(({ audience, former }) => [audience, former]))
  const actors = await findActorsOf(ctx.db, [...people])
  const known = told.filter(({ audience, former }) => [...namedIn(members, audience, former)].some((id) => actors.has(id)))
  const opened = known.length > 0 ? await readOpened(ctx.db, known) : []
  const heard = new Map<string, Heard>()
  let done = 0
  for (const each of told) {
    if (heard.size >= MOST_ROWS) break
    done += 1
    for (const { user_id } of recipientsOf(each, seenThen(each, opened), members, actors)) {
      const key = `${user_id} ${each.resource_id}`
      const before = heard.get(key)
      if (before) before.activity_ids.push(each.id)
      else heard.set(key, { user_id: user_id!, resource_id: each.resource_id, activity_ids: [each.id] })
    }
  }
  if (heard.size > 0) {
    await putInInboxes(ctx, [...heard.values()], told.slice(0, done))
    await openWindows(ctx, [...heard.values()], channels)
  }
  return done
}

/** The members of all groups in these audiences. */
export const membersOf = async (ctx: Context, audiences: readonly Audience[]): Promise<Map<string, string[]>> => {
  const groups = new Set(audiences.flatMap((each) => each.groups ?? []))
  if (groups.size === 0) return new Map()
  const { rows } = await sql<{ group_id: string; users: string[] }>`
    select m.group_id, array_agg(m.user_id) as users from group_members m where m.group_id = any(${[...groups]}::uuid[]) group by 1
  `.execute(ctx.db)
  return new Map(rows.map(({ group_id, users }) => [group_id, users]))
}
