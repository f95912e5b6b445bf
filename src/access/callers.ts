import { LRUCache } from 'lru-cache'
import { batched } from '../db/batch.ts'
import type { Db } from '../db/connect.ts'
import { Stamps } from '../db/stamps.ts'
import type { Memory } from '../memory.ts'
import { type Found, findActors } from './actors.ts'
import type { Actor } from './permissions.ts'
import { hashOf } from './tokens.ts'

const MOST_CALLERS = 10_000

/**
 * Who stands behind a token. What was found is gone on with until anything about access changes, which every request asks:
 * a revoked token or a disabled user is out at once, everywhere.
 */
export class Callers {
  readonly #known = new LRUCache<string, Found>({ max: MOST_CALLERS })
  #find?: (hash: string) => Promise<Found | undefined>

  async find(db: Db, memory: Memory, token: string, now: () => Date): Promise<Actor | undefined> {
    const version = await memory.of(Stamps).access(db)
    const known = this.#known.get(token)
    if (known?.access_version === version && !(known.expires_at && Date.parse(known.expires_at) <= now().getTime())) return known.actor
    this.#find ??= batched((hashes) => findActors(db, hashes, now()))
    const found = await this.#find(hashOf(token).toString('hex'))
    if (found) this.#known.set(token, found)
    return found?.actor
  }

  /** When the database may be another one. */
  forget(): void {
    this.#known.clear()
  }
}
