import type { CatalogReader } from '../shared/catalog-reader.ts'
import type { ColumnRow, RoutineRow, TableRow } from '../shared/flat-items.ts'
import * as catalog from './mysql-sql.ts'

/** Converts rows of the MySQL catalog to items. */

/** Details from separate catalog tables, read for all tables of a database at once because each query is expensive. */
export class TableDetails {
  readonly #views: ReadonlyMap<string, string>
  readonly #indexes: ReadonlyMap<string, catalog.IndexRow[]>
  readonly #foreignKeys: ReadonlyMap<string, catalog.ForeignKeyRow[]>
  readonly #checks: ReadonlyMap<string, catalog.CheckRow[]>
  readonly #partitions: ReadonlyMap<string, catalog.PartitionRow>
  readonly #triggers: ReadonlyMap<string, catalog.TriggerRow[]>
  /** Number of views whose definition is hidden. */
  readonly hidden: number

  private constructor(lists: {
    views: readonly catalog.ViewRow[]
    indexes: readonly catalog.IndexRow[]
    foreignKeys: readonly catalog.ForeignKeyRow[]
    checks: readonly catalog.CheckRow[]
    partitions: readonly catalog.PartitionRow[]
    triggers: readonly catalog.TriggerRow[]
  }) {
    const shown = lists.views.flatMap(({ table, definition }): [string, string][] => (definition ? [[table, definition]] : []))
    this.#views = new Map(shown)
    this.hidden = lists.views.length - shown.length
    this.#indexes = groupByTable(lists.indexes)
    this.#foreignKeys = groupByTable(lists.foreignKeys)
    this.#checks = groupByTable(lists.checks)
    this.#partitions = new Map(lists.partitions.map((row) => [row.table, row]))
    this.#triggers = groupByTable(lists.triggers)
  }

  static async load(
    connection: CatalogReader,
    has: catalog.ServerFeatures,
    database: string,
    tables: readonly catalog.TableRow[],
  ): Promise<TableDetails> {
    const checks = catalog.checksSql(has, database)
    // Even to report no partitions, the server opens every table.
    const partitioned = tables.some(({ options }) => options?.includes('partitioned'))
    return new TableDetails({
      views: await connection.query(catalog.viewsSql(database)),
      indexes: await connection.query(catalog.indexesSql(has, database)),
      foreignKeys: await connection.query(catalog.foreignKeysSql(database)),
      checks: checks ? await connection.query(checks) : [],
      partitions: partitioned ? await connection.query(catalog.partitionsSql(database)) : [],
      triggers: await connection.query(catalog.triggersSql(database)),
    })
  }

  definition(table: string): string | undefined {
    return this.#views.get(table)
  }

