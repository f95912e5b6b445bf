/**
 * The queries of the catalog of Oracle, from 12.1. `dba` views show everything to who may read the dictionary, `all` views what the user may
 * read itself; their columns are the same. Texts of views and defaults are of type LONG, which no function or condition can take.
 */

export type Dictionary = 'dba' | 'all'

/** Fails for a user who may not read the dictionary. */
export const DICTIONARY_SQL = 'select 1 as "found" from dba_tables where rownum = 1'

export const DATABASE_SQL = `
  select sys_context('userenv', 'con_name') as "name", (select min(version) from product_component_version) as "version",
    sys_context('userenv', 'session_user') as "user" from dual`

/** Users that come with Oracle itself are left out. */
const OWNED_BY_USERS = (owner: string) => `${owner} in (select username from all_users where oracle_maintained = 'N')`

export interface SchemaRow {
  readonly name: string
}

export const schemasSql = (from: Dictionary): string => `
  select distinct o.owner as "name" from ${from}_objects o
  where o.object_type in ('TABLE', 'VIEW', 'MATERIALIZED VIEW') and ${OWNED_BY_USERS('o.owner')} order by 1`

export interface TableRow {
  readonly id: number
  readonly schema: string
  readonly name: string
  readonly type: string
  readonly altered: string | null
  readonly comment: string | null
  readonly row_count: number | null
  readonly blocks: number | null
  readonly temporary: string | null
  readonly partitioned: string | null
}

/** The storage of a materialized view is a table of the same name; dropped tables wait in the recycle bin as BIN$…. */
export const tablesSql = (from: Dictionary): string => `
  select o.object_id as "id", o.owner as "schema", o.object_name as "name", o.object_type as "type",
    to_char(sys_extract_utc(from_tz(cast(o.last_ddl_time as timestamp), to_char(systimestamp, 'TZR'))), 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "altered",
    c.comments as "comment", t.num_rows as "row_count", t.blocks as "blocks", t.temporary as "temporary", t.partitioned as "partitioned"
  from ${from}_objects o
  left join ${from}_tables t on t.owner = o.owner and t.table_name = o.object_name
  left join ${from}_tab_comments c on c.owner = o.owner and c.table_name = o.object_name and c.table_type = decode(o.object_type, 'VIEW', 'VIEW', 'TABLE')
  where o.object_type in ('TABLE', 'VIEW', 'MATERIALIZED VIEW') and o.object_name not like 'BIN$%' and ${OWNED_BY_USERS('o.owner')}
    and coalesce(t.nested, 'NO') = 'NO' and coalesce(t.secondary, 'N') = 'N'
    and not (o.object_type = 'TABLE' and exists (select 1 from ${from}_mviews m where m.owner = o.owner and m.mview_name = o.object_name))
  order by o.owner, o.object_name`

export interface DefinitionRow {
  readonly schema: string
  readonly name: string
  readonly definition: string | null
  /** Of a materialized view. */
  readonly comment: string | null
}

export const viewsSql = (from: Dictionary): string => `
  select v.owner as "schema", v.view_name as "name", v.text as "definition", null as "comment"
  from ${from}_views v where ${OWNED_BY_USERS('v.owner')}`

export const materializedViewsSql = (from: Dictionary): string => `
  select m.owner as "schema", m.mview_name as "name", m.query as "definition", c.comments as "comment"
  from ${from}_mviews m left join ${from}_mview_comments c on c.owner = m.owner and c.mview_name = m.mview_name
  where ${OWNED_BY_USERS('m.owner')}`

export interface ColumnRow {
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly position: number
  readonly type: string | null
  readonly length: number | null
  readonly characters: number | null
  readonly precision: number | null
  readonly scale: number | null
  readonly nullable: string
  readonly default_value: string | null
  readonly identity: string | null
  readonly comment: string | null
}

export const columnsSql = (from: Dictionary): string => `
  select c.owner as "schema", c.table_name as "table", c.column_name as "name", c.column_id as "position", c.data_type as "type",
    c.data_length as "length", c.char_length as "characters", c.data_precision as "precision", c.data_scale as "scale", c.nullable as "nullable",
    c.identity_column as "identity", d.comments as "comment", c.data_default as "default_value"
  from ${from}_tab_columns c
  left join ${from}_col_comments d on d.owner = c.owner and d.table_name = c.table_name and d.column_name = c.column_name
  where ${OWNED_BY_USERS('c.owner')} and c.table_name not like 'BIN$%'
  order by c.owner, c.table_name, c.column_id`

export interface KeyRow {
  readonly schema: string
  readonly table: string
  readonly name: string
  /** P is a primary key, R a foreign key. */
  readonly type: string
  readonly column: string
  readonly to_schema: string | null
  readonly to_table: string | null
  readonly to_column: string | null
}

export const keysSql = (from: Dictionary): string => `
  select k.owner as "schema", k.table_name as "table", k.constraint_name as "name", k.constraint_type as "type", c.column_name as "column",
    r.owner as "to_schema", r.table_name as "to_table", r.column_name as "to_column"
  from ${from}_constraints k
  join ${from}_cons_columns c on c.owner = k.owner and c.constraint_name = k.constraint_name
  left join ${from}_cons_columns r on r.owner = k.r_owner and r.constraint_name = k.r_constraint_name and r.position = c.position
  where k.constraint_type in ('P', 'R') and ${OWNED_BY_USERS('k.owner')}
  order by k.owner, k.table_name, k.constraint_name, c.position`
