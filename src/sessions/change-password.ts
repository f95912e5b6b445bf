import { revokeTokensOf } from '../access/manage-tokens.ts'
import { readUser } from '../access/manage-users.ts'
import { mustBeAble } from '../access/permissions.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { type Context, inTransaction } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { recordActivity } from '../history/record.ts'
import { forgetDevicesOf } from './devices.ts'
import { hashPassword, isPassword, mustBeGood } from './passwords.ts'
import type { PasswordChange } from './schema.ts'
import { findHash, lockUser } from './store.ts'
import { accountKeys, countTry, forgiveTry } from './throttle.ts'

/** Requires the current password if there is one. Other sessions end; tokens stay unless `revoke_tokens` is set, because scripts use them. */
export const changePassword = async (
  ctx: Context,
  { current_password, password, revoke_tokens = false }: PasswordChange,
): Promise<void> => {
  mustBeAble(ctx.actor, 'password.own')
  const { user_id, session_id, token_id } = ctx.actor
  if (!user_id) throw notFound('user')
  const user = await readUser(ctx, user_id)
  const before = await findHash(ctx.db, user_id)
  if (before !== undefined) {
    const keys = accountKeys(user_id)
    await countTry(ctx, keys)
    if (current_password === undefined || !(await isPassword(current_password, before)))
      throw invalid({ current_password: [current_password === undefined ? 'is required.' : 'is incorrect.'] })
    await forgiveTry(ctx, keys)
  }
  mustBeGood(password, user)
  const hash = await hashPassword(password)
  await inTransaction(ctx, async (ctx) => {
    await writePassword(ctx, user_id, hash)
    await endSessionsOf(ctx, user_id, session_id)
    if (revoke_tokens) await revokeTokensOf(ctx, user_id, { but: token_id ?? undefined })
  })
}

/** Runs in the transaction of the caller, who has checked that the password may be set. */
export const writePassword = async (ctx: Context, user_id: string, hash: string): Promise<void> => {
  await lockUser(ctx, user_id)
  await ctx.db
    .insertInto('passwords')
    .values({ user_id, hash, created_at: ctx.now, updated_at: ctx.now })
    .onConflict((c) => c.column('user_id').doUpdateSet({ hash, updated_at: ctx.now }))
    .execute()
  await forgetDevicesOf(ctx, user_id)
  await recordActivity(ctx, { activity_type: 'password_set', resource_id: user_id, resource_type: 'user' })
}
