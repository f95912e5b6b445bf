import { endUserSessions } from '../../platform/authentication/session-callers.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { invalid, notFound } from '../../platform/core/errors.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordActivity } from '../../platform/history/record.ts'
import { requirePermission } from '../../platform/permissions/permissions.ts'
import { revokeUserTokens } from '../tokens/manage-tokens.ts'
import { getUser } from '../users/manage-users.ts'
import { deleteUserDevices } from './devices.ts'
import { assertPasswordPolicy, hashPassword, verifyPassword } from './passwords.ts'
import type { PasswordChange } from './schema.ts'
import { findPasswordHash, lockUser } from './sign-in-rows.ts'
import { accountThrottleKeys, countSignInAttempt, resetAttempts } from './throttle.ts'

/** Requires the current password if there is one. Other sessions end; tokens stay unless `revoke_tokens` is set, because scripts use them. */
export const changePassword = async (
  ctx: Context,
  { current_password, password, revoke_tokens = false }: PasswordChange,
): Promise<void> => {
  requirePermission(ctx.actor, 'password.own')
  const { user_id, session_id, token_id } = ctx.actor
  if (!user_id) throw notFound('user')
  const user = await getUser(ctx, user_id)
  const before = await findPasswordHash(ctx.db, user_id)
  if (before !== undefined) {
    const keys = accountThrottleKeys(user_id)
    await countSignInAttempt(ctx, keys)
    if (current_password === undefined || !(await verifyPassword(current_password, before)))
      throw invalid({ current_password: [current_password === undefined ? translatable('is required.') : translatable('is incorrect.')] })
    await resetAttempts(ctx, keys)
  }
  assertPasswordPolicy(password, user)
  const hash = await hashPassword(password)
  await inTransaction(ctx, async (ctx) => {
    await saveUserPassword(ctx, user_id, hash)
    await endUserSessions(ctx, user_id, session_id)
    if (revoke_tokens) await revokeUserTokens(ctx, user_id, { except: token_id ?? undefined })
  })
}

/** Runs in the transaction of the caller, who has checked that the password may be set. */
export const saveUserPassword = async (ctx: Context, user_id: string, hash: string): Promise<void> => {
  await lockUser(ctx, user_id)
  await ctx.db
    .insertInto('passwords')
    .values({ user_id, hash, created_at: ctx.now, updated_at: ctx.now })
    .onConflict((c) => c.column('user_id').doUpdateSet({ hash, updated_at: ctx.now }))
    .execute()
  await deleteUserDevices(ctx, user_id)
  await recordActivity(ctx, { activity_type: 'password_set', resource_id: user_id, resource_type: 'user' })
}
