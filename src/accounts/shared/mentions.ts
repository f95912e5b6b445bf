import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { USER_NAME_SQL } from './people.ts'

const MAX_MENTIONS = 50 // people one text can mention; the rest are not notified
const MENTION_PATTERN = /(?<![\p{L}\p{N}._%+@-])@([\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*)/gu

/** The e-mail addresses that a text mentions as `@ada@example.com`, in lower case, each once. Pure. */
export const parseMentions = (text: string | null | undefined): string[] =>
  text?.includes('@')
    ? [...new Set([...text.matchAll(MENTION_PATTERN)].map(([, address]) => address!.toLowerCase()))].slice(0, MAX_MENTIONS)
    : []

/** The active users mentioned in a text but not in its earlier version. */
export const findMentionedUsers = async (
  db: Db,
  text: string | null | undefined,
  before?: string | null,
): Promise<{ id: string; name: string }[]> => {
  const previous = new Set(parseMentions(before))
  const addresses = parseMentions(text).filter((address) => !previous.has(address))
  if (addresses.length === 0) return []
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, ${USER_NAME_SQL} as name from users u where lower(u.email) = any(${addresses}::text[]) and u.disabled_at is null order by name, u.id
  `.execute(db)
  return rows
}
