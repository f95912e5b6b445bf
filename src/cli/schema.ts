import { readFile } from 'node:fs/promises'
import { analyse } from '../sql/index.ts'
import { CliError } from './command.ts'
import { type Known, keyOf, type ReadOptions } from './report.ts'

/** Reads the columns of tables from a JSON or SQL file. */
export const readSchema = async (file: string, options: ReadOptions): Promise<Known> => {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new CliError(`File not found: "${file}".`)
  })
  return /^\s*\{/.test(text) ? fromJson(file, text, options) : fromSql(file, text, options)
}

const SHAPE = 'Expected an object with the columns of each table: {"shop.orders": ["id", "price"]}.'

const fromJson = (file: string, text: string, options: ReadOptions): Known => {
  let tables: unknown
  try {
    tables = JSON.parse(text)
  } catch (error) {
    throw new CliError(`${file} is not valid JSON: ${(error as Error).message}. ${SHAPE}`)
  }
  return new Map(
    Object.entries(tables as object).map(([table, columns]) => {
      if (!Array.isArray(columns) || columns.some((name) => typeof name !== 'string')) throw new CliError(`${file}: ${table}. ${SHAPE}`)
      return [keyOf(completed(table.split('.'), options)), columns as string[]]
    }),
  )
}

/** The engine applies default schema and database to names before it looks up columns, so the same is done here. */
const completed = (name: readonly string[], { defaults: { schema, database } }: ReadOptions): readonly string[] => {
  const whole = name.length === 1 && schema ? [schema, ...name] : name
  return whole.length === 2 && database ? [database, ...whole] : whole
}

const fromSql = (file: string, sql: string, options: ReadOptions): Known => {
  const { statements } = analyse(sql, options)
  const known = statements.flatMap(({ kind, targets, outputs }): [string, string[]][] =>
    kind.startsWith('create') && targets[0] && outputs?.every((name) => name !== null)
      ? [[keyOf(targets[0].name), outputs as string[]]]
      : [],
  )
  if (known.length === 0) throw new CliError(`${file} has no CREATE TABLE with columns. ${SHAPE}`)
  return new Map(known)
}
