import { Cache, type CacheCounts, countTextBytes } from '../core/cache.ts'
import { batchLookups } from '../db/batch-lookups.ts'
import type { Db } from '../db/connect.ts'
import type { RowVersions } from '../db/row-versions.ts'
import type { Actor } from '../permissions/permissions.ts'
import { type AuthenticatedToken, findActorsByTokenHash } from './actors.ts'
import { hashToken } from './token-hash.ts'

declare module '../context/runtime.ts' {
  interface RuntimeCaches {
    readonly tokenCallers: TokenAuthCache
  }
}

/**
 * Caches the actor of each token. Every request checks the access version, and an entry is valid only while that version is unchanged:
 * a revoked token or a disabled user loses access immediately on all instances.
 */
export class TokenAuthCache {
  readonly #entries: Cache<AuthenticatedToken>
  readonly #versions: RowVersions
  readonly #find: (hash: string) => Promise<AuthenticatedToken | undefined>

  constructor(db: Db, versions: RowVersions, maxBytes: number) {
    this.#entries = new Cache(maxBytes, (found) => countTextBytes(JSON.stringify(found)))
    this.#versions = versions
    this.#find = batchLookups((hashes) => findActorsByTokenHash(db, hashes, new Date(0))) // expiry is checked on every use
  }

  async find(token: string, now: () => Date): Promise<Actor | undefined> {
    const version = await this.#versions.access()
    const cached = this.#entries.get(token)
    if (cached?.access_version === version && !isExpired(cached, now())) return cached.actor
    const found = await this.#find(hashToken(token).toString('hex'))
    if (!found || isExpired(found, now())) return undefined
    this.#entries.set(token, found)
    return found.actor
  }

  /** A cached token may still be valid, so looking it up does not count as a guess. */
  has(token: string): boolean {
    return this.#entries.has(token)
  }

  /** Called when the database may have been replaced. */
  clear(): void {
    this.#entries.clear()
  }

  counts(): CacheCounts {
    return this.#entries.counts()
  }
}

const isExpired = ({ expires_at }: AuthenticatedToken, now: Date): boolean =>
  expires_at !== null && expires_at !== undefined && Date.parse(expires_at) <= now.getTime()
