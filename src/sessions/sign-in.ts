import { sql } from 'kysely'
import { findActors } from '../access/actors.ts'
import { hashOf } from '../access/tokens.ts'
import type { Context } from '../context.ts'
import { Refusal } from '../errors.ts'
import { type Asked, type Begun, beginSession } from './begin.ts'
import { isKnownDevice } from './devices.ts'
import { isPassword } from './passwords.ts'
import type { SignIn } from './schema.ts'
import { codeKeys, countTry, forgiveTry, signInKeys } from './throttle.ts'

/** The password is compared outside of any transaction: it takes its time, on purpose. */
export const signIn = async (ctx: Context, { login, password }: SignIn, asked: Asked): Promise<Begun> => {
  const account = await findAccount(ctx, login)
  const known = await isKnownDevice(ctx, account?.user_id, asked.device)
  const keys = signInKeys(login, asked.address, known ? asked.device : undefined)
  await countTry(ctx, keys)
  if (!(await isPassword(password, account?.hash ?? undefined)))
    throw new Refusal('unauthenticated', 'The name or the password is not right.')
  await forgiveTry(ctx, keys)
  return beginSession(ctx, account!.user_id, { method: 'password', password_hash: account!.hash! }, asked)
}

interface Account {
  readonly user_id: string
  readonly hash: string | null
}

/** By e-mail address; else by what stands before its @ or by the full name, where that is one active user. */
const findAccount = async ({ db }: Context, login: string): Promise<Account | undefined> => {
  const name = login.trim().toLowerCase()
  const { rows } = await sql<Account & { exact: boolean }>`
    select u.id as user_id, p.hash, lower(u.email) = ${name} as exact
    from users u left join passwords p on p.user_id = u.id
    where u.disabled_at is null and (lower(u.email) = ${name}
      or (strpos(${name}, '@') = 0 and ${name} in (split_part(lower(u.email), '@', 1), lower(concat_ws(' ', u.first_name, u.last_name)))))
    order by 3 desc limit 2
  `.execute(db)
  const [first, second] = rows
  return first?.exact || !second ? first : undefined
}

/** A token for a session with its scope, which ends with it. */
export const signInWithToken = async (ctx: Context, token: string, asked: Asked): Promise<Begun> => {
  const keys = codeKeys(asked.address)
  await countTry(ctx, keys)
  const [found] = (await findActors(ctx.db, [hashOf(token.trim()).toString('hex')], ctx.now)).values()
  if (!found) throw new Refusal('unauthenticated', 'This token is not known, has expired or was revoked.')
  await forgiveTry(ctx, keys)
  const { user_id, scope, token_id } = found.actor
  return beginSession(ctx, user_id!, { method: 'token', scope, token_id: token_id! }, asked)
}
