/** Queries of the MySQL connector: only the catalog, never a table. Sizes and row counts come from its statistics. */

/** Valid in an SQL mode without NO_BACKSLASH_ESCAPES, which the session sets. */
const quoteLiteral = (text: string): string => `'${text.replaceAll('\0', '').replace(/[\\']/g, '\\$&')}'`

const SYSTEM_DATABASES = ['information_schema', 'mysql', 'performance_schema', 'sys'].map(quoteLiteral).join(', ')

/** Catalog tables and columns that not all servers have. */
export const FEATURES_SQL = `
  select lower(table_name) as \`name\`, lower(column_name) as \`column_name\` from information_schema.columns
  where table_schema = 'information_schema' and lower(table_name) in ('schemata', 'columns', 'statistics', 'check_constraints')`

export class ServerFeatures {
  readonly #columns: ReadonlySet<string>

  constructor(rows: readonly { name: string; column_name: string }[]) {
    this.#columns = new Set(rows.map(({ name, column_name }) => `${name}.${column_name}`))
  }

  column(table: string, column: string): boolean {
    return this.#columns.has(`${table}.${column}`)
  }

  /** The column, or null on servers without it. */
  or(table: string, column: string): string {
    return this.column(table, column) ? column : 'null'
  }
}

export interface DatabaseRow {
  readonly name: string
  readonly comment: string | null
  readonly collation: string
}

export const databasesSql = (has: ServerFeatures, only: string | undefined): string => `
  select schema_name as \`name\`, ${has.or('schemata', 'schema_comment')} as \`comment\`, default_collation_name as \`collation\`
  from information_schema.schemata
  where ${only === undefined ? `lower(schema_name) not in (${SYSTEM_DATABASES})` : `schema_name = ${quoteLiteral(only)}`} order by schema_name`

const USER_DATABASES_SQL = `table_type in ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED')`

export const countSql = (only: string | undefined): string => `
  select count(*) as \`tables\`, count(distinct table_schema) as \`databases\` from information_schema.tables
  where ${USER_DATABASES_SQL} and ${only === undefined ? `lower(table_schema) not in (${SYSTEM_DATABASES})` : `table_schema = ${quoteLiteral(only)}`}`

export interface TableRow {
  readonly name: string
  readonly type: 'BASE TABLE' | 'VIEW' | 'SYSTEM VERSIONED'
  readonly engine: string | null
  readonly row_count: number | null
  readonly bytes: number | null
  readonly updated_at: string | null
  readonly collation: string | null
  readonly options: string | null
  readonly comment: string | null
}

export const tablesSql = (database: string): string => `
  select table_name as \`name\`, table_type as \`type\`, engine as \`engine\`, table_rows as \`row_count\`, data_length + index_length as \`bytes\`,
    date_format(update_time, '%Y-%m-%dT%H:%i:%s.000Z') as \`updated_at\`, table_collation as \`collation\`, create_options as \`options\`, table_comment as \`comment\`
  from information_schema.tables where table_schema = ${quoteLiteral(database)} and ${USER_DATABASES_SQL} order by table_name`

export interface ColumnRow {
  readonly table: string
  readonly name: string
  readonly position: number
  readonly type: string
  readonly nullable: 'YES' | 'NO'
  readonly default_value: string | null
  readonly extra: string
  readonly column_key: string
  readonly generated: string | null
  readonly collation: string | null
  readonly comment: string | null
}

export const columnsSql = (has: ServerFeatures, database: string): string => `
  select table_name as \`table\`, column_name as \`name\`, ordinal_position as \`position\`, column_type as \`type\`, is_nullable as \`nullable\`,
    column_default as \`default_value\`, extra as \`extra\`, column_key as \`column_key\`, ${has.or('columns', 'generation_expression')} as \`generated\`,
    collation_name as \`collation\`, column_comment as \`comment\`
  from information_schema.columns where table_schema = ${quoteLiteral(database)} order by table_name, ordinal_position`

export interface ViewRow {
  readonly table: string
  readonly definition: string | null
}

export const viewsSql = (database: string): string =>
  `select table_name as \`table\`, view_definition as \`definition\` from information_schema.views where table_schema = ${quoteLiteral(database)}`

export interface IndexRow {
  readonly table: string
  readonly name: string
  readonly not_unique: number
  readonly column: string | null
  readonly expression: string | null
  readonly prefix: number | null
  readonly type: string
}

export const indexesSql = (has: ServerFeatures, database: string): string => `
  select table_name as \`table\`, index_name as \`name\`, non_unique as \`not_unique\`, column_name as \`column\`, ${has.or('statistics', 'expression')} as \`expression\`,
    sub_part as \`prefix\`, index_type as \`type\`
  from information_schema.statistics where table_schema = ${quoteLiteral(database)} order by table_name, index_name, seq_in_index`

