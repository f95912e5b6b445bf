import { sql } from 'kysely'
import { findActorsByTokenHash } from '../../platform/authentication/actors.ts'
import { createSessionSecret } from '../../platform/authentication/session-callers.ts'
import { hashToken } from '../../platform/authentication/token-hash.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError, conflict } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { getUser } from '../users/manage-users.ts'
import { type CreatedSession, createSession, type RequestOrigin } from './create-session.ts'
import { completeUserProfile, saveInvitation } from './invite.ts'
import { assertPasswordPolicy, hashPassword } from './passwords.ts'
import type { SetupBody } from './schema.ts'
import { findFirstAdmin, findInvitedAdmin, isSetUp } from './sign-in-rows.ts'
import { codeThrottleKeys, countSignInAttempt, resetAttempts } from './throttle.ts'

/** Sets the first admin password. Requires what only the operator has: the setup code printed at startup, or the admin's token. */
export const setUpWorkspace = async (
  ctx: Context,
  { code, password, email, workspace_name, ...names }: SetupBody,
  origin: RequestOrigin,
): Promise<CreatedSession> => {
  const keys = codeThrottleKeys(origin.address)
  await countSignInAttempt(ctx, keys)
  await assertNotSetUp(ctx)
  const admin = await findAdmin(ctx, code.trim())
  if (!admin)
    throw new ApiError('unauthenticated', translatable('Invalid setup code. Use the code printed at startup or the token of an admin.'))
  await resetAttempts(ctx, keys)
  const user = await getUser(ctx, admin)
  assertPasswordPolicy(password, { email: email ?? user.email, name: user.name })
  const hash = await hashPassword(password)
  return inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtext('sessions.setup'))`.execute(ctx.db)
    await assertNotSetUp(ctx) // of two concurrent setups, the second fails here
    await ctx.db.deleteFrom('invitations').where('user_id', '=', admin).execute()
    if (email !== undefined) await assertEmailAvailable(ctx, email, admin)
    await completeUserProfile(ctx, admin, { hash, email, ...names })
    await renameWorkspace(ctx, workspace_name?.trim())
    return createSession(ctx, admin, { method: 'password' }, origin)
  })
}

const renameWorkspace = async (ctx: Context, name: string | undefined): Promise<void> => {
  if (!name) return
  const workspace = await ctx.db.selectFrom('workspaces').select(['id', 'name']).executeTakeFirstOrThrow()
  if (workspace.name === name) return
  await ctx.db.updateTable('workspaces').set({ name }).where('id', '=', workspace.id).execute()
  await recordActivity(ctx, {
    activity_type: 'workspace_updated',
    resource_id: workspace.id,
    resource_type: 'workspace',
    resource_title: name,
    changes: [{ field: 'name', from: workspace.name, to: name }],
  })
}

const assertNotSetUp = async (ctx: Context): Promise<void> => {
  if (await isSetUp(ctx.db)) throw conflict(translatable('This workspace already has an admin with a password. Sign in instead.'))
}

const assertEmailAvailable = async (ctx: Context, email: string, admin: string): Promise<void> => {
  const { rows } = await sql`select from users where lower(email) = lower(${email}) and id <> ${admin} and deleted_at is null`.execute(
    ctx.db,
  )
  const detail = translatable('A user with the e-mail address {email} already exists.', { email })
  if (rows.length > 0) throw conflict(detail, { email: [detail] })
}

const findAdmin = async (ctx: Context, code: string): Promise<string | undefined> => {
  const hash = hashToken(code)
  const [found] = (await findActorsByTokenHash(ctx.db, [hash.toString('hex')], ctx.now)).values()
  if (found?.actor.role === 'admin' && found.actor.scope === 'admin') return found.actor.user_id!
  return findInvitedAdmin(ctx.db, hash, ctx.now)
}

/** The setup code to print at startup, while no admin has a password. Every start creates a new one, which invalidates the previous one. */
export const newSetupCode = (ctx: Context): Promise<string | undefined> =>
  inTransaction(ctx, async (ctx) => {
    const admin = await findFirstAdmin(ctx.db)
    if (!admin || (await isSetUp(ctx.db))) return undefined
    const code = createSessionSecret()
    await saveInvitation(ctx, admin, code)
    return code
  })
