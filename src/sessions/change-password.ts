import { readUser } from '../access/manage-users.ts'
import { mustBeAble } from '../access/permissions.ts'
import { endSessionsOf } from '../access/sessions.ts'
import { type Context, inTransaction } from '../context.ts'
import { invalid, notFound } from '../errors.ts'
import { recordActivity } from '../history/record.ts'
import { hashPassword, isPassword, mustBeGood } from './passwords.ts'
import type { PasswordChange } from './schema.ts'
import { findHash } from './store.ts'
import { countTry, forgiveTry, keysOf } from './throttle.ts'

/** Whoever has a password shows it. The other sessions end. */
export const changePassword = async (ctx: Context, { current_password, password }: PasswordChange, address: string): Promise<void> => {
  mustBeAble(ctx.actor, 'password.own')
  const { user_id, session_id } = ctx.actor
  if (!user_id) throw notFound('user')
  const user = await readUser(ctx, user_id)
  const before = await findHash(ctx.db, user_id)
  if (before !== undefined) {
    const keys = keysOf(user_id, address)
    await countTry(ctx, keys)
    if (current_password === undefined || !(await isPassword(current_password, before)))
      throw invalid({ current_password: [current_password === undefined ? 'is required.' : 'is not right.'] })
    await forgiveTry(ctx, keys)
  }
  mustBeGood(password, user)
  const hash = await hashPassword(password)
  await inTransaction(ctx, async (ctx) => {
    await writePassword(ctx, user_id, hash)
    await endSessionsOf(ctx, user_id, session_id)
  })
}

/** In the transaction of whoever decides that it may be written. */
export const writePassword = async (ctx: Context, user_id: string, hash: string): Promise<void> => {
  await ctx.db
    .insertInto('passwords')
    .values({ user_id, hash, created_at: ctx.now, updated_at: ctx.now })
    .onConflict((c) => c.column('user_id').doUpdateSet({ hash, updated_at: ctx.now }))
    .execute()
  await recordActivity(ctx, { activity_type: 'password_set', resource_id: user_id, resource_type: 'user' })
}
