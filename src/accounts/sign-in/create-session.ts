import { findUserActor } from '../../platform/authentication/actors.ts'
import { createSessionSecret } from '../../platform/authentication/session-callers.ts'
import { hashToken } from '../../platform/authentication/token-hash.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/id.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import type { Scope } from '../../platform/permissions/permissions.ts'
import type { User } from '../shared/schema.ts'
import { getUser } from '../users/manage-users.ts'
import { rememberDevice } from './devices.ts'
import type { Method, Session } from './schema.ts'
import { getSession } from './sessions.ts'
import { findPasswordHash, lockUser } from './sign-in-rows.ts'

/** Where a session is started from, and how long it may last. */
export interface RequestOrigin {
  readonly address: string
  readonly user_agent: string | undefined
  readonly lifetime: SessionLifetime
  /** Device cookie of a browser that has signed in before. */
  readonly device?: string
}

export interface SessionLifetime {
  /** The session expires after this many days without use. */
  readonly idle_days: number
  /** The session expires after this many days in any case. */
  readonly days: number
}

export interface CreatedSession {
  readonly session: Session
  readonly user: User
  /** For the session cookie only. */
  readonly secret: string
  /** For the device cookie, if the browser is new. */
  readonly device?: string
}

interface SessionGrant {
  readonly method: Method
  readonly scope?: Scope
  readonly token_id?: string
  /** The hash the password was compared with. If it has changed since, the sign-in is rejected. */
  readonly password_hash?: string
}

const DAY_S = 86_400
const MAX_USER_AGENT_LENGTH = 300

/** Creates a session for a user who has been authenticated; it is recorded as their own activity. */
export const createSession = (ctx: Context, user_id: string, grant: SessionGrant, origin: RequestOrigin): Promise<CreatedSession> =>
  inTransaction(ctx, async (ctx) => {
    const { method, scope = 'admin', token_id, password_hash } = grant
    // Waits for a concurrent disabling of the user or change of password, which would otherwise miss this session.
    await lockUser(ctx, user_id)
    if (password_hash !== undefined && (await findPasswordHash(ctx.db, user_id)) !== password_hash)
      throw new ApiError('unauthenticated', translatable('The password has just been changed. Sign in with the new one.'))
    const actor = await findUserActor(ctx.db, user_id)
    if (!actor) throw new ApiError('unauthenticated', translatable('This user is disabled and cannot sign in.'))
    const id = newId()
    const secret = createSessionSecret()
    await ctx.db
      .insertInto('sessions')
      .values({
        id,
        user_id,
        hash: hashToken(secret),
        token_id: token_id ?? null,
        scope,
        method,
        address: origin.address,
        user_agent: origin.user_agent?.slice(0, MAX_USER_AGENT_LENGTH).toWellFormed().replaceAll('\0', '') ?? null,
        idle_seconds: origin.lifetime.idle_days * DAY_S,
        created_at: ctx.now,
        last_used_at: ctx.now,
        expires_at: new Date(ctx.now.getTime() + origin.lifetime.days * DAY_S * 1000),
      })
      .execute()
    await ctx.db.updateTable('users').set({ last_seen_at: ctx.now }).where('id', '=', user_id).execute()
    const own: Context = { ...ctx, actor: { ...actor, session_id: id } }
    await recordEvent(own, { kind: 'session_started', resource: { id: user_id, type: 'user' }, payload: { method } })
    const device = method === 'token' ? undefined : await rememberDevice(own, user_id, origin.device)
    return { secret, device, session: await getSession(own, id), user: await getUser(own, user_id) }
  })
