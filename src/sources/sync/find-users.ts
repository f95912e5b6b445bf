import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'

/** Resolves the owners a source names: user IDs by lower-case e-mail address. */
export const findUsersByEmail = async (db: Db, emails: readonly string[]): Promise<Map<string, string>> => {
  if (emails.length === 0) return new Map()
  const { rows } = await sql<{ id: string; email: string }>`
    select id, lower(email) as email from users where lower(email) = any(${emails}::text[]) and deleted_at is null
  `.execute(db)
  return new Map(rows.map(({ id, email }) => [email, id]))
}
