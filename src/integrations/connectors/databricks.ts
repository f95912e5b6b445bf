import type { Item } from '../../sync/item.ts'
import { Apart } from './apart.ts'
import { type Asking, type Connector, cannotList, type Source, textOf, type Visit } from './connector.ts'
import type { Opening } from './databricks-process.ts'
import {
  CATALOGS,
  type ColumnRow,
  columnsOf,
  HISTORY,
  type HistoryRow,
  isOurs,
  type SchemaRow,
  schemasOf,
  type TableRow,
  tablesOf,
  WHO,
} from './databricks-sql.ts'
import { eachOf, Telling } from './items.ts'
import { type Patterns, patternsOf } from './patterns.ts'
import { frequent, HISTORY_HOURS, mustBeQuery } from './statement.ts'

const TEST_MS = 60_000 // a stopped warehouse takes time to start
const DISCOVER_MS = 300_000

/** Reads the information schemas of Unity Catalog. Each catalog becomes a database. `elsewhere` overrides port and CA in tests. */
export const databricksAt = (elsewhere: Pick<Opening, 'port' | 'ca'> = {}): Connector => ({
  test: async (source, signal) => {
    await using databricks = start(source, elsewhere)
    const { rows } = await databricks.ask(WHO, { signal, timeout_ms: TEST_MS, max_rows: 1 })
    const [version, user, metastore] = rows[0]!
    return `Databricks ${version}, metastore ${metastore}: user ${user}.`
  },

  async *discover(source, visit) {
    await using databricks = start(source, elsewhere)
    const patterns = patternsOf(source)
    const catalogs = await catalogsOf(databricks, source, visit)
    for (const catalog of catalogs) yield* tell(databricks, catalog, patterns, visit)
    if (source.credentials.query_history === true && catalogs[0] !== undefined)
      yield* history(databricks, new Telling(catalogs[0], 'databricks', patterns), visit)
  },

  sql: {
    dialect: 'databricks',
    open: async (source, signal): Promise<Asking> => {
      const databricks = start(source, elsewhere)
      await databricks.reach(signal)
      return {
        // A warehouse has no read-only sessions: the type of statement is checked here, everything else depends on the token's privileges.
        ask: async (sql, limits) => {
          mustBeQuery(sql, 'databricks')
          return databricks.ask(sql, limits)
        },
        [Symbol.asyncDispose]: () => databricks[Symbol.asyncDispose](),
      }
    },
  },
})

export const databricksConnector = databricksAt()

const start = (source: Source, elsewhere: Pick<Opening, 'port' | 'ca'>): Apart => {
  const http_path = textOf(source, 'http_path')!
  if (!/^\/?[\w./-]+(\?o=\d+)?$/.test(http_path)) throw new Error('The HTTP path must look like /sql/1.0/warehouses/….')
  const opening: Opening = {
    host: textOf(source, 'host')!,
    http_path,
    token: textOf(source, 'token')!,
    catalog: textOf(source, 'catalog'),
    ...elsewhere,
  }
  return new Apart({
    name: 'The Databricks SDK',
    file: new URL('./databricks-process.ts', import.meta.url),
    opening,
    env: { DATABRICKS_TELEMETRY_DISABLED: 'true' },
    grace_ms: 3_000,
  })
}

const catalogsOf = async (databricks: Apart, source: Source, { signal, say }: Visit): Promise<string[]> => {
  const only = textOf(source, 'catalog')
  if (only !== undefined) return [only]
  const all = await Array.fromAsync(databricks.stream<{ catalog: string }>(CATALOGS, { signal, timeout_ms: DISCOVER_MS }))
  const names = all.map(({ catalog }) => catalog)
  if (names.includes('hive_metastore')) await say('Skipped hive_metastore: it has no information schema.')
  return names.filter(isOurs)
}

async function* tell(databricks: Apart, catalog: string, patterns: Patterns, { signal }: Visit): AsyncGenerator<Item, void> {
  const limits = { signal, timeout_ms: DISCOVER_MS }
  yield* new Telling(catalog, 'databricks', patterns).all(
    { name: catalog, native_type: 'catalog' },
    {
      schemas: databricks.stream<SchemaRow>(schemasOf(catalog), limits),
      tables: eachOf(databricks.stream<TableRow>(tablesOf(catalog), limits), tableOf),
      columns: eachOf(databricks.stream<ColumnRow>(columnsOf(catalog), limits), ({ nullable, ...row }) => ({
        ...row,
        nullable: nullable === 'YES',
      })),
    },
  )
}

const KINDS: Readonly<Record<string, string>> = { MANAGED: 'table', EXTERNAL: 'external table', FOREIGN: 'foreign table' }

const tableOf = ({ type, format, altered, ...row }: TableRow) => ({
  ...row,
  kind: KINDS[type] ?? type.toLowerCase().replaceAll('_', ' '),
  external_updated_at: altered,
  facts: { format: format?.toLowerCase() },
})

async function* history(databricks: Apart, telling: Telling, visit: Visit): AsyncGenerator<Item, void> {
  const { signal } = visit
  try {
    const rows = eachOf(databricks.stream<HistoryRow>(HISTORY, { signal, timeout_ms: DISCOVER_MS }), (row) => ({
      ...row,
      users: JSON.parse(row.users) as string[],
    }))
    for (const row of await frequent(rows, 'databricks', HISTORY_HOURS)) yield telling.query(row)
  } catch (error) {
    if (signal.aborted) throw error
    await cannotList(visit, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
}
