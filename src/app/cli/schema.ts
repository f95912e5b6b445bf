import { readFile } from 'node:fs/promises'
import { analyse } from '../../sql/index.ts'
import { CliError } from './command.ts'
import { type ColumnsByTable, type ReportOptions, reportTableKey } from './report.ts'

/** Reads the columns of tables from a JSON or SQL file. */
export const readSchema = async (file: string, options: ReportOptions): Promise<ColumnsByTable> => {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CliError(`File not found: "${file}".`)
  })
  return /^\s*\{/.test(text) ? parseJsonSchema(file, text, options) : parseSqlSchema(file, text, options)
}

const EXPECTED_SHAPE = 'Expected an object with the columns of each table: {"shop.orders": ["id", "price"]}.'

const parseJsonSchema = (file: string, text: string, options: ReportOptions): ColumnsByTable => {
  let tables: unknown
  try {
    tables = JSON.parse(text)
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${(error as Error).message}. ${EXPECTED_SHAPE}`)
  }
  return new Map(
    Object.entries(tables as object).map(([table, columns]) => {
      if (!Array.isArray(columns) || columns.some((name) => typeof name !== 'string'))
        throw new CliError(`${file}: ${table}. ${EXPECTED_SHAPE}`)
      return [reportTableKey(applyDefaults(table.split('.'), options)), columns as string[]]
    }),
  )
}

/** The engine applies default schema and database to names before it looks up columns, so the same is done here. */
const applyDefaults = (name: readonly string[], { defaults: { schema, database } }: ReportOptions): readonly string[] => {
  const whole = name.length === 1 && schema ? [schema, ...name] : name
  return whole.length === 2 && database ? [database, ...whole] : whole
}

const parseSqlSchema = (file: string, sql: string, options: ReportOptions): ColumnsByTable => {
  const { statements } = analyse(sql, options)
  const tables = statements.flatMap(({ kind, targets, outputs }): [string, string[]][] =>
    kind.startsWith('create') && targets[0] && outputs?.every((name) => name !== null)
      ? [[reportTableKey(targets[0].name), outputs as string[]]]
      : [],
  )
  if (tables.length === 0) throw new CliError(`${file} has no CREATE TABLE with columns. ${EXPECTED_SHAPE}`)
  return new Map(tables)
}
