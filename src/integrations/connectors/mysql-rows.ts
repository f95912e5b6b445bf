import type { ColumnRow, RoutineRow, TableRow } from './flat-items.ts'
import type { Session } from './mysql-session.ts'
import * as catalog from './mysql-sql.ts'

/** Converts rows of the MySQL catalog to items. */

/** Details from separate catalog tables, read for all tables of a database at once because each query is expensive. */
export class Details {
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
    this.#indexes = byTable(lists.indexes)
    this.#foreignKeys = byTable(lists.foreignKeys)
    this.#checks = byTable(lists.checks)
    this.#partitions = new Map(lists.partitions.map((row) => [row.table, row]))
    this.#triggers = byTable(lists.triggers)
  }

  static async read(session: Session, has: catalog.Has, database: string, tables: readonly catalog.TableRow[]): Promise<Details> {
    const checks = catalog.checksSql(has, database)
    // Even to report no partitions, the server opens every table.
    const partitioned = tables.some(({ options }) => options?.includes('partitioned'))
    return new Details({
      views: await session.ask(catalog.viewsSql(database)),
      indexes: await session.ask(catalog.indexesSql(has, database)),
      foreignKeys: await session.ask(catalog.foreignKeysSql(database)),
      checks: checks ? await session.ask(checks) : [],
      partitions: partitioned ? await session.ask(catalog.partitionsSql(database)) : [],
      triggers: await session.ask(catalog.triggersSql(database)),
    })
  }

  definition(table: string): string | undefined {
    return this.#views.get(table)
  }

  facts(database: string, table: string): Record<string, unknown> {
    const indexes = indexesOf(this.#indexes.get(table) ?? [])
    const partition = this.#partitions.get(table)
    return {
      constraints: [
        ...indexes.flatMap(({ name, unique, columns }) => (unique ? [keyConstraint(name, columns)] : [])),
        ...(this.#checks.get(table) ?? []).map(({ name, definition }) => ({ name, type: 'check', definition: `CHECK (${definition})` })),
      ],
      foreign_keys: foreignKeysOf(database, this.#foreignKeys.get(table) ?? []),
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

const byTable = <T extends { readonly table: string }>(rows: readonly T[]): Map<string, T[]> => Map.groupBy(rows, ({ table }) => table)

const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``

interface Index {
  readonly name: string
  readonly unique: boolean
  readonly type: string
  readonly columns: readonly string[]
}

const indexesOf = (rows: readonly catalog.IndexRow[]): Index[] =>
  [...Map.groupBy(rows, ({ name }) => name)].map(([name, parts]) => ({
    name,
    unique: Number(parts[0]!.not_unique) === 0,
    type: parts[0]!.type,
    columns: parts.map(({ column, expression, prefix }) =>
      column === null ? `(${expression ?? ''})` : `${quoted(column)}${prefix === null ? '' : `(${prefix})`}`,
    ),
  }))

const keyConstraint = (name: string, columns: readonly string[]) =>
  name === 'PRIMARY'
    ? { name, type: 'primary key', definition: `PRIMARY KEY (${columns.join(', ')})` }
    : { name, type: 'unique', definition: `UNIQUE (${columns.join(', ')})` }

const foreignKeysOf = (database: string, rows: readonly catalog.ForeignKeyRow[]) =>
  [...Map.groupBy(rows, ({ name }) => name)].map(([name, parts]) => {
    const { to_database, to_table } = parts[0]!
    return {
      name,
      columns: parts.map(({ column }) => column),
      table: to_database === database ? to_table : `${to_database}.${to_table}`,
      to: parts.map(({ to_column }) => to_column),
    }
  })

const KINDS = { 'BASE TABLE': 'table', VIEW: 'view', 'SYSTEM VERSIONED': 'system-versioned table' } as const

export const tableOf = (database: string, row: catalog.TableRow, details: Details): TableRow => {
  const view = row.type === 'VIEW'
  return {
    database,
    name: row.name,
    kind: KINDS[row.type],
    comment: view ? null : row.comment, // for views it is always "VIEW"
    row_count: view ? null : row.row_count,
    byte_size: view ? null : row.bytes,
    external_updated_at: row.updated_at,
    definition: details.definition(row.name),
    facts: { engine: row.engine, collation: row.collation, ...details.facts(database, row.name) },
  }
}

export const columnOf = (database: string, row: catalog.ColumnRow, maria: boolean): ColumnRow => ({
  database,
  table: row.table,
  name: row.name,
  position: row.position,
  type: row.type,
  is_pk: row.column_key === 'PRI',
  comment: row.comment,
  facts: {
    nullable: row.nullable === 'YES',
    default: defaultOf(row, maria),
    generated_as: row.generated || undefined,
    identity: /auto_increment/i.test(row.extra) ? 'auto_increment' : undefined,
    on_update: /on update (\S+)/i.exec(row.extra)?.[1],
    collation: row.collation,
  },
})

/** MariaDB reports an expression, with `NULL` for none; MySQL reports the value and marks expressions. */
const defaultOf = ({ default_value, extra, generated }: catalog.ColumnRow, maria: boolean): string | undefined => {
  if (default_value === null || generated || (maria && default_value === 'NULL')) return undefined
  if (maria || /default_generated/i.test(extra) || /^(?:current_timestamp|-?\d+(?:\.\d+)?$|b'|0x)/i.test(default_value))
    return default_value
  return `'${default_value.replaceAll("'", "''")}'`
}

/** The text of a routine: its header, which the catalog stores in parts, and its body. */
export const routineOf = (database: string, row: catalog.RoutineRow, parameters: readonly catalog.ParameterRow[]): RoutineRow => {
  const kind = row.type.toLowerCase()
  const list = parameters.map(({ mode, name, type }) =>
    [kind === 'procedure' ? mode : undefined, name && quoted(name), type].filter(Boolean).join(' '),
  )
  const head = `create ${kind} ${quoted(row.name)}(${list.join(', ')})${kind === 'function' && row.returns ? ` returns ${row.returns}` : ''}`
  return { database, name: row.name, kind, comment: row.comment, definition: row.body === null ? null : `${head}\n${row.body}` }
}
