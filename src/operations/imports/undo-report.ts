import type { ImportUndo, ImportUndoCounts } from './schema.ts'

const MAX_LISTED = 100
const MAX_TEXT_LENGTH = 500

type Restored = ImportUndo['restored'][number]
type Kept = ImportUndo['kept'][number]

/** Counts what an undo does and lists the beginning of it. */
export class UndoReport {
  readonly restored: Restored[] = []
  readonly kept: Kept[] = []
  /** A resource may be restored in several steps. */
  readonly #restoredIds = new Set<string>()
  readonly #counts: { -readonly [name in keyof ImportUndoCounts]: number } = {
    resources_restored: 0,
    resources_deleted: 0,
    lineage_deleted: 0,
    changes_kept: 0,
  }

  get counts(): ImportUndoCounts {
    return { ...this.#counts }
  }

  /** Everything counted so far. */
  get size(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0)
  }

  addRestored(resource: Omit<Restored, 'change'>): void {
    if (resource.changes.length === 0) return
    const listed = this.restored.find(({ resource_id }) => resource_id === resource.resource_id)
    if (listed) listed.changes.push(...resource.changes.map(shortenChange))
    if (this.#restoredIds.has(resource.resource_id)) return
    this.#restoredIds.add(resource.resource_id)
    this.#counts.resources_restored += 1
    this.#list({ ...resource, change: 'restored' })
  }

  /** `count`: the resource and everything in it. */
  addDeleted(resource: Omit<Restored, 'change' | 'changes'>, count: number): void {
    this.#counts.resources_deleted += count
    this.#list({ ...resource, change: 'deleted', changes: [] })
  }

  addDeletedLineage(count: number): void {
    this.#counts.lineage_deleted += count
  }

  addKept(...entries: readonly Kept[]): void {
    this.#counts.changes_kept += entries.length
    for (const entry of entries)
      if (this.kept.length < MAX_LISTED) this.kept.push({ ...entry, imported: shorten(entry.imported), now: shorten(entry.now) })
  }

  /** Something of which the caller may not learn more. */
  addHiddenKept(): void {
    this.#counts.changes_kept += 1
  }

  #list(entry: Restored): void {
    if (this.restored.length < MAX_LISTED)
      this.restored.push({
        ...entry,
        changes: entry.changes.map(shortenChange),
      })
  }
}

/** An undo that continues an earlier one finds everything that is kept again, and the rest no more. Pure. */
export const addCounts = (earlier: ImportUndoCounts | null, counts: ImportUndoCounts): ImportUndoCounts => ({
  resources_restored: (earlier?.resources_restored ?? 0) + counts.resources_restored,
  resources_deleted: (earlier?.resources_deleted ?? 0) + counts.resources_deleted,
  lineage_deleted: (earlier?.lineage_deleted ?? 0) + counts.lineage_deleted,
  changes_kept: counts.changes_kept,
})

const shorten = (value: unknown): unknown =>
  typeof value === 'string' && value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH).toWellFormed()}…` : (value ?? null)

const shortenChange = ({ field, from, to }: Restored['changes'][number]) => ({ field, from: shorten(from), to: shorten(to) })
