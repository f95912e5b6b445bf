/** Queries of the ClickHouse connector: only system tables. Their columns differ between servers, so only existing ones are selected. */

const quoteLiteral = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`

export const SYSTEM_TABLES = ['databases', 'tables', 'columns', 'parts', 'functions', 'data_skipping_indices', 'query_log'] as const

export const FEATURES_SQL = `
  select table, name from system.columns where database = 'system' and table in (${SYSTEM_TABLES.map(quoteLiteral).join(', ')})`

/** Returns the column names only. */
export const columnHeadersSql = (table: string): string => `select * from system.${table} where 0`

export class ServerFeatures {
  readonly #columns: ReadonlySet<string>

  constructor(columns: Iterable<string>) {
    this.#columns = new Set(columns)
  }

  column(table: string, column: string): boolean {
    return this.#columns.has(`${table}.${column}`)
  }

  /** The column, or its replacement on servers without it. */
  or(table: string, column: string, other = "''"): string {
    return this.column(table, column) ? column : other
  }
}

const SYSTEM_DATABASES = `('system', 'INFORMATION_SCHEMA', 'information_schema', '_temporary_and_external_tables')`
const userDatabasesSql = (column: string, only: string | undefined): string =>
  only === undefined ? `${column} not in ${SYSTEM_DATABASES}` : `${column} = ${quoteLiteral(only)}`

export interface DatabaseRow {
  readonly name: string
  readonly engine: string
  readonly uuid: string
  readonly comment: string
}

export const databasesSql = (has: ServerFeatures, only: string | undefined): string => `
  select name, engine, toString(${has.or('databases', 'uuid')}) as uuid, ${has.or('databases', 'comment')} as comment
  from system.databases where ${userDatabasesSql('name', only)} order by name`

// The inner tables of materialized views are reported with the view.
const TABLES_CONDITION_SQL = `not match(name, '^\\\\.inner(_id)?\\\\.')`

export const countSql = (only: string | undefined): string => `
  select count() as tables, uniqExact(database) as databases from system.tables where ${userDatabasesSql('database', only)} and ${TABLES_CONDITION_SQL} and not is_temporary`

export interface TableRow {
  readonly database: string
  readonly name: string
  readonly engine: string
  readonly uuid: string
  readonly comment: string
  readonly query: string
  readonly engine_full: string
  readonly create_query: string
  readonly partition_key: string
  readonly sorting_key: string
  readonly primary_key: string
  readonly sampling_key: string
  readonly row_count: number | string | null
  readonly bytes: number | string | null
}

export const tablesSql = (has: ServerFeatures, only: string | undefined): string => {
  const or = (column: string, other?: string) => has.or('tables', column, other)
  return `
    select database, name, engine, toString(${or('uuid')}) as uuid, ${or('comment')} as comment, ${or('as_select')} as query,
      if(engine like '%MergeTree', engine_full, '') as engine_full, if(engine like '%View', create_table_query, '') as create_query,
      ${or('partition_key')} as partition_key, ${or('sorting_key')} as sorting_key, ${or('primary_key')} as primary_key,
      ${or('sampling_key')} as sampling_key, ${or('total_rows', 'null')} as row_count, ${or('total_bytes', 'null')} as bytes
    from system.tables where ${userDatabasesSql('database', only)} and ${TABLES_CONDITION_SQL} and not is_temporary order by database, name`
}

export interface PartsRow {
  readonly database: string
  readonly table: string
  readonly row_count: number
  readonly bytes: number
}

/** For servers that do not report it with the table. */
export const partsSql = (has: ServerFeatures, only: string | undefined): string | undefined =>
  has.column('tables', 'total_rows')
    ? undefined
    : `
    select database, table, sum(rows) as row_count, sum(bytes_on_disk) as bytes from system.parts
    where active and ${userDatabasesSql('database', only)} group by database, table`

export interface IndexRow {
  readonly database: string
  readonly table: string
  readonly name: string
  readonly type: string
  readonly expression: string
}

export const indexesSql = (has: ServerFeatures, only: string | undefined): string | undefined =>
  has.column('data_skipping_indices', 'expr')
    ? `select database, table, name, type, expr as expression from system.data_skipping_indices where ${userDatabasesSql('database', only)} order by database, table, name`
    : undefined

export interface ColumnRow {
  readonly database: string
  readonly table: string
  readonly name: string
  readonly type: string
  readonly position: number
  readonly default_kind: string
  readonly default_expression: string
  readonly comment: string
  readonly in_primary_key: number
  readonly in_sorting_key: number
  readonly in_partition_key: number
  readonly codec: string
}

/** Without positions, the columns are listed in order, table by table. */
export const columnsSql = (has: ServerFeatures, only: string | undefined): string => {
  const or = (column: string, other?: string) => has.or('columns', column, other)
  return `
    select database, table, name, type, ${or('position', '0')} as position, default_kind, default_expression, ${or('comment')} as comment,
      ${or('is_in_primary_key', '0')} as in_primary_key, ${or('is_in_sorting_key', '0')} as in_sorting_key,
      ${or('is_in_partition_key', '0')} as in_partition_key, ${or('compression_codec')} as codec
    from system.columns where ${userDatabasesSql('database', only)}${has.column('columns', 'position') ? ' order by database, table, position' : ''}`
}

export interface ViewColumnRow {
  readonly database: string
  readonly table: string
  readonly name: string
}

export const viewColumnsSql = (views: readonly { readonly database: string; readonly name: string }[]): string => `
  select database, table, name from system.columns
  where database in (${views.map(({ database }) => quoteLiteral(database)).join(', ')}) and table in (${views.map(({ name }) => quoteLiteral(name)).join(', ')})`

export interface FunctionRow {
  readonly name: string
  readonly definition: string
}

/** User-defined functions do not belong to a database. */
export const functionsSql = (has: ServerFeatures): string | undefined =>
  has.column('functions', 'create_query') && has.column('functions', 'origin')
    ? "select name, create_query as definition from system.functions where origin = 'SQLUserDefined' order by name"
    : undefined

export const HAS_NORMALIZE_SQL = "select count() as n from system.functions where name = 'normalizeQuery'"

export interface QueryRow {
  readonly database: string
  readonly text: string
  readonly calls: number
  readonly users: string
}

const HISTORY_DAYS = 7
export const HISTORY_HOURS = 24 * HISTORY_DAYS

/** Texts without literals: normalized by the server, or by us on servers without that function. */
export const historySql = (has: ServerFeatures, only: string | undefined, user: string, normalizes: boolean, limit: number): string => {
  const database = has.column('query_log', 'current_database')
  const text = normalizes
    ? 'normalizeQuery(query)'
    : `replaceRegexpAll(replaceRegexpAll(query, '\\'([^\\'\\\\\\\\]|\\\\\\\\.)*\\'', '?'), '\\\\b[0-9]+(\\\\.[0-9]+)?\\\\b', '?')`
  return `
    select ${database ? 'current_database' : "''"} as database, ${text} as text, count() as calls,
      arrayStringConcat(arraySort(groupUniqArray(user)), '\\n') as users
    from system.query_log
    where toString(type) in ('QueryFinish', '2') and event_date >= today() - ${HISTORY_DAYS} and is_initial_query = 1 and user <> ${quoteLiteral(user)}
      and match(query, '(?i)^\\\\s*(select|with|insert)\\\\s') and match(query, '(?i)\\\\s(from|into)\\\\s') and not match(query, '(?i)\\\\bsystem\\\\.')
      ${database && only !== undefined ? `and current_database = ${quoteLiteral(only)}` : ''}
    group by database, text order by calls desc, text limit ${limit}`
}
