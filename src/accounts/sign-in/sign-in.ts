import { sql } from 'kysely'
import { findActorsByTokenHash } from '../../platform/authentication/actors.ts'
import { hashToken } from '../../platform/authentication/token-hash.ts'
import { type Context, inTransaction } from '../../platform/context/context.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { getNetworkPrefix } from '../../platform/core/network.ts'
import { translatable } from '../../platform/core/translatable.ts'
import { recordEvent } from '../../platform/history/events.ts'
import { type Actor, SYSTEM } from '../../platform/permissions/permissions.ts'
import { type CreatedSession, createSession, type RequestOrigin } from './create-session.ts'
import { isKnownDevice } from './devices.ts'
import { verifyPassword } from './passwords.ts'
import type { SignIn } from './schema.ts'
import { countSignInAttempt, resetAttempts, shouldRecordFailure, signInThrottleKeys, tokenThrottleKeys } from './throttle.ts'

/** The password is verified outside any transaction, because hashing is slow on purpose. */
export const signIn = async (ctx: Context, { login, password }: SignIn, origin: RequestOrigin): Promise<CreatedSession> => {
  const account = await findAccount(ctx, login)
  const isKnown = await isKnownDevice(ctx, account?.user_id, origin.device)
  const keys = signInThrottleKeys(login, origin.address, isKnown ? origin.device : undefined)
  const tries = await countSignInAttempt(ctx, keys)
  if (!(await verifyPassword(password, account?.hash ?? undefined))) {
    await recordFailedSignIn(ctx, origin, keys[0]!, tries, account)
    throw new ApiError('unauthenticated', translatable('Incorrect name or password.'))
  }
  await resetAttempts(ctx, keys)
  return createSession(ctx, account!.user_id, { method: 'password', password_hash: account!.hash! }, origin)
}

interface Account {
  readonly user_id: string
  readonly hash: string | null
  readonly name: string
}

/** Finds by e-mail address, otherwise by its part before the @ or by full name, if that is unique among active users. */
const findAccount = async ({ db }: Context, login: string): Promise<Account | undefined> => {
  const name = login.trim().toLowerCase()
  const { rows } = await sql<Account & { exact: boolean }>`
    select u.id as user_id, p.hash, coalesce(nullif(concat_ws(' ', u.first_name, u.last_name), ''), u.email) as name, lower(u.email) = ${name} as exact
    from users u left join passwords p on p.user_id = u.id
    where u.disabled_at is null and (lower(u.email) = ${name}
      or (strpos(${name}, '@') = 0 and ${name} in (split_part(lower(u.email), '@', 1), lower(concat_ws(' ', u.first_name, u.last_name)))))
    order by exact desc limit 2
  `.execute(db)
  const [first, second] = rows
  return first?.exact || !second ? first : undefined
}

/**
 * Creates a session with the scope of the token; it ends with the token. The access token of an application starts none: it is valid for one route,
 * and a session would be valid for all of them.
 */
export const signInWithToken = async (ctx: Context, token: string, origin: RequestOrigin): Promise<CreatedSession> => {
  const keys = tokenThrottleKeys(origin.address)
  const tries = await countSignInAttempt(ctx, keys)
  const [found] = (await findActorsByTokenHash(ctx.db, [hashToken(token.trim()).toString('hex')], ctx.now)).values()
  if (!found || found.actor.audience) {
    await recordFailedSignIn(ctx, origin, keys[0]!, tries)
    throw new ApiError('unauthenticated', translatable('Invalid token: it does not exist, has expired or was revoked.'))
  }
  await resetAttempts(ctx, keys)
  const { user_id, scope, token_id } = found.actor
  return createSession(ctx, user_id!, { method: 'token', scope, token_id: token_id! }, origin)
}

/** For unknown accounts only the address is recorded, because users sometimes type their password as their name. */
const recordFailedSignIn = async (
  ctx: Context,
  { address }: RequestOrigin,
  key: string,
  tries: number,
  account?: Account,
): Promise<void> => {
  if (!(await shouldRecordFailure(ctx, key, tries))) return
  const by: Actor = { ...SYSTEM, performer_type: 'USER' } // an unknown person
  await inTransaction({ ...ctx, actor: by }, (ctx) =>
    recordEvent(ctx, {
      kind: 'sign_in_failed',
      resource: { type: 'user', ...(account ? { id: account.user_id, title: account.name } : { title: 'an unknown account' }) },
      payload: { address: getNetworkPrefix(address), tries },
    }),
  )
}
