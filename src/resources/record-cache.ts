import { LRUCache } from 'lru-cache'

/**
 * Rendered records, by resource and row version (`xmin`: Postgres gives every version of a row another one). A page asks the
 * database which rows it holds in which version, and only what is not here is read and rendered. So nothing in here can be stale:
 * an edit by any process makes another version, and the old text is never asked for again.
 */
interface Rendered {
  readonly stamp: string
  /** The record's JSON up to what depends on the caller. */
  readonly text: string
}

const MOST_BYTES = 64 * 1024 * 1024

export class RecordCache {
  readonly #records = new LRUCache<string, Rendered>({ maxSize: MOST_BYTES, sizeCalculation: ({ text }) => text.length + 200 })

  find(id: string, stamp: string): string | undefined {
    const found = this.#records.get(id)
    return found?.stamp === stamp ? found.text : undefined
  }

  keep(id: string, stamp: string, text: string): void {
    this.#records.set(id, { stamp, text })
  }

  /** When the database may be another one: its stamps mean other versions. */
  forget(): void {
    this.#records.clear()
  }
}
