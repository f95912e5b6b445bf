import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'

/** Display name of a user (`u`): the name, or the e-mail address if there is none. */
export const USER_NAME_SQL = sql<string>`coalesce(nullif(trim(concat_ws(' ', u.first_name, u.last_name)), ''), u.email, '')`

/** Display names of these users by ID. Unknown IDs are left out. */
export const findUserNames = async (db: Db, ids: readonly string[]): Promise<Map<string, string>> => {
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, ${USER_NAME_SQL} as name from users u where u.id = any(${ids}::uuid[])
  `.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** The members of these groups, each once. */
export const findGroupMembers = async (db: Db, groups: readonly string[]): Promise<string[]> => {
  if (groups.length === 0) return []
  const { rows } = await sql<{ user_id: string }>`
    select distinct m.user_id from group_members m where m.group_id = any(${groups}::uuid[])
  `.execute(db)
  return rows.map(({ user_id }) => user_id)
}
