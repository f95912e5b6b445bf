import { sql } from 'kysely'
import type { Db } from '../../src/platform/db/connect.ts'

const WITH_OID =
  'class constraint proc trigger type enum rewrite policy statistic_ext extension namespace cast operator opclass opfamily collation conversion ' +
  'event_trigger publication default_acl language foreign_server ts_config ts_dict ts_parser ts_template'

/** Catalogs with the column that tells objects of users from those of Postgres. */
const CATALOGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(WITH_OID.split(' ').map((name) => [`pg_${name}`, 'oid'])),
  pg_attribute: 'attrelid',
  pg_index: 'indexrelid',
  pg_sequence: 'seqrelid',
  pg_description: 'objoid',
  pg_seclabel: 'objoid',
  pg_inherits: 'inhrelid',
  pg_aggregate: 'aggfnoid',
  pg_ts_config_map: 'mapcfg',
}

/** Numbers that a server gives, what it remembers of the past, and positions of columns, which count dropped ones. */
const IGNORED =
  /^(oid|relfilenode|relnatts|relpages|reltuples|relallvisible|relallfrozen|reltoastrelid|relfrozenxid|relminmxid|relhastriggers|attnum|attcacheoff|attname|atthasmissing|attmissingval|indcheckxmin|classoid|objoid|objsubid)$/
/** Positions and parsed expressions; `ADDED` has the same as text. */
const IGNORED_TYPES = ['int2vector', 'smallint[]', 'pg_node_tree']

const ADDED: Readonly<Record<string, string>> = {
  pg_class: `(select reloptions from pg_class t where t.oid = o.reltoastrelid) as toast_options`,
  // A column of an index keeps the name that the column of the table had.
  pg_attribute: `(select o.attname from pg_class c where c.oid = o.attrelid and c.relkind <> 'i') as name,
    (select pg_get_expr(d.adbin, d.adrelid) from pg_attrdef d where d.adrelid = o.attrelid and d.adnum = o.attnum) as default_value,
    row_number() over (partition by attrelid order by attnum) as position`,
  pg_constraint: 'pg_get_constraintdef(o.oid) as definition',
  pg_index: 'pg_get_indexdef(o.indexrelid) as definition',
  pg_trigger: 'pg_get_triggerdef(o.oid) as definition',
  pg_proc: `case when o.prokind in ('f', 'p') then pg_get_functiondef(o.oid) end as definition`,
  pg_rewrite: 'pg_get_ruledef(o.oid) as definition',
  pg_statistic_ext: 'pg_get_statisticsobjdef(o.oid) as definition',
  pg_sequence: 'pg_sequence_last_value(o.seqrelid) as last_value',
  pg_description: '(pg_identify_object(o.classoid, o.objoid, o.objsubid)).identity as object',
}

/** Tables for long values and triggers of foreign keys have numbers in their names; what they belong to is compared. */
const FILTERS: Readonly<Record<string, string>> = {
  pg_class: `and o.relnamespace <> 'pg_toast'::regnamespace`,
  pg_attribute: `and o.attnum > 0 and not o.attisdropped and o.attrelid not in (select oid from pg_class where relnamespace = 'pg_toast'::regnamespace)`,
  pg_index: `and o.indexrelid not in (select oid from pg_class where relnamespace = 'pg_toast'::regnamespace)`,
  pg_trigger: 'and not o.tgisinternal',
  pg_type: `and o.typnamespace <> 'pg_toast'::regnamespace`,
}

const FIRST_OF_USERS = 16_384

/** Everything that Postgres knows about the objects of users, one line each, with names instead of numbers. Independent of scripts/schema. */
export const dumpCatalogs = async (db: Db): Promise<string[]> => {
  const dump: string[] = []
  for (const [catalog, key] of Object.entries(CATALOGS)) {
    const columns = [...(await listColumns(db, catalog)), ADDED[catalog]].filter((column) => column !== undefined)
    const { rows } = await sql<{ line: string }>`
      select to_jsonb(r)::text as line from (
        select ${sql.raw(columns.join(', '))} from ${sql.raw(catalog)} o where o.${sql.raw(key)} >= ${FIRST_OF_USERS} ${sql.raw(FILTERS[catalog] ?? '')}
      ) r order by 1`.execute(db)
    dump.push(...rows.map(({ line }) => `${catalog} ${line}`))
  }
  return dump
}

/** The columns of a catalog; references to other rows become their names. */
const listColumns = async (db: Db, catalog: string): Promise<string[]> => {
  const { rows } = await sql<{ name: string; type: string; target: string | null; is_array: boolean | null }>`
    select a.attname as name, format_type(a.atttypid, null) as type, f.pktable::regclass::text as target, f.is_array
    from pg_attribute a left join pg_get_catalog_foreign_keys() f on f.fktable = a.attrelid and f.fkcols = array[a.attname::text] and f.pkcols = '{oid}'
    where a.attrelid = ${catalog}::regclass and a.attnum > 0`.execute(db)
  return rows
    .filter(({ name, type }) => !IGNORED.test(name) && !IGNORED_TYPES.includes(type))
    .map(({ name, target, is_array }) => {
      if (!target) return `o.${name}`
      const identity = (value: string) => `(pg_identify_object('${target}'::regclass, ${value}, 0)).identity`
      return is_array
        ? `array(select ${identity('x')} from unnest(o.${name}::oid[]) with ordinality u (x, i) order by i) as ${name}`
        : `case when o.${name} <> 0 then ${identity(`o.${name}::oid`)} end as ${name}`
    })
}

/** The rows of all tables, one line each, without what depends on the time of creation. */
export const dumpRows = async (db: Db): Promise<string[]> => {
  const { rows: tables } = await sql<{ name: string }>`
    select oid::regclass::text as name from pg_class where relkind = 'r' and oid >= ${FIRST_OF_USERS} order by 1`.execute(db)
  const dump: string[] = []
  for (const { name } of tables) {
    const { rows } = await sql<{ row: object }>`select to_jsonb(t) as row from ${sql.raw(name)} t order by t::text`.execute(db)
    dump.push(...rows.map(({ row }) => `${name} ${JSON.stringify(row, (_, value) => withoutTime(value))}`))
  }
  return dump
}

const withoutTime = (value: unknown): unknown => {
  if (typeof value !== 'string') return value
  if (/^\d{4}-\d\d-\d\dT\d\d:/.test(value)) return 'a time'
  return /^\d+:\d+:[\d,]*$/.test(value) ? 'a snapshot' : value
}
