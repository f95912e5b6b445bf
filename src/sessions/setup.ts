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

/** Sets the first admin password. Requires what only the operator has: the setup code printed at startup, or the admin's token. */
export const setUp = async (ctx: Context, { code, password, email, ...names }: SetupBody, asked: Asked): Promise<Begun> => {
  const keys = codeKeys(asked.address)
  await countTry(ctx, keys)
  await mustBeNew(ctx)
  const admin = await findAdmin(ctx, code.trim())
  if (!admin) throw new Refusal('unauthenticated', 'Invalid setup code. Use the code printed at startup or the token of an admin.')
  await forgiveTry(ctx, keys)
  const user = await readUser(ctx, admin)
  mustBeGood(password, { email: email ?? user.email, name: user.name })
  const hash = await hashPassword(password)
  return inTransaction(ctx, async (ctx) => {
    await sql`select pg_advisory_xact_lock(hashtext('sessions.setup'))`.execute(ctx.db)
    await mustBeNew(ctx) // of two concurrent setups, the second fails here
    await ctx.db.deleteFrom('invitations').where('user_id', '=', admin).execute()
    if (email !== undefined) await mustBeFree(ctx, email, admin)
    await setUpUser(ctx, admin, { hash, email, ...names })
    return beginSession(ctx, admin, { method: 'password' }, asked)
  })
}

const mustBeNew = async (ctx: Context): Promise<void> => {
  if (await isSetUp(ctx.db)) throw conflict('This workspace already has an admin with a password. Sign in instead.')
}

const mustBeFree = async (ctx: Context, email: string, admin: string): Promise<void> => {
  const { rows } = await sql`select from users where lower(email) = lower(${email}) and id <> ${admin} and deleted_at is null`.execute(
    ctx.db,
  )
  const detail = `A user with the e-mail address ${email} already exists.`
  if (rows.length > 0) throw conflict(detail, { email: [detail] })
}

const findAdmin = async (ctx: Context, code: string): Promise<string | undefined> => {
  const hash = hashOf(code)
  const [found] = (await findActors(ctx.db, [hash.toString('hex')], ctx.now)).values()
  if (found?.actor.role === 'admin' && found.actor.scope === 'admin') return found.actor.user_id!
  return findInvitedAdmin(ctx.db, hash, ctx.now)
}

/** The setup code to print at startup, while no admin has a password. Every start creates a new one, which invalidates the previous one. */
export const newSetupCode = (ctx: Context): Promise<string | undefined> =>
  inTransaction(ctx, async (ctx) => {
    const admin = await findFirstAdmin(ctx.db)
    if (!admin || (await isSetUp(ctx.db))) return undefined
    const code = newSecret()
    await writeInvitation(ctx, admin, code)
    return code
  })
