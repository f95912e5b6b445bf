import { sql } from 'kysely'
import { findUserActor } from '../../platform/authentication/actors.ts'
import { createSessionSecret, endUserSessions } from '../../platform/authentication/session-callers.ts'
import { hashToken } from '../../platform/authentication/token-hash.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError, conflict, notFound } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { diffFields } from '../../platform/history/diff.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { getUser } from '../users/manage-users.ts'
import { saveUserPassword } from './change-password.ts'
import { type CreatedSession, createSession, type RequestOrigin } from './create-session.ts'
import { assertPasswordPolicy, hashPassword } from './passwords.ts'
import type { Invitation, InvitationAccept, Invited } from './schema.ts'
import { isSetUp } from './sign-in-rows.ts'
import { codeThrottleKeys, countSignInAttempt, resetAttempts } from './throttle.ts'

/** One-time links to set a password, for invited users and forgotten passwords. A new link invalidates the previous one. */
const INVITATION_LIFETIME_MS = 7 * 86_400_000

export interface InvitationDelivery {
  /** Base URL of the link; unset if the server does not know its own URL: then the link is a path, and nothing is mailed. */
  readonly base?: string
  /** Sends the link by e-mail and returns whether that worked; unset if e-mail is not configured. */
  readonly mail?: (to: string, link: string, expires_at: string) => Promise<boolean>
}

/** The link is mailed after the transaction, because that may take seconds. */
export const createInvitation = async (ctx: Context, user_id: string, { base, mail }: InvitationDelivery): Promise<Invitation> => {
  const code = createSessionSecret()
  const saved = await inTransaction(ctx, async (ctx) => {
    requirePermission(ctx.actor, 'people.manage')
    const user = await getUser(ctx, user_id)
    if (user.disabled) throw conflict(translatable('This user is disabled. Enable the user first.'))
    const expires_at = await saveInvitation(ctx, user_id, code)
    await recordActivity(ctx, {
      activity_type: 'invitation_created',
      resource_id: user_id,
      resource_type: 'user',
      resource_title: user.name,
    })
    return { expires_at, mailed: false }
  })
  const { email } = await getUser(ctx, user_id)
  const link = buildInvitationLink(base ?? '', code)
  return { link, code, ...saved, mailed: base !== undefined && ((await mail?.(email, link, saved.expires_at)) ?? false) }
}

export const saveInvitation = async (ctx: Context, user_id: string, code: string): Promise<string> => {
  const row = {
    hash: hashToken(code),
    created_by: ctx.actor.user_id,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + INVITATION_LIFETIME_MS),
  }
  await ctx.db
    .insertInto('invitations')
    .values({ user_id, ...row })
    .onConflict((c) => c.column('user_id').doUpdateSet(row))
    .execute()
  return row.expires_at.toISOString()
}

/** The code is in the fragment, which browsers do not send, so it does not appear in any server or proxy log. */
export const buildInvitationLink = (base: string, code: string): string => `${base}/welcome#code=${code}`

/** The user a code invites. */
export const getInvitation = async (ctx: Context, code: string, address: string): Promise<Invited> => {
  const keys = codeThrottleKeys(address)
  await countSignInAttempt(ctx, keys)
  const { user, expires_at } = await getInvitedUser(ctx, code)
  await resetAttempts(ctx, keys)
  return { email: user.email, name: user.name, expires_at, setup: user.role === 'admin' && !(await isSetUp(ctx.db)) }
}

/** Sets the password and signs in; earlier sessions of the user end. */
export const acceptInvitation = async (
  ctx: Context,
  { code, password, first_name, last_name }: InvitationAccept,
  origin: RequestOrigin,
): Promise<CreatedSession> => {
  const keys = codeThrottleKeys(origin.address)
  await countSignInAttempt(ctx, keys)
  const { user } = await getInvitedUser(ctx, code)
  await resetAttempts(ctx, keys)
  assertPasswordPolicy(password, user)
  const hash = await hashPassword(password)
  return inTransaction(ctx, async (ctx) => {
    await consumeInvitation(ctx, code)
    await completeUserProfile(ctx, user.id, { hash, first_name, last_name })
    return createSession(ctx, user.id, { method: 'invitation' }, origin)
  })
}

const getInvitedUser = async (ctx: Context, code: string) => {
  const { rows } = await sql<{ user_id: string; expires_at: string }>`
    select i.user_id, i.expires_at from invitations i join users u on u.id = i.user_id
    where i.hash = ${hashToken(code)} and i.expires_at > ${ctx.now}::timestamptz and u.disabled_at is null
  `.execute(ctx.db)
  if (!rows[0]) throw notFound('invitation')
  return { user: await getUser(ctx, rows[0].user_id), expires_at: rows[0].expires_at }
}

/** Of two concurrent uses, the second finds nothing. */
const consumeInvitation = async (ctx: Context, code: string): Promise<void> => {
  const { rows } = await sql`
    delete from invitations where hash = ${hashToken(code)} and expires_at > ${ctx.now}::timestamptz returning user_id`.execute(ctx.db)
  if (rows.length === 0) throw notFound('invitation')
}

export interface NewUserProfile {
  readonly hash: string
  readonly email?: string
  readonly first_name?: string | null
  readonly last_name?: string | null
}

/** Saves the profile and password of a user at their first sign-in, recorded as their own activity. */
export const completeUserProfile = async (
  ctx: Context,
  user_id: string,
  { hash, email, first_name, last_name }: NewUserProfile,
): Promise<void> => {
  const actor = await findUserActor(ctx.db, user_id)
  if (!actor) throw new ApiError('unauthenticated', translatable('This user is disabled and cannot sign in.'))
  const own: Context = { ...ctx, actor }
  const before = await getUser(ctx, user_id)
  const after = {
    email: email ?? before.email,
    first_name: first_name === undefined ? before.first_name : first_name?.trim() || null,
    last_name: last_name === undefined ? before.last_name : last_name?.trim() || null,
  }
  const changes = diffFields(before, after, ['email', 'first_name', 'last_name'])
  if (changes.length > 0) {
    await ctx.db
      .updateTable('users')
      .set({ ...after, updated_at: ctx.now })
      .where('id', '=', user_id)
      .execute()
    await recordActivity(own, {
      activity_type: 'user_updated',
      resource_id: user_id,
      resource_type: 'user',
      resource_title: before.name,
      changes,
    })
  }
  await saveUserPassword(own, user_id, hash)
  await endUserSessions(own, user_id)
}
