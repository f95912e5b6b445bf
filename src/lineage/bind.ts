import type { Context } from '../context.ts'
import { findDialect } from '../sql/index.ts'
import { type ColumnRow, findColumns, findTablesTitled, type TableRow } from './catalog.ts'
import { type Known, nameKey } from './read-sql.ts'

/** What a name in SQL means in the catalog. A name that could mean several things means none: it is reported with all of them. */
export interface Bound {
  readonly name: readonly string[]
  readonly table?: TableRow | undefined
  /** Why there is no table. */
  readonly reason?: 'not_in_catalog' | 'ambiguous'
  readonly candidates: readonly TableRow[]
}

/** Where the query runs, as far as somebody said: what decides between equal names. */
export interface Home {
  readonly integration?: string | null
  readonly database?: string | null
  readonly schema?: string | null
  /** Tables of this integration are no candidates: who asks wants to know what others have. */
  readonly without?: string
}

/** Tables and columns by the names a query has for them. */
export class Binding {
  readonly #bound = new Map<string, Bound>()
  /** The same by the name itself: a query has few names and uses each of them many times. */
  readonly #met = new Map<readonly string[], Bound>()
  readonly #columns = new Map<string, Columns>()
  /** Where the result of a bare SELECT goes, when somebody said. */
  result: Bound | undefined

  add(bound: Bound): void {
    this.#bound.set(nameKey(bound.name), bound)
    this.#met.clear()
  }

  /** This name means that table, whatever the catalog says. */
  set(name: readonly string[], table: TableRow): void {
    this.add({ name, table, candidates: [] })
  }

  of(name: readonly string[]): Bound {
    const met = this.#met.get(name)
    if (met) return met
    const bound = this.#bound.get(nameKey(name)) ?? { name, reason: 'not_in_catalog', candidates: [] }
    this.#met.set(name, bound)
    return bound
  }

  column(table: TableRow | undefined, name: string): ColumnRow | undefined {
    return table && this.#columns.get(table.id)?.find(name)
  }

  get #tables(): string[] {
    return [...new Set([...this.#bound.values(), this.result].flatMap((bound) => bound?.table?.id ?? []))]
  }

  /** Reads the columns of the tables that have none yet. */
  async learnColumns(ctx: Context): Promise<void> {
    const fresh = this.#tables.filter((id) => !this.#columns.has(id))
    for (const id of fresh) this.#columns.set(id, new Columns())
    for (const row of await findColumns(ctx, fresh)) this.#columns.get(row.parent)!.add(row)
  }

  /** What the engine can know: tables without columns are tables whose columns nobody has told. */
  get known(): Known {
    const known = new Map<string, readonly string[]>()
    for (const [key, { table }] of this.#bound) {
      const titles = table && this.#columns.get(table.id)?.titles
      if (titles?.length) known.set(key, titles)
    }
    return known
  }
}

class Columns {
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

/** One statement, however many names. */
export const bindTables = async (ctx: Context, names: readonly (readonly string[])[], dialect: string, home: Home): Promise<Binding> => {
  const binding = new Binding()
  // A table whose title has dots in it was reported under its whole name.
  const titles = new Set(names.flatMap((name) => name.map((_, i) => name.slice(i).join('.'))))
  const found = (await findTablesTitled(ctx, [...titles])).filter(({ integration }) => !home.without || integration !== home.without)
  const byTitle = Map.groupBy(found, ({ title }) => title.toLowerCase())
  for (const name of names) {
    const rows = name.flatMap((_, i) => byTitle.get(name.slice(i).join('.').toLowerCase()) ?? [])
    binding.add(choose(name, rows, dialect, home))
  }
  return binding
}

/** Which of the tables with its title a name means. Pure. */
export const choose = (name: readonly string[], rows: readonly TableRow[], dialect: string, home: Home): Bound => {
  const wanted = name.join('.')
  let fitting = rows.filter((row) => compare(wanted, row) !== undefined)
  if (fitting.length === 0) return { name, reason: 'not_in_catalog', candidates: [] }
  const same = (one: string | null | undefined, other: string | null) => one != null && one.toLowerCase() === other?.toLowerCase()
  // Each question is asked only while several are left, and only decides when somebody passes it.
  for (const passes of [
    (row: TableRow) => casesDiffer(name, dialect) && fitsExactly(wanted, row),
    (row: TableRow) => compare(wanted, row) !== 'less',
    (row: TableRow) => same(home.integration, row.integration),
    (row: TableRow) => same(home.database, row.database),
    (row: TableRow) => name.length === 1 && same(home.schema, row.schema),
    (row: TableRow) => compare(wanted, row) === 'whole',
    (row: TableRow) => fitsExactly(wanted, row),
  ]) {
    const passing = fitting.length > 1 ? fitting.filter(passes) : []
    if (passing.length > 0) fitting = passing
  }
  return fitting.length === 1 ? { name, table: fitting[0], candidates: [] } : { name, reason: 'ambiguous', candidates: fitting }
}

const pathOf = ({ database, schema, title }: TableRow): string => [database, schema, title].filter((part) => part !== null).join('.')

/** `whole`: the same path. `more`: the catalog's path goes on where the name ends. `less`: the name goes on where the catalog's path ends. */
const compare = (wanted: string, row: TableRow): 'whole' | 'more' | 'less' | undefined => {
  const [name, path] = [wanted.toLowerCase(), pathOf(row).toLowerCase()]
  if (name === path) return 'whole'
  if (path.endsWith(`.${name}`)) return 'more'
  return name.endsWith(`.${path}`) ? 'less' : undefined
}

const fitsExactly = (wanted: string, row: TableRow): boolean => {
  const path = pathOf(row)
  return path === wanted || path.endsWith(`.${wanted}`) || wanted.endsWith(`.${path}`)
}

/**
 * Two spellings are two tables where the dialect says so, and where a name kept capitals that the dialect would have folded had it not been
 * quoted. Only then does case come first; a catalog that holds a single table of that name may have written it in small letters.
 */
const casesDiffer = (name: readonly string[], dialect: string): boolean => {
  const { exactTables = false, fold = 'keep' } = findDialect(dialect) ?? {}
  return exactTables || (fold === 'lower' && name.at(-1) !== name.at(-1)!.toLowerCase())
}
