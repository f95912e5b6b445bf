import { buildItemKey, type Item } from '../../sync/item.ts'
import { CatalogReader } from '../shared/catalog-reader.ts'
import { type Connector, type DiscoveryContext, getTextCredential, reportUnlisted, type Source } from '../shared/connector.ts'
import { columnItem, databaseItem, queryItem, tableItem } from '../shared/flat-items.ts'
import { parsePatterns } from '../shared/patterns.ts'
import { openClickhouseProgram } from './clickhouse-program.ts'
import { findMaterializedViewTargets, TableDetails, toColumnRow, toStableId, toTableRow } from './clickhouse-rows.ts'
import * as catalog from './clickhouse-sql.ts'
import { clickhouseSqlSource } from './clickhouse-sql-source.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const MAX_HISTORY_QUERIES = 500

/** Reads the system tables of a ClickHouse server: one database, or all the user can see. */
export const clickhouseConnector: Connector = {
  test: async (source, signal) => {
    await using reader = await openCatalog(source, signal, TEST_MS)
    const only = getTextCredential(source, 'database')
    await assertDatabaseExists(reader, only)
    const [counted] = await reader.query<{ tables: number; databases: number }>(catalog.countSql(only))
    const where = only === undefined ? `in ${counted!.databases} databases` : `in ${only}`
    return `ClickHouse ${reader.version}: ${counted!.tables} tables and views ${where}.`
  },

  async *discover(source, context) {
    await using reader = await openCatalog(source, context.signal, DISCOVER_MS)
    const only = getTextCredential(source, 'database')
    await assertDatabaseExists(reader, only)
    const has = await readFeatures(reader)
    const patterns = parsePatterns(source)
    const databases = new Map((await reader.query<catalog.DatabaseRow>(catalog.databasesSql(has, only))).map((row) => [row.name, row]))
    const reported = new Map<string, string | undefined>()
    const reportDatabase = ({ name, engine, uuid, comment }: catalog.DatabaseRow): Item => {
      reported.set(buildItemKey(name), undefined)
      return databaseItem({ name, facts: { engine }, ...toStableId(uuid), ...(has.column('databases', 'comment') ? { comment } : {}) })
    }
    if (patterns.all || only !== undefined) for (const row of databases.values()) yield reportDatabase(row)
    const details = await TableDetails.load(reader, has, only)
    const tables = await reader.query<catalog.TableRow>(catalog.tablesSql(has, only))
    const viewTargets = await findMaterializedViewTargets(reader, tables)
    for (const row of tables) {
      if (!patterns.matches(row.database, row.name)) continue
      const parent = databases.get(row.database)
      if (parent && !reported.has(buildItemKey(parent.name))) yield reportDatabase(parent)
      reported.set(buildItemKey(row.database, row.name), row.uuid)
      yield tableItem('clickhouse', toTableRow(has, row, details, viewTargets))
    }
    const positions = new Map<string, number>()
    for await (const row of reader.stream<catalog.ColumnRow>(catalog.columnsSql(has, only))) {
      const table = buildItemKey(row.database, row.table)
      if (!reported.has(table)) continue
      const position = (positions.get(table) ?? 0) + 1
      positions.set(table, position)
      yield columnItem(toColumnRow(row, position, reported.get(table)))
    }
    if (only === undefined) yield* functionItems(reader, has)
    if (source.credentials.query_history === true)
      yield* historyItems(
        reader,
        has,
        source,
        [...databases.keys()].filter((name) => reported.has(buildItemKey(name))),
        context,
      )
  },

  sql: clickhouseSqlSource,
}

const openCatalog = (source: Source, signal: AbortSignal, timeout_ms: number): Promise<CatalogReader> =>
  CatalogReader.open(openClickhouseProgram(source), { signal, timeout_ms })

/** A user with few grants can read system tables without seeing their columns: for those, an empty result provides the column names. */
const readFeatures = async (reader: CatalogReader): Promise<catalog.ServerFeatures> => {
  const rows = await reader.query<{ table: string; name: string }>(catalog.FEATURES_SQL)
  const listed = new Set(rows.map(({ table }) => table))
  const columns = rows.map(({ table, name }) => `${table}.${name}`)
  for (const table of catalog.SYSTEM_TABLES.filter((each) => !listed.has(each))) {
    // None of a table that this server does not have, or this user cannot read.
    const names = await reader.readColumnNames(catalog.columnHeadersSql(table)).catch(() => [])
    columns.push(...names.map((name) => `${table}.${name}`))
  }
  return new catalog.ServerFeatures(columns)
}

const assertDatabaseExists = async (reader: CatalogReader, database: string | undefined): Promise<void> => {
  if (database === undefined) return
  const rows = await reader.query(catalog.databasesSql(new catalog.ServerFeatures([]), database))
  if (rows.length === 0) throw new Error(`The database ${database} does not exist, or the user cannot see it.`)
}

async function* functionItems(reader: CatalogReader, has: catalog.ServerFeatures): AsyncGenerator<Item, void> {
  const sql = catalog.functionsSql(has)
  if (!sql) return
  for (const { name, definition } of await reader.query<catalog.FunctionRow>(sql))
    yield {
      key: buildItemKey('', '', 'function', name), // cannot clash: no database has an empty name
      entity_type: 'query',
      fields: { title: name, native_type: 'function', definition },
      own: { type: 'function' },
    }
}

/** The most frequent queries. If the server does not report their database, the configured one is assumed. */
async function* historyItems(
  reader: CatalogReader,
  has: catalog.ServerFeatures,
  source: Source,
  reportedDatabases: readonly string[],
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  if (!has.column('query_log', 'query'))
    return await reportUnlisted(
      context,
      { entity_type: 'query' },
      'Query history is not available: this server has no system.query_log, or the user cannot see it.',
    )
  const only = getTextCredential(source, 'database')
  const defaultDatabase = only ?? (reportedDatabases.includes('default') ? 'default' : reportedDatabases[0])
  let rows: catalog.QueryRow[]
  try {
    const [normalize] = await reader.query<{ n: number }>(catalog.HAS_NORMALIZE_SQL)
    rows = await reader.query(catalog.historySql(has, only, getTextCredential(source, 'user')!, normalize!.n > 0, MAX_HISTORY_QUERIES))
  } catch (error) {
    return await reportUnlisted(context, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
  for (const { database, text, calls, users } of rows) {
    const queryDatabase = database === '' ? defaultDatabase : database
    if (queryDatabase !== undefined && reportedDatabases.includes(queryDatabase))
      yield queryItem('clickhouse', {
        database: queryDatabase,
        text,
        calls: Number(calls),
        users: users.split('\n'),
        hours: catalog.HISTORY_HOURS,
      })
  }
}
