import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Actor, Role, Scope } from './permissions.ts'

/** Everything of a user that decides what they may see. */
const SEEING = sql`
  u.id as user_id, u.role,
  array(select m.team_id from team_members m where m.user_id = u.id order by 1) as teams,
  array(select c.id from teams c where c.closed and exists (select from team_members m where m.team_id = c.id and m.user_id = u.id) order by 1) as closed_teams,
  array(select c.id from teams c where c.closed and not exists (select from team_members m where m.team_id = c.id and m.user_id = u.id) order by 1) as foreign_teams
`

interface Seeing {
  user_id: string
  role: Role
  teams: string[]
  closed_teams: string[]
  foreign_teams: string[]
}

/** Who stands behind these token hashes (hex). Asked anew for every request, so a revoked token or a disabled user is out at once, everywhere. */
export const findActors = async (db: Db, hashes: readonly string[], now: Date): Promise<Map<string, Actor>> => {
  const { rows } = await sql<Seeing & { hash: string; token_id: string; scope: Scope }>`
    select encode(t.hash, 'hex') as hash, t.id as token_id, t.scope, ${SEEING}
    from tokens t join users u on u.id = t.user_id
    where t.hash in (select decode(h, 'hex') from unnest(${hashes}::text[]) h)
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now}::timestamptz) and u.disabled_at is null
  `.execute(db)
  return new Map(rows.map(({ hash, ...actor }) => [hash, { ...actor, performer_type: 'API' }]))
}

/** A user acting without a token: in the background, in their name. */
export const findActorOf = async (db: Db, user_id: string): Promise<Actor | undefined> => {
  const { rows } = await sql<Seeing>`select ${SEEING} from users u where u.id = ${user_id} and u.disabled_at is null`.execute(db)
  return rows[0] && { ...rows[0], token_id: null, scope: 'admin', performer_type: 'USER' }
}
