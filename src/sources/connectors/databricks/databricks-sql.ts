import { getDialectSql } from '../shared/dialect-sql.ts'
import type { InformationSchemaColumn } from '../shared/information-schema.ts'

/** Queries of the Databricks connector: the information schema of each catalog in Unity Catalog, never a table. */

const { quote: quoteIdentifier } = getDialectSql('databricks')

export const CURRENT_USER_SQL =
  'select current_version().dbsql_version as version, current_user() as user, current_metastore() as metastore'

/** System catalogs, and those without an information schema. */
const SYSTEM_CATALOGS = new Set(['system', 'samples', 'hive_metastore', '__databricks_internal'])
export const CATALOGS_SQL = 'show catalogs'
export const isUserCatalog = (catalog: string): boolean => !SYSTEM_CATALOGS.has(catalog)

const informationSchema = (catalog: string, view: string): string => `${quoteIdentifier(catalog)}.information_schema.${view}`

export interface SchemaRow {
  readonly name: string
  readonly comment: string | null
}
export const schemasSql = (catalog: string): string =>
  `select schema_name as name, comment from ${informationSchema(catalog, 'schemata')} where schema_name <> 'information_schema' order by 1`

export interface TableRow {
  readonly schema: string
  readonly name: string
  readonly type: string
  readonly format: string | null
  readonly comment: string | null
  readonly altered: string | null
  readonly definition: string | null
}
export const tablesSql = (catalog: string): string => `
  select t.table_schema as schema, t.table_name as name, t.table_type as type, t.data_source_format as format, t.comment,
    date_format(t.last_altered, "yyyy-MM-dd'T'HH:mm:ss'Z'") as altered, v.view_definition as definition
  from ${informationSchema(catalog, 'tables')} t
  left join ${informationSchema(catalog, 'views')} v on v.table_schema = t.table_schema and v.table_name = t.table_name
  where t.table_schema <> 'information_schema' order by 1, 2`

export interface ColumnRow extends InformationSchemaColumn {
  readonly is_pk: boolean
}
/** Positions are zero-based there. */
export const columnsSql = (catalog: string): string => `
  select c.table_schema as schema, c.table_name as \`table\`, c.column_name as name, c.ordinal_position + 1 as position, c.full_data_type as type,
    c.is_nullable as nullable, c.column_default as default_value, c.comment, k.column_name is not null as is_pk
  from ${informationSchema(catalog, 'columns')} c
  left join (
    select u.table_schema, u.table_name, u.column_name from ${informationSchema(catalog, 'key_column_usage')} u
    join ${informationSchema(catalog, 'table_constraints')} p on p.constraint_schema = u.constraint_schema and p.constraint_name = u.constraint_name
    where p.constraint_type = 'PRIMARY KEY'
  ) k on k.table_schema = c.table_schema and k.table_name = c.table_name and k.column_name = c.column_name
  where c.table_schema <> 'information_schema' order by 1, 2, 4`

export interface HistoryRow {
  readonly text: string
  readonly calls: number
  readonly users: string
}
export const HISTORY_SQL = `
  select statement_text as text, count(*) as calls, to_json(collect_set(executed_by)) as users from system.query.history
  where start_time > current_timestamp() - interval 7 days and execution_status = 'FINISHED' and coalesce(client_application, '') not like '%tablinum%'
    and statement_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'CREATE', 'REPLACE')
  group by statement_text order by 2 desc limit 5000`

export interface LineageRow {
  readonly source_catalog: string
  readonly source_schema: string
  readonly source_table: string
  readonly source_column: string
  readonly target_catalog: string
  readonly target_schema: string
  readonly target_table: string
  readonly target_column: string
}
/** What Unity Catalog recorded about columns of tables, by whatever wrote them: notebooks, jobs, pipelines, queries. */
export const LINEAGE_SQL = `
  select distinct source_table_catalog as source_catalog, source_table_schema as source_schema, source_table_name as source_table,
    source_column_name as source_column, target_table_catalog as target_catalog, target_table_schema as target_schema, target_table_name as target_table,
    target_column_name as target_column
  from system.access.column_lineage
  where event_time > current_timestamp() - interval 90 days and source_table_name is not null and target_table_name is not null limit 500000`