export interface ForeignKeyRow {
  readonly table: string
  readonly name: string
  readonly column: string
  readonly to_database: string
  readonly to_table: string
  readonly to_column: string
}

export const foreignKeysSql = (database: string): string => `
  select table_name as \`table\`, constraint_name as \`name\`, column_name as \`column\`, referenced_table_schema as \`to_database\`,
    referenced_table_name as \`to_table\`, referenced_column_name as \`to_column\`
  from information_schema.key_column_usage where table_schema = ${quoteLiteral(database)} and referenced_table_name is not null
  order by table_name, constraint_name, ordinal_position`

export interface CheckRow {
  readonly table: string
  readonly name: string
  readonly definition: string
}

/** MariaDB reports the table; in MySQL a check name is unique in its database. */
export const checksSql = (has: ServerFeatures, database: string): string | undefined => {
  if (!has.column('check_constraints', 'check_clause')) return undefined
  const of = quoteLiteral(database)
  if (has.column('check_constraints', 'table_name'))
    return `
      select table_name as \`table\`, constraint_name as \`name\`, check_clause as \`definition\` from information_schema.check_constraints
      where constraint_schema = ${of} order by table_name, constraint_name`
  return `
    select t.table_name as \`table\`, t.constraint_name as \`name\`, c.check_clause as \`definition\`
    from information_schema.table_constraints t join information_schema.check_constraints c
      on c.constraint_schema = t.constraint_schema and c.constraint_name = t.constraint_name
    where t.table_schema = ${of} and t.constraint_type = 'CHECK' and c.constraint_schema = ${of} order by t.table_name, t.constraint_name`
}

export interface PartitionRow {
  readonly table: string
  readonly partitions: number
  readonly method: string
  readonly expression: string | null
}

export const partitionsSql = (database: string): string => `
  select table_name as \`table\`, count(distinct partition_name) as \`partitions\`, min(partition_method) as \`method\`, min(partition_expression) as \`expression\`
  from information_schema.partitions where table_schema = ${quoteLiteral(database)} and partition_name is not null group by table_name`

export interface TriggerRow {
  readonly table: string
  readonly name: string
  readonly timing: string
  readonly event: string
  readonly definition: string | null
}

export const triggersSql = (database: string): string => `
  select event_object_table as \`table\`, trigger_name as \`name\`, action_timing as \`timing\`, event_manipulation as \`event\`, action_statement as \`definition\`
  from information_schema.triggers where event_object_schema = ${quoteLiteral(database)} order by event_object_table, trigger_name`

export interface RoutineRow {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly returns: string | null
  readonly body: string | null
  readonly comment: string | null
}

export const routinesSql = (database: string): string => `
  select specific_name as \`id\`, routine_name as \`name\`, routine_type as \`type\`, dtd_identifier as \`returns\`, routine_definition as \`body\`, routine_comment as \`comment\`
  from information_schema.routines where routine_schema = ${quoteLiteral(database)} and routine_type in ('PROCEDURE', 'FUNCTION')
  order by routine_type, routine_name`

export interface ParameterRow {
  readonly routine: string
  readonly routine_type: string
  readonly mode: string | null
  readonly name: string | null
  readonly type: string | null
}

/** Position 0 is the return value of a function. */
export const parametersSql = (database: string): string => `
  select specific_name as \`routine\`, routine_type as \`routine_type\`, parameter_mode as \`mode\`, parameter_name as \`name\`, dtd_identifier as \`type\`
  from information_schema.parameters where specific_schema = ${quoteLiteral(database)} and ordinal_position > 0
  order by specific_name, ordinal_position`

export interface QueryRow {
  readonly database: string
  readonly text: string
  readonly calls: number
  readonly since: string | null
}

/** Texts contain no literals. Users are not recorded, and queries of the catalog, such as our own, are excluded. */
export const historySql = (only: string | undefined, limit: number): string => `
  select schema_name as \`database\`, digest_text as \`text\`, sum(count_star) as \`calls\`,
    date_format(min(first_seen), '%Y-%m-%dT%H:%i:%s.000Z') as \`since\`
  from performance_schema.events_statements_summary_by_digest
  where ${only === undefined ? `lower(schema_name) not in (${SYSTEM_DATABASES})` : `schema_name = ${quoteLiteral(only)}`}
    and digest_text regexp '^[[:space:](]*(select|with|insert|update|delete|replace)[[:space:](]'
    and lower(digest_text) not like '%information_schema%' and lower(digest_text) not like '%performance_schema%'
    and digest_text regexp '[[:space:]](from|into|update|join)[[:space:]]|^[[:space:]]*update'
  group by schema_name, digest_text order by calls desc, text limit ${limit}`
