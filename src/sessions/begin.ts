import { findActorOf } from '../access/actors.ts'
import { readUser } from '../access/manage-users.ts'
import type { Scope } from '../access/permissions.ts'
import type { User } from '../access/schema.ts'
import { newSecret } from '../access/sessions.ts'
import { hashOf } from '../access/tokens.ts'
import { type Context, inTransaction } from '../context.ts'
import { Refusal } from '../errors.ts'
import { recordActivity } from '../history/record.ts'
import { newId } from '../id.ts'
import { rememberDevice } from './devices.ts'
import type { Method, Session } from './schema.ts'
import { readSession } from './sessions.ts'
import { findHash, lockUser } from './store.ts'

/** Where a session is started from, and how long it may last. */
export interface Asked {
  readonly address: string
  readonly user_agent: string | undefined
  readonly lasts: Lasts
  /** Device cookie of a browser that has signed in before. */
  readonly device?: string
}

export interface Lasts {
  /** The session expires after this many days without use. */
  readonly idle_days: number
  /** The session expires after this many days in any case. */
  readonly days: number
}

export interface Begun {
  readonly session: Session
  readonly user: User
  /** For the session cookie only. */
  readonly secret: string
  /** For the device cookie, if the browser is new. */
  readonly device?: string
}

interface Way {
  readonly method: Method
  readonly scope?: Scope
  readonly token_id?: string
  /** The hash the password was compared with. If it has changed since, the sign-in is rejected. */
  readonly password_hash?: string
}

const DAY_S = 86_400
const LONGEST_AGENT = 300

/** Creates a session for a user who has been authenticated; it is recorded as their own activity. */
export const beginSession = (ctx: Context, user_id: string, way: Way, asked: Asked): Promise<Begun> =>
  inTransaction(ctx, async (ctx) => {
    const { method, scope = 'admin', token_id, password_hash } = way
    // Waits for a concurrent disabling of the user or change of password, which would otherwise miss this session.
    await lockUser(ctx, user_id)
    if (password_hash !== undefined && (await findHash(ctx.db, user_id)) !== password_hash)
      throw new Refusal('unauthenticated', 'The password has just been changed. Sign in with the new one.')
    const actor = await findActorOf(ctx.db, user_id)
    if (!actor) throw new Refusal('unauthenticated', 'This user is disabled and cannot sign in.')
    const id = newId()
    const secret = newSecret()
    await ctx.db
      .insertInto('sessions')
      .values({
        id,
        user_id,
        hash: hashOf(secret),
        token_id: token_id ?? null,
        scope,
        method,
        address: asked.address,
        user_agent: asked.user_agent?.slice(0, LONGEST_AGENT).toWellFormed().replaceAll('\0', '') ?? null,
        idle_seconds: asked.lasts.idle_days * DAY_S,
        created_at: ctx.now,
        last_used_at: ctx.now,
        expires_at: new Date(ctx.now.getTime() + asked.lasts.days * DAY_S * 1000),
      })
      .execute()
    await ctx.db.updateTable('users').set({ last_seen_at: ctx.now }).where('id', '=', user_id).execute()
    const own: Context = { ...ctx, actor: { ...actor, session_id: id } }
    await recordActivity(own, { activity_type: 'session_started', resource_id: user_id, resource_type: 'user', changes: told(method) })
    const device = method === 'token' ? undefined : await rememberDevice(own, user_id, asked.device)
    return { secret, device, session: await readSession(own, id), user: await readUser(own, user_id) }
  })

const told = (method: Method) => [{ field: 'method', from: null, to: method }]
