import type { Discovered } from '../../../../connector/src/define.ts'
import { isObject } from '../../../../connector/src/protocol.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import { childKey } from '../bi/item-parts.ts'
import type { SchemaField } from '../stores/fields.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { readTypeFields, type UserTypes } from './cassandra-types.ts'

/** Rows of system_schema as items. Pure. */

export const toKeyspace = (row: Shape): Discovered => {
  const name = row.text('keyspace_name')
  const { class: strategy, ...replication } = (row.object('replication').value ?? {}) as Record<string, string>
  return toContainerItem(nameKey(name), {
    ...{ entity_type: 'database', native_type: 'keyspace', title: name },
    facts: { strategy: strategy?.split('.').at(-1), replication, durable_writes: row.optionalBoolean('durable_writes') },
  })
}

export const readUserTypes = (rows: readonly Shape[]): UserTypes =>
  new Map(
    rows.map((row) => {
      const [names, types] = [readTexts(row, 'field_names'), readTexts(row, 'field_types')]
      return [row.text('type_name'), names.map((name, i) => ({ name, type: types[i] ?? 'unknown' }))]
    }),
  )

const readTexts = (row: Shape, name: string): string[] =>
  row.list(name).map((each) => (typeof each.value === 'string' ? each.value : each.fail('text')))

/** What a keyspace has about one table or view. */
export interface TableRows {
  readonly columns: readonly Shape[]
  readonly indexes: readonly Shape[]
  readonly types: UserTypes
}

export const toTable = (keyspace: string, row: Shape, rows: TableRows): Discovered[] => {
  const name = row.text('table_name')
  return toTableItems(nameKey(keyspace, name), {
    ...{ native_type: 'table', title: name, parent: nameKey(keyspace) },
    description: row.optionalText('comment') ?? '',
    fields: toFields(rows),
    facts: {
      ...readKeys(rows.columns),
      default_time_to_live: row.optionalInteger('default_time_to_live') || undefined,
      compaction: readClass(row.at('compaction').value),
      indexes: rows.indexes.map(toIndex),
    },
  })
}

/** A materialized view has the rows of its base table, in another order; its columns have the same names there. */
export const toView = (keyspace: string, row: Shape, rows: TableRows): Discovered[] => {
  const name = row.text('view_name')
  const [key, base] = [nameKey(keyspace, name), nameKey(keyspace, row.text('base_table_name'))]
  const items = toTableItems(key, {
    ...{ native_type: 'materialized view', title: name, parent: nameKey(keyspace) },
    description: row.optionalText('comment') ?? '',
    fields: toFields(rows),
    facts: { ...readKeys(rows.columns), view_on: row.text('base_table_name'), where: row.optionalText('where_clause') },
  })
  const from = rows.columns.map((column) => {
    const title = column.text('column_name')
    return { item: base, columns: [childKey(base, title)], into: childKey(key, title) }
  })
  return [...items, { type: 'lineage', to: key, from: from.length > 0 ? from : [{ item: base }] }]
}

const KINDS = ['partition_key', 'clustering', 'static', 'regular']

/** The columns of the key first, in its order, then the others by name: Cassandra stores no other order. */
const sortColumns = (columns: readonly Shape[]): Shape[] => {
  const rank = (column: Shape): number => {
    const kind = KINDS.indexOf(column.text('kind'))
    return kind < 0
      ? column.at('kind').fail(`one of ${KINDS.join(', ')}`)
      : kind * 10_000 + Math.max(0, Number(column.at('position').value))
  }
  const getName = (column: Shape) => column.text('column_name')
  return [...columns].sort((a, b) => rank(a) - rank(b) || (getName(a) < getName(b) ? -1 : 1))
}

const toFields = ({ columns, types }: TableRows): SchemaField[] =>
  sortColumns(columns).map((column) => {
    const [kind, type] = [column.text('kind'), column.text('type')]
    const children = readTypeFields(type, types)
    const order = column.optionalText('clustering_order')
    return {
      ...{ name: column.text('column_name'), type, primaryKey: isKey(kind), nullable: !isKey(kind) },
      facts: {
        ...(kind === 'regular' ? {} : { kind: kind.replace('_', ' ') }),
        ...(kind === 'clustering' && order && order !== 'none' ? { order } : {}),
      },
      ...(children.length > 0 ? { children } : {}),
    }
  })

const isKey = (kind: string): boolean => kind === 'partition_key' || kind === 'clustering'

const readKeys = (columns: readonly Shape[]): { partition_key: string[]; clustering_key: string[] } => {
  const list = (kind: string) =>
    sortColumns(columns)
      .filter((column) => column.text('kind') === kind)
      .map((column) => column.text('column_name'))
  return { partition_key: list('partition_key'), clustering_key: list('clustering') }
}

const readClass = (options: unknown): string | undefined =>
  isObject(options) && typeof options.class === 'string' ? options.class.split('.').at(-1) : undefined

const toIndex = (row: Shape) => {
  const options = row.optionalObject('options')
  return { name: row.text('index_name'), type: row.optionalText('kind')?.toLowerCase(), columns: [options?.optionalText('target') ?? ''] }
}
