import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../context/context.ts'
import { Cache, type CacheCounts, countTextBytes } from '../core/cache.ts'
import type { Db } from '../db/connect.ts'
import type { RowVersions } from '../db/row-versions.ts'
import type { Actor, Scope } from '../permissions/permissions.ts'
import { ACTOR_COLUMNS, type ActorRow } from './actors.ts'
import { hashToken } from './token-hash.ts'

declare module '../context/runtime.ts' {
  interface RuntimeCaches {
    readonly sessionCallers: SessionAuthCache
  }
}

/** The session secret is in the caller's cookie; as with tokens, only its hash is stored. */
export const createSessionSecret = (): string => randomBytes(32).toString('base64url')

interface CachedSession {
  readonly actor: Actor
  /** When the session expires if it is not used again. */
  readonly until: number
  readonly access_version: string
}

/** Caches the actor of each session; like `TokenAuthCache`, an entry is valid while the access version is unchanged. */
export class SessionAuthCache {
  readonly #entries: Cache<CachedSession>
  readonly #db: Db
  readonly #versions: RowVersions

  constructor(db: Db, versions: RowVersions, maxBytes: number) {
    this.#entries = new Cache(maxBytes, (found) => countTextBytes(JSON.stringify(found)))
    this.#db = db
    this.#versions = versions
  }

  async find(secret: string, now: () => Date): Promise<Actor | undefined> {
    const version = await this.#versions.access()
    const hash = hashToken(secret)
    const key = hash.toString('hex')
    const cached = this.#entries.get(key)
    if (cached?.access_version === version && cached.until > now().getTime()) return cached.actor
    const found = await findSession(this.#db, hash)
    if (!found || found.until <= now().getTime()) return undefined
    this.#entries.set(key, found)
    return found.actor
  }

  /** Called when the database may have been replaced. */
  clear(): void {
    this.#entries.clear()
  }

  counts(): CacheCounts {
    return this.#entries.counts()
  }
}

const findSession = async (db: Db, hash: Buffer): Promise<CachedSession | undefined> => {
  const { rows } = await sql<ActorRow & { session_id: string; scope: Scope; until: string; access_version: string }>`
    select s.id as session_id, s.scope, least(s.expires_at, s.last_used_at + make_interval(secs => s.idle_seconds), t.expires_at) as until,
      (select version::text from access_version) as access_version, ${ACTOR_COLUMNS}
    from sessions s join users u on u.id = s.user_id left join tokens t on t.id = s.token_id
    where s.hash = ${hash} and u.disabled_at is null and t.revoked_at is null and t.audience is null
  `.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { until, access_version, ...actor } = row
  return { actor: { ...actor, token_id: null, performer_type: 'USER' }, until: Date.parse(until), access_version }
}

/** Tracks in memory when each session was last used, like tokens. */
export const trackSessionUse = ({ actor, runtime, now }: Context): void => {
  if (actor.session_id) runtime.usage.sessions.set(actor.session_id, now)
}

/** Writes the tracked uses, at most once a minute per session and user. */
export const flushSessionUse = async (ctx: Context): Promise<void> => {
  const used = ctx.runtime.usage.sessions
  if (used.size === 0) return
  const rows = [...used].map(([id, at]) => ({ id, at }))
  used.clear()
  await sql`
    with used as (
      select u.* from json_to_recordset(${JSON.stringify(rows)}::text::json) as u(id uuid, at timestamptz)
    ), due as (
      select s.id, s.user_id, u.at from sessions s join used u on u.id = s.id
      where s.last_used_at <= u.at - interval '1 minute' for no key update of s skip locked
    ), written as (
      update sessions s set last_used_at = d.at from due d where s.id = d.id
    ), people as (
      select p.id, (select max(d.at) from due d where d.user_id = p.id) as at from users p
      where p.id in (select d.user_id from due d) for no key update of p skip locked
    )
    update users p set last_seen_at = greatest(p.last_seen_at, d.at) from people d where p.id = d.id
  `.execute(ctx.db)
}

/** Ends all sessions of a user except `but`, immediately and on all instances. Returns their number. */
export const endUserSessions = async (ctx: Context, user_id: string, except?: string): Promise<number> => {
  const { rows } = await sql`
    delete from sessions where user_id = ${user_id} and id is distinct from ${except ?? null}::uuid returning id`.execute(ctx.db)
  return rows.length
}
