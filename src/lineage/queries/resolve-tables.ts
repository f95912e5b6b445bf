import type { Context } from '../../platform/context/context.ts'
import { findDialect } from '../../sql/index.ts'
import { type ColumnRow, findTableColumns, findTablesByTitle, type TableRow } from './catalog.ts'
import { type ColumnsByTable, toNameKey } from './parse-sql.ts'

/** What a name in SQL resolves to in the catalog. An ambiguous name resolves to nothing and is reported with all its candidates. */
export interface ResolvedTable {
  readonly name: readonly string[]
  readonly table?: TableRow | undefined
  /** Why the name did not resolve. */
  readonly reason?: 'not_in_catalog' | 'ambiguous'
  readonly candidates: readonly TableRow[]
}

/** Where the query runs, as far as the caller stated it. Decides between tables of the same name. */
export interface QueryScope {
  readonly integration?: string | null
  readonly database?: string | null
  readonly schema?: string | null
  /** Excludes the tables of this integration: its own matches are not what the caller looks for. */
  readonly without?: string
}

/** Tables and columns by the names a query uses for them. */
export class ResolvedNames {
  readonly #bound = new Map<string, ResolvedTable>()
  /** The same by array identity, which saves building the key: a query has few names and uses each of them many times. */
  readonly #met = new Map<readonly string[], ResolvedTable>()
  readonly #columns: Map<string, ColumnIndex>
  /** Where the result of a bare SELECT goes, when the caller named a target. */
  result: ResolvedTable | undefined

  constructor(columns = new Map<string, ColumnIndex>()) {
    this.#columns = columns
  }

