import { sql } from 'kysely'
import type { Db } from '../db/connect.ts'
import type { Actor, Role, Scope } from '../permissions/permissions.ts'

/** The columns of a user that decide what they can see. */
export const ACTOR_COLUMNS = sql`
  u.id as user_id, u.role,
  array(select m.team_id from team_members m where m.user_id = u.id order by 1) as teams,
  array(select c.id from teams c where c.closed and exists (select from team_members m where m.team_id = c.id and m.user_id = u.id) order by 1) as closed_teams,
  array(select c.id from teams c where c.closed and not exists (select from team_members m where m.team_id = c.id and m.user_id = u.id) order by 1) as foreign_teams
`

export interface ActorRow {
  user_id: string
  role: Role
  teams: string[]
  closed_teams: string[]
  foreign_teams: string[]
}

/** The actor of a token, its expiry, and the access version at the time of the lookup. */
export interface AuthenticatedToken {
  readonly actor: Actor
  readonly expires_at: string | null
  readonly access_version: string
}

/** Actors by token hash (hex). */
export const findActorsByTokenHash = async (db: Db, hashes: readonly string[], now: Date): Promise<Map<string, AuthenticatedToken>> => {
  const { rows } = await sql<
    ActorRow & Omit<AuthenticatedToken, 'actor'> & { hash: string; token_id: string; scope: Scope; audience: string | null }
  >`
    select encode(t.hash, 'hex') as hash, t.id as token_id, t.scope, t.audience, least(t.expires_at, t.access_expires_at) as expires_at, (select version::text from access_version) as access_version, ${ACTOR_COLUMNS}
    from tokens t join users u on u.id = t.user_id
    where t.hash in (select decode(h, 'hex') from unnest(${hashes}::text[]) h)
      and t.revoked_at is null and (t.expires_at is null or t.expires_at > ${now}::timestamptz) and u.disabled_at is null
  `.execute(db)
  return new Map(
    rows.map(({ hash, expires_at, access_version, ...actor }) => [
      hash,
      { actor: { ...actor, performer_type: 'API' }, expires_at, access_version },
    ]),
  )
}

/** A user as an actor without a token, for background work on their behalf. */
export const findUserActor = async (db: Db, user_id: string): Promise<Actor | undefined> =>
  (await findUserActors(db, [user_id])).get(user_id)

/** The active users among these, as actors. */
export const findUserActors = async (db: Db, user_ids: readonly string[]): Promise<Map<string, Actor>> => {
  const { rows } = await sql<ActorRow>`
    select ${ACTOR_COLUMNS} from users u where u.id = any(${user_ids}::uuid[]) and u.disabled_at is null
  `.execute(db)
  return new Map(rows.map((row) => [row.user_id, { ...row, token_id: null, scope: 'admin', performer_type: 'USER' }]))
}
