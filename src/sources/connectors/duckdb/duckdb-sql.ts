import { getDialectSql } from '../shared/dialect-sql.ts'
import { quoteLiteral } from '../shared/information-schema.ts'

/** Queries of the DuckDB connector: only the catalog. Row counts come from its statistics. */

export interface SchemaRow {
  readonly name: string
  readonly comment: string | null
}
export const SCHEMAS_SQL = `
  select schema_name as name, comment from duckdb_schemas() where database_name = current_database() and (not internal or schema_name = 'main')
    and schema_name not in ('information_schema', 'pg_catalog') order by schema_name`

export interface TableRow {
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly comment: string | null
  readonly row_count: number | null
  readonly definition: string
  readonly constraints: string | null
  readonly foreign_keys: string | null
  readonly indexes: string | null
}
export const TABLES_SQL = `
  with c as (
    select table_oid, to_json(list({name: constraint_name, type: lower(constraint_type), definition: constraint_text} order by constraint_index)
        filter (where constraint_type in ('PRIMARY KEY', 'UNIQUE', 'CHECK'))) as constraints,
      to_json(list({name: constraint_name, columns: constraint_column_names, "table": referenced_table, "to": referenced_column_names} order by constraint_index)
        filter (where constraint_type = 'FOREIGN KEY')) as foreign_keys
    from duckdb_constraints() where database_name = current_database() group by table_oid
  ), x as (
    select table_oid, to_json(list({name: index_name, "unique": is_unique, definition: sql} order by index_name)) as indexes
    from duckdb_indexes() where database_name = current_database() group by table_oid
  )
  select schema_name as schema, table_name as name, 'table' as kind, comment, estimated_size as row_count, sql as definition, constraints, foreign_keys, indexes
  from duckdb_tables() left join c using (table_oid) left join x using (table_oid)
  where database_name = current_database() and not internal and not temporary
  union all
  select schema_name, view_name, 'view', comment, null, sql, null, null, null
  from duckdb_views() where database_name = current_database() and not internal and not temporary
  order by schema, name`

export interface ColumnRow {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly position: number
  readonly type: string
  readonly nullable: boolean
  readonly default_value: string | null
  readonly comment: string | null
  readonly is_pk: boolean
}
export const COLUMNS_SQL = `
  with k as (
    select table_oid, unnest(constraint_column_names) as column_name, true as is_pk
    from duckdb_constraints() where database_name = current_database() and constraint_type = 'PRIMARY KEY'
  )
  select schema_name as schema, table_name as "table", column_name as name, column_index as position, data_type as type, is_nullable as nullable,
    column_default as default_value, comment, coalesce(is_pk, false) as is_pk
  from duckdb_columns() left join k using (table_oid, column_name)
  where database_name = current_database() and not internal order by schema, "table", position`

export const COUNT_SQL = `
  select version() as version, current_database() as name,
    (select count(*) from duckdb_tables() where database_name = current_database() and not internal)
    + (select count(*) from duckdb_views() where database_name = current_database() and not internal) as tables`

export const describeSql = (schema: string, table: string): string =>
  `select column_name as name, column_type as type from (describe ${getDialectSql('duckdb').table([schema, table])})`

/** Read from the footers of the files. */
export const parquetRowsSql = (files: readonly string[]): string =>
  `select sum(num_rows) as row_count from parquet_file_metadata([${files.map(quoteLiteral).join(', ')}])`
