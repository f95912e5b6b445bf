import type { Source, Table } from './tables.ts'

/** How a value is transformed: unchanged, by an expression, or aggregated with other rows. */
export type Travel = 'identity' | 'expression' | 'aggregation'

/** Where a value comes from. */
export type Flow = ReadonlyMap<Source, Travel>

export const NOWHERE: Flow = new Map()

export interface Column {
  readonly name: string | null
  readonly flow: Flow
  /** The text that defines it. */
  readonly start: number
  readonly end: number
  /** The fields, when it is a struct literal or a list of them. */
  readonly fields?: Fields | undefined
  /** In a set operation: the columns of its branches, each with its own position in the text. */
  readonly branches?: readonly Column[]
}

/** The fields of a struct, read lazily. */
export type Fields = () => readonly Column[] | undefined

/** A star that could not be expanded because its columns are unknown. */
export interface Open {
  readonly relation: Relation
  /** Names the star excludes (EXCEPT, EXCLUDE), replaces or renames. */
  readonly except?: ReadonlySet<string>
}

export interface Hit {
  readonly flow: Flow
  /** The column is known to exist; otherwise it only may exist. */
  readonly sure: boolean
  readonly fields?: Fields | undefined
}

/** The columns a star returns. */
export interface Shown {
  readonly columns: readonly Column[]
  readonly opens: readonly Open[]
}

/** Rows with columns: a table, a subquery, a CTE, the elements of a list. */
export interface Relation {
  /** The columns in order, as far as they are known. */
  columns(): readonly Column[]
  readonly opens: readonly Open[]
  find(name: string): Hit | undefined
  /** Some columns may come from a star or an unknown table, so a name that is not found may still exist. */
  readonly vague: boolean
  /** Not stored: the elements of a list, the result of a function. A stored table is preferred when a name could be from either. */
  readonly virtual: boolean
  /** The stored table itself, when it is one. */
  readonly table?: Table
  /** The columns a star returns, when that is not all of its columns. */
  star?(qualified: boolean): Shown | undefined
  /** The name of its unexpanded star, when it is not a table; empty when that was already reported. */
  readonly label?: string
  readonly span?: { readonly start: number; readonly end: number }
  /** How many columns have a known position: those before the first unexpanded star. All, when absent. */
  readonly fixed?: number | undefined
}

const RANK: Readonly<Record<Travel, number>> = { identity: 0, expression: 1, aggregation: 2 }

/** The transformation of a value that went through both. */
export const further = (one: Travel, other: Travel): Travel => (RANK[one] >= RANK[other] ? one : other)

export const addFlow = (into: Map<Source, Travel>, flow: Flow, travel: Travel): void => {
  for (const [source, before] of flow) {
    const here = further(before, travel)
    const known = into.get(source)
    into.set(source, known === undefined ? here : further(known, here))
  }
}

/** Columns by name: case-insensitive unless two names differ only by case. */
export class NameIndex<Value> {
  private readonly byKey = new Map<string, Value>()
  /** By exact name, once two names differ only by case. */
  private exact: Map<string, Value> | undefined

  add(name: string, value: Value): void {
    const key = name.toLowerCase()
    if (this.byKey.has(key)) {
      this.exact ??= new Map()
      if (!this.exact.has(name)) this.exact.set(name, value)
    } else this.byKey.set(key, value)
  }

  find(name: string): Value | undefined {
    return this.exact?.get(name) ?? this.byKey.get(name.toLowerCase())
  }
}

const SMALL = 6 // up to here a scan is faster than an index, and most subqueries have this few columns

/** A relation made by a query. */
export class Derived implements Relation {
  readonly opens: readonly Open[]
  readonly vague: boolean
  readonly virtual: boolean = false
  readonly fixed: number | undefined
  private readonly list: readonly Column[]
  private index: NameIndex<Column> | undefined

  constructor(list: readonly Column[], opens: readonly Open[] = [], fixed?: number) {
    this.fixed = fixed
    this.list = list
    this.opens = opens
    this.vague = opens.length > 0
  }

