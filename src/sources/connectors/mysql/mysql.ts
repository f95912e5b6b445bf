import type { Item } from '../../sync/item.ts'
import { CatalogReader } from '../shared/catalog-reader.ts'
import { type Connector, type DiscoveryContext, getTextCredential, reportUnlisted, type Source } from '../shared/connector.ts'
import { columnItem, databaseItem, queryItem, routineItem, tableItem } from '../shared/flat-items.ts'
import { type Patterns, parsePatterns } from '../shared/patterns.ts'
import { openMysqlProgram } from './mysql-program.ts'
import { TableDetails, toColumnRow, toRoutineRow, toTableRow } from './mysql-rows.ts'
import * as catalog from './mysql-sql.ts'
import { mysqlSqlSource } from './mysql-sql-source.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const MAX_HISTORY_QUERIES = 500

/** Reads the catalog of a MySQL or MariaDB server: one database, or all the user can see. */
export const mysqlConnector: Connector = {
  test: async (source, signal) => {
    await using connection = await openCatalog(source, signal, TEST_MS)
    const only = getTextCredential(source, 'database')
    if (only !== undefined) await assertDatabaseExists(connection, only)
    const [counted] = await connection.query<{ tables: number; databases: number }>(catalog.countSql(only))
    const where = only === undefined ? `in ${counted!.databases} databases` : `in ${only}`
    return `${describeServer(connection)}: ${counted!.tables} tables and views ${where}.`
  },

  async *discover(source, context) {
    await using connection = await openCatalog(source, context.signal, DISCOVER_MS)
    const only = getTextCredential(source, 'database')
    if (only !== undefined) await assertDatabaseExists(connection, only)
    const has = new catalog.ServerFeatures(await connection.query(catalog.FEATURES_SQL))
    const databases = await connection.query<catalog.DatabaseRow>(catalog.databasesSql(has, only))
    const patterns = parsePatterns(source)
    const reportedDatabases = new Set<string>()
    for (const database of databases)
      for await (const item of databaseItems(connection, has, database, patterns, only !== undefined, context)) {
        reportedDatabases.add(database.name)
        yield item
      }
    if (source.credentials.query_history === true) yield* historyItems(connection, only, reportedDatabases, context)
  },

  sql: mysqlSqlSource,
}

/** In one transaction. */
const openCatalog = (source: Source, signal: AbortSignal, timeout_ms: number): Promise<CatalogReader> =>
  CatalogReader.open(openMysqlProgram(source, timeout_ms), { signal, timeout_ms })

const isMaria = ({ version }: CatalogReader): boolean => /mariadb/i.test(version)

const describeServer = (connection: CatalogReader): string =>
  `${isMaria(connection) ? 'MariaDB' : 'MySQL'} ${connection.version.replace(/-.*/, '')}`

const assertDatabaseExists = async (connection: CatalogReader, database: string): Promise<void> => {
  const rows = await connection.query(catalog.databasesSql(new catalog.ServerFeatures([]), database))
  if (rows.length === 0) throw new Error(`The database ${database} does not exist, or the user cannot see it.`)
}

/** With patterns, only databases with included tables are reported, and the configured one. */
async function* databaseItems(
  connection: CatalogReader,
  has: catalog.ServerFeatures,
  database: catalog.DatabaseRow,
  patterns: Patterns,
  isConfigured: boolean,
  { log }: DiscoveryContext,
): AsyncGenerator<Item, void> {
  const { name, comment, collation } = database
  const databaseEntry = databaseItem({ name, facts: { collation }, ...(comment === null ? {} : { comment }) })
  const tables = (await connection.query<catalog.TableRow>(catalog.tablesSql(name))).filter((row) => patterns.matches(name, row.name))
  const routines = (await connection.query<catalog.RoutineRow>(catalog.routinesSql(name))).filter((row) => patterns.matches(name, row.name))
  if (!isConfigured && !patterns.all && tables.length === 0 && routines.length === 0) return
  yield databaseEntry
  const details = await TableDetails.load(connection, has, name, tables)
  if (details.hidden > 0)
    await log(`Skipped the definitions of ${details.hidden} views in ${name}: the user does not have the SHOW VIEW privilege.`)
  for (const row of tables) yield tableItem('mysql', toTableRow(name, row, details))
  const reportedTables = new Set(tables.map((row) => row.name))
  for await (const row of connection.stream<catalog.ColumnRow>(catalog.columnsSql(has, name)))
    if (reportedTables.has(row.table)) yield columnItem(toColumnRow(name, row, isMaria(connection)))
  if (routines.length === 0) return
  const parameters = Map.groupBy(
    await connection.query<catalog.ParameterRow>(catalog.parametersSql(name)),
    ({ routine, routine_type }) => `${routine_type} ${routine}`,
  )
  for (const row of routines) yield routineItem('mysql', toRoutineRow(name, row, parameters.get(`${row.type} ${row.id}`) ?? []))
}

/** The most frequent queries of the reported databases. */
async function* historyItems(
  connection: CatalogReader,
  only: string | undefined,
  reportedDatabases: ReadonlySet<string>,
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  let rows: catalog.QueryRow[]
  try {
    const [{ on } = { on: 0 }] = await connection.query<{ on: number }>('select @@global.performance_schema as `on`')
    if (!on)
      return await reportUnlisted(
        context,
        { entity_type: 'query' },
        'Query history is not available: performance_schema is turned off on this server.',
      )
    rows = await connection.query<catalog.QueryRow>(catalog.historySql(only, MAX_HISTORY_QUERIES))
  } catch (error) {
    return await reportUnlisted(context, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
  for (const row of rows) if (reportedDatabases.has(row.database)) yield queryItem('mysql', { ...row, calls: Number(row.calls) })
}
