import type { Item } from '../../sync/item.ts'
import { openCheckedQueries } from '../shared/checked-queries.ts'
import { type Connector, type DiscoveryContext, getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'
import { DatabaseItemBuilder, mapRows } from '../shared/items.ts'
import { type Patterns, parsePatterns } from '../shared/patterns.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import type { OpenOptions } from './sqlserver-process.ts'
import {
  type ColumnRow,
  columnsSql,
  DATABASES_SQL,
  type ForeignKeyRow,
  foreignKeysSql,
  type SchemaRow,
  SERVER_SQL,
  schemasSql,
  type TableRow,
  tablesSql,
} from './sqlserver-sql.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const DEFAULT_PORT = 1433

/** Reads the catalog of SQL Server, Azure SQL Database and Azure SQL Managed Instance, and runs queries for previews, profiles and monitors. */
export const sqlserverConnector: Connector = {
  test: async (source, signal) => {
    await using server = openProgram(source)
    const { rows } = await server.query(SERVER_SQL, { signal, timeout_ms: TEST_MS, max_rows: 1 })
    const [version, edition] = rows[0]!
    const databases = await findDatabases(server, source, { signal, timeout_ms: TEST_MS })
    return `SQL Server ${version}, ${edition}: ${databases.length} databases.`
  },

  async *discover(source, context) {
    await using server = openProgram(source)
    const patterns = parsePatterns(source)
    for (const database of await findDatabases(server, source, { signal: context.signal, timeout_ms: DISCOVER_MS }))
      yield* databaseItems(server, database, patterns, context)
  },

  sql: {
    dialect: 'tsql',
    // What a statement would write is rolled back, too.
    open: async (source, signal) => openCheckedQueries(openProgram(source), 'tsql', signal),
  },
}

const openProgram = (source: Source): ProgramConnection => {
  const opening: OpenOptions = {
    host: getTextCredential(source, 'host')!,
    port: getNumberCredential(source, 'port') ?? DEFAULT_PORT,
    database: getTextCredential(source, 'database'),
    user: getTextCredential(source, 'user')!,
    password: getTextCredential(source, 'password') ?? '',
    ssl: source.credentials.ssl !== false,
    ca: getTextCredential(source, 'ca'),
  }
  return new ProgramConnection({
    name: 'The driver of SQL Server',
    program: toNodeProgram(new URL('./sqlserver-process.ts', import.meta.url)),
    source,
    settings: { ...opening },
  })
}

type Limits = Parameters<ProgramConnection['stream']>[1]

const findDatabases = async (server: ProgramConnection, source: Source, limits: Limits): Promise<string[]> => {
  const only = getTextCredential(source, 'database')
  if (only !== undefined) return [only]
  const rows = await Array.fromAsync(server.stream<{ name: string }>(DATABASES_SQL, limits))
  return rows.map(({ name }) => name)
}

async function* databaseItems(
  server: ProgramConnection,
  database: string,
  patterns: Patterns,
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  const limits = { signal: context.signal, timeout_ms: DISCOVER_MS }
  const builder = new DatabaseItemBuilder(database, 'tsql', patterns)
  const foreign = await loadForeignKeys(server, database, context)
  yield* builder.buildItems(
    { name: database },
    {
      schemas: server.stream<SchemaRow>(schemasSql(database), limits),
      tables: mapRows(server.stream<TableRow>(tablesSql(database), limits), (row) => toTableRow(database, row, foreign)),
      columns: mapRows(server.stream<ColumnRow>(columnsSql(database), limits), (row) => toColumnRow(database, row)),
    },
  )
}

const loadForeignKeys = async (
  server: ProgramConnection,
  database: string,
  context: DiscoveryContext,
): Promise<ReadonlyMap<number, readonly ForeignKeyRow[]>> => {
  try {
    const rows = server.stream<ForeignKeyRow>(foreignKeysSql(database), { signal: context.signal, timeout_ms: DISCOVER_MS })
    return Map.groupBy(await Array.fromAsync(rows), ({ table_id }) => table_id)
  } catch (error) {
    if (context.signal.aborted) throw error
    await context.log(`Could not read the foreign keys of ${database}: ${(error as Error).message}`)
    return new Map()
  }
}

const toTableRow = (database: string, row: TableRow, foreign: ReadonlyMap<number, readonly ForeignKeyRow[]>) => {
  const { id, type, modified, ...rest } = row
  const keys = Map.groupBy(foreign.get(id) ?? [], ({ name }) => name)
  return {
    ...rest,
    stable_id: `${database}.${id}`,
    kind: type === 'V' ? 'view' : 'table',
    external_updated_at: `${modified}Z`,
    facts: {
      foreign_keys:
        keys.size === 0
          ? undefined
          : [...keys].map(([name, parts]) => ({
              name,
              columns: parts.map(({ column }) => column),
              table: `${parts[0]!.to_schema}.${parts[0]!.to_table}`,
              to: parts.map(({ to_column }) => to_column),
            })),
    },
  }
}

const toColumnRow = (database: string, row: ColumnRow) => {
  const { table_id, id, type, max_length, precision, scale, nullable, identity, computed, is_pk, ...rest } = row
  return {
    ...rest,
    stable_id: `${database}.${table_id}.${id}`,
    type: describeType(type, max_length, precision, scale),
    nullable: nullable === 1,
    is_pk: is_pk === 1,
    facts: { identity: identity === 1 ? 'by default' : undefined, computed },
  }
}

const describeType = (type: string, length: number, precision: number, scale: number): string => {
  if (/^n(var)?char$/.test(type)) return `${type}(${length < 0 ? 'max' : length / 2})` // two bytes for a character
  if (/^((var)?char|(var)?binary)$/.test(type)) return `${type}(${length < 0 ? 'max' : length})`
  if (/^(decimal|numeric)$/.test(type)) return `${type}(${precision},${scale})`
  if (/^(datetime2|datetimeoffset|time)$/.test(type)) return `${type}(${scale})`
  return type
}
