/**
 * Queries of the Redshift connector: its catalog, which is that of Postgres 8.0.2 plus its own views. Newer syntax is not supported: no JSON,
 * unnest, lateral joins or string aggregates. Tables on the leader node must not be joined with tables on the compute nodes.
 */

const quoteLiteral = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

export interface DatabaseRow {
  readonly oid: number
  readonly name: string
  readonly version: string
}
export const DATABASE_SQL = 'select d.oid, d.datname as name, version() as version from pg_database d where d.datname = current_database()'

export interface SchemaRow {
  readonly oid: number
  readonly name: string
  readonly comment: string | null
  readonly open: boolean
}
/** Without system schemas; external schemas (Spectrum) are read from their own views. */
export const SCHEMAS_SQL = `
  select n.oid, n.nspname as name, obj_description(n.oid, 'pg_namespace') as comment, has_schema_privilege(n.nspname, 'usage') as "open"
  from pg_namespace n where n.nspname !~ '^pg_' and n.nspname not in ('information_schema', 'catalog_history') order by n.nspname`

export interface RelationRow {
  readonly oid: number
  readonly name: string
  readonly kind: 'r' | 'v'
  readonly comment: string | null
  readonly definition: string | null
}
/** The table behind a materialized view is part of it. */
export const relationsSql = (schema: number): string => `
  select c.oid, c.relname as name, c.relkind as kind, obj_description(c.oid, 'pg_class') as comment,
    case when c.relkind = 'v' then pg_get_viewdef(c.oid) end as definition
  from pg_class c where c.relnamespace = ${schema} and c.relkind in ('r', 'v') and c.relname !~ '^mv_tbl__' order by c.relname`

export interface ConstraintRow {
  readonly table: string
  readonly name: string
  readonly type: string
  readonly definition: string
}
export const constraintsSql = (schema: number): string => `
  select c.relname as "table", k.conname as name, k.contype as type, pg_get_constraintdef(k.oid) as definition
  from pg_constraint k join pg_class c on c.oid = k.conrelid where c.relnamespace = ${schema} and k.contype in ('p', 'u', 'f') order by 1, 2`

export interface ColumnRow {
  readonly table_oid: number
  readonly table: string
  readonly number: number
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly default_value: string | null
  readonly is_pk: boolean
  readonly comment: string | null
}
export const columnsSql = (schema: number): string => `
  select c.oid as table_oid, c.relname as "table", a.attnum as number, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull as required, pg_get_expr(d.adbin, d.adrelid) as default_value,
    case when k.conrelid is null then false else a.attnum = any(k.conkey) end as is_pk, col_description(c.oid, a.attnum) as comment
  from pg_class c join pg_attribute a on a.attrelid = c.oid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
  where c.relnamespace = ${schema} and c.relkind in ('r', 'v') and a.attnum > 0 and not a.attisdropped order by c.relname, a.attnum`

/** Sizes in megabytes. Empty tables are not listed. */
export interface InfoRow {
  readonly schema: string
  readonly table: string
  readonly megabytes: number | null
  readonly rows: number | null
  readonly diststyle: string | null
  readonly sortkey: string | null
}
export const tableInfoSql = (database: string): string => `
  select "schema", "table", size as megabytes, tbl_rows as rows, diststyle, sortkey1 as sortkey from svv_table_info where "database" = ${quoteLiteral(database)}`

export interface MaterializedRow {
  readonly schema: string
  readonly name: string
}
export const materializedViewsSql = (database: string): string =>
  `select trim(schema_name) as schema, trim(name) as name from svv_mv_info where trim(database_name) = ${quoteLiteral(database)}`

export interface ExternalTableRow {
  readonly schema: string
  readonly name: string
  readonly location: string | null
}
export const EXTERNAL_TABLES_SQL = 'select schemaname as schema, tablename as name, location from svv_external_tables order by 1, 2'

export interface ExternalColumnRow {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly position: number
  readonly type: string
  readonly partition: number
}
export const EXTERNAL_COLUMNS_SQL = `
  select schemaname as schema, tablename as "table", columnname as name, columnnum as position, external_type as type, part_key as "partition"
  from svv_external_columns order by 1, 2, 4`

/** For late-binding views, which have no columns in the catalog. */
export interface LateBindingColumnRow {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly position: number
  readonly type: string
}
export const LATE_BINDING_COLUMNS_SQL = `
  select view_schema as schema, view_name as "table", col_name as name, col_num as position, col_type as type
  from pg_get_late_binding_view_cols() cols(view_schema name, view_name name, col_name name, col_type varchar, col_num int) order by 1, 2, 4`

export interface HistoryRow {
  readonly text: string
  readonly user: string
  readonly calls: number
}
export const historySql = (database: string): string => `
  select trim(q.query_text) as text, trim(u.usename) as "user", count(*) as calls from sys_query_history q join pg_user u on u.usesysid = q.user_id
  where trim(q.database_name) = ${quoteLiteral(database)} and q.status = 'success' and q.start_time > getdate() - interval '7 days'
    and q.query_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'CTAS')
  group by 1, 2 order by 3 desc limit 5000`
