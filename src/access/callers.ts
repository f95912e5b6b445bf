import { Cache, type CacheCounts, textBytes } from '../cache.ts'
import { batched } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import type { RowVersions } from '../db/row-versions.ts'
import { type Found, findActors } from './actors.ts'
import type { Actor } from './permissions.ts'
import { hashOf } from './tokens.ts'

/**
 * Caches the actor of each token. Every request checks the access version, and an entry is valid only while that version is unchanged:
 * a revoked token or a disabled user loses access immediately on all instances.
 */
export class TokenCallers {
  readonly #found: Cache<Found>
  readonly #versions: RowVersions
  readonly #find: (hash: string) => Promise<Found | undefined>

  constructor(db: Db, versions: RowVersions, maxBytes: number) {
    this.#found = new Cache(maxBytes, (found) => textBytes(JSON.stringify(found)))
    this.#versions = versions
    this.#find = batched((hashes) => findActors(db, hashes, new Date(0))) // expiry is checked on every use
  }

  async find(token: string, now: () => Date): Promise<Actor | undefined> {
    const version = await this.#versions.access()
    const known = this.#found.get(token)
    if (known?.access_version === version && !isOver(known, now())) return known.actor
    const found = await this.#find(hashOf(token).toString('hex'))
    if (!found || isOver(found, now())) return undefined
    this.#found.set(token, found)
    return found.actor
  }

  /** A cached token may still be valid, so looking it up does not count as a guess. */
  knows(token: string): boolean {
    return this.#found.has(token)
  }

  /** Called when the database may have been replaced. */
  clear(): void {
    this.#found.clear()
  }

  counts(): CacheCounts {
    return this.#found.counts()
  }
}

const isOver = ({ expires_at }: Found, now: Date): boolean =>
  expires_at !== null && expires_at !== undefined && Date.parse(expires_at) <= now.getTime()
