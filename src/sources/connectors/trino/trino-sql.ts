import { getDialectSql } from '../shared/dialect-sql.ts'
import { quoteLiteral } from '../shared/information-schema.ts'

/** Queries of the Trino connector: metadata of its catalogs, never a table. */

const { quote: quoteIdentifier } = getDialectSql('trino')

export const VERSION_SQL = 'select node_version as version from system.runtime.nodes where coordinator limit 1'

/** Without the system catalog. */
export const CATALOGS_SQL = `select catalog_name as name from system.metadata.catalogs where catalog_name <> 'system' order by 1`

export const schemasSql = (catalog: string): string =>
  `select schema_name as name from ${quoteIdentifier(catalog)}.information_schema.schemata where schema_name <> 'information_schema' order by 1`

export interface TableRow {
  readonly schema: string
  readonly name: string
  readonly type: string
  readonly comment: string | null
  readonly definition: string | null
  readonly materialized: boolean
}
export const tablesSql = (catalog: string): string => `
  select t.table_schema as schema, t.table_name as name, t.table_type as type, c.comment, coalesce(m.definition, v.view_definition) as definition,
    m.name is not null as materialized
  from ${quoteIdentifier(catalog)}.information_schema.tables t
  left join ${quoteIdentifier(catalog)}.information_schema.views v on v.table_schema = t.table_schema and v.table_name = t.table_name
  left join system.metadata.table_comments c on c.catalog_name = ${quoteLiteral(catalog)} and c.schema_name = t.table_schema and c.table_name = t.table_name
  left join system.metadata.materialized_views m on m.catalog_name = ${quoteLiteral(catalog)} and m.schema_name = t.table_schema and m.name = t.table_name
  where t.table_schema <> 'information_schema' order by 1, 2`

/** For catalogs whose comments and definitions cannot be read. */
export const minimalTablesSql = (catalog: string): string => `
  select table_schema as schema, table_name as name, table_type as type, null as comment, null as definition, false as materialized
  from ${quoteIdentifier(catalog)}.information_schema.tables where table_schema <> 'information_schema' order by 1, 2`

export const columnsSql = (catalog: string): string => `
  select table_schema as schema, table_name as "table", column_name as name, ordinal_position as position, data_type as type, is_nullable as nullable,
    column_default as default_value, comment
  from ${quoteIdentifier(catalog)}.information_schema.columns where table_schema <> 'information_schema' order by 1, 2, 4`

/** Only what the Trino connector stores: Trino computes nothing for it. */
export interface StatRow {
  readonly column_name: string | null
  readonly data_size: number | null
  readonly row_count: number | null
}
export const statsSql = (catalog: string, schema: string, table: string): string =>
  `show stats for ${[catalog, schema, table].map(quoteIdentifier).join('.')}`

export interface HistoryRow {
  readonly text: string
  readonly user: string
  readonly calls: number
}
export const HISTORY_SQL = `
  select query as text, "user", count(*) as calls from system.runtime.queries
  where state = 'FINISHED' and coalesce(source, '') <> 'tablinum' group by 1, 2`
