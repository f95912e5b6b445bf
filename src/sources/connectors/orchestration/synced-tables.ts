import type { Discovered } from '../../../../connector/src/define.ts'
import { childKey } from '../bi/item-parts.ts'
import type { NamedTable } from './table-uri.ts'

/** A table or stream of a source, and where a tool copies it. */
export interface SyncedTable {
  /** The key of the job that copies it. */
  readonly job: string
  /** Its schema or namespace, if it has one, and its name. */
  readonly path: readonly string[]
  readonly native_type: string
  /** The same table in the catalog, if the source is a database. */
  readonly origin?: NamedTable | undefined
  readonly target?: NamedTable | undefined
  readonly columns: readonly SyncedColumn[]
}

export interface SyncedColumn {
  readonly name: string
  readonly target?: string
  readonly native_type?: string | undefined
}

/** The table below its job, its columns, and what flows into the target, column by column. Pure. */
export const describeSyncedTable = ({ job, path, native_type, origin, target, columns }: SyncedTable): Discovered[] => {
  const key = path.reduce(childKey, job)
  const flowing = columns.filter((column) => column.target !== undefined)
  return [
    {
      type: 'item',
      key,
      parent: job,
      entity_type: 'table',
      title: path.join('.').slice(0, 500) || '(no name)',
      native_type,
      ...(origin ? { same_as: origin } : {}),
    },
    ...columns.map(
      (column): Discovered => ({
        type: 'item',
        key: childKey(key, column.name),
        parent: key,
        entity_type: 'column',
        title: column.name.slice(0, 500) || '(no name)',
        ...(column.native_type ? { native_type: column.native_type } : {}),
      }),
    ),
    ...(target
      ? [
          {
            type: 'flow' as const,
            job,
            from: [{ item: key }],
            to: [target],
            columns: flowing.map((column) => ({ from: childKey(key, column.name), to: column.target! })),
          },
        ]
      : []),
  ]
}

/** Names that tools of data movement have for databases, e.g. `google_cloud_postgresql`, `source-mssql`, `big_query`. */
const ENGINES: readonly (readonly [RegExp, string])[] = [
  [/postgres|alloydb|cockroach/, 'postgres'],
  [/mysql|maria|^aurora$/, 'mysql'],
  [/sql_?server|azure_sql|mssql|synapse|fabric/, 'tsql'],
  [/oracle/, 'oracle'],
  [/snowflake/, 'snowflake'],
  [/redshift/, 'redshift'],
  [/big_?query/, 'bigquery'],
  [/databricks/, 'databricks'],
  [/clickhouse/, 'clickhouse'],
  [/duckdb|motherduck/, 'duckdb'],
]

export const findDatabaseDialect = (service: string): string | undefined => ENGINES.find(([name]) => name.test(service.toLowerCase()))?.[1]

/** A table by the parts of its name that are known; with a table name only, it cannot be told from others. */
export const toNamedTable = (dialect: string | undefined, ...path: readonly (string | undefined)[]): NamedTable | undefined => {
  const table = path.filter((part): part is string => part !== undefined && part !== '')
  return dialect !== undefined && table.length >= 2 ? { table, dialect } : undefined
}