  columns(): readonly Column[] {
    return this.list
  }

  find(name: string): Hit | undefined {
    const column = this.named(name)
    if (column) return { flow: column.flow, sure: true, fields: column.fields }
    return this.vague ? findOpen(this.opens, name) : undefined
  }

  private named(name: string): Column | undefined {
    if (this.list.length <= SMALL) {
      let other: Column | undefined
      for (const column of this.list) {
        if (column.name === name) return column
        if (!other && column.name !== null && column.name.length === name.length && column.name.toLowerCase() === name.toLowerCase())
          other = column
      }
      return other
    }
    if (!this.index) {
      this.index = new NameIndex()
      for (const column of this.list) if (column.name !== null) this.index.add(column.name, column)
    }
    return this.index.find(name)
  }
}

const findOpen = (opens: readonly Open[], name: string): Hit | undefined => {
  let only: Hit | undefined
  let several = false
  for (const open of opens) {
    if (open.except?.has(name.toLowerCase())) continue
    const hit = open.relation.find(name)
    if (hit?.sure) return hit
    if (hit) several ||= only !== undefined && only.flow !== hit.flow
    only ??= hit
  }
  // Two unknown tables in one star: the column exists, but its table is unknown.
  return several ? { flow: NOWHERE, sure: false } : only
}

/** The rows of a function or a list: named columns, if any; every other name comes from the input. */
export class Virtual extends Derived {
  override readonly vague: boolean = true
  override readonly virtual: boolean = true
  private readonly input: Flow

  constructor(input: Flow, list: readonly Column[] = []) {
    super(list)
    this.input = input
  }

  override find(name: string): Hit | undefined {
    return super.find(name) ?? { flow: this.input, sure: false }
  }
}

/** Rows with unknown columns, such as the fields of a struct. */
export class Unknown extends Virtual {
  readonly label: string
  readonly span: { readonly start: number; readonly end: number }

  constructor(input: Flow, label: string, span: { readonly start: number; readonly end: number }) {
    super(input)
    this.label = label
    this.span = span
  }
}

/** Elements of a list, or rows of a function: the alias names both the element and the row. */
export class Element extends Virtual {
  private readonly shown: (qualified: boolean) => Shown | undefined

  constructor(input: Flow, list: readonly Column[], shown: (qualified: boolean) => Shown | undefined) {
    super(input, list)
    this.shown = shown
  }

  star(qualified: boolean): Shown | undefined {
    return this.shown(qualified)
  }
}

/** The same rows under other column names: `t(a, b)`. */
export const renamed = (relation: Relation, names: readonly string[] | undefined): Relation => {
  if (!names?.length) return relation
  const columns = relation.columns()
  const list = columns.map((column, i) => (names[i] === undefined ? column : { ...column, name: names[i] }))
  // The column order of an unknown table is unknown, so the new names cannot be mapped to its columns.
  for (const name of names.slice(list.length)) list.push({ name, flow: NOWHERE, start: 0, end: 0 })
  if (relation.virtual)
    return new Virtual(
      relation.find('')?.flow ?? NOWHERE,
      list.map((column, i) => (i < columns.length ? column : { ...column, flow: relation.find('')?.flow ?? NOWHERE })),
    )
  return new Derived(list, columns.length > 0 ? relation.opens : [])
}

/** Several relations side by side, as one. */
export const joined = (relations: readonly Relation[]): Relation =>
  relations.length === 1
    ? relations[0]!
    : new Derived(
        relations.flatMap((relation) => relation.columns()),
        relations.flatMap(opensOf),
      )

/** The stars that remain when a relation is expanded. */
export const opensOf = (relation: Relation): readonly Open[] => (relation.table && relation.vague ? [{ relation }] : relation.opens)

/** The columns a star returns for a relation. */
export const shownBy = (relation: Relation, qualified: boolean): Shown =>
  relation.star?.(qualified) ?? { columns: relation.columns(), opens: opensOf(relation) }
