import { basename } from 'node:path'
import {
  type Analysis,
  analyse,
  type ColumnPair,
  type Defaults,
  type SqlProblem,
  type StatementKind,
  type Unresolved,
} from '../../sql/index.ts'
import { type Script, STDIN } from './files.ts'

/** Analyses a set of scripts with consistent table names. Pure. */

export interface ReportOptions {
  readonly dialect: string
  readonly defaults: Defaults
  /** A file with only a SELECT writes the table named like the file. */
  readonly models: boolean
}

/** Columns by table, keyed by `keyOf` of the table's name. */
export type ColumnsByTable = ReadonlyMap<string, readonly string[]>

export interface ColumnFlow extends Omit<ColumnPair, 'from' | 'to'> {
  readonly from: { readonly table: string; readonly column: string }
  /** `table` is null for a bare SELECT, `column` for a filter. */
  readonly to: { readonly table: string | null; readonly column: string | null }
}

export interface StatementReport {
  readonly kind: StatementKind
  readonly line: number
  readonly sources: readonly string[]
  readonly targets: readonly string[]
  readonly outputs: readonly (string | null)[] | null
  readonly columns: readonly ColumnFlow[]
  readonly unresolved: readonly Unresolved[]
  readonly sql: string
}

export interface FileReport {
  readonly file: string
  readonly statements: readonly StatementReport[]
  readonly incomplete: string | null
}

export interface LineageReport {
  readonly dialect: string
  readonly files: readonly FileReport[]
  readonly problems: readonly (Pick<SqlProblem, 'line' | 'column' | 'message' | 'hint'> & { readonly file: string })[]
}

export const reportTableKey = (name: readonly string[]): string => name.join('.').toLowerCase()

const PASSES = 5 // maximum length of a chain of scripts that each select * from the previous one

/** Analyses all scripts, and repeats it while one of them creates a table whose columns are needed by another. */
export const buildReport = (scripts: readonly Script[], options: ReportOptions, columnsByTable: ColumnsByTable): LineageReport => {
  let columns = new Map(columnsByTable)
  let analyses: Analysis[] = []
  for (let pass = 0; pass < PASSES; pass += 1) {
    analyses = scripts.map(({ sql }) => analyse(sql, { ...options, columnsOf: (name) => columns.get(reportTableKey(name)) }))
    const discovered = new Map([
      ...scripts.flatMap(({ file }, i) => findCreatedTables(analyses[i]!, getModelName(file, options))),
      ...columnsByTable,
    ])
    const hasChanges = [...discovered].some(([key, names]) => columns.get(key)?.join('\0') !== names.join('\0'))
    columns = discovered
    if (!hasChanges) break
  }
  return {
    dialect: analyses[0]?.dialect ?? options.dialect,
    files: scripts.map(({ file, sql }, i) => fileReport(file, sql, analyses[i]!, getModelName(file, options))),
    problems: scripts.flatMap(({ file, sql }, i) => [...toProblems(file, analyses[i]!), ...findEmptyInput(file, sql)]),
  }
}

const getModelName = (file: string, { models, defaults }: ReportOptions): readonly string[] | undefined =>
  models && /\.sql$/i.test(file)
    ? [defaults.database, defaults.schema, basename(file).slice(0, -4)].filter((part) => part != null)
    : undefined

/** The tables a script creates, if their columns are known. */
const findCreatedTables = ({ statements }: Analysis, model: readonly string[] | undefined): [string, readonly string[]][] =>
  statements.flatMap(({ kind, targets, outputs }) => {
    const table = kind.startsWith('create') ? targets[0]?.name : targets.length === 0 && kind === 'select' ? model : undefined
    return table && outputs?.length && outputs.every((name) => name !== null) ? [[reportTableKey(table), outputs as string[]]] : []
  })

const fileReport = (file: string, sql: string, { statements, incomplete }: Analysis, model: readonly string[] | undefined): FileReport => ({
  file,
  incomplete,
  statements: statements.map(({ kind, start, end, sources, targets, columns, outputs, unresolved }) => {
    const own = targets.length === 0 && sources.length + columns.length > 0 ? model?.join('.') : undefined
    return {
      kind,
      line: sql.slice(0, start).split('\n').length,
      sources: [...new Set(sources.map(({ name }) => name.join('.')))],
      targets: own ? [own] : [...new Set(targets.map(({ name }) => name.join('.')))],
      outputs,
      columns: columns.map(({ from, to, ...rest }) => ({
        ...rest,
        from: { table: from.table.join('.'), column: from.column },
        to: { table: to.table?.join('.') ?? own ?? null, column: to.column },
      })),
      unresolved,
      sql: sql.slice(start, end),
    }
  }),
})

/** A file may be empty; an empty standard input is most likely a failed command. */
const findEmptyInput = (file: string, sql: string): LineageReport['problems'] =>
  file === STDIN && sql.trim() === '' ? [{ file, line: 1, column: 1, message: 'No SQL statement found.', hint: null }] : []

const toProblems = (file: string, { problems, incomplete }: Analysis): LineageReport['problems'] => [
  ...problems.map(({ line, column, message, hint }) => ({ file, line, column, message, hint })),
  ...(incomplete ? [{ file, line: 1, column: 1, message: `This file was only partly analysed (${incomplete}).`, hint: null }] : []),
]

/** The tables of a report and the flows between them; a bare SELECT is shown under the name of its file. */
export const tableFlows = ({ files }: LineageReport): { tables: Set<string>; flows: Set<string> } => {
  const [tables, flows] = [new Set<string>(), new Set<string>()]
  for (const { file, statements } of files)
    for (const { sources, targets } of statements) {
      const ends = targets.length > 0 ? targets : sources.length > 0 ? [file] : []
      for (const name of [...sources, ...ends]) tables.add(name)
      for (const source of sources) for (const end of ends) if (source !== end) flows.add(JSON.stringify([source, end]))
    }
  return { tables, flows }
}
