import { sql } from 'kysely'
import { findActors } from '../access/actors.ts'
import { readUser } from '../access/manage-users.ts'
import { newSecret } from '../access/sessions.ts'
import { hashOf } from '../access/tokens.ts'
import { type Context, inTransaction } from '../context.ts'
import { conflict, Refusal } from '../errors.ts'
import { type Asked, type Begun, beginSession } from './begin.ts'
import { setUpUser, writeInvitation } from './invite.ts'
import { hashPassword, mustBeGood } from './passwords.ts'
import type { SetupBody } from './schema.ts'
import { findFirstAdmin, findInvitedAdmin, isSetUp } from './store.ts'
import { codeKeys, countTry, forgiveTry } from './throttle.ts'

/** The first password of the workspace. It takes what only whoever started the server has: its word in the terminal, or the admin's token. */
export const setUp = async (ctx: Context, { code, password, email, ...names }: SetupBody, asked: Asked): Promise<Begun> => {
  const keys = codeKeys(asked.address)
  await countTry(ctx, keys)
  await mustBeNew(ctx)
  const admin = await findAdmin(ctx, code.trim())
  if (!admin) throw new Refusal('unauthenticated', 'This is neither the code from the terminal nor a token of an admin.')
  await forgiveTry(ctx, keys)
  const user = await readUser(ctx, admin)
  mustBeGood(password, { email: email ?? user.email, name: user.name })
  const hash = await hashPassword(password)
  return inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtext('sessions.setup'))`.execute(ctx.db)
    await mustBeNew(ctx) // of two at the same moment the second finds it done
    await ctx.db.deleteFrom('invitations').where('user_id', '=', admin).execute()
    if (email !== undefined) await mustBeFree(ctx, email, admin)
    await setUpUser(ctx, admin, { hash, email, ...names })
    return beginSession(ctx, admin, { method: 'password' }, asked)
  })
}

const mustBeNew = async (ctx: Context): Promise<void> => {
  if (await isSetUp(ctx.db)) throw conflict('This workspace has an admin with a password already. Sign in instead.')
}

const mustBeFree = async (ctx: Context, email: string, admin: string): Promise<void> => {
  const { rows } = await sql`select from users where lower(email) = lower(${email}) and id <> ${admin} and deleted_at is null`.execute(
    ctx.db,
  )
  const detail = `There is already a user with the address ${email}.`
  if (rows.length > 0) throw conflict(detail, { email: [detail] })
}

const findAdmin = async (ctx: Context, code: string): Promise<string | undefined> => {
  const hash = hashOf(code)
  const [found] = (await findActors(ctx.db, [hash.toString('hex')], ctx.now)).values()
  if (found?.actor.role === 'admin' && found.actor.scope === 'admin') return found.actor.user_id!
  return findInvitedAdmin(ctx.db, hash, ctx.now)
}

/** A code for the terminal, as long as no admin has a password. Every start makes a new one, and the one before is over. */
export const newSetupCode = (ctx: Context): Promise<string | undefined> =>
  inTransaction(ctx, async (ctx) => {
    const admin = await findFirstAdmin(ctx.db)
    if (!admin || (await isSetUp(ctx.db))) return undefined
    const code = newSecret()
    await writeInvitation(ctx, admin, code)
    return code
  })
