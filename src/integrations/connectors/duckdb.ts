import { stat } from 'node:fs/promises'
import { type Item, keyOf } from '../../sync/item.ts'
import { Apart } from './apart.ts'
import { type Asking, type Connector, cannotList, type Source, type Visit } from './connector.ts'
import { type FileTable, type Folder, isDataFile, readFile, readFolder } from './duckdb-folder.ts'
import { COLUMNS, COUNT, type ColumnRow, describe, parquetRows, SCHEMAS, type SchemaRow, TABLES, type TableRow } from './duckdb-sql.ts'
import { findInside } from './files.ts'
import { eachOf, Telling } from './items.ts'
import { type Patterns, patternsOf } from './patterns.ts'

const TEST_MS = 10_000
const DISCOVER_MS = 300_000

/** Reads a DuckDB database file, or a folder of Parquet, CSV and JSON files as a database. */
export const duckdbConnector: Connector = {
  test: async (source, signal) => {
    const place = await find(source)
    await using duckdb = openAt(source, place)
    const { rows } = await duckdb.ask(COUNT, { signal, timeout_ms: TEST_MS, max_rows: 1 })
    const [version, name, tables] = rows[0]!
    return place.folder
      ? `DuckDB ${version}: ${place.folder.tables.length} tables in the files of ${place.folder.name}.`
      : `DuckDB ${version}, database ${name}: ${tables} tables and views.`
  },

  async *discover(source, visit) {
    const place = await find(source)
    await using duckdb = openAt(source, place)
    const patterns = patternsOf(source)
    yield* place.folder ? inFolder(duckdb, place.folder, patterns, visit) : inFile(duckdb, place.path, patterns, visit)
  },

  sql: {
    dialect: 'duckdb',
    open: async (source, signal): Promise<Asking> => {
      const duckdb = openAt(source, await find(source))
      await duckdb.reach(signal)
      return duckdb
    },
  },
}

interface Place {
  readonly path: string
  readonly folder?: Folder
}

const find = async (source: Source): Promise<Place> => {
  const path = await findInside(source)
  if ((await stat(path)).isDirectory()) return { path, folder: await readFolder(path) }
  return isDataFile(path) ? { path, folder: readFile(path) } : { path }
}

/** Local paths are removed from error messages. */
const openAt = ({ filesFolder }: Source, { path, folder }: Place): Apart =>
  new Apart({
    name: 'DuckDB',
    file: new URL('./duckdb-process.ts', import.meta.url),
    opening: folder ?? { file: path },
    clean: (message) => message.replaceAll(`${filesFolder}/`, ''),
  })

async function* inFile(duckdb: Apart, path: string, patterns: Patterns, { signal }: Visit): AsyncGenerator<Item, void> {
  const limits = { signal, timeout_ms: DISCOVER_MS }
  const { rows } = await duckdb.ask(COUNT, { ...limits, max_rows: 1 })
  const name = String(rows[0]![1])
  const { size, mtime } = await stat(path)
  yield* new Telling(name, 'duckdb', patterns).all(
    { name, byte_size: size, external_updated_at: mtime.toISOString() },
    {
      schemas: duckdb.stream<SchemaRow>(SCHEMAS, limits),
      tables: eachOf(duckdb.stream<TableRow>(TABLES, limits), ({ definition, constraints, foreign_keys, indexes, kind, ...row }) => ({
        ...row,
        kind,
        ...(kind === 'view' ? { definition } : {}),
        facts: { constraints: read(constraints), foreign_keys: read(foreign_keys), indexes: read(indexes) },
      })),
      columns: duckdb.stream<ColumnRow>(COLUMNS, limits),
    },
  )
}

const read = (json: string | null): unknown => (json === null ? undefined : JSON.parse(json))

async function* inFolder(duckdb: Apart, { name, tables, links }: Folder, patterns: Patterns, visit: Visit): AsyncGenerator<Item, void> {
  await duckdb.reach(visit.signal) // without the driver no file could be read, and all columns would be treated as missing
  if (links.length > 0) await visit.say(`Skipped symbolic links: ${links.slice(0, MOST_NAMED).join(', ')}.`)
  const telling = new Telling(name, 'duckdb', patterns)
  const wanted = tables.filter((table) => telling.wants(table.schema, table.name))
  yield* telling.all(
    { name, native_type: 'folder' },
    { schemas: [], tables: eachOf(wanted, (table) => tableOf(duckdb, table, visit)), columns: columnsOf(duckdb, name, wanted, visit) },
  )
}

const MOST_NAMED = 20

const tableOf = async (duckdb: Apart, { schema, name, format, files, partitioned }: FileTable, { signal }: Visit) => {
  const stats = await Promise.all(files.map((file) => stat(file)))
  return {
    schema,
    name,
    kind: `${format} ${partitioned ? 'files' : 'file'}`,
    row_count: format === 'parquet' ? await parquetCount(duckdb, files, signal) : null,
    byte_size: stats.reduce((sum, { size }) => sum + size, 0),
    external_updated_at: new Date(Math.max(...stats.map(({ mtimeMs }) => mtimeMs))).toISOString(),
    facts: partitioned ? { files: files.length } : {},
  }
}

const parquetCount = async (duckdb: Apart, files: readonly string[], signal: AbortSignal): Promise<number | null> => {
  try {
    const { rows } = await duckdb.ask(parquetRows(files), { signal, timeout_ms: DISCOVER_MS, max_rows: 1 })
    return Number(rows[0]?.[0])
  } catch {
    return null // reported when its columns are read
  }
}

/** A file that cannot be read is reported without columns, and the log says why. */
async function* columnsOf(duckdb: Apart, name: string, tables: readonly FileTable[], visit: Visit) {
  const { signal } = visit
  for (const { schema, name: table } of tables)
    try {
      let position = 0
      for await (const row of duckdb.stream<{ name: string; type: string }>(describe(schema, table), { signal, timeout_ms: DISCOVER_MS })) {
        position += 1
        yield { ...row, schema, table, position }
      }
    } catch (error) {
      signal.throwIfAborted()
      await duckdb.reach(signal) // fails if the driver no longer starts, rather than only this file
      await cannotList(visit, { under: keyOf(name, schema, table) }, `Could not read ${schema}.${table}: ${(error as Error).message}`)
    }
}
