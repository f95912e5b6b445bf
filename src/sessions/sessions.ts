import { type RawBuilder, sql } from 'kysely'
import { type Actor, can, mustBeAble } from '../access/permissions.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { type Context, inTransaction } from '../context.ts'
import { deleteInBatches } from '../db/in-batches.ts'
import { notFound } from '../errors.ts'
import { recordActivity } from '../history/record.ts'
import { readId } from '../id.ts'
import { asc, desc } from '../lists/order.ts'
import type { PageRequest } from '../lists/page.ts'
import { readPage } from '../lists/read-page.ts'
import { forgetOldDevices } from './devices.ts'
import type { Session, SessionQuery } from './schema.ts'

/** SQL of sessions (`s`): the record, and which sessions are active. */
const record = ({ session_id }: Actor): RawBuilder<unknown> => sql`
  s.id, s.created_at, s.last_used_at, s.expires_at, s.method, s.address, s.user_agent, s.scope, s.user_id as "user",
  s.id is not distinct from ${session_id ?? null}::uuid as current`
const living = (now: Date): RawBuilder<unknown> =>
  sql`least(s.expires_at, s.last_used_at + make_interval(secs => s.idle_seconds), (select t.expires_at from tokens t where t.id = s.token_id)) > ${now}::timestamptz
    and not exists (select from tokens t where t.id = s.token_id and t.revoked_at is not null)`

export const listSessions = async (ctx: Context, { user }: SessionQuery, page: PageRequest) => {
  const whose = user === undefined ? ctx.actor.user_id : readId(user)!
  if (whose !== ctx.actor.user_id) mustBeAble(ctx.actor, 'people.manage')
  return readPage<Session>(ctx, page, {
    select: record(ctx.actor),
    from: sql`sessions s`,
    where: sql`s.user_id = ${whose} and ${living(ctx.now)}`,
    order: [desc('timestamp', 's.last_used_at'), asc('id', 's.id')],
  })
}

export const readSession = async (ctx: Context, id: string): Promise<Session> => {
  const { rows } = await sql<Session>`
    select ${record(ctx.actor)} from sessions s where s.id = ${id} and ${living(ctx.now)} and ${mine(ctx.actor)}`.execute(ctx.db)
  if (!rows[0]) throw notFound('session', id)
  return rows[0]
}

/** Users end their own sessions; users with people.manage end any. */
const mine = (actor: Actor): RawBuilder<unknown> =>
  can(actor, 'people.manage') ? sql`true` : sql`s.user_id is not distinct from ${actor.user_id}::uuid`

export const endSession = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { user } = await readSession(ctx, id)
    await ctx.db.deleteFrom('sessions').where('id', '=', id).execute()
    await tell(ctx, user)
  })

/** Signs the caller out everywhere, or everywhere else. */
export const endSessions = (ctx: Context, others: boolean): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { user_id, session_id } = ctx.actor
    if (user_id && (await endSessionsOf(ctx, user_id, others ? session_id : undefined)) > 0) await tell(ctx, user_id)
  })

const tell = (ctx: Context, user_id: string): Promise<void> =>
  recordActivity(ctx, { activity_type: 'session_ended', resource_id: user_id, resource_type: 'user' })

/** Housekeeping: sessions, invitations and devices that have expired. */
export const forgetOldSessions = async (ctx: Context): Promise<void> => {
  const { db, now } = ctx
  await deleteInBatches(db, 'sessions', sql`not (${living(now)})`, 's')
  await deleteInBatches(db, 'invitations', sql`expires_at <= ${now}::timestamptz`)
  await forgetOldDevices(ctx)
}
