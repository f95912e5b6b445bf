import { type Item, keyOf } from '../../sync/item.ts'
import { clickhouseSql } from './clickhouse-ask.ts'
import { Reader } from './clickhouse-reader.ts'
import { columnOf, Details, feedsOf, tableOf, uuidOf } from './clickhouse-rows.ts'
import * as catalog from './clickhouse-sql.ts'
import { type Connector, cannotList, type Source, textOf, type Visit } from './connector.ts'
import { columnItem, databaseItem, queryItem, tableItem } from './flat-items.ts'
import { patternsOf } from './patterns.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const MOST_QUERIES = 500

/** Reads the system tables of a ClickHouse server: one database, or all the user can see. */
export const clickhouseConnector: Connector = {
  test: async (source, signal) => {
    await using reader = await Reader.open(source, signal, TEST_MS)
    const only = textOf(source, 'database')
    await mustHave(reader, only)
    const [counted] = await reader.all<{ tables: number; databases: number }>(catalog.countSql(only))
    const where = only === undefined ? `in ${counted!.databases} databases` : `in ${only}`
    return `ClickHouse ${reader.version}: ${counted!.tables} tables and views ${where}.`
  },

  async *discover(source, visit) {
    await using reader = await Reader.open(source, visit.signal, DISCOVER_MS)
    const only = textOf(source, 'database')
    await mustHave(reader, only)
    const has = await reader.has()
    const patterns = patternsOf(source)
    const databases = new Map((await reader.all<catalog.DatabaseRow>(catalog.databasesSql(has, only))).map((row) => [row.name, row]))
    const told = new Map<string, string | undefined>()
    const tell = ({ name, engine, uuid, comment }: catalog.DatabaseRow): Item => {
      told.set(keyOf(name), undefined)
      return databaseItem({ name, facts: { engine }, ...uuidOf(uuid), ...(has.column('databases', 'comment') ? { comment } : {}) })
    }
    if (patterns.all || only !== undefined) for (const row of databases.values()) yield tell(row)
    const details = await Details.read(reader, has, only)
    const tables = await reader.all<catalog.TableRow>(catalog.tablesSql(has, only))
    const feeds = await feedsOf(reader, tables)
    for (const row of tables) {
      if (!patterns.wants(row.database, row.name)) continue
      const home = databases.get(row.database)
      if (home && !told.has(keyOf(home.name))) yield tell(home)
      told.set(keyOf(row.database, row.name), row.uuid)
      yield tableItem('clickhouse', tableOf(has, row, details, feeds))
    }
    const places = new Map<string, number>()
    for await (const row of reader.each<catalog.ColumnRow>(catalog.columnsSql(has, only))) {
      const table = keyOf(row.database, row.table)
      if (!told.has(table)) continue
      const place = (places.get(table) ?? 0) + 1
      places.set(table, place)
      yield columnItem(columnOf(row, place, told.get(table)))
    }
    if (only === undefined) yield* functions(reader, has)
    if (source.credentials.query_history === true)
      yield* history(
        reader,
        has,
        source,
        [...databases.keys()].filter((name) => told.has(keyOf(name))),
        visit,
      )
  },

  sql: clickhouseSql,
}

const mustHave = async (reader: Reader, database: string | undefined): Promise<void> => {
  if (database === undefined) return
  const rows = await reader.all(catalog.databasesSql(new catalog.Has([]), database))
  if (rows.length === 0) throw new Error(`The database ${database} does not exist, or the user cannot see it.`)
}

async function* functions(reader: Reader, has: catalog.Has): AsyncGenerator<Item, void> {
  const sql = catalog.functionsSql(has)
  if (!sql) return
  for (const { name, definition } of await reader.all<catalog.FunctionRow>(sql))
    yield {
      key: keyOf('', '', 'function', name), // cannot clash: no database has an empty name
      entity_type: 'query',
      fields: { title: name, native_type: 'function', definition },
      own: { type: 'function' },
    }
}

/** The most frequent queries. If the server does not report their database, the configured one is assumed. */
async function* history(
  reader: Reader,
  has: catalog.Has,
  source: Source,
  told: readonly string[],
  visit: Visit,
): AsyncGenerator<Item, void> {
  if (!has.column('query_log', 'query'))
    return await cannotList(
      visit,
      { entity_type: 'query' },
      'Query history is not available: this server has no system.query_log, or the user cannot see it.',
    )
  const only = textOf(source, 'database')
  const home = only ?? (told.includes('default') ? 'default' : told[0])
  let rows: catalog.QueryRow[]
  try {
    const [knows] = await reader.all<{ n: number }>(catalog.KNOWS_SQL)
    rows = await reader.all(catalog.historySql(has, only, textOf(source, 'user')!, knows!.n > 0, MOST_QUERIES))
  } catch (error) {
    return await cannotList(visit, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
  for (const { database, text, calls, users } of rows) {
    const place = database === '' ? home : database
    if (place !== undefined && told.includes(place))
      yield queryItem('clickhouse', { database: place, text, calls: Number(calls), users: users.split('\n'), hours: catalog.HISTORY_HOURS })
  }
}
