import type { ImportUndo, ImportUndoCounts } from './schema.ts'

const MAX_LISTED = 100
const MAX_TEXT_LENGTH = 500

type Returned = ImportUndo['returns'][number]
type Kept = ImportUndo['stays'][number]

/** Counts what an undo does and lists the beginning of it. */
export class UndoReport {
  readonly returns: Returned[] = []
  readonly stays: Kept[] = []
  /** A resource may return in several steps. */
  readonly #restored = new Set<string>()
  readonly #counts: { -readonly [name in keyof ImportUndoCounts]: number } = {
    resources_restored: 0,
    resources_deleted: 0,
    lineage_deleted: 0,
    kept: 0,
  }

  get counts(): ImportUndoCounts {
    return { ...this.#counts }
  }

  restored(resource: Omit<Returned, 'change'>): void {
    if (resource.changes.length === 0) return
    const listed = this.returns.find(({ resource_id }) => resource_id === resource.resource_id)
    if (listed) listed.changes.push(...resource.changes.map(shortenChange))
    if (this.#restored.has(resource.resource_id)) return
    this.#restored.add(resource.resource_id)
    this.#counts.resources_restored += 1
    this.#list({ ...resource, change: 'restored' })
  }

  /** `count`: the resource and everything in it. */
  deleted(resource: Omit<Returned, 'change' | 'changes'>, count: number): void {
    this.#counts.resources_deleted += count
    this.#list({ ...resource, change: 'deleted', changes: [] })
  }

  lineageDeleted(count: number): void {
    this.#counts.lineage_deleted += count
  }

  kept(...entries: readonly Kept[]): void {
    this.#counts.kept += entries.length
    for (const entry of entries)
      if (this.stays.length < MAX_LISTED) this.stays.push({ ...entry, imported: shorten(entry.imported), now: shorten(entry.now) })
  }

  /** Something of which the caller may not learn more. */
  keptHidden(): void {
    this.#counts.kept += 1
  }

  #list(entry: Returned): void {
    if (this.returns.length < MAX_LISTED)
      this.returns.push({
        ...entry,
        changes: entry.changes.map(shortenChange),
      })
  }
}

const shorten = (value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : (value ?? null)

const shortenChange = ({ field, from, to }: Returned['changes'][number]) => ({ field, from: shorten(from), to: shorten(to) })
