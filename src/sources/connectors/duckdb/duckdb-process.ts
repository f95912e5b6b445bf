import { setPriority } from 'node:os'
import {
  type DuckDBConnection,
  DuckDBInstance,
  type DuckDBPreparedStatement,
  type DuckDBResult,
  JsonDuckDBValueConverter,
  StatementType,
} from '@duckdb/node-api'
import { toCell, toNumberCell } from '../../../../connector/src/cells.ts'
import type { Cell, Statement } from '../../../../connector/src/protocol.ts'
import { getDialectSql } from '../shared/dialect-sql.ts'
import { runDriver } from '../shared/driver-program.ts'
import { quoteLiteral } from '../shared/information-schema.ts'
import { type DuckdbLocation, type FileTable, findLocation } from './duckdb-folder.ts'

/** The process that runs DuckDB. It can read only what it was opened with. */

interface DuckdbSettings {
  /** A database file, or files that are read as one; checked by the server. */
  readonly path: string
}

const PROCESS_PRIORITY = 5 // queries can use a core for a long time: requests to the catalog have priority

const SETTINGS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_persistent_secrets: 'false',
  temp_directory: '', // statements could read and write files in it
  memory_limit: '512MB',
  threads: '1',
}
const NO_EXTERNAL_ACCESS = { enable_external_access: 'false' } // last: afterwards some of the others cannot be set

const { quote: quoteIdentifier } = getDialectSql('duckdb')
const quoteList = (values: readonly string[]): string => `[${values.map(quoteLiteral).join(', ')}]`

/** Tables of a folder are views of its files, created when a statement first names them, because creating one opens its files. */
class FolderViews {
  readonly #connection: DuckDBConnection
  readonly #pending: Set<FileTable>

  constructor(connection: DuckDBConnection, tables: readonly FileTable[]) {
    this.#connection = connection
    this.#pending = new Set(tables)
  }

  /** Returns why a table cannot be read, if any. */
  async prepareFor(sql: string): Promise<string | undefined> {
    const lower = sql.toLowerCase()
    let why: string | undefined
    for (const table of this.#pending)
      if (lower.includes(table.name.toLowerCase().replaceAll('"', '""')))
        try {
          await this.#connection.run(createViewSql(table))
          this.#pending.delete(table)
        } catch (error) {
          why ??= (error as Error).message
        }
    return why
  }
}

/** Escapes glob characters in a file name. */
const escapeGlob = (file: string): string => file.replace(/[*?[]/g, '[$&]')

const createViewSql = ({ schema, name, format, files, partitioned }: FileTable): string =>
  `create view ${quoteIdentifier(schema)}.${quoteIdentifier(name)} as select * from read_${format}(${quoteList(files.map(escapeGlob))}, hive_partitioning = ${partitioned})`

let connection: DuckDBConnection
let folder: FolderViews | undefined

const open = async ({ path, folder: opening }: DuckdbLocation): Promise<void> => {
  if (!opening) {
    const instance = await DuckDBInstance.create(path, { ...SETTINGS, access_mode: 'READ_ONLY', ...NO_EXTERNAL_ACCESS })
    connection = await instance.connect()
  } else {
    const instance = await DuckDBInstance.create(':memory:', SETTINGS)
    connection = await instance.connect()
    await connection.run(`attach ':memory:' as ${quoteIdentifier(opening.name)}`)
    await connection.run(`use ${quoteIdentifier(opening.name)}`)
    for (const schema of new Set(opening.tables.map(({ schema }) => schema)))
      await connection.run(`create schema if not exists ${quoteIdentifier(schema)}`)
    // The readable files are listed before external access is disabled.
    const files = opening.tables.flatMap(({ files }) => files)
    await connection.run(`set allowed_paths = ${quoteList([...new Set([...files, ...files.map(escapeGlob)])])}`)
    await connection.run('set enable_external_access = false')
    folder = new FolderViews(connection, opening.tables)
  }
  await connection.run("set TimeZone = 'UTC'")
  await connection.run('set lock_configuration = true')
}

/** Accepts a single query only: COPY could write to any path that is readable. */
const prepare = async (sql: string) => {
  const statements = await connection.extractStatements(sql).catch((error: Error) => {
    throw error.message.includes('native callback') ? new Error('The statement is empty.') : error // the only message for an empty text
  })
  if (statements.count !== 1) throw new Error('Only a single statement is allowed.')
  const statement = await statements.prepare(0)
  if (statement.statementType !== StatementType.SELECT) throw new Error('Only queries are allowed.')
  return statement
}

const begin = async ({ sql }: Statement) => {
  const why = await folder?.prepareFor(sql)
  try {
    const statement = await prepare(sql)
    const result = await statement.stream()
    return {
      columns: result.columnNames().map((name, i) => ({ name, type: String(result.columnType(i)) })),
      rows: readRows(statement, result),
    }
  } catch (error) {
    throw new Error(why ?? (error as Error).message)
  }
}

const BATCH_ROWS = 100 // each value becomes an object: converting a whole chunk at once could take too much memory

async function* readRows(statement: DuckDBPreparedStatement, result: DuckDBResult): AsyncGenerator<Cell[][], void> {
  try {
    yield* readChunks(result)
  } finally {
    statement.destroySync()
  }
}

async function* readChunks(result: DuckDBResult): AsyncGenerator<Cell[][], void> {
  const types = result.columnTypes()
  const numbers = types.map((type) => NUMBERS.test(String(type)))
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    const vectors = types.map((_, i) => chunk.getColumnVector(i))
    const cell = (column: number, row: number): Cell => {
      const value = JsonDuckDBValueConverter(vectors[column]!.getItem(row), types[column]!, JsonDuckDBValueConverter)
      return numbers[column] && typeof value === 'string' ? toNumberCell(value) : toCell(value)
    }
    for (let at = 0; at < chunk.rowCount; at += BATCH_ROWS)
      yield Array.from({ length: Math.min(BATCH_ROWS, chunk.rowCount - at) }, (_, i) => types.map((_, column) => cell(column, at + i)))
  }
}

const NUMBERS = /^(U?(BIGINT|HUGEINT)|BIGNUM|DECIMAL)/

setPriority(PROCESS_PRIORITY)
await runDriver<DuckdbSettings>({
  name: 'duckdb',
  label: 'DuckDB',
  dialect: 'duckdb',
  settings: { type: 'object', required: ['path'], properties: { path: { type: 'string', title: 'Path', destination: true } } },
  open: async ({ path }) => {
    await open(await findLocation(path))
    return { run: begin, cancel: () => connection.interrupt() }
  },
})
