import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const MAX_KEY_LENGTH = 1000 // characters; a longer key (a filter can be 500 KB) is replaced by its hash, which takes longer than a look-up
const ENTRY_OVERHEAD_BYTES = 200 // overhead of an entry besides its key and value

export interface CacheCounts {
  readonly bytes: number
  readonly entries: number
  readonly hits: number
  readonly misses: number
}

/** A cache with a budget in bytes: keys and values are counted, and the least recently used entries are evicted. */
export class Cache<V extends object> {
  readonly #entries: LRUCache<string, V>
  #hits = 0
  #misses = 0

  constructor(maxBytes: number, sizeOf: (value: V) => number) {
    this.#entries = new LRUCache<string, V>({
      maxSize: maxBytes,
      sizeCalculation: (value, key) => ENTRY_OVERHEAD_BYTES + countTextBytes(key) + sizeOf(value),
    })
  }

  get(key: string): V | undefined {
    const found = this.#entries.get(toCacheKey(key))
    if (found === undefined) this.#misses += 1
    else this.#hits += 1
    return found
  }

  /** Does not count as a hit or a miss. */
  has(key: string): boolean {
    return this.#entries.has(toCacheKey(key))
  }

  set(key: string, value: V): void {
    this.#entries.set(toCacheKey(key), value)
  }

  delete(key: string): void {
    this.#entries.delete(toCacheKey(key))
  }

  clear(): void {
    this.#entries.clear()
  }

  counts(): CacheCounts {
    return { bytes: this.#entries.calculatedSize, entries: this.#entries.size, hits: this.#hits, misses: this.#misses }
  }
}

/** Upper bound: V8 stores Latin-1 text in one byte per character. */
export const countTextBytes = (text: string): number => 2 * text.length

const toCacheKey = (key: string): string => (key.length <= MAX_KEY_LENGTH ? key : createHash('sha256').update(key).digest('base64'))
