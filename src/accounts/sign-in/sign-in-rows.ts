import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'

/** SQL shared by the sign-in methods. Private to this module. */

export const findPasswordHash = async (db: Db, user_id: string): Promise<string | undefined> =>
  (await db.selectFrom('passwords').select('hash').where('user_id', '=', user_id).executeTakeFirst())?.hash

/** Until the transaction ends, no other one can disable this user, change the password or create a session. */
export const lockUser = async ({ db }: { readonly db: Db }, user_id: string): Promise<void> => {
  await sql`select from users where id = ${user_id} for no key update`.execute(db)
}

/** At least one active admin has a password. */
export const isSetUp = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from passwords p join users u on u.id = p.user_id where u.role = 'admin' and u.disabled_at is null
    ) as found`.execute(db)
  return rows[0]!.found
}

/** Whether an admin still has to set a password, and whether any user has one. */
export const findSetupState = async (db: Db): Promise<{ setup_needed: boolean; has_passwords: boolean }> => {
  const { rows } = await sql<{ has_passwords: boolean }>`
    select exists (select from passwords p join users u on u.id = p.user_id where u.disabled_at is null) as has_passwords`.execute(db)
  return { setup_needed: !(await isSetUp(db)), has_passwords: rows[0]!.has_passwords }
}

/** The admin this invitation is for. */
export const findInvitedAdmin = async (db: Db, hash: Buffer, now: Date): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select u.id from invitations i join users u on u.id = i.user_id
    where i.hash = ${hash} and i.expires_at > ${now}::timestamptz and u.role = 'admin' and u.disabled_at is null
  `.execute(db)
  return rows[0]?.id
}

export const findFirstAdmin = async (db: Db): Promise<string | undefined> => {
  const { rows } = await sql<{ id: string }>`
    select id from users where role = 'admin' and disabled_at is null order by created_at, id limit 1`.execute(db)
  return rows[0]?.id
}
