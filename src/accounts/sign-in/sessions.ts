import { type RawBuilder, sql } from 'kysely'
import { endUserSessions } from '../../platform/authentication/session-callers.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { notFound } from '../../platform/core/errors.ts'
import { parseId } from '../../platform/core/id.ts'
import { deleteInBatches } from '../../platform/db/in-batches.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { asc, desc } from '../../platform/lists/order.ts'
import type { PageRequest } from '../../platform/lists/page.ts'
import { readPage } from '../../platform/lists/read-page.ts'
import { type Actor, can, requirePermission } from '../../platform/permissions/permissions.ts'
import { deleteOldDevices } from './devices.ts'
import type { Session, SessionQuery } from './schema.ts'

/** SQL of sessions (`s`): the record, and which sessions are active. */
const recordSql = ({ session_id }: Actor): RawBuilder<unknown> => sql`
  s.id, s.created_at, s.last_used_at, s.expires_at, s.method, s.address, s.user_agent, s.scope, s.user_id as "user",
  s.id is not distinct from ${session_id ?? null}::uuid as current`
const activeSessionSql = (now: Date): RawBuilder<unknown> =>
  sql`least(s.expires_at, s.last_used_at + make_interval(secs => s.idle_seconds), (select t.expires_at from tokens t where t.id = s.token_id)) > ${now}::timestamptz
    and not exists (select from tokens t where t.id = s.token_id and (t.revoked_at is not null or t.audience is not null))`

export const listSessions = async (ctx: Context, { user }: SessionQuery, page: PageRequest) => {
  const user_id = user === undefined ? ctx.actor.user_id : parseId(user)!
  if (user_id !== ctx.actor.user_id) requirePermission(ctx.actor, 'people.manage')
  return readPage<Session>(ctx, page, {
    select: recordSql(ctx.actor),
    from: sql`sessions s`,
    where: sql`s.user_id = ${user_id} and ${activeSessionSql(ctx.now)}`,
    order: [desc('timestamp', 's.last_used_at'), asc('id', 's.id')],
  })
}

export const getSession = async (ctx: Context, id: string): Promise<Session> => {
  const { rows } = await sql<Session>`
    select ${recordSql(ctx.actor)} from sessions s where s.id = ${id} and ${activeSessionSql(ctx.now)} and ${manageableSessionSql(ctx.actor)}`.execute(
    ctx.db,
  )
  if (!rows[0]) throw notFound('session', id)
  return rows[0]
}

/** Users end their own sessions; users with people.manage end any. */
const manageableSessionSql = (actor: Actor): RawBuilder<unknown> =>
  can(actor, 'people.manage') ? sql`true` : sql`s.user_id is not distinct from ${actor.user_id}::uuid`

export const endSession = (ctx: Context, id: string): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { user } = await getSession(ctx, id)
    await ctx.db.deleteFrom('sessions').where('id', '=', id).execute()
    await recordChange(ctx, user)
  })

/** Signs the caller out everywhere, or everywhere else. */
export const endSessions = (ctx: Context, others: boolean): Promise<void> =>
  inTransaction(ctx, async (ctx) => {
    const { user_id, session_id } = ctx.actor
    if (user_id && (await endUserSessions(ctx, user_id, others ? session_id : undefined)) > 0) await recordChange(ctx, user_id)
  })

const recordChange = (ctx: Context, user_id: string): Promise<void> =>
  recordActivity(ctx, { activity_type: 'session_ended', resource_id: user_id, resource_type: 'user' })

/** Housekeeping: sessions, invitations and devices that have expired. */
export const deleteExpiredSessions = async (ctx: Context): Promise<void> => {
  const { db, now } = ctx
  await deleteInBatches(db, 'sessions', sql`not (${activeSessionSql(now)})`, 's')
  await deleteInBatches(db, 'invitations', sql`expires_at <= ${now}::timestamptz`)
  await deleteOldDevices(ctx)
}
