import type { Dialect } from '../text/dialects.ts'
import { type Column, type ColumnMatch, type Flow, NameIndex, type Relation, type UnexpandedStar } from './relation.ts'

/** A column of a stored table. One object per column and analysis, so that columns can be compared by identity. */
export interface Source {
  readonly table: Table
  readonly column: string
}

/** A stored table. */
export class Table {
  readonly name: readonly string[]
  readonly key: string
  /** Its columns in order, when they are known. */
  readonly columns: readonly string[] | undefined
  private readonly flows = new Map<string, Flow>()
  private index: NameIndex<string> | undefined

  constructor(name: readonly string[], key: string, columns: readonly string[] | undefined) {
    this.name = name
    this.key = key
    this.columns = columns
  }

  flow(column: string): Flow {
    // Without known columns, spellings that differ only by case are the same column.
    const key = this.columns ? column : column.toLowerCase()
    let flow = this.flows.get(key)
    if (!flow) {
      flow = new Map([[{ table: this, column }, 'identity']])
      this.flows.set(key, flow)
    }
    return flow
  }

  /** The spelling of a column in the catalog, if it is there. */
  spelling(column: string): string | undefined {
    if (!this.columns) return undefined
    if (!this.index) {
      this.index = new NameIndex()
      for (const name of this.columns) this.index.add(name, name)
    }
    return this.index.find(column)
  }
}

/** A table in a FROM clause. Its columns are created lazily: of a hundred, a query typically uses five. */
export class Stored implements Relation {
  readonly table: Table
  readonly opens: readonly UnexpandedStar[] = []
  readonly vague: boolean
  readonly virtual = false
  private list: readonly Column[] | undefined

  constructor(table: Table) {
    this.table = table
    this.vague = table.columns === undefined
  }

  columns(): readonly Column[] {
    this.list ??= (this.table.columns ?? []).map((name) => ({ name, flow: this.table.flow(name), start: 0, end: 0 }))
    return this.list
  }

  find(name: string): ColumnMatch | undefined {
    if (this.vague) return { flow: this.table.flow(name), sure: false }
    const spelling = this.table.spelling(name)
    return spelling === undefined ? undefined : { flow: this.table.flow(spelling), sure: true }
  }
}

export interface Defaults {
  readonly database?: string | null
  readonly schema?: string | null
}

export type ColumnsOf = (table: readonly string[]) => readonly string[] | undefined

/** All tables of one analysis: each under one name, completed with the defaults, with its known columns. */
export class Tables {
  private readonly dialect: Dialect
  private readonly defaults: Defaults
  private readonly columnsOf: ColumnsOf | undefined
  private readonly tables = new Map<string, Table>()

  constructor(dialect: Dialect, defaults: Defaults = {}, columnsOf?: ColumnsOf) {
    this.dialect = dialect
    this.defaults = defaults
    this.columnsOf = columnsOf
  }

  get(parts: readonly string[]): Table {
    const name = this.complete(parts)
    const key = this.key(name)
    let table = this.tables.get(key)
    if (!table) {
      table = new Table(name, key, this.columnsOf?.(name))
      this.tables.set(key, table)
    }
    return table
  }

  /** A script created this table: from here on these are its columns. */
  learn(table: Table, columns: readonly string[] | undefined): void {
    this.tables.set(table.key, new Table(table.name, table.key, columns))
  }

  forget(table: Table): void {
    this.tables.delete(table.key)
  }

  private complete(parts: readonly string[]): readonly string[] {
    const { database, schema } = this.defaults
    const name = parts.filter((part) => part !== '')
    // `db..t` leaves the schema to the server but already has a database.
    if (name.length < parts.length) return name.length === 2 && schema ? [name[0]!, schema, name[1]!] : name
    if (name.length === 1 && schema) name.unshift(schema)
    if (name.length === 2 && database) name.unshift(database)
    return name
  }

  private key(name: readonly string[]): string {
    const key = name.join('\0')
    return this.dialect.exactTables ? key : key.toLowerCase()
  }
}
