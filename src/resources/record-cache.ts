import { Cache, type CacheCounts, textBytes } from '../cache.ts'

/**
 * Rendered records, by resource and row version (`xmin`: Postgres gives every version of a row another one). A page asks the
 * database which rows it holds in which version, and only what is not here is read and rendered. So nothing in here can be stale:
 * an edit by any process makes another version, and the old text is never asked for again.
 */
export interface Rendered {
  readonly stamp: string
  /** The record's JSON up to what depends on the caller. */
  readonly text: string
  /** Who bookmarked it: each caller is told of themselves only. */
  readonly bookmarked_by: readonly string[] | null
}

const ID_BYTES = 60

export class RecordCache {
  readonly #records: Cache<Rendered>

  constructor(maxBytes: number) {
    this.#records = new Cache(maxBytes, ({ text, bookmarked_by }) => textBytes(text) + ID_BYTES * (bookmarked_by?.length ?? 0))
  }

  find(id: string, stamp: string): Rendered | undefined {
    const found = this.#records.get(id)
    return found?.stamp === stamp ? found : undefined
  }

  keep(id: string, rendered: Rendered): void {
    this.#records.set(id, rendered)
  }

  /** When the database may be another one: its stamps mean other versions. */
  clear(): void {
    this.#records.clear()
  }

  counts(): CacheCounts {
    return this.#records.counts()
  }
}
