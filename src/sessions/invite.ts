import { sql } from 'kysely'
import { findActorOf } from '../access/actors.ts'
import { readUser } from '../access/manage-users.ts'
import { mustBeAble } from '../access/permissions.ts'
import { endSessionsOf, newSecret } from '../access/sessions.ts'
import { hashOf } from '../access/tokens.ts'
import { type Context, inTransaction } from '../context.ts'
import { conflict, notFound, Refusal } from '../errors.ts'
import { diff } from '../history/diff.ts'
import { recordActivity } from '../history/record.ts'
import { type Asked, type Begun, beginSession } from './begin.ts'
import { writePassword } from './change-password.ts'
import { hashPassword, mustBeGood } from './passwords.ts'
import type { Invitation, InvitationAccept, Invited } from './schema.ts'
import { isSetUp } from './store.ts'
import { codeKeys, countTry, forgiveTry } from './throttle.ts'

/** One-time links to set a password, for invited users and forgotten passwords. A new link invalidates the previous one. */
const LASTS_MS = 7 * 86_400_000

export interface Sending {
  /** Base URL of the link; unset if the server does not know its own URL: then the link is a path, and nothing is mailed. */
  readonly base?: string
  /** Sends the link by e-mail and returns whether that worked; unset if e-mail is not configured. */
  readonly mail?: (to: string, link: string, expires_at: string) => Promise<boolean>
}

/** The link is mailed after the transaction, because that may take seconds. */
export const invite = async (ctx: Context, user_id: string, { base, mail }: Sending): Promise<Invitation> => {
  const code = newSecret()
  const kept = await inTransaction(ctx, async (ctx) => {
    mustBeAble(ctx.actor, 'people.manage')
    const user = await readUser(ctx, user_id)
    if (user.disabled) throw conflict('This user is disabled. Enable the user first.')
    const expires_at = await writeInvitation(ctx, user_id, code)
    await recordActivity(ctx, {
      activity_type: 'invitation_created',
      resource_id: user_id,
      resource_type: 'user',
      resource_title: user.name,
    })
    return { expires_at, mailed: false }
  })
  const { email } = await readUser(ctx, user_id)
  const link = linkOf(base ?? '', code)
  return { link, code, ...kept, mailed: base !== undefined && ((await mail?.(email, link, kept.expires_at)) ?? false) }
}

export const writeInvitation = async (ctx: Context, user_id: string, code: string): Promise<string> => {
  const row = {
    hash: hashOf(code),
    created_by: ctx.actor.user_id,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + LASTS_MS),
  }
  await ctx.db
    .insertInto('invitations')
    .values({ user_id, ...row })
    .onConflict((c) => c.column('user_id').doUpdateSet(row))
    .execute()
  return row.expires_at.toISOString()
}

/** The code is in the fragment, which browsers do not send, so it does not appear in any server or proxy log. */
export const linkOf = (base: string, code: string): string => `${base}/welcome#code=${code}`

/** The user a code invites. */
export const readInvitation = async (ctx: Context, code: string, address: string): Promise<Invited> => {
  const keys = codeKeys(address)
  await countTry(ctx, keys)
  const { user, expires_at } = await getInvited(ctx, code)
  await forgiveTry(ctx, keys)
  return { email: user.email, name: user.name, expires_at, setup: user.role === 'admin' && !(await isSetUp(ctx.db)) }
}

/** Sets the password and signs in; earlier sessions of the user end. */
export const acceptInvitation = async (
  ctx: Context,
  { code, password, first_name, last_name }: InvitationAccept,
  asked: Asked,
): Promise<Begun> => {
  const keys = codeKeys(asked.address)
  await countTry(ctx, keys)
  const { user } = await getInvited(ctx, code)
  await forgiveTry(ctx, keys)
  mustBeGood(password, user)
  const hash = await hashPassword(password)
  return inTransaction(ctx, async (ctx) => {
    await takeInvitation(ctx, code)
    await setUpUser(ctx, user.id, { hash, first_name, last_name })
    return beginSession(ctx, user.id, { method: 'invitation' }, asked)
  })
}

const getInvited = async (ctx: Context, code: string) => {
  const { rows } = await sql<{ user_id: string; expires_at: string }>`
    select i.user_id, i.expires_at from invitations i join users u on u.id = i.user_id
    where i.hash = ${hashOf(code)} and i.expires_at > ${ctx.now}::timestamptz and u.disabled_at is null
  `.execute(ctx.db)
  if (!rows[0]) throw notFound('invitation')
  return { user: await readUser(ctx, rows[0].user_id), expires_at: rows[0].expires_at }
}

/** Of two concurrent uses, the second finds nothing. */
const takeInvitation = async (ctx: Context, code: string): Promise<void> => {
  const { rows } = await sql`
    delete from invitations where hash = ${hashOf(code)} and expires_at > ${ctx.now}::timestamptz returning user_id`.execute(ctx.db)
  if (rows.length === 0) throw notFound('invitation')
}

export interface Chosen {
  readonly hash: string
  readonly email?: string
  readonly first_name?: string | null
  readonly last_name?: string | null
}

/** Saves the profile and password of a user at their first sign-in, recorded as their own activity. */
export const setUpUser = async (ctx: Context, user_id: string, { hash, email, first_name, last_name }: Chosen): Promise<void> => {
  const actor = await findActorOf(ctx.db, user_id)
  if (!actor) throw new Refusal('unauthenticated', 'This user is disabled and cannot sign in.')
  const own: Context = { ...ctx, actor }
  const before = await readUser(ctx, user_id)
  const after = {
    email: email ?? before.email,
    first_name: first_name === undefined ? before.first_name : first_name?.trim() || null,
    last_name: last_name === undefined ? before.last_name : last_name?.trim() || null,
  }
  const changes = diff(before, after, ['email', 'first_name', 'last_name'])
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
  await writePassword(own, user_id, hash)
  await endSessionsOf(own, user_id)
}
