import type { Item } from '../../sync/item.ts'
import { openCheckedQueries } from '../shared/checked-queries.ts'
import { type Connector, type DiscoveryContext, getTextCredential, reportUnlisted, type Source } from '../shared/connector.ts'
import { syncColumnPairs } from '../shared/history-lineage.ts'
import { DatabaseItemBuilder, mapRows } from '../shared/items.ts'
import { type Patterns, parsePatterns } from '../shared/patterns.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import { HISTORY_HOURS, mostFrequentQueries } from '../shared/statement.ts'
import type { OpenOptions } from './snowflake-process.ts'
import {
  ACCESS_SQL,
  type AccessRow,
  type ColumnRow,
  CURRENT_USER_SQL,
  columnsSql,
  DATABASES_SQL,
  type DatabaseRow,
  type ForeignKeyRow,
  foreignKeysSql,
  HISTORY_SQL,
  type HistoryRow,
  type MaterializedRow,
  materializedViewsSql,
  type PrimaryKeyRow,
  primaryKeysSql,
  type SchemaRow,
  schemasSql,
  splitObjectName,
  type TableRow,
  tablesSql,
} from './snowflake-sql.ts'
import { addTags, loadTags } from './snowflake-tags.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000

/** Reads the information schemas of a Snowflake account. `address` overrides the account's URL in tests. */
export const createSnowflakeConnector = (address?: string): Connector => ({
  test: async (source, signal) => {
    await using snowflake = openProgram(source, address)
    const { rows } = await snowflake.query(CURRENT_USER_SQL, { signal, timeout_ms: TEST_MS, max_rows: 1 })
    const [version, account, role, warehouse] = rows[0]!
    return `Snowflake ${version}, account ${account}: role ${role}, warehouse ${warehouse}.`
  },

  async *discover(source, context) {
    await using snowflake = openProgram(source, address)
    const patterns = parsePatterns(source)
    const databases = await findDatabases(snowflake, source, context)
    const tags = source.credentials.query_history === true ? await loadTags(snowflake, context) : undefined
    for (const database of databases)
      for await (const item of databaseItems(snowflake, database, patterns, context)) yield tags ? addTags(item, tags) : item
    if (source.credentials.query_history === true) yield* historyItems(snowflake, databases, patterns, context)
  },

  finish: async (source, context) => {
    if (source.credentials.query_history !== true) return { read: 0, unreadable: 0 }
    await using snowflake = openProgram(source, address)
    return await syncColumnPairs(context, source.id, () =>
      Array.fromAsync(snowflake.stream<AccessRow>(ACCESS_SQL, { signal: context.signal, timeout_ms: DISCOVER_MS }), (row) => ({
        from: [...splitObjectName(row.source), row.source_column],
        to: [...splitObjectName(row.target), row.target_column],
      })),
    )
  },

  sql: {
    dialect: 'snowflake',
    open: async (source, signal) => openCheckedQueries(openProgram(source, address), 'snowflake', signal),
  },
})

export const snowflakeConnector = createSnowflakeConnector()

const openProgram = (source: Source, address?: string): ProgramConnection => {
  const account = getTextCredential(source, 'account')!
  if (!/^[a-z\d][a-z\d._-]*$/i.test(account))
    throw new Error('The account must be the account identifier in <account>.snowflakecomputing.com only.')
  const opening: OpenOptions = {
    account,
    user: getTextCredential(source, 'user')!,
    password: getTextCredential(source, 'password'),
    private_key: getTextCredential(source, 'private_key'),
    warehouse: getTextCredential(source, 'warehouse')!,
    role: getTextCredential(source, 'role'),
    database: getTextCredential(source, 'database'),
    address,
  }
  if (opening.password === undefined && opening.private_key === undefined) throw new Error('A password or private_key is required.')
  return new ProgramConnection({
    name: 'The Snowflake SDK',
    // Otherwise it would load a native library, probe the cloud it may run in, and send its configuration.
    program: toNodeProgram(new URL('./snowflake-process.ts', import.meta.url), {
      SNOWFLAKE_DISABLE_MINICORE: 'true',
      SNOWFLAKE_DISABLE_PLATFORM_DETECTION: 'true',
      SF_TELEMETRY_DISABLE_CONNECTION_SHAPE: 'true',
    }),
    source,
    settings: { ...opening },
    graceMs: 3_000,
  })
}

const findDatabases = async (snowflake: ProgramConnection, source: Source, { signal }: DiscoveryContext): Promise<DatabaseRow[]> => {
  const all = await Array.fromAsync(snowflake.stream<DatabaseRow>(DATABASES_SQL, { signal, timeout_ms: DISCOVER_MS }))
  const only = getTextCredential(source, 'database')
  const selected = all.filter(({ name }) => (only === undefined ? name !== 'SNOWFLAKE' : name.toUpperCase() === only.toUpperCase()))
  if (only !== undefined && selected.length === 0) throw new Error(`The database ${only} does not exist, or the role cannot use it.`)
  return selected
}

