import { hashOf, type Item, keyOf } from '../../sync/item.ts'
import type { Patterns } from './patterns.ts'

/** Items of sources with databases, schemas and tables. Shared by all connectors that read them from lists. */

export interface DatabaseRow {
  readonly name: string
  readonly native_type?: string
  readonly comment?: string | null
  readonly byte_size?: number | null
  readonly external_updated_at?: string | null
}

export interface SchemaRow {
  readonly name: string
  /** An identifier that survives a rename. */
  readonly stable_id?: string
  readonly comment?: string | null
  readonly facts?: Facts
}

export interface TableRow {
  readonly schema: string
  readonly name: string
  readonly stable_id?: string
  /** As the source calls it: table, view, materialized view, external table. */
  readonly kind: string
  readonly comment?: string | null
  readonly row_count?: number | null
  readonly byte_size?: number | null
  readonly external_updated_at?: string | null
  /** The query of a view. */
  readonly definition?: string | null
  readonly facts?: Facts
}

export interface ColumnRow {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly stable_id?: string
  readonly position: number
  readonly type: string | null
  readonly nullable?: boolean | null
  readonly default_value?: string | null
  readonly is_pk?: boolean
  readonly comment?: string | null
  readonly facts?: Facts
}

export interface QueryRow {
  readonly text: string
  readonly calls: number
  readonly users: readonly string[]
  /** The history covers this many hours; undefined for running totals. */
  readonly hours?: number
}

type Facts = Readonly<Record<string, unknown>>

type Many<T> = Iterable<T> | AsyncIterable<T>

/** Maps rows of one shape to another. */
export async function* eachOf<T, R>(rows: Many<T>, shape: (row: T) => R | Promise<R>): AsyncGenerator<R, void> {
  for await (const row of rows) yield shape(row)
}

export interface Lists {
  readonly schemas: Many<SchemaRow>
  readonly tables: Many<TableRow>
  readonly columns: Many<ColumnRow>
}

/** Builds the items of one database, from the top down. */
export class Telling {
  readonly name: string
  readonly #dialect: string
  readonly #patterns: Patterns
  readonly #told = new Set<string>()

  constructor(name: string, dialect: string, patterns: Patterns) {
    this.name = name
    this.#dialect = dialect
    this.#patterns = patterns
  }

  wants(schema: string, table: string): boolean {
    return this.#patterns.wants(this.name, schema, table)
  }

  /** With patterns, only schemas with included tables are reported. */
  async *all(database: DatabaseRow, { schemas, tables, columns }: Lists): AsyncGenerator<Item, void> {
    yield this.database(database)
    const known = new Map<string, SchemaRow>()
    for await (const row of schemas) {
      known.set(row.name, row)
      if (this.#patterns.all) yield* this.#once(this.schema(row))
    }
    for await (const row of tables) {
      if (!this.wants(row.schema, row.name)) continue
      yield* this.#once(this.schema(known.get(row.schema) ?? { name: row.schema }))
      yield* this.#once(this.table(row))
    }
    // The lists are read one after another: a table created in between is reported with its columns next time.
    for await (const row of columns) if (this.#told.has(keyOf(this.name, row.schema, row.table))) yield* this.#once(this.column(row))
  }

  /** Reports items that a source lists twice only once. */
  *#once(item: Item): Generator<Item, void> {
    if (this.#told.has(item.key)) return
    if (item.entity_type !== 'column') this.#told.add(item.key)
    yield item
  }

  database({ name, native_type = 'database', comment, byte_size, external_updated_at }: DatabaseRow): Item {
    return {
      key: keyOf(name),
      entity_type: 'database',
      fields: { title: name, native_type, ...(comment === undefined ? {} : { description: comment || null }) },
      reported: given({ byte_size, external_updated_at }),
    }
  }

  schema({ name, stable_id, comment, facts }: SchemaRow): Item {
    return {
      ...given({ stable_id }),
      key: keyOf(this.name, name),
      parent: keyOf(this.name),
      entity_type: 'schema',
      fields: { title: name, native_type: 'schema', ...(comment === undefined ? {} : { description: comment || null }) },
      ...(facts ? { facts: given(facts) } : {}),
    }
  }

  table({ schema, name, stable_id, kind, comment, row_count, byte_size, external_updated_at, definition, facts }: TableRow): Item {
    return {
      ...given({ stable_id }),
      key: keyOf(this.name, schema, name),
      parent: keyOf(this.name, schema),
      entity_type: 'table',
      fields: { title: name, native_type: kind, ...(comment === undefined ? {} : { description: comment || null }) },
      reported: { row_count: row_count ?? null, byte_size: byte_size ?? null, ...given({ external_updated_at }) },
      facts: given({ definition: definition?.trim() || undefined, ...facts }),
      ...(definition?.trim() ? { made_by: { sql: definition, dialect: this.#dialect, database: this.name, schema } } : {}),
    }
  }

  column({ schema, table, name, stable_id, position, type, nullable, default_value, is_pk, comment, facts }: ColumnRow): Item {
    return {
      ...given({ stable_id }),
      key: keyOf(this.name, schema, table, name),
      parent: keyOf(this.name, schema, table),
      entity_type: 'column',
      fields: { title: name, native_type: type, ...(comment === undefined ? {} : { description: comment || null }) },
      own: { sort_order: position, is_pk: is_pk ?? false },
      facts: given({ nullable, default: default_value, ...facts }),
    }
  }

  query({ text, calls, users, hours }: QueryRow): Item {
    return {
      key: keyOf(this.name, '', hashOf(text)), // cannot clash: no schema has an empty name
      parent: keyOf(this.name),
      entity_type: 'query',
      fields: { title: text.replace(/\s+/g, ' ').trim().slice(0, LONGEST_QUERY_TITLE).toWellFormed(), definition: text },
      own: { freq: rounded(calls), type: 'history' },
      reported: { external_users: [...users].sort() },
      made_by: { sql: text, dialect: this.#dialect, database: this.name },
      used: { calls, users, ...(hours === undefined ? {} : { hours }) },
    }
  }
}

const LONGEST_QUERY_TITLE = 200

/** Two significant digits: exact numbers would create a version of every query with every sync. */
const rounded = (calls: number): number => Math.min(Number(calls.toPrecision(2)), 2_147_483_647)

const given = <T extends Facts>(facts: T): T =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== null)) as T
