import type { Discovered } from '../../../../connector/src/define.ts'
import { Shape } from '../../../../connector/src/shape.ts'
import type { SchemaField } from '../stores/fields.ts'
import { readProperties, readStatistic } from '../stores/properties.ts'
import { nameKey, toContainerItem, toTableItems } from '../stores/tables.ts'
import { readTypeFields } from '../stores/type-text.ts'
import { readViewQuery } from '../stores/view-text.ts'
import type { ColumnRow, DatabaseRow, KeyRow, TableRow } from './metastore-sql.ts'
import { readSparkFields } from './spark-schema.ts'

/** Rows of a metastore as items. Pure. */

const DEFAULT_CATALOG = 'hive'

/** Databases of other catalogs (Hive 3) are named with it: two catalogs may have a database of the same name. */
export const nameDatabase = ({ catalog, name }: DatabaseRow): string =>
  catalog === null || catalog === DEFAULT_CATALOG ? name : `${catalog}.${name}`

export const toDatabase = (row: DatabaseRow): Discovered => {
  const name = nameDatabase(row)
  return toContainerItem(nameKey(name), {
    ...{ entity_type: 'database', native_type: 'database', title: name },
    description: row.comment ?? '',
    owners: [row.owner ?? ''],
    facts: { owner: row.owner, location: row.location },
  })
}

const MAX_SECONDS = 100_000_000_000 // what a writer may have set is not always a time

/** What the metastore has about one table. */
export interface TableRows {
  readonly columns: readonly ColumnRow[]
  readonly partitions: readonly ColumnRow[]
  readonly parameters: ReadonlyMap<string, string>
  readonly keys: readonly KeyRow[]
}

export const toTable = (database: string, table: TableRow, { columns, partitions, parameters, keys }: TableRows): Discovered[] => {
  const properties = new Shape(Object.fromEntries(parameters), 'TABLE_PARAMS')
  const primary = keys.filter(({ type }) => Number(type) === 0).map(({ column }) => column)
  const changed = Number(parameters.get('transient_lastDdlTime') ?? table.created)
  const isSparkView = parameters.has('spark.sql.create.version')
  return toTableItems(nameKey(database, table.name), {
    native_type: toKind(table.type, parameters),
    title: table.name,
    parent: nameKey(database),
    description: parameters.get('comment') ?? '',
    owners: [table.owner ?? ''],
    fields: toFields(columns, partitions, parameters).map((field) => ({ ...field, primaryKey: primary.includes(field.name) })),
    updated_at: changed > 0 && changed < MAX_SECONDS ? new Date(changed * 1000).toISOString() : undefined,
    row_count: readStatistic(properties, ['numRows', 'spark.sql.statistics.numRows']),
    byte_size: readStatistic(properties, ['totalSize', 'spark.sql.statistics.totalSize']),
    facts: {
      owner: table.owner,
      location: table.location,
      format: parameters.get('spark.sql.sources.provider')?.toLowerCase() ?? readFormat(table.input_format),
      serde: table.serde,
      partitioned_by: partitions.map(({ name }) => name),
      foreign_keys: toForeignKeys(keys),
      properties: readProperties(properties),
    },
    // The expanded text has the databases of all tables, whatever the current one was when the view was made.
    query: readViewQuery(database, findViewText(table), { presto: 'trino', other: isSparkView ? 'spark' : 'hive' }),
  })
}

/** Presto stores a placeholder as the expanded text. */
const findViewText = ({ original_text, expanded_text }: TableRow): string | undefined =>
  original_text?.trim().startsWith('/* Presto') ? original_text : expanded_text?.trim() || original_text?.trim() || undefined

const KINDS: Readonly<Record<string, string>> = { MANAGED_TABLE: 'table', VIRTUAL_VIEW: 'view' }

const toKind = (type: string, parameters: ReadonlyMap<string, string>): string => {
  const format = parameters.get('table_type') ?? parameters.get('spark.sql.sources.provider') ?? ''
  if (!/VIEW/.test(type) && /^(iceberg|hudi|delta)$/i.test(format)) return `${format.toLowerCase()} table`
  return KINDS[type] ?? type.toLowerCase().replaceAll('_', ' ')
}

/** `org.apache.hadoop.hive.ql.io.parquet.MapredParquetInputFormat` is parquet. */
const readFormat = (inputFormat: string | null): string | undefined =>
  /parquet|orc|avro|text|json|rcfile|sequence|iceberg|hudi|delta|kudu|hbase/i.exec(inputFormat ?? '')?.[0]?.toLowerCase()

const toFields = (
  columns: readonly ColumnRow[],
  partitions: readonly ColumnRow[],
  parameters: ReadonlyMap<string, string>,
): SchemaField[] => {
  const spark = readSparkFields(parameters)
  const partitionNames = partitions.map(({ name }) => name.toLowerCase())
  const isPartition = ({ name }: SchemaField) => partitionNames.includes(name.toLowerCase())
  const fields = spark ?? [...columns, ...partitions].map(toField)
  return fields.map((field) => (isPartition(field) ? { ...field, facts: { ...field.facts, partition_key: true } } : field))
}

const toField = ({ name, type, comment }: ColumnRow): SchemaField => {
  const children = readTypeFields(type ?? '')
  return { ...{ name, type: type ?? 'unknown', description: comment ?? '' }, ...(children.length > 0 ? { children } : {}) }
}

const toForeignKeys = (keys: readonly KeyRow[]) =>
  [
    ...Map.groupBy(
      keys.filter(({ type }) => Number(type) === 1),
      ({ name }) => name,
    ),
  ].map(([name, parts]) => ({
    name,
    columns: parts.map(({ column }) => column),
    table: `${parts[0]!.to_database}.${parts[0]!.to_table}`,
    to: parts.map(({ to_column }) => to_column),
  }))
