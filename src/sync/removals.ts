import { parentKey, partsOf } from './item.ts'
import type { LastTime } from './last-time.ts'
import type { Gone } from './store.ts'

/**
 * Whether what a source no longer lists may be treated as missing. A lost grant, a mistyped pattern or an empty response look like an emptied
 * source: where so much is missing that this is more likely, nothing is marked as stale until a user confirms it.
 */
export interface Removals {
  /** Number of resources of this integration before the sync. */
  readonly known: number
  /** Number of them that the source did not list. */
  readonly missing: number
  /** Databases and schemas that are now empty. */
  readonly emptied: readonly string[]
}

/** What the source could not list this time, so nothing in it may be treated as missing. */
export class Unlisted {
  readonly #entity_types = new Set<string>()
  readonly #places: string[] = []
  readonly #moved = new Set<string>()

  add({ entity_type, under }: { readonly entity_type?: string; readonly under?: string }): void {
    if (entity_type !== undefined) this.#entity_types.add(entity_type)
    if (under !== undefined) this.#places.push(under)
  }

  /** It belongs to another integration now: missing here, but not lost. */
  addMoved(key: string): void {
    this.#moved.add(key)
  }

  isMoved(key: string): boolean {
    return this.#moved.has(key)
  }

  covers({ key, entity_type }: Pick<Gone, 'key' | 'entity_type'>): boolean {
    return this.#entity_types.has(entity_type) || this.#places.some((place) => key === place || key.startsWith(`${place}.`))
  }
}

const HANDFUL = 10
const CONTAINERS = ['database', 'schema']

/** Counts existing and missing resources, page by page. */
export class RemovalCount {
  readonly #containers = new Map<string, { known: number; missing: number }>()
  readonly #all = { known: 0, missing: 0 }
  /** Counted without columns, which would outweigh their tables. */
  readonly #tables = { known: 0, missing: 0 }
  /** Without databases and schemas, which are often listed even if their content is not visible. */
  readonly #contents = { known: 0, missing: 0 }
  #anyGone = false
  readonly #last: LastTime
  readonly #unlisted: Unlisted

  constructor(last: LastTime, unlisted: Unlisted) {
    this.#last = last
    this.#unlisted = unlisted
  }

  isMissing(resource: Gone): boolean {
    return this.#last.isUntold(resource.key) && !this.#unlisted.covers(resource)
  }

  /** Must be called in key order: a container before its content. */
  add(resource: Gone): void {
    const { key, entity_type } = resource
    if (!this.#last.wasKnown(key)) return
    const missing = this.isMissing(resource) && !this.#unlisted.isMoved(key) ? 1 : 0
    if (this.isMissing(resource)) this.#anyGone = true
    const count = (counts: { known: number; missing: number }) => {
      counts.known += 1
      counts.missing += missing
    }
    count(this.#all)
    if (entity_type !== 'column') count(this.#tables)
    if (CONTAINERS.includes(entity_type)) {
      this.#containers.set(key, { known: 0, missing: 0 })
      return
    }
    count(this.#contents)
    if (entity_type === 'column') return
    for (let above = parentKey(key); above !== undefined; above = parentKey(above)) {
      const container = this.#containers.get(above)
      if (container) count(container)
    }
  }

  get missing(): number {
    return this.#all.missing
  }

  get anyGone(): boolean {
    return this.#anyGone
  }

  /** Undefined when the missing resources may be marked as stale. `found` is what the source listed, by entity type. */
  toConfirm(found: ReadonlyMap<string, number>): Removals | undefined {
    const emptied = [...this.#containers].filter(([, { known, missing }]) => missing > HANDFUL && missing === known).map(([key]) => key)
    const listed = [...found].some(([entity_type, n]) => n > 0 && !CONTAINERS.includes(entity_type))
    const nothingLeft = this.#contents.missing > 0 && !listed
    const asks = nothingLeft || emptied.length > 0 || [this.#all, this.#tables].some(mostOf)
    return asks ? { ...this.#all, emptied: emptied.map((key) => partsOf(key)?.join('.') ?? key) } : undefined
  }
}

const mostOf = ({ known, missing }: { known: number; missing: number }): boolean => missing > HANDFUL && missing * 2 > known
