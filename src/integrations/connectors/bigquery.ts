import type { Item } from '../../sync/item.ts'
import { Apart } from './apart.ts'
import type { Along, Opening } from './bigquery-process.ts'
import {
  type ColumnRow,
  columnsOf,
  type HistoryRow,
  historyOf,
  type SchemaRow,
  schemasOf,
  type TableRow,
  tablesOf,
} from './bigquery-sql.ts'
import { type Asking, type Connector, cannotList, numberOf, type Source, textOf, type Visit } from './connector.ts'
import { eachOf, Telling } from './items.ts'
import { patternsOf } from './patterns.ts'
import { frequent, HISTORY_HOURS, mustBeQuery } from './statement.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000
const MOST_GIGABYTES = 100

/** Reads the information schemas of a BigQuery project. `address` overrides Google's URL in tests. */
export const bigqueryAt = (address?: string): Connector => ({
  test: async (source, signal) => {
    await using bigquery = start(source, address)
    const datasets = await datasetsOf(bigquery, source, signal, TEST_MS)
    const places = new Set(datasets.map(({ location }) => location))
    return `BigQuery, project ${textOf(source, 'project')}: ${datasets.length} datasets in ${[...places].sort().join(', ') || 'no location'}.`
  },

  async *discover(source, visit) {
    await using bigquery = start(source, address)
    const project = textOf(source, 'project')!
    const telling = new Telling(project, 'bigquery', patternsOf(source))
    const datasets = await datasetsOf(bigquery, source, visit.signal, DISCOVER_MS)
    const locations = [...new Set(datasets.map(({ location }) => location))].sort()
    const keys = new Map<string, Set<string>>()
    yield* telling.all(
      { name: project, native_type: 'project' },
      {
        schemas: inEach(locations, (location) => listed(bigquery, schemasOf(project, location), location, visit, withText<SchemaRow>)),
        tables: inEach(locations, (location) => tables(bigquery, project, location, keys, visit)),
        columns: inEach(locations, (location) =>
          listed(bigquery, columnsOf(project, location), location, visit, (row: ColumnRow) => columnOf(row, keys)),
        ),
      },
    )
    if (source.credentials.query_history === true) yield* history(bigquery, project, locations, telling, visit)
  },

  sql: {
    dialect: 'bigquery',
    open: async (source, signal): Promise<Asking> => {
      const bigquery = start(source, address)
      await bigquery.reach(signal)
      const location = textOf(source, 'location')
      return {
        ask: async (sql, limits) => {
          mustBeQuery(sql, 'bigquery')
          return bigquery.ask(sql, limits, { location } satisfies Along)
        },
        [Symbol.asyncDispose]: () => bigquery[Symbol.asyncDispose](),
      }
    },
  },
})

export const bigqueryConnector = bigqueryAt()

const start = (source: Source, address?: string): Apart => {
  const project = textOf(source, 'project')!
  if (!/^[a-z\d][a-z\d.:_-]*$/i.test(project)) throw new Error('The project must be a project ID.')
  const opening: Opening = {
    project,
    ...keyOf(textOf(source, 'service_account')!),
    max_gigabytes: numberOf(source, 'max_gigabytes') ?? MOST_GIGABYTES,
    address,
  }
  return new Apart({ name: 'The BigQuery SDK', file: new URL('./bigquery-process.ts', import.meta.url), opening, grace_ms: 3_000 })
}

/** The account and key from a Google key file. */
const keyOf = (json: string): Pick<Opening, 'client_email' | 'private_key'> => {
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

const datasetsOf = async (bigquery: Apart, source: Source, signal: AbortSignal, timeout_ms: number): Promise<Dataset[]> => {
  const along: Along = { list: 'datasets' }
  const all = await Array.fromAsync(bigquery.stream<Dataset>('', { signal, timeout_ms }, along))
  const only = textOf(source, 'location')?.toLowerCase()
  return all.filter(({ location }) => /^[\w-]+$/.test(location) && (only === undefined || location.toLowerCase() === only))
}

async function* inEach<T>(locations: readonly string[], list: (location: string) => AsyncIterable<T>): AsyncGenerator<T, void> {
  for (const location of locations) yield* list(location)
}

const listed = <T extends object, R>(bigquery: Apart, sql: string, location: string, { signal }: Visit, shape: (row: T) => R) =>
  eachOf(bigquery.stream<T>(sql, { signal, timeout_ms: DISCOVER_MS }, { location } satisfies Along), shape)

/** The description is stored as a SQL literal. */
const withText = <T extends { readonly comment: string | null }>(row: T): T => ({ ...row, comment: literal(row.comment) })

const literal = (text: string | null): string | null => {
  if (text === null) return null
  try {
    return String(JSON.parse(text))
  } catch {
    return text.replace(/^(["'])(.*)\1$/s, '$2')
  }
}

/** Without access to storage statistics, everything else is still reported. */
async function* tables(bigquery: Apart, project: string, location: string, keys: Map<string, Set<string>>, visit: Visit) {
  const list = (storage: boolean) =>
    Array.fromAsync(listed(bigquery, tablesOf(project, location, storage), location, visit, withText<TableRow>))
  const rows = await list(true).catch(async (error: Error) => {
    if (visit.signal.aborted) throw error
    await visit.say(`Could not read row counts and sizes in ${location}: ${error.message}`)
    return list(false)
  })
  for (const { type, primary_key, modified, ...row } of rows) {
    if (primary_key !== null)
      keys.set(nameOf(row.schema, row.name), new Set(primary_key.split(',').map((name) => name.trim().replaceAll('`', ''))))
    yield { ...row, kind: type.toLowerCase().replace('base table', 'table'), external_updated_at: modified, facts: { location } }
  }
}

const nameOf = (...parts: readonly string[]): string => JSON.stringify(parts)

const columnOf = ({ nullable, partitioning, clustering, ...row }: ColumnRow, keys: ReadonlyMap<string, ReadonlySet<string>>) => ({
  ...row,
  nullable: nullable === 'YES',
  is_pk: keys.get(nameOf(row.schema, row.table))?.has(row.name) ?? false,
  facts: { partitioning: partitioning === 'YES' ? true : undefined, clustering },
})

async function* history(
  bigquery: Apart,
  project: string,
  locations: readonly string[],
  telling: Telling,
  visit: Visit,
): AsyncGenerator<Item, void> {
  try {
    const rows = inEach(locations, (location) =>
      listed<HistoryRow, { text: string; calls: number; users: string[] }>(
        bigquery,
        historyOf(project, location),
        location,
        visit,
        (row) => ({
          ...row,
          users: JSON.parse(row.users) as string[],
        }),
      ),
    )
    for (const row of await frequent(rows, 'bigquery', HISTORY_HOURS)) yield telling.query(row)
  } catch (error) {
    if (visit.signal.aborted) throw error
    await cannotList(visit, { entity_type: 'query' }, `Could not read the query history: ${(error as Error).message}`)
  }
}
