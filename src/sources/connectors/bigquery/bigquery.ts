import type { Item } from '../../sync/item.ts'
import { openCheckedQueries } from '../shared/checked-queries.ts'
import {
  type Connector,
  type DiscoveryContext,
  getNumberCredential,
  getTextCredential,
  reportUnlisted,
  type Source,
} from '../shared/connector.ts'
import { DatabaseItemBuilder, mapRows } from '../shared/items.ts'
import { parsePatterns } from '../shared/patterns.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import { HISTORY_HOURS, mostFrequentQueries } from '../shared/statement.ts'
import type { OpenOptions, StatementOptions } from './bigquery-process.ts'
import {
  type ColumnRow,
  columnsSql,
  type HistoryRow,
  historySql,
  type SchemaRow,
  schemasSql,
  type TableRow,
  tablesSql,
} from './bigquery-sql.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const DEFAULT_MAX_GIGABYTES = 100
const GIGABYTE = 1_000_000_000

/** Reads the information schemas of a BigQuery project. `address` overrides Google's URL in tests. */
export const createBigqueryConnector = (address?: string): Connector => ({
  test: async (source, signal) => {
    await using bigquery = openProgram(source, address)
    const datasets = await findDatasets(bigquery, source, signal, TEST_MS)
    const locations = new Set(datasets.map(({ location }) => location))
    return `BigQuery, project ${getTextCredential(source, 'project')}: ${datasets.length} datasets in ${[...locations].sort().join(', ') || 'no location'}.`
  },

  async *discover(source, context) {
    await using bigquery = openProgram(source, address)
    const project = getTextCredential(source, 'project')!
    const builder = new DatabaseItemBuilder(project, 'bigquery', parsePatterns(source))
    const datasets = await findDatasets(bigquery, source, context.signal, DISCOVER_MS)
    const locations = [...new Set(datasets.map(({ location }) => location))].sort()
    const keys = new Map<string, Set<string>>()
    yield* builder.buildItems(
      { name: project, native_type: 'project' },
      {
        schemas: forEachLocation(locations, (location) =>
          streamRows(bigquery, schemasSql(project, location), location, context, withComment<SchemaRow>),
        ),
        tables: forEachLocation(locations, (location) => tableRows(bigquery, project, location, keys, context)),
        columns: forEachLocation(locations, (location) =>
          streamRows(bigquery, columnsSql(project, location), location, context, (row: ColumnRow) => toColumnRow(row, keys)),
        ),
      },
    )
    if (source.credentials.query_history === true) yield* historyItems(bigquery, project, locations, builder, context)
  },

  sql: {
    dialect: 'bigquery',
    open: async (source, signal) => {
      const location = getTextCredential(source, 'location')
      return openCheckedQueries(openProgram(source, address), 'bigquery', signal, { location } satisfies StatementOptions)
    },
  },
})

export const bigqueryConnector = createBigqueryConnector()

const openProgram = (source: Source, address?: string): ProgramConnection => {
  const project = getTextCredential(source, 'project')!
  if (!/^[a-z\d][a-z\d.:_-]*$/i.test(project)) throw new Error('The project must be a project ID.')
  const opening: OpenOptions = {
    project,
    ...parseKeyFile(getTextCredential(source, 'service_account')!),
    max_bytes: String((getNumberCredential(source, 'max_gigabytes') ?? DEFAULT_MAX_GIGABYTES) * GIGABYTE),
    address,
  }
  return new ProgramConnection({
    name: 'The BigQuery SDK',
    program: toNodeProgram(new URL('./bigquery-process.ts', import.meta.url)),
    source,
    settings: { ...opening },
    graceMs: 3_000,
  })
}

