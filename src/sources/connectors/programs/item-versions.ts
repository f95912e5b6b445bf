import { isCoveredBy } from '../../../../connector/src/key-scope.ts'
import type { ItemMessage } from '../../../../connector/src/protocol.ts'
import type { Context } from '../../../platform/context/context.ts'
import { findVersions, findWithoutLineage, type StoredVersions, saveVersions } from './version-rows.ts'

const MAX_VERSIONS = 200_000 // others are read with every run
const BATCH_SIZE = 5000

/**
 * Which items a connector need not report again, and what the next run has to know. An item is left out as long as something of it is missing in
 * the catalog, e.g. because a table it reads is not there yet: it is reported again with every run.
 */
export class ItemVersions {
  readonly #integration: string
  readonly #settingsHash: string
  readonly #stored: StoredVersions
  readonly #startedAt: Date
  readonly #current = new Map<string, string>()
  readonly #unchanged = new Set<string>()
  readonly #forgotten = new Set<string>()
  #complete = true
  /** Items with a definition, from which their lineage is read. */
  readonly #defined: string[] = []

  private constructor(integration: string, settingsHash: string, stored: StoredVersions, startedAt: Date) {
    this.#integration = integration
    this.#settingsHash = settingsHash
    this.#stored = stored
    this.#startedAt = startedAt
  }

  /** `full`: everything has to be reported. */
  static async load({ db, now }: Context, integration: string, settingsHash: string, full: boolean): Promise<ItemVersions> {
    const stored = full ? { versions: new Map(), listed_at: undefined } : await findVersions(db, integration, settingsHash, now)
    return new ItemVersions(integration, settingsHash, stored, now)
  }

  /** The versions of items that are completely in the catalog. */
  get stored(): ReadonlyMap<string, string> {
    return this.#stored.versions
  }

  /** For the command of the connector. */
  toCommand(): Record<string, string> {
    return Object.fromEntries(this.#stored.versions)
  }

  /** What another source may report has no version here, nor has what it is below of: it can become a part of that one at any time. */
  add({ key, version, same_as, query }: ItemMessage): void {
    if (same_as) this.forget(key)
    else if (version !== undefined && this.#current.size < MAX_VERSIONS) this.#current.set(key, version)
    if (query) this.#defined.push(key)
  }

  addUnchanged(key: string): void {
    this.#unchanged.add(key)
    this.#current.set(key, this.#stored.versions.get(key)!)
  }

  /** Only what changed was listed: versions of other items stay, except those that this run has forgotten. */
  keepOthers(): void {
    for (const [key, version] of this.#stored.versions)
      if (!this.#current.has(key) && !this.#forgotten.has(key)) this.#current.set(key, version)
  }

  /** It is not completely in the catalog, and neither is what it is below of. */
  forget(key: string): void {
    for (let end = key.length; end > 0; end = key.lastIndexOf('.', end - 1)) {
      const above = key.slice(0, end)
      this.#current.delete(above)
      this.#forgotten.add(above)
    }
  }

  /** Something may be missing anywhere: the next run reads everything. */
  forgetAll(): void {
    this.#complete = false
  }

  isUnchanged(key: string): boolean {
    return isCoveredBy(key, this.#unchanged)
  }

  /** Runs when the items are in the catalog. */
  async save({ db }: Context): Promise<void> {
    if (this.#current.size === 0 && this.#stored.versions.size === 0) return
    for (let start = 0; start < this.#defined.length; start += BATCH_SIZE)
      for (const key of await findWithoutLineage(db, this.#integration, this.#defined.slice(start, start + BATCH_SIZE))) this.forget(key)
    await saveVersions(db, this.#integration, {
      ...{ settings_hash: this.#settingsHash, versions: this.#complete ? this.#current : new Map() },
      ...{ listed_at: this.#stored.listed_at ?? this.#startedAt, read_at: this.#startedAt },
    })
  }
}
