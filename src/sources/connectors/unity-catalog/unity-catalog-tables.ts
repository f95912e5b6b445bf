import type { Discovered } from '../../../../connector/src/define.ts'
import type { Shape } from '../../../../connector/src/shape.ts'
import type { SchemaField } from '../stores/fields.ts'
import { readProperties, readStatistic } from '../stores/properties.ts'
import { nameKey, toTableItems } from '../stores/tables.ts'
import { readTypeFields } from '../stores/type-text.ts'

/** Tables of Unity Catalog as items. Pure. */

const TABLE_TYPES: Readonly<Record<string, string>> = { MANAGED: 'table', EXTERNAL: 'external table', FOREIGN: 'foreign table' }

export const readOwners = (shape: Shape): string[] => [shape.optionalText('owner') ?? '']

/** Milliseconds since 1970. */
const readTime = (shape: Shape, name: string): string | undefined => {
  const time = shape.optionalInteger(name)
  return time === undefined ? undefined : new Date(time).toISOString()
}

/** The table and its columns. `keys` is the same table read by itself: lists have no constraints. */
export const toTable = (catalog: string, schema: string, table: Shape, keys: Shape | undefined): Discovered[] => {
  const name = table.text('name')
  const key = nameKey(catalog, schema, name)
  const type = table.text('table_type')
  const columns = table.optionalList('columns')
  const properties = table.optionalObject('properties')
  const definition = table.optionalText('view_definition')?.trim()
  const isMetricView = type === 'METRIC_VIEW' // its definition is YAML, not SQL
  const constraints = keys?.optionalList('table_constraints') ?? []
  const primary = readPrimaryKey(constraints)
  const items = toTableItems(key, {
    native_type: TABLE_TYPES[type] ?? type.toLowerCase().replaceAll('_', ' '),
    title: name,
    parent: nameKey(catalog, schema),
    description: table.optionalText('comment') ?? '',
    owners: readOwners(table),
    fields: columns.map((column) => toField(column, primary)).sort((a, b) => a.position - b.position),
    updated_at: readTime(table, 'updated_at'),
    row_count: readStatistic(properties, ['spark.sql.statistics.numRows']),
    byte_size: readStatistic(properties, ['spark.sql.statistics.totalSize']),
    facts: {
      owner: table.optionalText('owner'),
      location: table.optionalText('storage_location'),
      format: table.optionalText('data_source_format')?.toLowerCase(),
      partitioned_by: readPartitions(columns),
      foreign_keys: readForeignKeys(constraints),
      properties: readProperties(properties),
      ...(isMetricView ? { definition } : {}),
    },
    query: definition && !isMetricView ? { sql: definition, dialect: 'databricks', database: catalog, schema } : undefined,
  })
  if (!table.at('columns').missing) return items
  return [...items, { type: 'unlisted', key, reason: `The columns of ${catalog}.${schema}.${name} are not listed and stay as they are.` }]
}

const toField = (column: Shape, primary: readonly string[]): SchemaField & { position: number } => {
  const name = column.text('name')
  const type = column.text('type_text')
  const children = readTypeFields(type)
  const partition = column.optionalInteger('partition_index')
  return {
    ...{ name, type, description: column.optionalText('comment') ?? '', nullable: column.optionalBoolean('nullable') },
    position: column.integer('position'),
    primaryKey: primary.includes(name),
    ...(partition === undefined ? {} : { facts: { partition_key: true } }),
    ...(children.length > 0 ? { children } : {}),
  }
}

const readPartitions = (columns: readonly Shape[]): string[] =>
  columns
    .filter((column) => column.optionalInteger('partition_index') !== undefined)
    .sort((a, b) => a.integer('partition_index') - b.integer('partition_index'))
    .map((column) => column.text('name'))

const readNames = (shape: Shape, name: string): string[] =>
  shape.list(name).map((each) => (typeof each.value === 'string' ? each.value : each.fail('text')))

const readPrimaryKey = (constraints: readonly Shape[]): string[] =>
  constraints.flatMap((each) => {
    const primary = each.optionalObject('primary_key_constraint')
    return primary ? readNames(primary, 'child_columns') : []
  })

/** Without the catalog, as other sources write them. */
const readForeignKeys = (constraints: readonly Shape[]) =>
  constraints.flatMap((each) => {
    const foreign = each.optionalObject('foreign_key_constraint')
    if (!foreign) return []
    return [
      {
        name: foreign.text('name'),
        columns: readNames(foreign, 'child_columns'),
        table: foreign.text('parent_table').split('.').slice(-2).join('.'),
        to: readNames(foreign, 'parent_columns'),
      },
    ]
  })
