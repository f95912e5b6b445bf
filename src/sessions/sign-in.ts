import { sql } from 'kysely'
import { findActors } from '../access/actors.ts'
import { type Actor, SYSTEM } from '../access/permissions.ts'
import { hashOf } from '../access/tokens.ts'
import { type Context, inTransaction } from '../context.ts'
import { Refusal } from '../errors.ts'
import { recordActivity } from '../history/record.ts'
import { networkOf } from '../network.ts'
import { type Asked, type Begun, beginSession } from './begin.ts'
import { isKnownDevice } from './devices.ts'
import { isPassword } from './passwords.ts'
import type { SignIn } from './schema.ts'
import { countTry, forgiveTry, isRecorded, signInKeys, tokenKeys } from './throttle.ts'

/** The password is verified outside any transaction, because hashing is slow on purpose. */
export const signIn = async (ctx: Context, { login, password }: SignIn, asked: Asked): Promise<Begun> => {
  const account = await findAccount(ctx, login)
  const known = await isKnownDevice(ctx, account?.user_id, asked.device)
  const keys = signInKeys(login, asked.address, known ? asked.device : undefined)
  const tries = await countTry(ctx, keys)
  if (!(await isPassword(password, account?.hash ?? undefined))) {
    await noteFailed(ctx, asked, keys[0]!, tries, account)
    throw new Refusal('unauthenticated', 'Incorrect name or password.')
  }
  await forgiveTry(ctx, keys)
  return beginSession(ctx, account!.user_id, { method: 'password', password_hash: account!.hash! }, asked)
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

/** Creates a session with the scope of the token; it ends with the token. */
export const signInWithToken = async (ctx: Context, token: string, asked: Asked): Promise<Begun> => {
  const keys = tokenKeys(asked.address)
  const tries = await countTry(ctx, keys)
  const [found] = (await findActors(ctx.db, [hashOf(token.trim()).toString('hex')], ctx.now)).values()
  if (!found) {
    await noteFailed(ctx, asked, keys[0]!, tries)
    throw new Refusal('unauthenticated', 'Invalid token: it does not exist, has expired or was revoked.')
  }
  await forgiveTry(ctx, keys)
  const { user_id, scope, token_id } = found.actor
  return beginSession(ctx, user_id!, { method: 'token', scope, token_id: token_id! }, asked)
}

/** For unknown accounts only the address is recorded, because users sometimes type their password as their name. */
const noteFailed = async (ctx: Context, { address }: Asked, key: string, tries: number, account?: Account): Promise<void> => {
  if (!(await isRecorded(ctx, key, tries))) return
  const by: Actor = { ...SYSTEM, performer_type: 'USER' } // an unknown person
  await inTransaction({ ...ctx, actor: by }, (ctx) =>
    recordActivity(ctx, {
      activity_type: 'sign_in_failed',
      resource_type: 'user',
      ...(account ? { resource_id: account.user_id, resource_title: account.name } : { resource_title: 'an unknown account' }),
      changes: [
        { field: 'address', from: null, to: networkOf(address) },
        { field: 'tries', from: null, to: tries },
      ],
    }),
  )
}