  facts(database: string, table: string): Record<string, unknown> {
    const indexes = toIndexes(this.#indexes.get(table) ?? [])
    const partition = this.#partitions.get(table)
    return {
      constraints: [
        ...indexes.flatMap(({ name, unique, columns }) => (unique ? [toKeyConstraint(name, columns)] : [])),
        ...(this.#checks.get(table) ?? []).map(({ name, definition }) => ({ name, type: 'check', definition: `CHECK (${definition})` })),
      ],
      foreign_keys: toForeignKeys(database, this.#foreignKeys.get(table) ?? []),
      indexes: indexes.map(({ name, unique, columns, type }) => ({ name, unique, definition: `${type} (${columns.join(', ')})` })),
      partitions: partition?.partitions,
      partition_key: partition && `${partition.method} (${partition.expression ?? ''})`,
      triggers: (this.#triggers.get(table) ?? []).map(({ name, timing, event, definition }) => ({
        name,
        when: `${timing} ${event}`.toLowerCase(),
        definition,
      })),
    }
  }
}

const groupByTable = <T extends { readonly table: string }>(rows: readonly T[]): Map<string, T[]> => Map.groupBy(rows, ({ table }) => table)

const quoteIdentifier = (name: string): string => `\`${name.replaceAll('`', '``')}\``

interface Index {
  readonly name: string
  readonly unique: boolean
  readonly type: string
  readonly columns: readonly string[]
}

const toIndexes = (rows: readonly catalog.IndexRow[]): Index[] =>
  [...Map.groupBy(rows, ({ name }) => name)].map(([name, parts]) => ({
    name,
    unique: Number(parts[0]!.not_unique) === 0,
    type: parts[0]!.type,
    columns: parts.map(({ column, expression, prefix }) =>
      column === null ? `(${expression ?? ''})` : `${quoteIdentifier(column)}${prefix === null ? '' : `(${prefix})`}`,
    ),
  }))

const toKeyConstraint = (name: string, columns: readonly string[]) =>
  name === 'PRIMARY'
    ? { name, type: 'primary key', definition: `PRIMARY KEY (${columns.join(', ')})` }
    : { name, type: 'unique', definition: `UNIQUE (${columns.join(', ')})` }

const toForeignKeys = (database: string, rows: readonly catalog.ForeignKeyRow[]) =>
  [...Map.groupBy(rows, ({ name }) => name)].map(([name, parts]) => {
    const { to_database, to_table } = parts[0]!
    return {
      name,
      columns: parts.map(({ column }) => column),
      table: to_database === database ? to_table : `${to_database}.${to_table}`,
      to: parts.map(({ to_column }) => to_column),
    }
  })

const TABLE_TYPES = { 'BASE TABLE': 'table', VIEW: 'view', 'SYSTEM VERSIONED': 'system-versioned table' } as const

export const toTableRow = (database: string, row: catalog.TableRow, details: TableDetails): TableRow => {
  const view = row.type === 'VIEW'
  return {
    database,
    name: row.name,
    kind: TABLE_TYPES[row.type],
    comment: view ? null : row.comment, // for views it is always "VIEW"
    row_count: view ? null : row.row_count,
    byte_size: view ? null : row.bytes,
    external_updated_at: row.updated_at,
    definition: details.definition(row.name),
    facts: { engine: row.engine, collation: row.collation, ...details.facts(database, row.name) },
  }
}

export const toColumnRow = (database: string, row: catalog.ColumnRow, maria: boolean): ColumnRow => ({
  database,
  table: row.table,
  name: row.name,
  position: row.position,
  type: row.type,
  is_pk: row.column_key === 'PRI',
  comment: row.comment,
  facts: {
    nullable: row.nullable === 'YES',
    default: formatDefault(row, maria),
    generated_as: row.generated || undefined,
    identity: /auto_increment/i.test(row.extra) ? 'auto_increment' : undefined,
    on_update: /on update (\S+)/i.exec(row.extra)?.[1],
    collation: row.collation,
  },
})

/** MariaDB reports an expression, with `NULL` for none; MySQL reports the value and marks expressions. */
const formatDefault = ({ default_value, extra, generated }: catalog.ColumnRow, maria: boolean): string | undefined => {
  if (default_value === null || generated || (maria && default_value === 'NULL')) return undefined
  if (maria || /default_generated/i.test(extra) || /^(?:current_timestamp|-?\d+(?:\.\d+)?$|b'|0x)/i.test(default_value))
    return default_value
  return `'${default_value.replaceAll("'", "''")}'`
}

/** The text of a routine: its header, which the catalog stores in parts, and its body. */
export const toRoutineRow = (database: string, row: catalog.RoutineRow, parameters: readonly catalog.ParameterRow[]): RoutineRow => {
  const kind = row.type.toLowerCase()
  const list = parameters.map(({ mode, name, type }) =>
    [kind === 'procedure' ? mode : undefined, name && quoteIdentifier(name), type].filter(Boolean).join(' '),
  )
  const head = `create ${kind} ${quoteIdentifier(row.name)}(${list.join(', ')})${kind === 'function' && row.returns ? ` returns ${row.returns}` : ''}`
  return { database, name: row.name, kind, comment: row.comment, definition: row.body === null ? null : `${head}\n${row.body}` }
}
