import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

/**
 * Which statements a connection keeps prepared: planning a page of the catalog costs more than running it. Filters come in endless shapes
 * and each prepared statement holds memory of the server process, so only texts that were seen before are prepared, and the least
 * recently used ones are given up.
 */
const PREPARED_PER_CONNECTION = 200
const SEEN_TEXTS = 2_000
const LONGEST_TEXT = 8_000 // characters; longer ones are rare and would fill the cache

/** Texts that the connections of one pool have run before. */
export class SeenStatements {
  readonly #texts = new LRUCache<string, true>({ max: SEEN_TEXTS })

  /** Whether this text was run before; from now on it was. */
  see(text: string): boolean {
    if (text.length > LONGEST_TEXT) return false
    const hash = createHash('sha1').update(text).digest('base64')
    if (this.#texts.get(hash)) return true
    this.#texts.set(hash, true)
    return false
  }
}

/** The prepared statements of one connection. */
export class PreparedStatements {
  readonly #seen: SeenStatements
  /** Names that are to be deallocated before the next statement. */
  evicted: string[] = []
  readonly #names = new LRUCache<string, string>({
    max: PREPARED_PER_CONNECTION,
    dispose: (name) => this.evicted.push(name),
  })
  #made = 0

  constructor(seen: SeenStatements) {
    this.#seen = seen
  }

  /** The name to run this text under; undefined when it is not worth preparing. */
  nameOf(text: string): string | undefined {
    const known = this.#names.get(text)
    if (known) return known
    if (!this.#seen.see(text)) return undefined
    const name = `s${this.#made++}`
    this.#names.set(text, name)
    return name
  }

  clear(): void {
    this.#names.clear()
  }
}