  /** The names of one query, of those that were resolved for many. */
  pick(names: readonly (readonly string[])[]): ResolvedNames {
    const picked = new ResolvedNames(this.#columns)
    for (const name of names) picked.add(this.get(name))
    return picked
  }

  add(bound: ResolvedTable): void {
    this.#bound.set(toNameKey(bound.name), bound)
    this.#met.clear()
  }

  /** Overrides what the catalog says about this name. */
  set(name: readonly string[], table: TableRow): void {
    this.add({ name, table, candidates: [] })
  }

  get(name: readonly string[]): ResolvedTable {
    const resolved = this.#met.get(name)
    if (resolved) return resolved
    const bound = this.#bound.get(toNameKey(name)) ?? { name, reason: 'not_in_catalog', candidates: [] }
    this.#met.set(name, bound)
    return bound
  }

  column(table: TableRow | undefined, name: string): ColumnRow | undefined {
    return table && this.#columns.get(table.id)?.find(name)
  }

  get #tables(): string[] {
    return [...new Set([...this.#bound.values(), this.result].flatMap((bound) => bound?.table?.id ?? []))]
  }

  /** Loads the columns of the tables that were not loaded yet. */
  async loadColumns(ctx: Context): Promise<void> {
    const fresh = this.#tables.filter((id) => !this.#columns.has(id))
    for (const id of fresh) this.#columns.set(id, new ColumnIndex())
    for (const row of await findTableColumns(ctx, fresh)) this.#columns.get(row.parent)!.add(row)
  }

  /** The columns handed to the engine. Tables without columns are left out: their columns are unknown, not empty. */
  get knownColumns(): ColumnsByTable {
    const columnsByTable = new Map<string, readonly string[]>()
    for (const [key, { table }] of this.#bound) {
      const titles = table && this.#columns.get(table.id)?.titles
      if (titles?.length) columnsByTable.set(key, titles)
    }
    return columnsByTable
  }
}

class ColumnIndex {
  readonly titles: string[] = []
  readonly #exact = new Map<string, ColumnRow>()
  readonly #folded = new Map<string, ColumnRow>()

  add(row: ColumnRow): void {
    this.titles.push(row.title)
    this.#exact.set(row.title, row)
    if (!this.#folded.has(row.title.toLowerCase())) this.#folded.set(row.title.toLowerCase(), row)
  }

  find(name: string): ColumnRow | undefined {
    return this.#exact.get(name) ?? this.#folded.get(name.toLowerCase())
  }
}

/** Resolves any number of names with one SQL statement. */
export const resolveTables = async (
  ctx: Context,
  names: readonly (readonly string[])[],
  dialect: string,
  scope: QueryScope,
): Promise<ResolvedNames> => {
  const binding = new ResolvedNames()
  // A title that contains dots is the full path: that is how its source reported it.
  const titles = new Set(names.flatMap((name) => name.map((_, i) => name.slice(i).join('.'))))
  const found = (await findTablesByTitle(ctx, [...titles])).filter(({ integration }) => !scope.without || integration !== scope.without)
  const byTitle = Map.groupBy(found, ({ title }) => title.toLowerCase())
  for (const name of names) {
    const rows = name.flatMap((_, i) => byTitle.get(name.slice(i).join('.').toLowerCase()) ?? [])
    binding.add(chooseTable(name, rows, dialect, scope))
  }
  return binding
}

/** Chooses which of the tables with a matching title a name refers to. Pure. */
export const chooseTable = (name: readonly string[], rows: readonly TableRow[], dialect: string, scope: QueryScope): ResolvedTable => {
  const fullName = name.join('.')
  let matching = rows.filter((row) => comparePaths(fullName, row) !== undefined)
  if (matching.length === 0) return { name, reason: 'not_in_catalog', candidates: [] }
  const same = (one: string | null | undefined, other: string | null) => one != null && one.toLowerCase() === other?.toLowerCase()
  // Each test applies only while several candidates are left, and only narrows them when at least one passes.
  for (const passes of [
    (row: TableRow) => isCaseSignificant(name, dialect) && matchesExactly(fullName, row),
    (row: TableRow) => comparePaths(fullName, row) !== 'less',
    (row: TableRow) => same(scope.integration, row.integration),
    (row: TableRow) => same(scope.database, row.database),
    (row: TableRow) => name.length === 1 && same(scope.schema, row.schema),
    (row: TableRow) => comparePaths(fullName, row) === 'whole',
    (row: TableRow) => matchesExactly(fullName, row),
  ]) {
    const passing = matching.length > 1 ? matching.filter(passes) : []
    if (passing.length > 0) matching = passing
  }
  return matching.length === 1 ? { name, table: matching[0], candidates: [] } : { name, reason: 'ambiguous', candidates: matching }
}

const tablePath = ({ database, schema, title }: TableRow): string => [database, schema, title].filter((part) => part !== null).join('.')

/** `whole`: same path. `more`: the catalog's path has more leading parts than the name. `less`: the name has more than the catalog's path. */
const comparePaths = (wanted: string, row: TableRow): 'whole' | 'more' | 'less' | undefined => {
  const [name, path] = [wanted.toLowerCase(), tablePath(row).toLowerCase()]
  if (name === path) return 'whole'
  if (path.endsWith(`.${name}`)) return 'more'
  return name.endsWith(`.${path}`) ? 'less' : undefined
}

const matchesExactly = (name: string, row: TableRow): boolean => {
  const path = tablePath(row)
  return path === name || path.endsWith(`.${name}`) || name.endsWith(`.${path}`)
}

/**
 * Case decides first only in dialects with case-sensitive table names, and for names with capitals in a dialect that folds to lower case
 * (they must have been quoted). Otherwise a catalog that holds a single table of that name may have recorded it in lower case.
 */
const isCaseSignificant = (name: readonly string[], dialect: string): boolean => {
  const { exactTables = false, fold = 'keep' } = findDialect(dialect) ?? {}
  return exactTables || (fold === 'lower' && name.at(-1) !== name.at(-1)!.toLowerCase())
}

/** The table name alone is not enough: schema and database must match as far as both sides have them, and one of them must be known. */
export const isSameTable = (relation: readonly string[], { database, schema, title }: TableRow): boolean => {
  const tableParts = [database, schema, title].flatMap((part) => part?.toLowerCase() ?? []).reverse()
  const relationParts = relation.map((part) => part.toLowerCase()).reverse()
  const both = Math.min(tableParts.length, relationParts.length)
  return both >= 2 && relationParts.slice(0, both).every((part, i) => part === tableParts[i])
}
