import { getDialectSql } from '../shared/dialect-sql.ts'
import type { InformationSchemaColumn } from '../shared/information-schema.ts'

/** Queries of the Snowflake connector: its information schemas, never a table. */

const { quote: quoteIdentifier } = getDialectSql('snowflake')

export const CURRENT_USER_SQL = `
  select current_version() as "version", current_account() as "account", current_role() as "role", current_warehouse() as "warehouse"`

/** As SHOW returns it, in lower case. The database SNOWFLAKE is excluded. */
export interface DatabaseRow {
  readonly name: string
  readonly comment: string | null
}
export const DATABASES_SQL = 'show databases'

export interface SchemaRow {
  readonly name: string
  readonly comment: string | null
}
export const schemasSql = (database: string): string => `
  select schema_name as "name", comment as "comment" from ${quoteIdentifier(database)}.information_schema.schemata
  where schema_name <> 'INFORMATION_SCHEMA' order by 1`

export interface TableRow {
  readonly schema: string
  readonly name: string
  readonly type: string
  readonly comment: string | null
  readonly row_count: number | null
  readonly byte_size: number | null
  readonly altered: string | null
  readonly clustering_key: string | null
  readonly definition: string | null
}
export const tablesSql = (database: string): string => `
  select t.table_schema as "schema", t.table_name as "name", t.table_type as "type", t.comment as "comment", t.row_count as "row_count",
    t.bytes as "byte_size", to_varchar(convert_timezone('UTC', t.last_altered), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "altered",
    t.clustering_key as "clustering_key", v.view_definition as "definition"
  from ${quoteIdentifier(database)}.information_schema.tables t
  left join ${quoteIdentifier(database)}.information_schema.views v on v.table_schema = t.table_schema and v.table_name = t.table_name
  where t.table_schema <> 'INFORMATION_SCHEMA' order by 1, 2`

export interface ColumnRow extends InformationSchemaColumn {
  readonly length: number | null
  readonly precision: number | null
  readonly scale: number | null
  readonly identity: string | null
}
export const columnsSql = (database: string): string => `
  select table_schema as "schema", table_name as "table", column_name as "name", ordinal_position as "position", data_type as "type",
    character_maximum_length as "length", numeric_precision as "precision", numeric_scale as "scale", is_nullable as "nullable",
    column_default as "default_value", is_identity as "identity", comment as "comment"
  from ${quoteIdentifier(database)}.information_schema.columns where table_schema <> 'INFORMATION_SCHEMA' order by 1, 2, 4`

export interface PrimaryKeyRow {
  readonly schema_name: string
  readonly table_name: string
  readonly column_name: string
}
export const primaryKeysSql = (database: string): string => `show primary keys in database ${quoteIdentifier(database)}`

export interface ForeignKeyRow {
  readonly fk_schema_name: string
  readonly fk_table_name: string
  readonly fk_column_name: string
  readonly fk_name: string
  readonly key_sequence: number
  readonly pk_schema_name: string
  readonly pk_table_name: string
  readonly pk_column_name: string
}
export const foreignKeysSql = (database: string): string => `show imported keys in database ${quoteIdentifier(database)}`

export interface MaterializedRow {
  readonly schema_name: string
  readonly name: string
  readonly text: string
}
export const materializedViewsSql = (database: string): string => `show materialized views in database ${quoteIdentifier(database)}`

export interface HistoryRow {
  readonly database: string
  readonly text: string
  readonly calls: number
  readonly users: string
}
/** Account history, up to 45 minutes behind. Queries that differ only in literals have the same hash. */
export const HISTORY_SQL = `
  select database_name as "database", max(query_text) as "text", count(*) as "calls", to_json(array_agg(distinct user_name)) as "users"
  from snowflake.account_usage.query_history
  where start_time > dateadd(day, -7, current_timestamp()) and execution_status = 'SUCCESS' and database_name is not null
    and coalesce(query_tag, '') <> 'tablinum'
    and query_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'CREATE_TABLE_AS_SELECT')
  group by database_name, query_parameterized_hash order by 3 desc limit 2000`

export interface AccessRow {
  /** Full names, quoted where necessary. */
  readonly source: string
  readonly source_column: string
  readonly target: string
  readonly target_column: string
}
/** Columns that statements wrote, and those they were computed from. Enterprise edition and higher. */
export const ACCESS_SQL = `
  select s.value:"objectName"::string as "source", s.value:"columnName"::string as "source_column",
    m.value:"objectName"::string as "target", c.value:"columnName"::string as "target_column"
  from snowflake.account_usage.access_history h, lateral flatten(h.objects_modified) m, lateral flatten(m.value:"columns") c,
    lateral flatten(c.value:"directSources") s
  where h.query_start_time > dateadd(day, -90, current_timestamp()) and s.value:"objectName" is not null
  group by 1, 2, 3, 4 limit 500000`

export interface TagRow {
  readonly database: string
  readonly schema: string
  readonly table: string
  /** Null: of the table itself. */
  readonly column: string | null
  readonly name: string
  readonly value: string | null
}
export const TAGS_SQL = `
  select object_database as "database", object_schema as "schema", object_name as "table", column_name as "column", tag_name as "name", tag_value as "value"
  from snowflake.account_usage.tag_references
  where object_deleted is null and object_schema is not null and domain in ('TABLE', 'VIEW', 'COLUMN') limit 200000`

/** The parts of a full name: `DB.SCHEMA."my table"`. */
export const splitObjectName = (name: string): string[] =>
  [...name.matchAll(/"((?:[^"]|"")*)"|[^."]+/g)].map(([part, quoted]) => quoted?.replaceAll('""', '"') ?? part!)
