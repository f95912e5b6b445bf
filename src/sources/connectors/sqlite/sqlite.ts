import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { buildItemKey, type Item } from '../../sync/item.ts'
import type { Connector } from '../shared/connector.ts'
import { resolveSourceFile } from '../shared/files.ts'
import { parsePatterns } from '../shared/patterns.ts'
import { sqliteSqlSource } from './sqlite-sql-source.ts'

/** Reads the schema of an SQLite file. It has no schemas, comments or OIDs: a renamed table is a missing and a new one. */
export const sqliteConnector: Connector = {
  test: async (source) => {
    using file = await openFile(await resolveSourceFile(source))
    const n = file.query<{ n: number }>(
      "select count(*) as n from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'",
    )
    const [{ version } = { version: '' }] = file.query<{ version: string }>('select sqlite_version() as version')
    return `SQLite ${version}: ${n[0]!.n} tables and views.`
  },

  async *discover(source, { signal }) {
    const path = await resolveSourceFile(source)
    using file = await openFile(path)
    const patterns = parsePatterns(source)
    const database = basename(path, extname(path))
    const { size, mtime } = await stat(path)
    yield {
      key: buildItemKey(database),
      entity_type: 'database',
      fields: { title: database, native_type: 'database' },
      reported: { byte_size: size, external_updated_at: mtime.toISOString() },
    }
    const counts = readRowCounts(file)
    for (const table of file.query<TableRow>(TABLES_SQL)) {
      if (!patterns.matches(database, table.name)) continue
      signal.throwIfAborted()
      await setImmediate() // reading is synchronous: yields to the event loop between tables
      yield toTableItem(file, database, table, counts.get(table.name))
      yield* columnItems(file, database, table)
    }
  },

  sql: sqliteSqlSource,
}

interface TableRow {
  readonly name: string
  readonly type: 'table' | 'view' | 'virtual' | 'shadow'
  readonly sql: string | null
}
const TABLES_SQL = `
  select l.name, l.type, s.sql from pragma_table_list l join sqlite_schema s on s.name = l.name and s.type in ('table', 'view')
  where l.schema = 'main' and l.type <> 'shadow' and l.name not like 'sqlite\\_%' escape '\\' order by l.name`

/** Available only after ANALYZE: nothing is counted. */
const readRowCounts = (file: SqliteFile): Map<string, number> => {
  if (file.query("select 1 from sqlite_schema where name = 'sqlite_stat1'").length === 0) return new Map()
  const rows = file.query<{ tbl: string; stat: string | null }>('select tbl, stat from sqlite_stat1')
  return new Map(
    rows.flatMap(({ tbl, stat }) => (Number.isSafeInteger(Number.parseInt(stat ?? '', 10)) ? [[tbl, Number.parseInt(stat!, 10)]] : [])),
  )
}

const TABLE_TYPES = { table: 'table', view: 'view', virtual: 'virtual table', shadow: 'table' } as const

const toTableItem = (file: SqliteFile, database: string, { name, type, sql }: TableRow, row_count: number | undefined): Item => {
  const keys = file.query<{ id: number; from: string; table: string; to: string | null }>(
    'select id, "from", "table", "to" from pragma_foreign_key_list(?) order by id, seq',
    name,
  )
  const foreign_keys = [...Map.groupBy(keys, ({ id }) => id).values()].map((key) => ({
    columns: key.map(({ from }) => from),
    table: key[0]!.table,
    to: key.flatMap(({ to }) => to ?? []),
  }))
  const indexes = file.query<{ name: string; unique: number; sql: string | null }>(
    'select i.name, i."unique", s.sql from pragma_index_list(?) i left join sqlite_schema s on s.name = i.name order by i.name',
    name,
  )
  return {
    key: buildItemKey(database, name),
    parent: buildItemKey(database),
    entity_type: 'table',
    fields: { title: name, native_type: TABLE_TYPES[type] },
    reported: { row_count: row_count ?? null },
    facts: {
      ...(sql ? { definition: sql } : {}),
      ...(foreign_keys.length > 0 ? { foreign_keys } : {}),
      ...(indexes.length > 0 ? { indexes: indexes.map(({ name, unique, sql }) => ({ name, unique: unique === 1, definition: sql })) } : {}),
    },
    ...(type === 'view' && sql ? { made_by: { sql, dialect: 'sqlite', database } } : {}),
  }
}

interface ColumnRow {
  readonly cid: number
  readonly name: string
  readonly type: string
  readonly notnull: number
  readonly dflt_value: string | null
  readonly pk: number
  readonly hidden: number
}

function* columnItems(file: SqliteFile, database: string, { name: table, type }: TableRow): Generator<Item, void> {
  // A view of a missing table has no columns.
  const rows = file.tryQuery<ColumnRow>('select * from pragma_table_xinfo(?)', table)
  for (const { cid, name, type: native, notnull, dflt_value, pk, hidden } of rows) {
    if (type === 'virtual' && hidden === 1) continue
    yield {
      key: buildItemKey(database, table, name),
      parent: buildItemKey(database, table),
      entity_type: 'column',
      fields: { title: name, native_type: native === '' ? null : native },
      own: { sort_order: cid + 1, is_pk: pk > 0 },
      facts: { nullable: notnull === 0 && pk === 0, ...(dflt_value === null ? {} : { default: dflt_value }) },
    }
  }
}

interface SqliteFile extends Disposable {
  query<T>(text: string, ...values: string[]): T[]
  /** Returns nothing on an error. */
  tryQuery<T>(text: string, ...values: string[]): T[]
}

/** The file may come from an untrusted source: its definitions are read, never executed. */
const openFile = async (path: string): Promise<SqliteFile> => {
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(path, { readOnly: true, allowExtension: false, timeout: 5_000 })
  file.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on')
  const query = <T>(text: string, ...values: string[]) => file.prepare(text).all(...values) as T[]
  return {
    query,
    tryQuery: <T>(text: string, ...values: string[]) => {
      try {
        return query<T>(text, ...values)
      } catch {
        return []
      }
    },
    [Symbol.dispose]: () => file.close(),
  }
}
