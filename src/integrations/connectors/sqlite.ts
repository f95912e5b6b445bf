import { stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { type Item, keyOf } from '../../sync/item.ts'
import type { Connector } from './connector.ts'
import { findFile } from './files.ts'
import { patternsOf } from './patterns.ts'
import { sqliteSql } from './sqlite-ask.ts'

/** Reads the schema of an SQLite file. It has no schemas, comments or OIDs: a renamed table is a missing and a new one. */
export const sqliteConnector: Connector = {
  test: async (source) => {
    using file = await open(await findFile(source))
    const n = file.ask<{ n: number }>(
      "select count(*) as n from sqlite_schema where type in ('table', 'view') and name not like 'sqlite\\_%' escape '\\'",
    )
    const [{ version } = { version: '' }] = file.ask<{ version: string }>('select sqlite_version() as version')
    return `SQLite ${version}: ${n[0]!.n} tables and views.`
  },

  async *discover(source, { signal }) {
    const path = await findFile(source)
    using file = await open(path)
    const patterns = patternsOf(source)
    const home = basename(path, extname(path))
    const { size, mtime } = await stat(path)
    yield {
      key: keyOf(home),
      entity_type: 'database',
      fields: { title: home, native_type: 'database' },
      reported: { byte_size: size, external_updated_at: mtime.toISOString() },
    }
    const counts = rowCounts(file)
    for (const table of file.ask<TableRow>(TABLES)) {
      if (!patterns.wants(home, table.name)) continue
      signal.throwIfAborted()
      await setImmediate() // reading is synchronous: yields to the event loop between tables
      yield tableOf(file, home, table, counts.get(table.name))
      yield* columnsOf(file, home, table)
    }
  },

  sql: sqliteSql,
}

interface TableRow {
  readonly name: string
  readonly type: 'table' | 'view' | 'virtual' | 'shadow'
  readonly sql: string | null
}
const TABLES = `
  select l.name, l.type, s.sql from pragma_table_list l join sqlite_schema s on s.name = l.name and s.type in ('table', 'view')
  where l.schema = 'main' and l.type <> 'shadow' and l.name not like 'sqlite\\_%' escape '\\' order by l.name`

/** Available only after ANALYZE: nothing is counted. */
const rowCounts = (file: File): Map<string, number> => {
  if (file.ask("select 1 from sqlite_schema where name = 'sqlite_stat1'").length === 0) return new Map()
  const rows = file.ask<{ tbl: string; stat: string | null }>('select tbl, stat from sqlite_stat1')
  return new Map(
    rows.flatMap(({ tbl, stat }) => (Number.isSafeInteger(Number.parseInt(stat ?? '', 10)) ? [[tbl, Number.parseInt(stat!, 10)]] : [])),
  )
}

const KINDS = { table: 'table', view: 'view', virtual: 'virtual table', shadow: 'table' } as const

const tableOf = (file: File, home: string, { name, type, sql }: TableRow, row_count: number | undefined): Item => {
  const keys = file.ask<{ id: number; from: string; table: string; to: string | null }>(
    'select id, "from", "table", "to" from pragma_foreign_key_list(?) order by id, seq',
    name,
  )
  const foreign_keys = [...Map.groupBy(keys, ({ id }) => id).values()].map((key) => ({
    columns: key.map(({ from }) => from),
    table: key[0]!.table,
    to: key.flatMap(({ to }) => to ?? []),
  }))
  const indexes = file.ask<{ name: string; unique: number; sql: string | null }>(
    'select i.name, i."unique", s.sql from pragma_index_list(?) i left join sqlite_schema s on s.name = i.name order by i.name',
    name,
  )
  return {
    key: keyOf(home, name),
    parent: keyOf(home),
    entity_type: 'table',
    fields: { title: name, native_type: KINDS[type] },
    reported: { row_count: row_count ?? null },
    facts: {
      ...(sql ? { definition: sql } : {}),
      ...(foreign_keys.length > 0 ? { foreign_keys } : {}),
      ...(indexes.length > 0 ? { indexes: indexes.map(({ name, unique, sql }) => ({ name, unique: unique === 1, definition: sql })) } : {}),
    },
    ...(type === 'view' && sql ? { made_by: { sql, dialect: 'sqlite', database: home } } : {}),
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

function* columnsOf(file: File, home: string, { name: table, type }: TableRow): Generator<Item, void> {
  // A view of a missing table has no columns.
  const rows = file.tryAsk<ColumnRow>('select * from pragma_table_xinfo(?)', table)
  for (const { cid, name, type: native, notnull, dflt_value, pk, hidden } of rows) {
    if (type === 'virtual' && hidden === 1) continue
    yield {
      key: keyOf(home, table, name),
      parent: keyOf(home, table),
      entity_type: 'column',
      fields: { title: name, native_type: native === '' ? null : native },
      own: { sort_order: cid + 1, is_pk: pk > 0 },
      facts: { nullable: notnull === 0 && pk === 0, ...(dflt_value === null ? {} : { default: dflt_value }) },
    }
  }
}

interface File extends Disposable {
  ask<T>(text: string, ...values: string[]): T[]
  /** Returns nothing on an error. */
  tryAsk<T>(text: string, ...values: string[]): T[]
}

/** The file may come from an untrusted source: its definitions are read, never executed. */
const open = async (path: string): Promise<File> => {
  const { DatabaseSync } = await import('node:sqlite')
  const file = new DatabaseSync(path, { readOnly: true, allowExtension: false, timeout: 5_000 })
  file.exec('pragma trusted_schema = off; pragma cell_size_check = on; pragma query_only = on')
  const ask = <T>(text: string, ...values: string[]) => file.prepare(text).all(...values) as T[]
  return {
    ask,
    tryAsk: <T>(text: string, ...values: string[]) => {
      try {
        return ask<T>(text, ...values)
      } catch {
        return []
      }
    },
    [Symbol.dispose]: () => file.close(),
  }
}
