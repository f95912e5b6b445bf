import { buildItemKey, hashText, type Item } from '../../sync/item.ts'
import { omitNulls, roundCalls, toQueryTitle } from './item-values.ts'
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
  readonly facts?: ItemFacts
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
  readonly facts?: ItemFacts
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
  readonly facts?: ItemFacts
}

export interface QueryRow {
  readonly text: string
  readonly calls: number
  readonly users: readonly string[]
  /** The history covers this many hours; undefined for running totals. */
  readonly hours?: number
}

type ItemFacts = Readonly<Record<string, unknown>>

type AnyIterable<T> = Iterable<T> | AsyncIterable<T>

/** Maps rows of one shape to another. */
export async function* mapRows<T, R>(rows: AnyIterable<T>, shape: (row: T) => R | Promise<R>): AsyncGenerator<R, void> {
  for await (const row of rows) yield shape(row)
}

export interface CatalogQueries {
  readonly schemas: AnyIterable<SchemaRow>
  readonly tables: AnyIterable<TableRow>
  readonly columns: AnyIterable<ColumnRow>
}

/** Builds the items of one database, from the top down. */
export class DatabaseItemBuilder {
  readonly name: string
  readonly #dialect: string
  readonly #patterns: Patterns
  readonly #reported = new Set<string>()

  constructor(name: string, dialect: string, patterns: Patterns) {
    this.name = name
    this.#dialect = dialect
    this.#patterns = patterns
  }

  includes(schema: string, table: string): boolean {
    return this.#patterns.matches(this.name, schema, table)
  }

  /** With patterns, only schemas with included tables are reported. */
  async *buildItems(database: DatabaseRow, { schemas, tables, columns }: CatalogQueries): AsyncGenerator<Item, void> {
    yield this.database(database)
    const byName = new Map<string, SchemaRow>()
    for await (const row of schemas) {
      byName.set(row.name, row)
      if (this.#patterns.all) yield* this.#reportOnce(this.schema(row))
    }
    for await (const row of tables) {
      if (!this.includes(row.schema, row.name)) continue
      yield* this.#reportOnce(this.schema(byName.get(row.schema) ?? { name: row.schema }))
      yield* this.#reportOnce(this.table(row))
    }
    // The lists are read one after another: a table created in between is reported with its columns next time.
    for await (const row of columns)
      if (this.#reported.has(buildItemKey(this.name, row.schema, row.table))) yield* this.#reportOnce(this.column(row))
  }

  /** Reports items that a source lists twice only once. */
  *#reportOnce(item: Item): Generator<Item, void> {
    if (this.#reported.has(item.key)) return
    if (item.entity_type !== 'column') this.#reported.add(item.key)
    yield item
  }

  database({ name, native_type = 'database', comment, byte_size, external_updated_at }: DatabaseRow): Item {
    return {
      key: buildItemKey(name),
      entity_type: 'database',
      fields: { title: name, native_type, ...(comment === undefined ? {} : { description: comment || null }) },
      reported: omitNulls({ byte_size, external_updated_at }),
    }
  }

  schema({ name, stable_id, comment, facts }: SchemaRow): Item {
    return {
      ...omitNulls({ stable_id }),
      key: buildItemKey(this.name, name),
      parent: buildItemKey(this.name),
      entity_type: 'schema',
      fields: { title: name, native_type: 'schema', ...(comment === undefined ? {} : { description: comment || null }) },
      ...(facts ? { facts: omitNulls(facts) } : {}),
    }
  }

  table({ schema, name, stable_id, kind, comment, row_count, byte_size, external_updated_at, definition, facts }: TableRow): Item {
    return {
      ...omitNulls({ stable_id }),
      key: buildItemKey(this.name, schema, name),
      parent: buildItemKey(this.name, schema),
      entity_type: 'table',
      fields: { title: name, native_type: kind, ...(comment === undefined ? {} : { description: comment || null }) },
      reported: { row_count: row_count ?? null, byte_size: byte_size ?? null, ...omitNulls({ external_updated_at }) },
      facts: omitNulls({ definition: definition?.trim() || undefined, ...facts }),
      ...(definition?.trim() ? { made_by: { sql: definition, dialect: this.#dialect, database: this.name, schema } } : {}),
    }
  }

  column({ schema, table, name, stable_id, position, type, nullable, default_value, is_pk, comment, facts }: ColumnRow): Item {
    return {
      ...omitNulls({ stable_id }),
      key: buildItemKey(this.name, schema, table, name),
      parent: buildItemKey(this.name, schema, table),
      entity_type: 'column',
      fields: { title: name, native_type: type, ...(comment === undefined ? {} : { description: comment || null }) },
      own: { sort_order: position, is_pk: is_pk ?? false },
      facts: omitNulls({ nullable, default: default_value, ...facts }),
    }
  }

  query({ text, calls, users, hours }: QueryRow): Item {
    return {
      key: buildItemKey(this.name, '', hashText(text)), // cannot clash: no schema has an empty name
      parent: buildItemKey(this.name),
      entity_type: 'query',
      fields: { title: toQueryTitle(text), definition: text },
      own: { freq: roundCalls(calls), type: 'history' },
      reported: { external_users: [...users].sort() },
      made_by: { sql: text, dialect: this.#dialect, database: this.name },
      used: { calls, users, ...(hours === undefined ? {} : { hours }) },
    }
  }
}
