import { sql } from 'kysely'
import { createSessionSecret } from '../../platform/authentication/session-callers.ts'
import { hashToken } from '../../platform/authentication/token-hash.ts'
import type { Context } from '../../platform/context/context.ts'

/** Browsers that have signed in to an account before, identified by a cookie. It grants no access, only a separate limit for wrong passwords. */
const DEVICE_DAYS = 180
const MAX_DEVICES_PER_USER = 20
export const DEVICE_COOKIE = 'tablinum_device'
export const DEVICE_COOKIE_S = DEVICE_DAYS * 86_400

const getDeviceCutoff = ({ now }: Context): Date => new Date(now.getTime() - DEVICE_COOKIE_S * 1000)

export const isKnownDevice = async (ctx: Context, user_id: string | undefined, secret: string | undefined): Promise<boolean> => {
  if (user_id === undefined || secret === undefined) return false
  const { rows } = await sql`
    select from known_devices where hash = ${hashToken(secret)} and user_id = ${user_id} and last_used_at > ${getDeviceCutoff(ctx)}::timestamptz`.execute(
    ctx.db,
  )
  return rows.length > 0
}

/** Runs in the transaction of the sign-in. Returns the cookie value for a new device. */
export const rememberDevice = async (ctx: Context, user_id: string, secret: string | undefined): Promise<string | undefined> => {
  if (await isKnownDevice(ctx, user_id, secret)) {
    await sql`update known_devices set last_used_at = ${ctx.now}::timestamptz where hash = ${hashToken(secret!)}`.execute(ctx.db)
    return undefined
  }
  const created = createSessionSecret()
  await ctx.db
    .insertInto('known_devices')
    .values({ hash: hashToken(created), user_id, created_at: ctx.now, last_used_at: ctx.now })
    .execute()
  await sql`
    delete from known_devices where hash in (
      select hash from known_devices where user_id = ${user_id} order by last_used_at desc, hash offset ${MAX_DEVICES_PER_USER})
  `.execute(ctx.db)
  return created
}

export const deleteUserDevices = async (ctx: Context, user_id: string): Promise<void> => {
  await ctx.db.deleteFrom('known_devices').where('user_id', '=', user_id).execute()
}

export const deleteOldDevices = async (ctx: Context): Promise<void> => {
  await sql`delete from known_devices where last_used_at <= ${getDeviceCutoff(ctx)}::timestamptz`.execute(ctx.db)
}