/** The account and key from a Google key file. */
const parseKeyFile = (json: string): Pick<OpenOptions, 'client_email' | 'private_key'> => {
  let key: Record<string, unknown> | null = null
  try {
    key = JSON.parse(json)
  } catch {} // the parse error could contain a part of the key
  const { client_email, private_key } = key ?? {}
  if (typeof client_email !== 'string' || typeof private_key !== 'string')
    throw new Error('The service account must be the complete JSON key file with client_email and private_key.')
  return { client_email, private_key }
}

interface Dataset {
  readonly name: string
  readonly location: string
}

const findDatasets = async (bigquery: ProgramConnection, source: Source, signal: AbortSignal, timeout_ms: number): Promise<Dataset[]> => {
  const along: StatementOptions = { list: 'datasets' }
  const all = await Array.fromAsync(bigquery.stream<Dataset>('', { signal, timeout_ms }, along))
  const only = getTextCredential(source, 'location')?.toLowerCase()
  return all.filter(({ location }) => /^[\w-]+$/.test(location) && (only === undefined || location.toLowerCase() === only))
}

async function* forEachLocation<T>(locations: readonly string[], list: (location: string) => AsyncIterable<T>): AsyncGenerator<T, void> {
  for (const location of locations) yield* list(location)
}

const streamRows = <T extends object, R>(
  bigquery: ProgramConnection,
  sql: string,
  location: string,
  { signal }: DiscoveryContext,
  shape: (row: T) => R,
) => mapRows(bigquery.stream<T>(sql, { signal, timeout_ms: DISCOVER_MS }, { location } satisfies StatementOptions), shape)

/** The description is stored as a SQL literal. */
const withComment = <T extends { readonly comment: string | null }>(row: T): T => ({ ...row, comment: parseLiteral(row.comment) })

const parseLiteral = (text: string | null): string | null => {
  if (text === null) return null
  try {
    return String(JSON.parse(text))
  } catch {
    return text.replace(/^(["'])(.*)\1$/s, '$2')
  }
}

/** Without access to storage statistics, everything else is still reported. */
async function* tableRows(
  bigquery: ProgramConnection,
  project: string,
  location: string,
  keys: Map<string, Set<string>>,
  context: DiscoveryContext,
) {
  const list = (storage: boolean) =>
    Array.fromAsync(streamRows(bigquery, tablesSql(project, location, storage), location, context, withComment<TableRow>))
  const rows = await list(true).catch(async (error: Error) => {
    if (context.signal.aborted) throw error
    await context.log(`Could not read row counts and sizes in ${location}: ${error.message}`)
    return list(false)
  })
  for (const { type, primary_key, modified, ...row } of rows) {
    if (primary_key !== null)
      keys.set(joinName(row.schema, row.name), new Set(primary_key.split(',').map((name) => name.trim().replaceAll('`', ''))))
    yield { ...row, kind: type.toLowerCase().replace('base table', 'table'), external_updated_at: modified, facts: { location } }
  }
}

const joinName = (...parts: readonly string[]): string => JSON.stringify(parts)

const toColumnRow = ({ nullable, partitioning, clustering, ...row }: ColumnRow, keys: ReadonlyMap<string, ReadonlySet<string>>) => ({
  ...row,
  nullable: nullable === 'YES',
  is_pk: keys.get(joinName(row.schema, row.table))?.has(row.name) ?? false,
  facts: { partitioning: partitioning === 'YES' ? true : undefined, clustering },
})

async function* historyItems(
  bigquery: ProgramConnection,
  project: string,
  locations: readonly string[],
  builder: DatabaseItemBuilder,
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  try {
    const rows = forEachLocation(locations, (location) =>
      streamRows<HistoryRow, { text: string; calls: number; users: string[] }>(
        bigquery,
        historySql(project, location),
        location,
        context,
        (row) => ({
          ...row,
          users: JSON.parse(row.users) as string[],
        }),
      ),
    )
    for (const row of await mostFrequentQueries(rows, 'bigquery', HISTORY_HOURS)) yield builder.query(row)
  } catch (error) {
    if (context.signal.aborted) throw error
    await reportUnlisted(context, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
}