async function* databaseItems(
  snowflake: ProgramConnection,
  { name: database, comment }: DatabaseRow,
  patterns: Patterns,
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  const limits = { signal: context.signal, timeout_ms: DISCOVER_MS }
  const builder = new DatabaseItemBuilder(database, 'snowflake', patterns)
  const keys = await loadKeys(snowflake, database, context)
  yield* builder.buildItems(
    { name: database, comment },
    {
      schemas: snowflake.stream<SchemaRow>(schemasSql(database), limits),
      tables: mapRows(snowflake.stream<TableRow>(tablesSql(database), limits), (row) => toTableRow(row, keys)),
      columns: mapRows(snowflake.stream<ColumnRow>(columnsSql(database), limits), (row) => toColumnRow(row, keys)),
    },
  )
}

interface SnowflakeKeys {
  readonly primary: ReadonlySet<string>
  readonly foreign: ReadonlyMap<string, ForeignKeyRow[]>
  readonly materialized: ReadonlyMap<string, string>
}

const joinName = (...parts: readonly string[]): string => JSON.stringify(parts)

/** Available only through SHOW. Editions or roles without it report no keys. */
const loadKeys = async (snowflake: ProgramConnection, database: string, { signal, log }: DiscoveryContext): Promise<SnowflakeKeys> => {
  const show = async <T extends object>(sql: string, what: string): Promise<T[]> => {
    try {
      return await Array.fromAsync(snowflake.stream<T>(sql, { signal, timeout_ms: DISCOVER_MS }))
    } catch (error) {
      if (signal.aborted) throw error
      await log(`Could not read the ${what} of ${database}: ${(error as Error).message}`)
      return []
    }
  }
  const primary = await show<PrimaryKeyRow>(primaryKeysSql(database), 'primary keys')
  const foreign = await show<ForeignKeyRow>(foreignKeysSql(database), 'foreign keys')
  const materialized = await show<MaterializedRow>(materializedViewsSql(database), 'materialized views')
  return {
    primary: new Set(primary.map((row) => joinName(row.schema_name, row.table_name, row.column_name))),
    foreign: Map.groupBy(foreign, (row) => joinName(row.fk_schema_name, row.fk_table_name)),
    materialized: new Map(materialized.map((row) => [joinName(row.schema_name, row.name), row.text])),
  }
}

const toTableRow = ({ type, altered, clustering_key, definition, ...row }: TableRow, { foreign, materialized }: SnowflakeKeys) => {
  const keys = Map.groupBy(foreign.get(joinName(row.schema, row.name)) ?? [], ({ fk_name }) => fk_name)
  return {
    ...row,
    kind: type.toLowerCase().replace('base table', 'table'),
    external_updated_at: altered,
    definition: definition ?? materialized.get(joinName(row.schema, row.name)) ?? null,
    facts: {
      clustering_key,
      foreign_keys: keys.size === 0 ? undefined : [...keys].map(([name, parts]) => toForeignKey(name, parts)),
    },
  }
}

const toForeignKey = (name: string, parts: readonly ForeignKeyRow[]) => {
  const sorted = parts.toSorted((a, b) => a.key_sequence - b.key_sequence)
  const { pk_schema_name, pk_table_name } = sorted[0]!
  return {
    name,
    columns: sorted.map(({ fk_column_name }) => fk_column_name),
    table: `${pk_schema_name}.${pk_table_name}`,
    to: sorted.map(({ pk_column_name }) => pk_column_name),
  }
}

const toColumnRow = ({ type, length, precision, scale, nullable, identity, ...row }: ColumnRow, { primary }: SnowflakeKeys) => ({
  ...row,
  type:
    type === 'NUMBER' && precision !== null
      ? `NUMBER(${precision},${scale})`
      : type === 'TEXT' && length !== null
        ? `VARCHAR(${length})`
        : type,
  nullable: nullable === 'YES',
  is_pk: primary.has(joinName(row.schema, row.table, row.name)),
  facts: { identity: identity === 'YES' ? 'by default' : undefined },
})

/** Read last: without access to it, everything else has been reported. */
async function* historyItems(
  snowflake: ProgramConnection,
  databases: readonly DatabaseRow[],
  patterns: Patterns,
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  const { signal } = context
  let rows: HistoryRow[]
  try {
    rows = await Array.fromAsync(snowflake.stream<HistoryRow>(HISTORY_SQL, { signal, timeout_ms: DISCOVER_MS }))
  } catch (error) {
    if (signal.aborted) throw error
    return reportUnlisted(context, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
  for (const { name } of databases) {
    const own = rows.flatMap(({ database, text, calls, users }) =>
      database === name ? [{ text, calls, users: JSON.parse(users) as string[] }] : [],
    )
    for (const row of await mostFrequentQueries(own, 'snowflake', HISTORY_HOURS))
      yield new DatabaseItemBuilder(name, 'snowflake', patterns).query(row)
  }
}
