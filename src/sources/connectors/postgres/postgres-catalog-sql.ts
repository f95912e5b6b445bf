/** Queries of the Postgres connector: only the catalog, never a table. Sizes and row counts come from its statistics. */

export interface DatabaseRow {
  readonly oid: number
  readonly name: string
  readonly version: string
  readonly comment: string | null
  readonly hidden: string[]
}

/** Without schemas of the system, of other sessions, and those the role cannot use. */
const USER_SCHEMAS_SQL = `n.nspname !~ '^pg_' and n.nspname <> 'information_schema'`
const ACCESSIBLE_SCHEMAS_SQL = `${USER_SCHEMAS_SQL} and has_schema_privilege(n.oid, 'usage')`

export const DATABASE_SQL = `
  select d.oid::int8 as oid, d.datname as name, current_setting('server_version') as version, shobj_description(d.oid, 'pg_database') as comment,
    (select coalesce(json_agg(n.nspname order by n.nspname), '[]') from pg_namespace n where ${USER_SCHEMAS_SQL} and not has_schema_privilege(n.oid, 'usage')) as hidden
  from pg_database d where d.datname = current_database()`

export interface SchemaRow {
  readonly oid: number
  readonly name: string
  readonly comment: string | null
}

export const SCHEMAS_SQL = `
  select n.oid::int8 as oid, n.nspname as name, obj_description(n.oid, 'pg_namespace') as comment
  from pg_namespace n where ${ACCESSIBLE_SCHEMAS_SQL} order by n.nspname`

// Partitions are reported with their table; objects of extensions are excluded.
const RELATION_CONDITION_SQL = `
  c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition and ${ACCESSIBLE_SCHEMAS_SQL}
    and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')`

export interface RelationRow {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly kind: 'r' | 'p' | 'v' | 'm' | 'f'
  readonly comment: string | null
  /** For a partitioned table: the sum over its partitions. */
  readonly rows: number | null
  readonly bytes: number | null
  readonly partitions: number
  readonly partition_key: string | null
  /** Directly below it, by name, the last ones first. */
  readonly partition_bounds: readonly { name: string; bounds: string | null }[] | null
  readonly definition: string | null
  readonly constraints: readonly { name: string; type: string; definition: string }[] | null
  readonly foreign_keys: readonly { name: string; columns: string[]; schema: string; table: string; to: string[] }[] | null
  readonly indexes: readonly { name: string; unique: boolean; definition: string }[] | null
}

const columnNamesSql = (table: string, numbers: string) =>
  `(select json_agg(a.attname order by u.i) from unnest(${numbers}) with ordinality u(n, i) join pg_attribute a on a.attrelid = ${table} and a.attnum = u.n)`

const MAX_PARTITIONS_LISTED = 100

export const RELATIONS_SQL = `
  with recursive parts as (
    select i.inhparent as root, i.inhrelid as part from pg_inherits i join pg_class p on p.oid = i.inhparent where p.relkind = 'p' and not p.relispartition
    union all
    select p.root, i.inhrelid from parts p join pg_inherits i on i.inhparent = p.part
  ), sums as (
    select p.root, count(*) filter (where c.relkind <> 'p') as n, sum(greatest(c.reltuples, 0)) as rows, sum(c.relpages::int8) as pages
    from parts p join pg_class c on c.oid = p.part group by p.root
  )
  select c.oid::int8 as oid, n.nspname as schema, c.relname as name, c.relkind::text as kind, obj_description(c.oid, 'pg_class') as comment,
    case when c.relkind = 'p' then s.rows::int8 when c.relkind in ('r', 'm') and c.reltuples >= 0 then c.reltuples::int8 end as rows,
    case when c.relkind = 'p' then s.pages when c.relkind in ('r', 'm') and c.reltuples >= 0
      then c.relpages::int8 + coalesce((select t.relpages from pg_class t where t.oid = c.reltoastrelid), 0) end * current_setting('block_size')::int8 as bytes,
    coalesce(s.n, 0) as partitions, case when c.relkind = 'p' then pg_get_partkeydef(c.oid) end as partition_key,
    case when c.relkind = 'p' then (
      select json_agg(json_build_object('name', b.relname, 'bounds', b.bounds) order by b.relname desc) from (
        select x.relname, pg_get_expr(x.relpartbound, x.oid) as bounds from pg_inherits i join pg_class x on x.oid = i.inhrelid
        where i.inhparent = c.oid order by x.relname desc limit ${MAX_PARTITIONS_LISTED}
      ) b
    ) end as partition_bounds,
    case when c.relkind in ('v', 'm') then pg_get_viewdef(c.oid) end as definition,
    (select json_agg(json_build_object('name', k.conname, 'type', k.contype, 'definition', pg_get_constraintdef(k.oid)) order by k.conname)
      from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'c', 'x')) as constraints,
    (select json_agg(json_build_object('name', k.conname, 'columns', ${columnNamesSql('k.conrelid', 'k.conkey')}, 'schema', fn.nspname, 'table', f.relname,
        'to', ${columnNamesSql('k.confrelid', 'k.confkey')}) order by k.conname)
      from pg_constraint k join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
      where k.conrelid = c.oid and k.contype = 'f' and k.conparentid = 0) as foreign_keys,
    (select json_agg(json_build_object('name', x.relname, 'unique', i.indisunique, 'definition', pg_get_indexdef(i.indexrelid)) order by x.relname)
      from pg_index i join pg_class x on x.oid = i.indexrelid where i.indrelid = c.oid) as indexes
  from pg_class c join pg_namespace n on n.oid = c.relnamespace left join sums s on s.root = c.oid
  where ${RELATION_CONDITION_SQL}
  order by n.nspname, c.relname`

