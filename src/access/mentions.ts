import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import { NAME_OF_USER } from './people.ts'

const MOST = 50 // people one text can mention; the rest are not notified
const ADDRESS = /(?<![\p{L}\p{N}._%+@-])@([\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/gu

/** The e-mail addresses that a text mentions as `@ada@example.com`, in lower case, each once. Pure. */
export const mentionsIn = (text: string | null | undefined): string[] =>
  text?.includes('@') ? [...new Set([...text.matchAll(ADDRESS)].map(([, address]) => address!.toLowerCase()))].slice(0, MOST) : []

/** The active users mentioned in a text but not in its earlier version. */
export const findMentioned = async (
  db: Db,
  text: string | null | undefined,
  before?: string | null,
): Promise<{ id: string; name: string }[]> => {
  const known = new Set(mentionsIn(before))
  const addresses = mentionsIn(text).filter((address) => !known.has(address))
  if (addresses.length === 0) return []
  const { rows } = await sql<{ id: string; name: string }>`
    select u.id, ${NAME_OF_USER} as name from users u where lower(u.email) = any(${addresses}::text[]) and u.disabled_at is null order by name, u.id
  `.execute(db)
  return rows
}
