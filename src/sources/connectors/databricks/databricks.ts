import type { Item } from '../../sync/item.ts'
import { openCheckedQueries } from '../shared/checked-queries.ts'
import { type Connector, type DiscoveryContext, getTextCredential, reportUnlisted, type Source } from '../shared/connector.ts'
import { syncColumnPairs } from '../shared/history-lineage.ts'
import { DatabaseItemBuilder, mapRows } from '../shared/items.ts'
import { type Patterns, parsePatterns } from '../shared/patterns.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import { HISTORY_HOURS, mostFrequentQueries } from '../shared/statement.ts'
import type { OpenOptions } from './databricks-process.ts'
import {
  CATALOGS_SQL,
  type ColumnRow,
  CURRENT_USER_SQL,
  columnsSql,
  HISTORY_SQL,
  type HistoryRow,
  isUserCatalog,
  LINEAGE_SQL,
  type LineageRow,
  type SchemaRow,
  schemasSql,
  type TableRow,
  tablesSql,
} from './databricks-sql.ts'

const TEST_MS = 60_000 // a stopped warehouse takes time to start
const DISCOVER_MS = 300_000

/** Reads the information schemas of Unity Catalog. Each catalog becomes a database. `elsewhere` overrides port and CA in tests. */
export const createDatabricksConnector = (overrides: Pick<OpenOptions, 'port' | 'ca'> = {}): Connector => ({
  test: async (source, signal) => {
    await using databricks = openProgram(source, overrides)
    const { rows } = await databricks.query(CURRENT_USER_SQL, { signal, timeout_ms: TEST_MS, max_rows: 1 })
    const [version, user, metastore] = rows[0]!
    return `Databricks ${version}, metastore ${metastore}: user ${user}.`
  },

  async *discover(source, context) {
    await using databricks = openProgram(source, overrides)
    const patterns = parsePatterns(source)
    const catalogs = await findCatalogs(databricks, source, context)
    for (const catalog of catalogs) yield* catalogItems(databricks, catalog, patterns, context)
    if (source.credentials.query_history === true && catalogs[0] !== undefined)
      yield* historyItems(databricks, new DatabaseItemBuilder(catalogs[0], 'databricks', patterns), context)
  },

  finish: async (source, context) => {
    if (source.credentials.query_history !== true) return { read: 0, unreadable: 0 }
    await using databricks = openProgram(source, overrides)
    return await syncColumnPairs(context, source.id, () =>
      Array.fromAsync(databricks.stream<LineageRow>(LINEAGE_SQL, { signal: context.signal, timeout_ms: DISCOVER_MS }), (row) => ({
        from: [row.source_catalog, row.source_schema, row.source_table, row.source_column],
        to: [row.target_catalog, row.target_schema, row.target_table, row.target_column],
      })),
    )
  },

  sql: {
    dialect: 'databricks',
    open: async (source, signal) => openCheckedQueries(openProgram(source, overrides), 'databricks', signal),
  },
})

export const databricksConnector = createDatabricksConnector()

const openProgram = (source: Source, { port, ca }: Pick<OpenOptions, 'port' | 'ca'>): ProgramConnection => {
  const http_path = getTextCredential(source, 'http_path')!
  if (!/^\/?[\w./-]+(\?o=\d+)?$/.test(http_path)) throw new Error('The HTTP path must look like /sql/1.0/warehouses/….')
  const opening: OpenOptions = {
    host: getTextCredential(source, 'host')!,
    http_path,
    token: getTextCredential(source, 'token')!,
    catalog: getTextCredential(source, 'catalog'),
    port,
    ca,
  }
  return new ProgramConnection({
    name: 'The Databricks SDK',
    program: toNodeProgram(new URL('./databricks-process.ts', import.meta.url), { DATABRICKS_TELEMETRY_DISABLED: 'true' }),
    source,
    settings: { ...opening },
    graceMs: 3_000,
  })
}

const findCatalogs = async (databricks: ProgramConnection, source: Source, { signal, log }: DiscoveryContext): Promise<string[]> => {
  const only = getTextCredential(source, 'catalog')
  if (only !== undefined) return [only]
  const all = await Array.fromAsync(databricks.stream<{ catalog: string }>(CATALOGS_SQL, { signal, timeout_ms: DISCOVER_MS }))
  const names = all.map(({ catalog }) => catalog)
  if (names.includes('hive_metastore')) await log('Skipped hive_metastore: it has no information schema.')
  return names.filter(isUserCatalog)
}

async function* catalogItems(
  databricks: ProgramConnection,
  catalog: string,
  patterns: Patterns,
  { signal }: DiscoveryContext,
): AsyncGenerator<Item, void> {
  const limits = { signal, timeout_ms: DISCOVER_MS }
  yield* new DatabaseItemBuilder(catalog, 'databricks', patterns).buildItems(
    { name: catalog, native_type: 'catalog' },
    {
      schemas: databricks.stream<SchemaRow>(schemasSql(catalog), limits),
      tables: mapRows(databricks.stream<TableRow>(tablesSql(catalog), limits), toTableRow),
      columns: mapRows(databricks.stream<ColumnRow>(columnsSql(catalog), limits), ({ nullable, ...row }) => ({
        ...row,
        nullable: nullable === 'YES',
      })),
    },
  )
}

const TABLE_TYPES: Readonly<Record<string, string>> = { MANAGED: 'table', EXTERNAL: 'external table', FOREIGN: 'foreign table' }

const toTableRow = ({ type, format, altered, ...row }: TableRow) => ({
  ...row,
  kind: TABLE_TYPES[type] ?? type.toLowerCase().replaceAll('_', ' '),
  external_updated_at: altered,
  facts: { format: format?.toLowerCase() },
})

async function* historyItems(
  databricks: ProgramConnection,
  builder: DatabaseItemBuilder,
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  const { signal } = context
  try {
    const rows = mapRows(databricks.stream<HistoryRow>(HISTORY_SQL, { signal, timeout_ms: DISCOVER_MS }), (row) => ({
      ...row,
      users: JSON.parse(row.users) as string[],
    }))
    for (const row of await mostFrequentQueries(rows, 'databricks', HISTORY_HOURS)) yield builder.query(row)
  } catch (error) {
    if (signal.aborted) throw error
    await reportUnlisted(context, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
}
