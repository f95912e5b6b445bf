import type { Item } from '../../sync/item.ts'
import { openCheckedQueries } from '../shared/checked-queries.ts'
import { type Connector, type DiscoveryContext, getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'
import type { InformationSchemaColumn } from '../shared/information-schema.ts'
import { DatabaseItemBuilder, mapRows } from '../shared/items.ts'
import { type Patterns, parsePatterns } from '../shared/patterns.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import { mostFrequentQueries } from '../shared/statement.ts'
import type { TrinoSettings } from './trino-client.ts'
import {
  CATALOGS_SQL,
  columnsSql,
  HISTORY_SQL,
  type HistoryRow,
  minimalTablesSql,
  type StatRow,
  schemasSql,
  statsSql,
  type TableRow,
  tablesSql,
  VERSION_SQL,
} from './trino-sql.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const STATS_MS = 10_000
const MAX_STATS_TABLES = 1_000
/** Time to cancel a statement at the coordinator, and to end its transaction. */
const GRACE_MS = 3_000

/** Reads the catalogs of a Trino server. Each catalog becomes a database. */
export const trinoConnector: Connector = {
  test: async (source, signal) => {
    await using client = openProgram(source, { transactions: false })
    const limits = { signal, timeout_ms: TEST_MS }
    const [node] = await Array.fromAsync(client.stream<{ version: string }>(VERSION_SQL, limits))
    const catalogs = await findCatalogs(source, client, limits)
    return `Trino ${node?.version ?? ''}: ${catalogs.length === 1 ? `catalog ${catalogs[0]}` : `${catalogs.length} catalogs`}.`
  },

  async *discover(source, context) {
    await using client = openProgram(source, { transactions: false })
    const limits = { signal: context.signal, timeout_ms: DISCOVER_MS }
    const patterns = parsePatterns(source)
    const catalogs = await findCatalogs(source, client, limits)
    for (const catalog of catalogs) yield* catalogItems(client, catalog, patterns, context, catalogs.length > 1)
    if (source.credentials.query_history === true && catalogs[0] !== undefined) {
      const rows = mapRows(client.stream<HistoryRow>(HISTORY_SQL, limits), ({ text, user, calls }) => ({ text, calls, users: [user] }))
      const builder = new DatabaseItemBuilder(catalogs[0], 'trino', patterns)
      for (const row of await mostFrequentQueries(rows, 'trino')) yield builder.query(row)
    }
  },

  sql: {
    dialect: 'trino',
    open: async (source, signal) => openCheckedQueries(openProgram(source, { transactions: true }), 'trino', signal),
  },
}

const openProgram = (source: Source, { transactions }: Pick<TrinoSettings, 'transactions'>): ProgramConnection => {
  const opening: TrinoSettings = {
    host: getTextCredential(source, 'host')!,
    port: getNumberCredential(source, 'port'),
    user: getTextCredential(source, 'user')!,
    password: getTextCredential(source, 'password'),
    ssl: source.credentials.ssl === true,
    ca: getTextCredential(source, 'ca'),
    transactions,
  }
  return new ProgramConnection({
    name: 'The driver of Trino',
    program: toNodeProgram(new URL('./trino-process.ts', import.meta.url)),
    settings: { ...opening },
    graceMs: GRACE_MS,
  })
}

type StreamLimits = Parameters<ProgramConnection['stream']>[1]

const findCatalogs = async (source: Source, client: ProgramConnection, limits: StreamLimits): Promise<string[]> => {
  const only = getTextCredential(source, 'catalog')
  if (only !== undefined) return [only]
  return (await Array.fromAsync(client.stream<{ name: string }>(CATALOGS_SQL, limits))).map(({ name }) => name)
}

/** If one of several catalogs cannot be read, the sync fails: otherwise its content would be treated as missing. */
async function* catalogItems(
  client: ProgramConnection,
  catalog: string,
  patterns: Patterns,
  context: DiscoveryContext,
  several: boolean,
): AsyncGenerator<Item, void> {
  const limits = { signal: context.signal, timeout_ms: DISCOVER_MS }
  const builder = new DatabaseItemBuilder(catalog, 'trino', patterns)
  try {
    yield* builder.buildItems(
      { name: catalog, native_type: 'catalog' },
      {
        schemas: client.stream<{ name: string }>(schemasSql(catalog), limits),
        tables: tableRows(client, catalog, builder, context),
        columns: mapRows(client.stream<InformationSchemaColumn>(columnsSql(catalog), limits), ({ nullable, ...row }) => ({
          ...row,
          nullable: nullable === 'YES',
        })),
      },
    )
  } catch (error) {
    if (!several || context.signal.aborted) throw error
    throw new Error(
      `Could not read the catalog ${catalog}: ${(error as Error).message}. To sync only one catalog, set it on the integration.`,
    )
  }
}

async function* tableRows(client: ProgramConnection, catalog: string, builder: DatabaseItemBuilder, context: DiscoveryContext) {
  const rows = (await listTables(client, catalog, context)).filter(({ schema, name }) => builder.includes(schema, name))
  const counted = rows.filter(({ type }) => type === 'BASE TABLE').length <= MAX_STATS_TABLES
  if (!counted)
    await context.log(`${catalog} has more than ${MAX_STATS_TABLES} tables: row counts are skipped because each needs its own query.`)
  for (const { schema, name, type, comment, definition, materialized } of rows)
    yield {
      schema,
      name,
      kind: materialized ? 'materialized view' : type === 'VIEW' ? 'view' : 'table',
      comment,
      definition,
      ...(counted && type === 'BASE TABLE' && !materialized ? await readTableStats(client, [catalog, schema, name], context) : {}),
    }
}

const listTables = async (client: ProgramConnection, catalog: string, { signal, log }: DiscoveryContext): Promise<TableRow[]> => {
  const limits = { signal, timeout_ms: DISCOVER_MS }
  try {
    return await Array.fromAsync(client.stream<TableRow>(tablesSql(catalog), limits))
  } catch (error) {
    signal.throwIfAborted()
    await log(`Could not read comments and definitions in ${catalog}: ${(error as Error).message}`)
    return Array.fromAsync(client.stream<TableRow>(minimalTablesSql(catalog), limits))
  }
}

const readTableStats = async (
  client: ProgramConnection,
  [catalog, schema, name]: [string, string, string],
  { signal }: DiscoveryContext,
) => {
  try {
    const rows = await Array.fromAsync(client.stream<StatRow>(statsSql(catalog, schema, name), { signal, timeout_ms: STATS_MS }))
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