export interface ColumnRow {
  readonly table_oid: number
  readonly schema: string
  readonly table: string
  readonly number: number
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly default_value: string | null
  readonly generated: string
  readonly identity: string
  readonly is_pk: boolean
  readonly comment: string | null
}

/** Table by table, so that the first ones are processed while the rest is read: sorting the columns of all tables would take longer than reading them. */
export const COLUMNS_SQL = `
  select c.oid::int8 as table_oid, c.schema, c.name as table, a.attnum as number, a.attname as name,
    format_type(a.atttypid, a.atttypmod) as type, not a.attnotnull as nullable, pg_get_expr(a.adbin, a.attrelid) as default_value,
    a.attgenerated::text as generated, a.attidentity::text as identity, coalesce(a.attnum = any(c.indkey), false) as is_pk, a.comment
  from (
    select c.oid, n.nspname as schema, c.relname as name, i.indkey
    from pg_class c join pg_namespace n on n.oid = c.relnamespace left join pg_index i on i.indrelid = c.oid and i.indisprimary
    where ${RELATION_CONDITION_SQL} order by n.nspname, c.relname offset 0
  ) c cross join lateral (
    select a.attrelid, a.attnum, a.attname, a.atttypid, a.atttypmod, a.attnotnull, a.attgenerated, a.attidentity, d.adbin, t.description as comment
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    left join pg_description t on t.classoid = 'pg_class'::regclass and t.objoid = a.attrelid and t.objsubid = a.attnum
    where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped order by a.attnum offset 0
  ) a`

/** The schema of the extension pg_stat_statements. */
export const HISTORY_SCHEMA_SQL = `
  select quote_ident(n.nspname) as schema from pg_extension e join pg_namespace n on n.oid = e.extnamespace where e.extname = 'pg_stat_statements'`

export interface QueryRow {
  readonly id: string
  readonly query: string
  readonly calls: number
  /** When counting started; servers before 17 do not report it. */
  readonly since: string | null
  readonly users: readonly string[]
}

/** Texts of other roles that are hidden from this one do not match the pattern. Queries of this role itself are excluded. */
export const historySql = (schema: string, limit: number): string => `
  select s.queryid::text as id, min(s.query) as query, sum(s.calls)::int8 as calls,
    min(to_jsonb(s) ->> 'stats_since') as since, json_agg(distinct r.rolname order by r.rolname) as users
  from ${schema}.pg_stat_statements s join pg_database d on d.oid = s.dbid join pg_roles r on r.oid = s.userid
  where d.datname = current_database() and r.rolname <> current_user and s.query ~* '^\\s*(select|with|insert|update|delete|merge|create\\s+(unlogged\\s+|temp\\s+|temporary\\s+)?table|create\\s+materialized)\\M'
  group by s.queryid order by calls desc, id limit ${limit}`

export interface RoutineRow {
  readonly oid: number
  readonly schema: string
  readonly name: string
  readonly arguments: string
  readonly kind: 'f' | 'p' | 'w' | 'a'
  readonly language: string
  readonly returns: string | null
  readonly volatility: string
  readonly definition: string
  readonly body: string | null
  readonly comment: string | null
}

/** User-defined functions and procedures, without those of extensions. Only SQL and PL/pgSQL can be parsed. */
export const ROUTINES_SQL = `
  select p.oid::int8 as oid, n.nspname as schema, p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments, p.prokind::text as kind,
    l.lanname as language, pg_get_function_result(p.oid) as returns, p.provolatile::text as volatility, pg_get_functiondef(p.oid) as definition,
    case when l.lanname = 'sql' then p.prosrc end as body, obj_description(p.oid, 'pg_proc') as comment
  from pg_proc p join pg_namespace n on n.oid = p.pronamespace join pg_language l on l.oid = p.prolang
  where ${ACCESSIBLE_SCHEMAS_SQL} and p.prokind in ('f', 'p', 'w') and has_function_privilege(p.oid, 'execute')
    and not exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')
  order by n.nspname, p.proname, p.oid`

export const COUNT_SQL = `
  select count(*)::int as tables, count(distinct n.oid)::int as schemas
  from pg_class c join pg_namespace n on n.oid = c.relnamespace where ${RELATION_CONDITION_SQL}`
