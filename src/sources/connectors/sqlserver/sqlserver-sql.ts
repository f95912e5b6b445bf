/** The queries of the catalog of SQL Server. `[` and `]` quote names. */

export const quoteName = (name: string): string => `[${name.replaceAll(']', ']]')}]`

export const SERVER_SQL = `select cast(serverproperty('ProductVersion') as nvarchar(128)) as version, cast(serverproperty('Edition') as nvarchar(128)) as edition, db_name() as [database]`

/** Databases the login can use; system databases are left out. */
export const DATABASES_SQL = `
  select name from sys.databases
  where state = 0 and has_dbaccess(name) = 1 and name not in ('master', 'tempdb', 'model', 'msdb')
  order by name`

export interface SchemaRow {
  readonly name: string
  readonly comment: string | null
}

const comment = (sys: string, kind: number, major: string, minor = '0') =>
  `(select top 1 cast(e.value as nvarchar(4000)) from ${sys}.extended_properties e
    where e.class = ${kind} and e.major_id = ${major} and e.minor_id = ${minor} and e.name = 'MS_Description')`

export const schemasSql = (database: string): string => {
  const sys = `${quoteName(database)}.sys`
  return `
  select s.name, ${comment(sys, 3, 's.schema_id')} as comment
  from ${sys}.schemas s
  where exists (select 1 from ${sys}.objects o where o.schema_id = s.schema_id and o.type in ('U', 'V') and o.is_ms_shipped = 0)
  order by s.name`
}

export interface TableRow {
  readonly id: number
  readonly schema: string
  readonly name: string
  /** U is a table, V a view. */
  readonly type: string
  readonly modified: string
  readonly comment: string | null
  readonly definition: string | null
  readonly row_count: number | null
  readonly byte_size: number | null
}

export const tablesSql = (database: string): string => {
  const sys = `${quoteName(database)}.sys`
  return `
  select o.object_id as id, s.name as [schema], o.name, rtrim(o.type) as type, convert(varchar(23), o.modify_date, 126) as modified,
    ${comment(sys, 1, 'o.object_id')} as comment, m.definition, p.row_count, p.byte_size
  from ${sys}.objects o
  join ${sys}.schemas s on s.schema_id = o.schema_id
  left join ${sys}.sql_modules m on m.object_id = o.object_id
  left join (
    select p.object_id, sum(case when p.index_id in (0, 1) and a.type = 1 then p.rows else 0 end) as row_count, sum(a.total_pages) * 8192 as byte_size
    from ${sys}.partitions p join ${sys}.allocation_units a on a.container_id = p.partition_id
    group by p.object_id
  ) p on p.object_id = o.object_id
  where o.type in ('U', 'V') and o.is_ms_shipped = 0
  order by o.object_id`
}

export interface ColumnRow {
  readonly table_id: number
  readonly id: number
  readonly schema: string
  readonly table: string
  readonly name: string
  readonly position: number
  readonly type: string
  readonly max_length: number
  readonly precision: number
  readonly scale: number
  readonly nullable: number
  readonly identity: number
  readonly computed: string | null
  readonly default_value: string | null
  readonly is_pk: number
  readonly comment: string | null
}

export const columnsSql = (database: string): string => {
  const sys = `${quoteName(database)}.sys`
  return `
  select c.object_id as table_id, c.column_id as id, s.name as [schema], o.name as [table], c.name, c.column_id as position, t.name as type,
    cast(c.max_length as int) as max_length, cast(c.precision as int) as precision, cast(c.scale as int) as scale,
    cast(c.is_nullable as int) as nullable, cast(c.is_identity as int) as [identity], cc.definition as computed, d.definition as default_value,
    case when exists (
      select 1 from ${sys}.indexes i join ${sys}.index_columns k on k.object_id = i.object_id and k.index_id = i.index_id
      where i.object_id = c.object_id and i.is_primary_key = 1 and k.column_id = c.column_id
    ) then 1 else 0 end as is_pk,
    ${comment(sys, 1, 'c.object_id', 'c.column_id')} as comment
  from ${sys}.columns c
  join ${sys}.objects o on o.object_id = c.object_id
  join ${sys}.schemas s on s.schema_id = o.schema_id
  join ${sys}.types t on t.user_type_id = c.user_type_id
  left join ${sys}.computed_columns cc on cc.object_id = c.object_id and cc.column_id = c.column_id
  left join ${sys}.default_constraints d on d.object_id = c.default_object_id
  where o.type in ('U', 'V') and o.is_ms_shipped = 0
  order by c.object_id, c.column_id`
}

export interface ForeignKeyRow {
  readonly table_id: number
  readonly name: string
  readonly column: string
  readonly to_schema: string
  readonly to_table: string
  readonly to_column: string
}

export const foreignKeysSql = (database: string): string => {
  const sys = `${quoteName(database)}.sys`
  return `
  select f.parent_object_id as table_id, f.name, c.name as [column], s.name as to_schema, o.name as to_table, r.name as to_column
  from ${sys}.foreign_keys f
  join ${sys}.foreign_key_columns k on k.constraint_object_id = f.object_id
  join ${sys}.columns c on c.object_id = k.parent_object_id and c.column_id = k.parent_column_id
  join ${sys}.columns r on r.object_id = k.referenced_object_id and r.column_id = k.referenced_column_id
  join ${sys}.objects o on o.object_id = k.referenced_object_id
  join ${sys}.schemas s on s.schema_id = o.schema_id
  order by f.object_id, k.constraint_column_id`
}
