import type { Item } from '../../sync/item.ts'
import { type Connector, type DiscoveryContext, getNumberCredential, getTextCredential, type Source } from '../shared/connector.ts'
import { DatabaseItemBuilder, mapRows } from '../shared/items.ts'
import { type Patterns, parsePatterns } from '../shared/patterns.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import type { OpenOptions } from './oracle-process.ts'
import { OracleDetails } from './oracle-rows.ts'
import * as catalog from './oracle-sql.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 600_000 // the views of the dictionary are slow
const DEFAULT_PORT = 1521

/** Reads the catalog of Oracle Database. It runs no queries for previews and monitors. */
export const oracleConnector: Connector = {
  test: async (source, signal) => {
    await using server = openProgram(source)
    return await testOracle(server, { signal, timeout_ms: TEST_MS })
  },

  async *discover(source, context) {
    await using server = openProgram(source)
    yield* discoverOracle(server, parsePatterns(source), context)
  },
}

const openProgram = (source: Source): ProgramConnection => {
  const service = getTextCredential(source, 'service')!
  if (!/^[\w.$#-]+$/.test(service)) throw new Error('The service must be a name such as ORCLPDB1 or shop.example.com.')
  const opening: OpenOptions = {
    host: getTextCredential(source, 'host')!,
    port: getNumberCredential(source, 'port') ?? DEFAULT_PORT,
    service,
    user: getTextCredential(source, 'user')!,
    password: getTextCredential(source, 'password') ?? '',
    ssl: source.credentials.ssl === true,
    ca: getTextCredential(source, 'ca'),
  }
  return new ProgramConnection({
    name: 'The driver of Oracle',
    program: toNodeProgram(new URL('./oracle-process.ts', import.meta.url)),
    source,
    settings: { ...opening },
  })
}

/** What runs the statements: the program of the driver, or recorded results. */
export interface OracleServer {
  stream<T extends object>(sql: string, limits: { readonly signal: AbortSignal; readonly timeout_ms: number }): AsyncGenerator<T, void>
}
type Limits = Parameters<OracleServer['stream']>[1]

interface DatabaseRow {
  readonly name: string
  readonly version: string
  readonly user: string
}

export const testOracle = async (server: OracleServer, limits: Limits): Promise<string> => {
  const [database] = await Array.fromAsync(server.stream<DatabaseRow>(catalog.DATABASE_SQL, limits))
  const dictionary = await findDictionary(server, limits)
  const schemas = await Array.fromAsync(server.stream<catalog.SchemaRow>(catalog.schemasSql(dictionary), limits))
  const sees = dictionary === 'dba' ? 'the whole dictionary' : 'what this user may read itself'
  return `Oracle ${database!.version}, database ${database!.name}: ${schemas.length} schemas with tables and views, from ${sees}.`
}

export async function* discoverOracle(server: OracleServer, patterns: Patterns, context: DiscoveryContext): AsyncGenerator<Item, void> {
  const limits = { signal: context.signal, timeout_ms: DISCOVER_MS }
  const [database] = await Array.fromAsync(server.stream<DatabaseRow>(catalog.DATABASE_SQL, limits))
  const from = await findDictionary(server, limits)
  const { name } = database!
  const read = <T extends object>(sql: string): AsyncGenerator<T, void> => server.stream<T>(sql, limits)
  const details = new OracleDetails(
    [
      ...(await Array.fromAsync(read<catalog.DefinitionRow>(catalog.viewsSql(from)))),
      ...(await Array.fromAsync(read<catalog.DefinitionRow>(catalog.materializedViewsSql(from)))),
    ],
    await Array.fromAsync(read<catalog.KeyRow>(catalog.keysSql(from))),
  )
  yield* new DatabaseItemBuilder(name, 'oracle', patterns).buildItems(
    { name },
    {
      schemas: read<catalog.SchemaRow>(catalog.schemasSql(from)),
      tables: mapRows(read<catalog.TableRow>(catalog.tablesSql(from)), (row) => details.toTableRow(name, row)),
      columns: mapRows(read<catalog.ColumnRow>(catalog.columnsSql(from)), (row) => details.toColumnRow(row)),
    },
  )
}

/** Without the right to read the dictionary, tables and views that the user may read itself. */
const findDictionary = async (server: OracleServer, limits: Limits): Promise<catalog.Dictionary> => {
  try {
    await Array.fromAsync(server.stream(catalog.DICTIONARY_SQL, limits))
    return 'dba'
  } catch (error) {
    if (!/ORA-00942|ORA-01031/.test((error as Error).message)) throw error
    return 'all'
  }
}
