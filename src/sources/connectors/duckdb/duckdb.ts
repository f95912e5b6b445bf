import { stat } from 'node:fs/promises'
import { buildItemKey, type Item } from '../../sync/item.ts'
import { type Connector, type DiscoveryContext, reportUnlisted, type Source, type SqlConnection } from '../shared/connector.ts'
import { resolveSourcePath } from '../shared/files.ts'
import { DatabaseItemBuilder, mapRows } from '../shared/items.ts'
import { type Patterns, parsePatterns } from '../shared/patterns.ts'
import { ProgramConnection, toNodeProgram } from '../shared/program-connection.ts'
import { type FileTable, type Folder, findLocation } from './duckdb-folder.ts'
import {
  COLUMNS_SQL,
  COUNT_SQL,
  type ColumnRow,
  describeSql,
  parquetRowsSql,
  SCHEMAS_SQL,
  type SchemaRow,
  TABLES_SQL,
  type TableRow,
} from './duckdb-sql.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000

/** Reads a DuckDB database file, or a folder of Parquet, CSV and JSON files as a database. */
export const duckdbConnector: Connector = {
  test: async (source, signal) => {
    const location = await findLocation(await resolveSourcePath(source))
    await using duckdb = openProgram(source, location.path)
    const { rows } = await duckdb.query(COUNT_SQL, { signal, timeout_ms: TEST_MS, max_rows: 1 })
    const [version, name, tables] = rows[0]!
    return location.folder
      ? `DuckDB ${version}: ${location.folder.tables.length} tables in the files of ${location.folder.name}.`
      : `DuckDB ${version}, database ${name}: ${tables} tables and views.`
  },

  async *discover(source, context) {
    const location = await findLocation(await resolveSourcePath(source))
    await using duckdb = openProgram(source, location.path)
    const patterns = parsePatterns(source)
    yield* location.folder ? folderItems(duckdb, location.folder, patterns, context) : fileItems(duckdb, location.path, patterns, context)
  },

  sql: {
    dialect: 'duckdb',
    open: async (source, signal): Promise<SqlConnection> => {
      const duckdb = openProgram(source, await resolveSourcePath(source))
      await duckdb.connect(signal)
      return duckdb
    },
  },
}

/** Local paths are removed from error messages. */
const openProgram = (source: Source, path: string): ProgramConnection =>
  new ProgramConnection({
    name: 'DuckDB',
    program: toNodeProgram(new URL('./duckdb-process.ts', import.meta.url)),
    source,
    settings: { path },
    clean: (message) => message.replaceAll(`${source.filesFolder}/`, ''),
  })

async function* fileItems(
  duckdb: ProgramConnection,
  path: string,
  patterns: Patterns,
  { signal }: DiscoveryContext,
): AsyncGenerator<Item, void> {
  const limits = { signal, timeout_ms: DISCOVER_MS }
  const { rows } = await duckdb.query(COUNT_SQL, { ...limits, max_rows: 1 })
  const name = String(rows[0]![1])
  const { size, mtime } = await stat(path)
  yield* new DatabaseItemBuilder(name, 'duckdb', patterns).buildItems(
    { name, byte_size: size, external_updated_at: mtime.toISOString() },
    {
      schemas: duckdb.stream<SchemaRow>(SCHEMAS_SQL, limits),
      tables: mapRows(duckdb.stream<TableRow>(TABLES_SQL, limits), ({ definition, constraints, foreign_keys, indexes, kind, ...row }) => ({
        ...row,
        kind,
        ...(kind === 'view' ? { definition } : {}),
        facts: { constraints: parseJson(constraints), foreign_keys: parseJson(foreign_keys), indexes: parseJson(indexes) },
      })),
      columns: duckdb.stream<ColumnRow>(COLUMNS_SQL, limits),
    },
  )
}

const parseJson = (json: string | null): unknown => (json === null ? undefined : JSON.parse(json))

async function* folderItems(
  duckdb: ProgramConnection,
  { name, tables, links }: Folder,
  patterns: Patterns,
  context: DiscoveryContext,
): AsyncGenerator<Item, void> {
  await duckdb.connect(context.signal) // without the driver no file could be read, and all columns would be treated as missing
  if (links.length > 0) await context.log(`Skipped symbolic links: ${links.slice(0, MAX_LISTED).join(', ')}.`)
  const builder = new DatabaseItemBuilder(name, 'duckdb', patterns)
  const included = tables.filter((table) => builder.includes(table.schema, table.name))
  yield* builder.buildItems(
    { name, native_type: 'folder' },
    {
      schemas: [],
      tables: mapRows(included, (table) => toTableRow(duckdb, table, context)),
      columns: columnRows(duckdb, name, included, context),
    },
  )
}

const MAX_LISTED = 20

const toTableRow = async (
  duckdb: ProgramConnection,
  { schema, name, format, files, partitioned }: FileTable,
  { signal }: DiscoveryContext,
) => {
  const stats = await Promise.all(files.map((file) => stat(file)))
  return {
    schema,
    name,
    kind: `${format} ${partitioned ? 'files' : 'file'}`,
    row_count: format === 'parquet' ? await countParquetRows(duckdb, files, signal) : null,
    byte_size: stats.reduce((sum, { size }) => sum + size, 0),
    external_updated_at: new Date(Math.max(...stats.map(({ mtimeMs }) => mtimeMs))).toISOString(),
    facts: partitioned ? { files: files.length } : {},
  }
}

const countParquetRows = async (duckdb: ProgramConnection, files: readonly string[], signal: AbortSignal): Promise<number | null> => {
  try {
    const { rows } = await duckdb.query(parquetRowsSql(files), { signal, timeout_ms: DISCOVER_MS, max_rows: 1 })
    return Number(rows[0]?.[0])
  } catch {
    return null // reported when its columns are read
  }
}

/** A file that cannot be read is reported without columns, and the log says why. */
async function* columnRows(duckdb: ProgramConnection, name: string, tables: readonly FileTable[], context: DiscoveryContext) {
  const { signal } = context
  for (const { schema, name: table } of tables)
    try {
      let position = 0
      for await (const row of duckdb.stream<{ name: string; type: string }>(describeSql(schema, table), {
        signal,
        timeout_ms: DISCOVER_MS,
      })) {
        position += 1
        yield { ...row, schema, table, position }
      }
    } catch (error) {
      signal.throwIfAborted()
      await duckdb.connect(signal) // fails if the driver no longer starts, rather than only this file
      await reportUnlisted(
        context,
        { under: buildItemKey(name, schema, table) },
        `Could not read ${schema}.${table}: ${(error as Error).message}`,
      )
    }
}
