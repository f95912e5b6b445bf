import type { FlowEnd, ItemMessage, SameAs } from '../../../../connector/src/protocol.ts'
import type { TableRow } from '../../../lineage/queries/catalog.ts'
import { isSameTable, type ResolvedNames, resolveTables } from '../../../lineage/queries/resolve-tables.ts'
import type { Context } from '../../../platform/context/context.ts'
import { findEventJobs } from '../../job-flows/job-flow-rows.ts'
import { applyFieldSuggestions, type FieldSuggestion, findSecondarySource } from '../../sync/field-suggestions.ts'
import { buildItemKey, type Item } from '../../sync/item.ts'
import { mergeDuplicates } from '../../sync/merge-duplicates.ts'
import { type Listing, type SuggestingItem, withdrawSuggestionsOfItems } from '../../sync/withdraw-item-suggestions.ts'

type TableName = Extract<FlowEnd, { table: unknown }>

const ANY_DIALECT = 'postgres'
export const getDialect = ({ dialect }: { readonly dialect?: string | undefined }): string => dialect ?? ANY_DIALECT

/** Tables by dialect and name; names are looked up with one statement for each dialect. */
export const resolveTableNames = async (
  ctx: Context,
  integration: string,
  names: readonly TableName[],
): Promise<Map<string, ResolvedNames>> => {
  const found = new Map<string, ResolvedNames>()
  for (const [dialect, named] of Map.groupBy(names, getDialect)) {
    const binding = await resolveTables(
      ctx,
      named.map(({ table }) => table),
      dialect,
      { without: integration },
    )
    await binding.loadColumns(ctx)
    found.set(dialect, binding)
  }
  return found
}

interface Counterpart {
  readonly id: string
  /** Its columns, if it is a table. */
  readonly table?: { readonly row: TableRow; readonly columns: ResolvedNames }
  /** Where what is below it belongs, as it is not in the catalog itself. */
  readonly parent: string | undefined
}

/**
 * Items that another source has already reported, by their key: a table of a warehouse, a job of OpenLineage events. They are described there in
 * place of being created a second time.
 */
export class Counterparts {
  readonly #ctx: Context
  readonly #integration: string
  readonly #found = new Map<string, Counterpart>()
  /** Below a counterpart, and reported by its source in another form: the runs of a job. */
  readonly #covered = new Set<string>()
  readonly #suggestions = new Map<string, FieldSuggestion>()
  /** All items that describe a resource, by its ID; the first one suggests its values. */
  readonly #describing = new Map<string, SuggestingItem[]>()

  constructor(ctx: Context, integration: string) {
    this.#ctx = ctx
    this.#integration = integration
  }

  /** The resource that stands for the item of this key. */
  getId(key: string): string | undefined {
    return this.#found.get(key)?.id
  }

  get keys(): string[] {
    return [...this.#found.keys(), ...this.#covered]
  }

  /** Looks up what these items are elsewhere. Must be called before `take`, parents before their children. */
  async find(messages: readonly ItemMessage[]): Promise<void> {
    const named = messages.flatMap(({ key, parent, same_as }) => (same_as ? [{ key, parent, same_as }] : []))
    if (named.length === 0) return
    const tables = await resolveTableNames(
      this.#ctx,
      this.#integration,
      named.flatMap(({ same_as }) => ('table' in same_as ? [same_as] : [])),
    )
    const jobs = await findEventJobs(
      this.#ctx.db,
      named.flatMap(({ same_as }) => ('job' in same_as ? [toEventKey(same_as)] : [])),
    )
    for (const { key, parent, same_as } of named) {
      if ('job' in same_as) {
        const id = jobs.get(toEventKey(same_as))
        if (id) this.#found.set(key, { id, parent })
        continue
      }
      const columns = tables.get(getDialect(same_as))!
      const row = columns.get(same_as.table).table
      if (row && isSameTable(same_as.table, row)) this.#found.set(key, { id: row.id, table: { row, columns }, parent })
    }
  }

  /** The item if it has to be created, below what remains of its parents. */
  take(item: Item): Item | undefined {
    const own = this.#found.get(item.key)
    if (own) this.#suggest(own.id, item)
    if (own) return undefined
    const above = item.parent === undefined ? undefined : this.#found.get(item.parent)
    if (!above) return item.parent !== undefined && this.#covered.has(item.parent) ? this.#cover(item) : item
    const column = item.entity_type === 'column' && above.table?.columns.column(above.table.row, item.fields.title)
    if (column) {
      this.#found.set(item.key, { id: column.id, parent: undefined })
      this.#suggest(column.id, item)
      return undefined
    }
    if (item.entity_type === 'column' || item.entity_type === 'run') return this.#cover(item)
    const { parent: _, ...rest } = item
    const parent = this.#findRemainingParent(above.parent)
    return parent === undefined ? rest : { ...rest, parent }
  }

  #findRemainingParent(key: string | undefined): string | undefined {
    const above = key === undefined ? undefined : this.#found.get(key)
    return above ? this.#findRemainingParent(above.parent) : key
  }

  #cover({ key }: Item): undefined {
    this.#covered.add(key)
  }

  #suggest(resource_id: string, { key, entity_type, fields, facts }: Item): void {
    const { description, owners, tags } = fields
    const suggested = { ...(description ? { description } : {}), ...(owners ? { owners } : {}), ...(tags ? { tags } : {}) }
    if (entity_type === 'column' && Object.keys(suggested).length === 0) return
    const describing = this.#describing.get(resource_id)
    if (describing) {
      describing.push({ key, entity_type })
      return
    }
    this.#describing.set(resource_id, [{ key, entity_type }])
    this.#suggestions.set(resource_id, { resource_id, fields: suggested, ...(facts && entity_type !== 'column' ? { facts } : {}) })
  }

  /**
   * Runs when the items are in the catalog. Returns how many resources of other sources are described. What is no longer described is withdrawn, unless
   * an item that described it `isKept`: it was not listed, or is as it was.
   */
  async save(type: string, { isKept, complete }: Pick<Listing, 'isKept' | 'complete'>): Promise<number> {
    const source = findSecondarySource(type)
    if (!source) return 0
    const duplicates = this.keys.map((key) => ({ key, id: this.getId(key) }))
    await mergeDuplicates(this.#ctx, this.#integration, duplicates)
    const suggestions = [...this.#suggestions.values()]
    await applyFieldSuggestions(this.#ctx, this.#integration, source, suggestions)
    // A listed item describes only what this run found for it.
    const isKeptAsItWas = (item: SuggestingItem) => !this.#found.has(item.key) && isKept(item)
    const listing = { described: this.#describing, isKept: isKeptAsItWas, complete }
    await withdrawSuggestionsOfItems(this.#ctx, this.#integration, source, listing)
    return suggestions.length
  }
}

/** The key of a job in the integration of OpenLineage events. */
const toEventKey = ({ job: { namespace, name } }: Extract<SameAs, { job: unknown }>): string => buildItemKey('', 'job', namespace, name)
