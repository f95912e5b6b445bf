import type { Item } from '../../sync/item.ts'
import { type Connector, cannotList, type Source, textOf, type Visit } from './connector.ts'
import { columnItem, databaseItem, queryItem, routineItem, tableItem } from './flat-items.ts'
import { mysqlSql } from './mysql-ask.ts'
import { columnOf, Details, routineOf, tableOf } from './mysql-rows.ts'
import { Session } from './mysql-session.ts'
import * as catalog from './mysql-sql.ts'
import { type Patterns, patternsOf } from './patterns.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const LOCK_SECONDS = 10
const MOST_QUERIES = 500

/** Reads the catalog of a MySQL or MariaDB server: one database, or all the user can see. */
export const mysqlConnector: Connector = {
  test: async (source, signal) => {
    await using session = await reading(source, signal, TEST_MS)
    using _watch = session.watch(signal)
    const only = textOf(source, 'database')
    if (only !== undefined) await mustHave(session, only)
    const [counted] = await session.ask<{ tables: number; databases: number }>(catalog.countSql(only))
    const where = only === undefined ? `in ${counted!.databases} databases` : `in ${only}`
    return `${nameOf(session)}: ${counted!.tables} tables and views ${where}.`
  },

  async *discover(source, visit) {
    await using session = await reading(source, visit.signal, DISCOVER_MS)
    using _watch = session.watch(visit.signal)
    const only = textOf(source, 'database')
    if (only !== undefined) await mustHave(session, only)
    const has = new catalog.Has(await session.ask(catalog.HAS_SQL))
    const databases = await session.ask<catalog.DatabaseRow>(catalog.databasesSql(has, only))
    const patterns = patternsOf(source)
    const told = new Set<string>()
    for (const database of databases)
      for await (const item of tell(session, has, database, patterns, only !== undefined, visit)) {
        told.add(database.name)
        yield item
      }
    if (source.credentials.query_history === true) yield* history(session, only, told, visit)
  },

  sql: mysqlSql,
}

const nameOf = ({ maria, version }: Session): string => `${maria ? 'MariaDB' : 'MySQL'} ${version.replace(/-.*/, '')}`

/** Read-only, with timeouts, and with fixed SQL mode and time zone. No default database: names are always qualified. */
const reading = (source: Source, signal: AbortSignal, statementMs: number): Promise<Session> =>
  Session.open(source, signal, {
    settings: ({ maria }) => [
      "set session sql_mode = ''",
      "set session time_zone = '+00:00'",
      maria ? `set session max_statement_time = ${statementMs / 1000}` : `set session max_execution_time = ${statementMs}`,
      `set session lock_wait_timeout = ${LOCK_SECONDS}`,
      `set session net_write_timeout = ${statementMs / 1000}`,
      'set session transaction read only',
      'start transaction read only',
    ],
  })

const mustHave = async (session: Session, database: string): Promise<void> => {
  const rows = await session.ask(catalog.databasesSql(new catalog.Has([]), database))
  if (rows.length === 0) throw new Error(`The database ${database} does not exist, or the user cannot see it.`)
}

/** With patterns, only databases with included tables are reported, and the configured one. */
async function* tell(
  session: Session,
  has: catalog.Has,
  database: catalog.DatabaseRow,
  patterns: Patterns,
  wanted: boolean,
  { say }: Visit,
): AsyncGenerator<Item, void> {
  const { name, comment, collation } = database
  const home = databaseItem({ name, facts: { collation }, ...(comment === null ? {} : { comment }) })
  const tables = (await session.ask<catalog.TableRow>(catalog.tablesSql(name))).filter((row) => patterns.wants(name, row.name))
  const routines = (await session.ask<catalog.RoutineRow>(catalog.routinesSql(name))).filter((row) => patterns.wants(name, row.name))
  if (!wanted && !patterns.all && tables.length === 0 && routines.length === 0) return
  yield home
  const details = await Details.read(session, has, name, tables)
  if (details.hidden > 0)
    await say(`Skipped the definitions of ${details.hidden} views in ${name}: the user does not have the SHOW VIEW privilege.`)
  for (const row of tables) yield tableItem('mysql', tableOf(name, row, details))
  const told = new Set(tables.map((row) => row.name))
  for await (const row of session.stream<catalog.ColumnRow>(catalog.columnsSql(has, name)))
    if (told.has(row.table)) yield columnItem(columnOf(name, row, session.maria))
  if (routines.length === 0) return
  const parameters = Map.groupBy(
    await session.ask<catalog.ParameterRow>(catalog.parametersSql(name)),
    ({ routine, routine_type }) => `${routine_type} ${routine}`,
  )
  for (const row of routines) yield routineItem('mysql', routineOf(name, row, parameters.get(`${row.type} ${row.id}`) ?? []))
}

/** The most frequent queries of the reported databases. */
async function* history(session: Session, only: string | undefined, told: ReadonlySet<string>, visit: Visit): AsyncGenerator<Item, void> {
  let rows: catalog.QueryRow[]
  try {
    const [{ on } = { on: 0 }] = await session.ask<{ on: number }>('select @@global.performance_schema as `on`')
    if (!on)
      return await cannotList(
        visit,
        { entity_type: 'query' },
        'Query history is not available: performance_schema is turned off on this server.',
      )
    rows = await session.ask<catalog.QueryRow>(catalog.historySql(only, MOST_QUERIES))
  } catch (error) {
    return await cannotList(visit, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
  for (const row of rows) if (told.has(row.database)) yield queryItem('mysql', { ...row, calls: Number(row.calls) })
}
