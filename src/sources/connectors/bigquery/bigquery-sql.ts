import type { InformationSchemaColumn } from '../shared/information-schema.ts'

/** Queries of the BigQuery connector: the information schema of each region with datasets of the project, never a table. */

const regionView = (project: string, location: string, view: string): string =>
  `\`${project}\`.\`region-${location.toLowerCase()}\`.INFORMATION_SCHEMA.${view}`

export interface SchemaRow {
  readonly name: string
  readonly comment: string | null
}
export const schemasSql = (project: string, location: string): string => `
  select s.schema_name as name, o.option_value as comment from ${regionView(project, location, 'SCHEMATA')} s
  left join ${regionView(project, location, 'SCHEMATA_OPTIONS')} o on o.schema_name = s.schema_name and o.option_name = 'description' order by 1`

export interface TableRow {
  readonly schema: string
  readonly name: string
  readonly type: string
  readonly comment: string | null
  readonly definition: string | null
  readonly primary_key: string | null
  readonly row_count: number | null
  readonly byte_size: number | null
  readonly modified: string | null
}
export const tablesSql = (project: string, location: string, storage = true): string => `
  select t.table_schema as \`schema\`, t.table_name as name, t.table_type as type, o.option_value as comment,
    if(t.table_type in ('VIEW', 'MATERIALIZED VIEW'), t.ddl, null) as definition,
    regexp_extract(t.ddl, r'PRIMARY KEY ?\\(([^)]+)\\)') as primary_key,
    ${
      storage
        ? 's.total_rows as row_count, s.total_logical_bytes as byte_size, s.storage_last_modified_time as modified'
        : 'null as row_count, null as byte_size, null as modified'
    }
  from ${regionView(project, location, 'TABLES')} t
  left join ${regionView(project, location, 'TABLE_OPTIONS')} o
    on o.table_schema = t.table_schema and o.table_name = t.table_name and o.option_name = 'description'
  ${
    storage
      ? `left join ${regionView(project, location, 'TABLE_STORAGE')} s
    on s.table_schema = t.table_schema and s.table_name = t.table_name and not s.deleted`
      : ''
  }
  order by 1, 2`

export interface ColumnRow extends InformationSchemaColumn {
  readonly partitioning: string | null
  readonly clustering: number | null
}
export const columnsSql = (project: string, location: string): string => `
  select c.table_schema as \`schema\`, c.table_name as \`table\`, c.column_name as name, c.ordinal_position as position, c.data_type as type,
    c.is_nullable as nullable, nullif(c.column_default, 'NULL') as default_value, c.is_partitioning_column as partitioning,
    c.clustering_ordinal_position as clustering, f.description as comment
  from ${regionView(project, location, 'COLUMNS')} c
  left join ${regionView(project, location, 'COLUMN_FIELD_PATHS')} f
    on f.table_schema = c.table_schema and f.table_name = c.table_name and f.field_path = c.column_name
  where c.ordinal_position is not null order by 1, 2, 4`

export interface HistoryRow {
  readonly text: string
  readonly calls: number
  readonly users: string
}
/** Queries that differ only in literals have the same hash. */
export const historySql = (project: string, location: string): string => `
  select any_value(query) as text, count(*) as calls, array_agg(distinct user_email) as users from ${regionView(project, location, 'JOBS')}
  where creation_time > timestamp_sub(current_timestamp(), interval 7 day) and job_type = 'QUERY' and state = 'DONE' and error_result is null
    and statement_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'MERGE', 'CREATE_TABLE_AS_SELECT')
    and not exists (select 1 from unnest(labels) l where l.key = 'application' and l.value = 'tablinum')
  group by query_info.query_hashes.normalized_literals order by 2 desc limit 2000`
