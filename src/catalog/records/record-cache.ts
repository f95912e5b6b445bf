import { Cache, type CacheCounts, countTextBytes } from '../../platform/core/cache.ts'

declare module '../../platform/context/runtime.ts' {
  interface RuntimeCaches {
    readonly records: RecordCache
  }
}

/**
 * Rendered records by resource and row version (`xmin`, which Postgres changes with every write). A page first queries the IDs and versions
 * of its rows; only records missing here are read and rendered. An entry is never stale: a write by any process creates another version.
 */
export interface RenderedRecord {
  readonly row_version: string
  /** The record's JSON without the fields that depend on the caller. */
  readonly text: string
  /** Users who bookmarked it. Callers only see their own bookmark. */
  readonly bookmarked_by: readonly string[] | null
}

const ID_BYTES = 60

export class RecordCache {
  readonly #records: Cache<RenderedRecord>

  constructor(maxBytes: number) {
    this.#records = new Cache(maxBytes, ({ text, bookmarked_by }) => countTextBytes(text) + ID_BYTES * (bookmarked_by?.length ?? 0))
  }

  find(id: string, row_version: string): RenderedRecord | undefined {
    const found = this.#records.get(id)
    return found?.row_version === row_version ? found : undefined
  }

  set(id: string, rendered: RenderedRecord): void {
    this.#records.set(id, rendered)
  }

  /** For when the database may have been replaced: its xmin values mean other versions. */
  clear(): void {
    this.#records.clear()
  }

  counts(): CacheCounts {
    return this.#records.counts()
  }
}
