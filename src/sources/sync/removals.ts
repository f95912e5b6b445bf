import { getParentKey, splitItemKey } from './item.ts'
import type { PreviousSync } from './previous-sync.ts'
import type { MissingItem } from './sync-rows.ts'

/**
 * Whether what a source no longer lists may be treated as missing. A lost grant, a mistyped pattern or an empty response look like an emptied
 * source: where so much is missing that this is more likely, nothing is marked as stale until a user confirms it.
 */
export interface PendingRemovals {
  /** Number of resources of this integration before the sync. */
  readonly known: number
  /** Number of them that the source did not list. */
  readonly missing: number
  /** Databases and schemas that are now empty. */
  readonly emptied: readonly string[]
}

export interface UnlistedScope {
  readonly entity_type?: string
  /** The key of a resource: it and everything below it. */
  readonly under?: string
  /** Only what changed was listed. */
  readonly everything?: boolean
}

/** What the source could not list this time, so nothing in it may be treated as missing. */
export class UnlistedScopes {
  readonly #entity_types = new Set<string>()
  readonly #scopes: string[] = []
  readonly #moved = new Set<string>()
  #everything = false

  add({ entity_type, under, everything }: UnlistedScope): void {
    if (everything) this.#everything = true
    if (entity_type !== undefined) this.#entity_types.add(entity_type)
    if (under !== undefined) this.#scopes.push(under)
  }

  /** It belongs to another integration now: missing here, but not lost. */
  addMoved(key: string): void {
    this.#moved.add(key)
  }

  isMoved(key: string): boolean {
    return this.#moved.has(key)
  }

  /** What was listed, and belongs to another integration now, is not covered. */
  covers({ key, entity_type }: Pick<MissingItem, 'key' | 'entity_type'>): boolean {
    if (this.#moved.has(key)) return false
    return (
      this.#everything || this.#entity_types.has(entity_type) || this.#scopes.some((scope) => key === scope || key.startsWith(`${scope}.`))
    )
  }
}

const MAX_UNCONFIRMED = 10
const SCHEMA_CONTAINERS = ['database', 'schema']

/** Counts existing and missing resources, page by page. */
export class RemovalCounter {
  readonly #containers = new Map<string, { known: number; missing: number }>()
  readonly #all = { known: 0, missing: 0 }
  /** Counted without columns, which would outweigh their tables. */
  readonly #tables = { known: 0, missing: 0 }
  /** Without databases and schemas, which are often listed even if their content is not visible. */
  readonly #contents = { known: 0, missing: 0 }
  #anyMissing = false
  readonly #previous: PreviousSync
  readonly #unlisted: UnlistedScopes

  constructor(last: PreviousSync, unlisted: UnlistedScopes) {
    this.#previous = last
    this.#unlisted = unlisted
  }

  isMissing(resource: MissingItem): boolean {
    return this.#previous.wasNotSeen(resource.key) && !this.#unlisted.covers(resource)
  }

  /** Must be called in key order: a container before its content. */
  add(resource: MissingItem): void {
    const { key, entity_type } = resource
    if (!this.#previous.existed(key)) return
    if (entity_type === 'run') {
      // Sources list their newest runs only: that older ones are missing says nothing about the rest.
      this.#anyMissing ||= this.isMissing(resource)
      return
    }
    const missing = this.isMissing(resource) && !this.#unlisted.isMoved(key) ? 1 : 0
    if (this.isMissing(resource)) this.#anyMissing = true
    const count = (counts: { known: number; missing: number }) => {
      counts.known += 1
      counts.missing += missing
    }
    count(this.#all)
    if (entity_type !== 'column') count(this.#tables)
    if (SCHEMA_CONTAINERS.includes(entity_type)) {
      this.#containers.set(key, { known: 0, missing: 0 })
      return
    }
    count(this.#contents)
    if (entity_type === 'column') return
    for (let above = getParentKey(key); above !== undefined; above = getParentKey(above)) {
      const container = this.#containers.get(above)
      if (container) count(container)
    }
  }

  get missing(): number {
    return this.#all.missing
  }

  get anyMissing(): boolean {
    return this.#anyMissing
  }

  /** Undefined when the missing resources may be marked as stale. `found` is what the source listed, by entity type. */
  findPendingRemovals(found: ReadonlyMap<string, number>): PendingRemovals | undefined {
    const emptied = [...this.#containers]
      .filter(([, { known, missing }]) => missing > MAX_UNCONFIRMED && missing === known)
      .map(([key]) => key)
    const listed = [...found].some(([entity_type, n]) => n > 0 && !SCHEMA_CONTAINERS.includes(entity_type))
    const nothingLeft = this.#contents.missing > 0 && !listed
    const needsConfirmation = nothingLeft || emptied.length > 0 || [this.#all, this.#tables].some(isMostlyMissing)
    return needsConfirmation ? { ...this.#all, emptied: emptied.map((key) => splitItemKey(key)?.join('.') ?? key) } : undefined
  }
}

const isMostlyMissing = ({ known, missing }: { known: number; missing: number }): boolean =>
  missing > MAX_UNCONFIRMED && missing * 2 > known
