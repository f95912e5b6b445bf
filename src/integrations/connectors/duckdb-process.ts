import { setPriority } from 'node:os'
import { type DuckDBConnection, DuckDBInstance, type DuckDBResult, JsonDuckDBValueConverter, StatementType } from '@duckdb/node-api'
import { type Driver, serve } from './apart-process.ts'
import { cellOf, numberCell } from './cells.ts'
import type { Cell } from './connector.ts'
import type { FileTable } from './duckdb-folder.ts'

/** The process in which DuckDB runs. It reads what it was opened with, and nothing else, whatever it is asked. */

export type Opening = { readonly file: string } | { readonly name: string; readonly tables: readonly FileTable[] }

const NICE = 5 // it can use a core for long: whoever waits for a page of the catalog comes first

const SETTINGS = {
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  allow_persistent_secrets: 'false',
  temp_directory: '', // it would be a folder that every statement may read and write
  memory_limit: '512MB',
  threads: '1',
}
const CLOSED = { enable_external_access: 'false' } // last: after it some of the others cannot be set

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const text = (value: string): string => `'${value.replaceAll("'", "''")}'`
const list = (values: readonly string[]): string => `[${values.map(text).join(', ')}]`

/** The tables of a folder are views over its files, made when a statement first names them: to make one, its files are looked into. */
class Folder {
  readonly #connection: DuckDBConnection
  readonly #waiting: Set<FileTable>

  constructor(connection: DuckDBConnection, tables: readonly FileTable[]) {
    this.#connection = connection
    this.#waiting = new Set(tables)
  }

  /** Answers with why one of them cannot be read. */
  async prepareFor(sql: string): Promise<string | undefined> {
    const lower = sql.toLowerCase()
    let why: string | undefined
    for (const table of this.#waiting)
      if (lower.includes(table.name.toLowerCase().replaceAll('"', '""')))
        try {
          await this.#connection.run(viewOf(table))
          this.#waiting.delete(table)
        } catch (error) {
          why ??= (error as Error).message
        }
    return why
  }
}

/** A star in the name of a file is a star: DuckDB would take it for any number of files. */
const literal = (file: string): string => file.replace(/[*?[]/g, '[$&]')

const viewOf = ({ schema, name, format, files, partitioned }: FileTable): string =>
  `create view ${quoted(schema)}.${quoted(name)} as select * from read_${format}(${list(files.map(literal))}, hive_partitioning = ${partitioned})`

let connection: DuckDBConnection
let folder: Folder | undefined

const open = async (opening: Opening): Promise<void> => {
  if ('file' in opening) {
    const instance = await DuckDBInstance.create(opening.file, { ...SETTINGS, access_mode: 'READ_ONLY', ...CLOSED })
    connection = await instance.connect()
  } else {
    const instance = await DuckDBInstance.create(':memory:', SETTINGS)
    connection = await instance.connect()
    await connection.run(`attach ':memory:' as ${quoted(opening.name)}`)
    await connection.run(`use ${quoted(opening.name)}`)
    for (const schema of new Set(opening.tables.map(({ schema }) => schema)))
      await connection.run(`create schema if not exists ${quoted(schema)}`)
    // The files that may be read are named before the door is closed.
    const files = opening.tables.flatMap(({ files }) => files)
    await connection.run(`set allowed_paths = ${list([...new Set([...files, ...files.map(literal)])])}`)
    await connection.run('set enable_external_access = false')
    folder = new Folder(connection, opening.tables)
  }
  await connection.run("set TimeZone = 'UTC'")
  await connection.run('set lock_configuration = true')
}

/** Only one query, and nothing but a query: a path that may be read could be written with COPY. */
const prepare = async (sql: string) => {
  const statements = await connection.extractStatements(sql).catch((error: Error) => {
    throw error.message.includes('native callback') ? new Error('There is no statement in it.') : error // all it says of an empty text
  })
  if (statements.count !== 1) throw new Error('It must be one statement.')
  const statement = await statements.prepare(0)
  if (statement.statementType !== StatementType.SELECT) throw new Error('Only a query can be asked.')
  return statement
}

const begin = async (sql: string) => {
  const why = await folder?.prepareFor(sql)
  try {
    const statement = await prepare(sql)
    const result = await statement.stream()
    return { columns: result.columnNames().map((name, i) => ({ name, type: String(result.columnType(i)) })), rows: rowsOf(result) }
  } catch (error) {
    throw new Error(why ?? (error as Error).message)
  }
}

const AT_ONCE = 100 // each value is made into an object first: not of all the rows of a chunk at once, which may be large

async function* rowsOf(result: DuckDBResult): AsyncGenerator<Cell[][], void> {
  const types = result.columnTypes()
  const numbers = types.map((type) => NUMBERS.test(String(type)))
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    const vectors = types.map((_, i) => chunk.getColumnVector(i))
    const cell = (column: number, row: number): Cell => {
      const value = JsonDuckDBValueConverter(vectors[column]!.getItem(row), types[column]!, JsonDuckDBValueConverter)
      return numbers[column] && typeof value === 'string' ? numberCell(value) : cellOf(value)
    }
    for (let at = 0; at < chunk.rowCount; at += AT_ONCE)
      yield Array.from({ length: Math.min(AT_ONCE, chunk.rowCount - at) }, (_, i) => types.map((_, column) => cell(column, at + i)))
  }
}

const NUMBERS = /^(U?(BIGINT|HUGEINT)|BIGNUM|DECIMAL)/

setPriority(NICE)
const duckdb: Driver<Opening> = { open, begin, interrupt: () => connection?.interrupt() }
serve(duckdb)
