import type { Source, Table } from './tables.ts'

/** How a value is transformed: unchanged, by an expression, or aggregated with other rows. */
export type Transformation = 'identity' | 'expression' | 'aggregation'

/** Where a value comes from. */
export type Flow = ReadonlyMap<Source, Transformation>

export const NO_SOURCES: Flow = new Map()

export interface Column {
  readonly name: string | null
  readonly flow: Flow
  /** The text that defines it. */
  readonly start: number
  readonly end: number
  /** The fields, when it is a struct literal or a list of them. */
  readonly fields?: StructFields | undefined
  /** In a set operation: the columns of its branches, each with its own position in the text. */
  readonly branches?: readonly Column[]
}

/** The fields of a struct, read lazily. */
export type StructFields = () => readonly Column[] | undefined

/** A star that could not be expanded because its columns are unknown. */
export interface UnexpandedStar {
  readonly relation: Relation
  /** Names the star excludes (EXCEPT, EXCLUDE), replaces or renames. */
  readonly except?: ReadonlySet<string>
}

export interface ColumnMatch {
  readonly flow: Flow
  /** The column is known to exist; otherwise it only may exist. */
  readonly sure: boolean
  readonly fields?: StructFields | undefined
}

/** The columns a star returns. */
export interface StarColumns {
  readonly columns: readonly Column[]
  readonly opens: readonly UnexpandedStar[]
}

/** Rows with columns: a table, a subquery, a CTE, the elements of a list. */
export interface Relation {
  /** The columns in order, as far as they are known. */
  columns(): readonly Column[]
  readonly opens: readonly UnexpandedStar[]
  find(name: string): ColumnMatch | undefined
  /** Some columns may come from a star or an unknown table, so a name that is not found may still exist. */
  readonly vague: boolean
  /** Not stored: the elements of a list, the result of a function. A stored table is preferred when a name could be from either. */
  readonly virtual: boolean
  /** The stored table itself, when it is one. */
  readonly table?: Table
  /** The columns a star returns, when that is not all of its columns. */
  star?(qualified: boolean): StarColumns | undefined
  /** The name of its unexpanded star, when it is not a table; empty when that was already reported. */
  readonly label?: string
  readonly span?: { readonly start: number; readonly end: number }
  /** How many columns have a known position: those before the first unexpanded star. All, when absent. */
  readonly fixed?: number | undefined
}

const TRANSFORMATION_ORDER: Readonly<Record<Transformation, number>> = { identity: 0, expression: 1, aggregation: 2 }

/** The transformation of a value that went through both. */
export const combineTransformations = (one: Transformation, other: Transformation): Transformation =>
  TRANSFORMATION_ORDER[one] >= TRANSFORMATION_ORDER[other] ? one : other

export const addFlow = (into: Map<Source, Transformation>, flow: Flow, travel: Transformation): void => {
  for (const [source, before] of flow) {
    const here = combineTransformations(before, travel)
    const existing = into.get(source)
    into.set(source, existing === undefined ? here : combineTransformations(existing, here))
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

const MAX_SCANNED_COLUMNS = 6 // up to here a scan is faster than an index, and most subqueries have this few columns

/** A relation made by a query. */
export class DerivedRelation implements Relation {
  readonly opens: readonly UnexpandedStar[]
  readonly vague: boolean
  readonly virtual: boolean = false
  readonly fixed: number | undefined
  private readonly list: readonly Column[]
  private index: NameIndex<Column> | undefined

  constructor(list: readonly Column[], opens: readonly UnexpandedStar[] = [], fixed?: number) {
    this.fixed = fixed
    this.list = list
    this.opens = opens
    this.vague = opens.length > 0
  }

  columns(): readonly Column[] {
    return this.list
  }

  find(name: string): ColumnMatch | undefined {
    const column = this.named(name)
    if (column) return { flow: column.flow, sure: true, fields: column.fields }
    return this.vague ? findInStars(this.opens, name) : undefined
  }

  private named(name: string): Column | undefined {
    if (this.list.length <= MAX_SCANNED_COLUMNS) {
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

const findInStars = (opens: readonly UnexpandedStar[], name: string): ColumnMatch | undefined => {
  let only: ColumnMatch | undefined
  let several = false
  for (const open of opens) {
    if (open.except?.has(name.toLowerCase())) continue
    const hit = open.relation.find(name)
    if (hit?.sure) return hit
    if (hit) several ||= only !== undefined && only.flow !== hit.flow
    only ??= hit
  }
  // Two unknown tables in one star: the column exists, but its table is unknown.
  return several ? { flow: NO_SOURCES, sure: false } : only
}

/** The rows of a function or a list: named columns, if any; every other name comes from the input. */
export class Virtual extends DerivedRelation {
  override readonly vague: boolean = true
  override readonly virtual: boolean = true
  private readonly input: Flow

  constructor(input: Flow, list: readonly Column[] = []) {
    super(list)
    this.input = input
  }

  override find(name: string): ColumnMatch | undefined {
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
  private readonly shown: (qualified: boolean) => StarColumns | undefined

  constructor(input: Flow, list: readonly Column[], shown: (qualified: boolean) => StarColumns | undefined) {
    super(input, list)
    this.shown = shown
  }

  star(qualified: boolean): StarColumns | undefined {
    return this.shown(qualified)
  }
}

/** The same rows under other column names: `t(a, b)`. */
export const renameColumns = (relation: Relation, names: readonly string[] | undefined): Relation => {
  if (!names?.length) return relation
  const columns = relation.columns()
  const list = columns.map((column, i) => (names[i] === undefined ? column : { ...column, name: names[i] }))
  // The column order of an unknown table is unknown, so the new names cannot be mapped to its columns.
  for (const name of names.slice(list.length)) list.push({ name, flow: NO_SOURCES, start: 0, end: 0 })
  if (relation.virtual)
    return new Virtual(
      relation.find('')?.flow ?? NO_SOURCES,
      list.map((column, i) => (i < columns.length ? column : { ...column, flow: relation.find('')?.flow ?? NO_SOURCES })),
    )
  return new DerivedRelation(list, columns.length > 0 ? relation.opens : [])
}

/** Several relations side by side, as one. */
export const joinRelations = (relations: readonly Relation[]): Relation =>
  relations.length === 1
    ? relations[0]!
    : new DerivedRelation(
        relations.flatMap((relation) => relation.columns()),
        relations.flatMap(findUnexpandedStars),
      )

/** The stars that remain when a relation is expanded. */
export const findUnexpandedStars = (relation: Relation): readonly UnexpandedStar[] =>
  relation.table && relation.vague ? [{ relation }] : relation.opens

/** The columns a star returns for a relation. */
export const expandStar = (relation: Relation, qualified: boolean): StarColumns =>
  relation.star?.(qualified) ?? { columns: relation.columns(), opens: findUnexpandedStars(relation) }
