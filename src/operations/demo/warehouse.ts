import { sql } from 'kysely'
import type { Db } from '../../platform/db/connect.ts'
import { readText } from './files.ts'

/** The shop's tables: real ones with real rows, in a separate database. */
export const SCHEMAS = ['demo_raw', 'demo_ops', 'demo_finance', 'demo_marketing', 'demo_staging', 'demo_marts']
const SQL_FILES = ['tools', 'raw', 'orders', 'web', 'ops', 'finance', 'marketing'] as const

export interface Model {
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view'
  /** The statement that builds it. */
  readonly statement: string
  readonly description: string
}

const STAGING = 'customers orders order_items payments refunds products shipments web_sessions ad_spend'.split(' ')
/** In dependency order. */
const MARTS = [
  ...['dim_date', 'fct_orders', 'fct_order_items', 'dim_customer', 'dim_product', 'fct_sessions', 'daily_revenue', 'cohort_retention'],
  ...['customer_lifetime_value', 'campaign_performance', 'product_performance'],
]
const MART_VIEWS = ['revenue_by_country', 'stock_health', 'delivery_performance']

/** The first line of a model's file describes it; the rest is a select. */
const readModel = async (folder: 'staging' | 'marts', name: string, kind: Model['kind']): Promise<Model> => {
  const [, description = '', select = ''] = /^-- ([^\n]+)\n(.+?)\s*$/s.exec(await readText('models', folder, `${name}.sql`)) ?? []
  const schema = `demo_${folder}`
  return { schema, name, kind, description, statement: `create ${kind} ${schema}.${name} as\n${select}` }
}

export const readModels = (): Promise<Model[]> =>
  Promise.all([
    ...STAGING.map((name) => readModel('staging', `stg_${name}`, 'view')),
    ...MARTS.map((name) => readModel('marts', name, 'table')),
    ...MART_VIEWS.map((name) => readModel('marts', name, 'view')),
  ])

/** Builds the shop as of this moment, replacing an existing one, in one transaction. */
export const buildWarehouse = (db: Db, now: Date, models: readonly Model[]): Promise<void> =>
  db.transaction().execute((db) => buildTables(db, now, models))

const buildTables = async (db: Db, now: Date, models: readonly Model[]): Promise<void> => {
  await sql.raw(`drop schema if exists ${SCHEMAS.join(', ')} cascade`).execute(db)
  await sql`select set_config('demo.now', ${now.toISOString()}, true), set_config('timezone', 'UTC', true)`.execute(db)
  await sql`set local statement_timeout = 0`.execute(db)
  // Thousands of rows are generated in milliseconds: JIT compilation would take longer than running the statements.
  await sql`set local jit = off`.execute(db)
  for (const area of SQL_FILES) {
    await sql.raw(await readText('sql', `${area}.sql`)).execute(db)
    await analyzeNew(db)
  }
  await sql`create schema demo_staging`.execute(db)
  await sql`create schema demo_marts`.execute(db)
  for (const { schema, name, kind, statement, description } of models) {
    await sql.raw(statement).execute(db)
    await sql.raw(`comment on ${kind} ${schema}.${name} is '${description.replaceAll("'", "''")}'`).execute(db)
  }
  await sql.raw(await readText('sql', 'models.sql')).execute(db)
  await analyzeNew(db)
}

export const isBuilt = async (db: Db): Promise<boolean> => {
  const { rows } = await sql`select from pg_namespace where nspname = any(${SCHEMAS}::text[])`.execute(db)
  return rows.length === SCHEMAS.length
}

/** Analyzes new tables, so that later statements are planned well and the catalog gets row counts, as in a sync. */
const analyzeNew = async (db: Db): Promise<void> => {
  const { rows } = await sql<{ names: string | null }>`
    select string_agg(format('%I.%I', n.nspname, c.relname), ', ') as names
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${SCHEMAS}::text[]) and c.relkind = 'r' and c.reltuples < 0
  `.execute(db)
  if (rows[0]?.names) await sql.raw(`analyze ${rows[0].names}`).execute(db)
}

interface WarehouseColumn {
  readonly name: string
  readonly type: string
  readonly description: string | null
  readonly position: number
  readonly nullable: boolean
  readonly primary_key: boolean
}

export interface WarehouseTable {
  readonly schema: string
  readonly name: string
  readonly kind: 'table' | 'view'
  readonly description: string | null
  readonly rows: number | null
  readonly bytes: number | null
  readonly columns: readonly WarehouseColumn[]
  readonly foreign_keys: readonly { name: string; columns: string[]; table: string; to: string[] }[] | null
}

export interface Warehouse {
  readonly database: string
  readonly schemas: readonly { readonly name: string; readonly description: string | null }[]
  readonly tables: readonly WarehouseTable[]
}

const columnNamesSql = (table: string, numbers: string): string =>
  `(select json_agg(a.attname order by u.i) from unnest(${numbers}) with ordinality u(n, i) join pg_attribute a on a.attrelid = ${table} and a.attnum = u.n)`

/** Reads the tables from the database's own catalog, so that our entries cannot differ from them. */
export const readWarehouse = async (db: Db): Promise<Warehouse> => {
  const { rows: schemas } = await sql<{ database: string; name: string; description: string | null }>`
    select current_database() as database, nspname as name, obj_description(oid, 'pg_namespace') as description
    from pg_namespace where nspname = any(${SCHEMAS}::text[]) order by nspname
  `.execute(db)
  const { rows: tables } = await sql<WarehouseTable>`
    select n.nspname as schema, c.relname as name, case c.relkind when 'v' then 'view' else 'table' end as kind,
      obj_description(c.oid, 'pg_class') as description,
      case c.relkind when 'r' then c.reltuples::bigint end as rows,
      case c.relkind when 'r' then pg_relation_size(c.oid) end as bytes,
      (
        select json_agg(json_build_object(
          'name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), 'description', col_description(c.oid, a.attnum),
          'position', a.attnum, 'nullable', not a.attnotnull, 'primary_key', coalesce(a.attnum = any(k.conkey), false)) order by a.attnum)
        from pg_attribute a left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      ) as columns,
      (
        select json_agg(json_build_object('name', k.conname, 'columns', ${sql.raw(columnNamesSql('k.conrelid', 'k.conkey'))},
          'table', fn.nspname || '.' || f.relname, 'to', ${sql.raw(columnNamesSql('k.confrelid', 'k.confkey'))}) order by k.conname)
        from pg_constraint k join pg_class f on f.oid = k.confrelid join pg_namespace fn on fn.oid = f.relnamespace
        where k.conrelid = c.oid and k.contype = 'f'
      ) as foreign_keys
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(${SCHEMAS}::text[]) and c.relkind in ('r', 'v') order by n.nspname, c.relname
  `.execute(db)
  return { database: schemas[0]!.database, schemas, tables }
}
