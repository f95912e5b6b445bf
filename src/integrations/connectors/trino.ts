import type { Item } from '../../sync/item.ts'
import { type Connector, type Source, textOf, type Visit } from './connector.ts'
import { eachOf, Telling } from './items.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import { frequent } from './statement.ts'
import { TrinoSession } from './trino-session.ts'
import {
  bareTablesOf,
  CATALOGS,
  type ColumnRow,
  columnsOf,
  HISTORY,
  type HistoryRow,
  type StatRow,
  schemasOf,
  statsOf,
  type TableRow,
  tablesOf,
  VERSION,
} from './trino-sql.ts'
import { toldOf, within } from './within.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const STATS_MS = 10_000
const MOST_STATS = 1_000

/** Reads the catalogs of a Trino server. Each catalog becomes a database. */
export const trinoConnector: Connector = {
  test: (source, signal) =>
    within({ signal, timeout_ms: TEST_MS }, async (signal) => {
      await using session = new TrinoSession(source)
      const limits = { signal, timeout_ms: TEST_MS }
      const [node] = await Array.fromAsync(session.stream<{ version: string }>(VERSION, limits))
      const catalogs = await catalogsOf(source, session, limits)
      return `Trino ${node?.version ?? ''}: ${catalogs.length === 1 ? `catalog ${catalogs[0]}` : `${catalogs.length} catalogs`}.`
    }),

  async *discover(source, visit) {
    await using session = new TrinoSession(source)
    const limits = { signal: visit.signal, timeout_ms: DISCOVER_MS }
    try {
      const patterns = patternsOf(source)
      const catalogs = await catalogsOf(source, session, limits)
      for (const catalog of catalogs) yield* tell(session, catalog, patterns, visit, catalogs.length > 1)
      if (source.credentials.query_history === true && catalogs[0] !== undefined) {
        const rows = eachOf(session.stream<HistoryRow>(HISTORY, limits), ({ text, user, calls }) => ({ text, calls, users: [user] }))
        const telling = new Telling(catalogs[0], 'trino', patterns)
        for (const row of await frequent(rows, 'trino')) yield telling.query(row)
      }
    } catch (error) {
      throw toldOf(error, visit.signal)
    }
  },

  sql: {
    dialect: 'trino',
    open: async (source, signal) => {
      const session = new TrinoSession(source)
      try {
        await session.ask('select 1', { signal, timeout_ms: TEST_MS, max_rows: 1 })
        return session
      } catch (error) {
        await session[Symbol.asyncDispose]()
        throw error
      }
    },
  },
}

type Limits = Parameters<TrinoSession['stream']>[1]

const catalogsOf = async (source: Source, session: TrinoSession, limits: Limits): Promise<string[]> => {
  const only = textOf(source, 'catalog')
  if (only !== undefined) return [only]
  return (await Array.fromAsync(session.stream<{ name: string }>(CATALOGS, limits))).map(({ name }) => name)
}

/** If one of several catalogs cannot be read, the sync fails: otherwise its content would be treated as missing. */
async function* tell(
  session: TrinoSession,
  catalog: string,
  patterns: Patterns,
  visit: Visit,
  several: boolean,
): AsyncGenerator<Item, void> {
  const limits = { signal: visit.signal, timeout_ms: DISCOVER_MS }
  const telling = new Telling(catalog, 'trino', patterns)
  try {
    yield* telling.all(
      { name: catalog, native_type: 'catalog' },
      {
        schemas: session.stream<{ name: string }>(schemasOf(catalog), limits),
        tables: tables(session, catalog, telling, visit),
        columns: eachOf(session.stream<ColumnRow>(columnsOf(catalog), limits), ({ nullable, ...row }) => ({
          ...row,
          nullable: nullable === 'YES',
        })),
      },
    )
  } catch (error) {
    if (!several || visit.signal.aborted) throw error
    throw new Error(
      `Could not read the catalog ${catalog}: ${(error as Error).message}. To sync only one catalog, set it on the integration.`,
    )
  }
}

async function* tables(session: TrinoSession, catalog: string, telling: Telling, visit: Visit) {
  const rows = (await list(session, catalog, visit)).filter(({ schema, name }) => telling.wants(schema, name))
  const counted = rows.filter(({ type }) => type === 'BASE TABLE').length <= MOST_STATS
  if (!counted) await visit.say(`${catalog} has more than ${MOST_STATS} tables: row counts are skipped because each needs its own query.`)
  for (const { schema, name, type, comment, definition, materialized } of rows)
    yield {
      schema,
      name,
      kind: materialized ? 'materialized view' : type === 'VIEW' ? 'view' : 'table',
      comment,
      definition,
      ...(counted && type === 'BASE TABLE' && !materialized ? await statsFor(session, [catalog, schema, name], visit) : {}),
    }
}

const list = async (session: TrinoSession, catalog: string, { signal, say }: Visit): Promise<TableRow[]> => {
  const limits = { signal, timeout_ms: DISCOVER_MS }
  try {
    return await Array.fromAsync(session.stream<TableRow>(tablesOf(catalog), limits))
  } catch (error) {
    signal.throwIfAborted()
    await say(`Could not read comments and definitions in ${catalog}: ${(error as Error).message}`)
    return Array.fromAsync(session.stream<TableRow>(bareTablesOf(catalog), limits))
  }
}

const statsFor = async (session: TrinoSession, [catalog, schema, name]: [string, string, string], { signal }: Visit) => {
  try {
    const rows = await Array.fromAsync(session.stream<StatRow>(statsOf(catalog, schema, name), { signal, timeout_ms: STATS_MS }))
    const count = rows.find(({ column_name }) => column_name === null)?.row_count
    const sizes = rows.flatMap(({ data_size }) => data_size ?? [])
    return {
      row_count: count == null ? null : Math.round(count),
      byte_size: sizes.length === 0 ? null : Math.round(sizes.reduce((sum, size) => sum + size, 0)),
    }
  } catch {
    signal.throwIfAborted()
    return {} // the Trino connector has no statistics, or cannot open the table
  }
}
