import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/**
 * Decides which statements a connection prepares: planning a page of the catalog costs more than running it. Filters have unlimited shapes
 * and each prepared statement uses memory of the server process, so only texts seen before are prepared, and the least recently used
 * ones are evicted.
 */
const MAX_PREPARED_PER_CONNECTION = 200
const MAX_SEEN_TEXTS = 2_000
const MAX_STATEMENT_LENGTH = 8_000 // characters; longer ones are rare and would fill the cache

/** Statements that connections of the pool have run before. */
export class SeenStatements {
  readonly #texts = new LRUCache<string, true>({ max: MAX_SEEN_TEXTS })

  /** Whether this text was run before; records it. */
  markSeen(text: string): boolean {
    if (text.length > MAX_STATEMENT_LENGTH) return false
    const hash = createHash('sha1').update(text).digest('base64')
    if (this.#texts.get(hash)) return true
    this.#texts.set(hash, true)
    return false
  }
}

/** The prepared statements of one connection. */
export class PreparedStatements {
  readonly #seen: SeenStatements
  /** Names to deallocate before the next statement. */
  evicted: string[] = []
  readonly #names = new LRUCache<string, string>({
    max: MAX_PREPARED_PER_CONNECTION,
    dispose: (name) => this.evicted.push(name),
  })
  #made = 0

  constructor(seen: SeenStatements) {
    this.#seen = seen
  }

  /** The prepared statement's name; undefined if it is not worth preparing. */
  getName(text: string): string | undefined {
    const existing = this.#names.get(text)
    if (existing) return existing
    if (!this.#seen.markSeen(text)) return undefined
    const name = `s${this.#made++}`
    this.#names.set(text, name)
    return name
  }

  clear(): void {
    this.#names.clear()
  }
}
