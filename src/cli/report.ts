import { basename } from 'node:path'
import { type Analysis, analyse, type ColumnPair, type Defaults, type Problem, type StatementKind, type Unresolved } from '../sql/index.ts'
import { type Script, STDIN } from './files.ts'

/** What a set of scripts says, with their names made one. Pure. */

export interface ReadOptions {
  readonly dialect: string
  readonly defaults: Defaults
  /** A file that only selects fills the table it is named after. */
  readonly models: boolean
}

/** The columns of tables, by `keyOf` their names. */
export type Known = ReadonlyMap<string, readonly string[]>

export interface Flow extends Omit<ColumnPair, 'from' | 'to'> {
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
  readonly columns: readonly Flow[]
  readonly unresolved: readonly Unresolved[]
  readonly sql: string
}

export interface FileReport {
  readonly file: string
  readonly statements: readonly StatementReport[]
  readonly incomplete: string | null
}

export interface Report {
  readonly dialect: string
  readonly files: readonly FileReport[]
  readonly problems: readonly (Pick<Problem, 'line' | 'column' | 'message' | 'hint'> & { readonly file: string })[]
}

export const keyOf = (name: readonly string[]): string => name.join('.').toLowerCase()

const PASSES = 5 // scripts in a chain of stars, each over the one before

/** Reads all scripts, and again as long as one of them makes a table whose columns help to read another. */
export const reportOn = (scripts: readonly Script[], options: ReadOptions, known: Known): Report => {
  let columns = new Map(known)
  let analyses: Analysis[] = []
  for (let pass = 0; pass < PASSES; pass += 1) {
    analyses = scripts.map(({ sql }) => analyse(sql, { ...options, columnsOf: (name) => columns.get(keyOf(name)) }))
    const learned = new Map([...scripts.flatMap(({ file }, i) => madeBy(analyses[i]!, modelOf(file, options))), ...known])
    const news = [...learned].some(([key, names]) => columns.get(key)?.join('\0') !== names.join('\0'))
    columns = learned
    if (!news) break
  }
  return {
    dialect: analyses[0]?.dialect ?? options.dialect,
    files: scripts.map(({ file, sql }, i) => fileReport(file, sql, analyses[i]!, modelOf(file, options))),
    problems: scripts.flatMap(({ file, sql }, i) => [...problemsOf(file, analyses[i]!), ...emptyInput(file, sql)]),
  }
}

const modelOf = (file: string, { models, defaults }: ReadOptions): readonly string[] | undefined =>
  models && /\.sql$/i.test(file)
    ? [defaults.database, defaults.schema, basename(file).slice(0, -4)].filter((part) => part != null)
    : undefined

/** The tables that a script makes with columns it tells. */
const madeBy = ({ statements }: Analysis, model: readonly string[] | undefined): [string, readonly string[]][] =>
  statements.flatMap(({ kind, targets, outputs }) => {
    const made = kind.startsWith('create') ? targets[0]?.name : targets.length === 0 && kind === 'select' ? model : undefined
    return made && outputs?.length && outputs.every((name) => name !== null) ? [[keyOf(made), outputs as string[]]] : []
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

/** A file may be empty; a pipe that delivers nothing has most likely failed before. */
const emptyInput = (file: string, sql: string): Report['problems'] =>
  file === STDIN && sql.trim() === '' ? [{ file, line: 1, column: 1, message: 'No SQL statement found.', hint: null }] : []

const problemsOf = (file: string, { problems, incomplete }: Analysis): Report['problems'] => [
  ...problems.map(({ line, column, message, hint }) => ({ file, line, column, message, hint })),
  ...(incomplete ? [{ file, line: 1, column: 1, message: `This file was not read to its end (${incomplete}).`, hint: null }] : []),
]

/** The tables of a report and what flows between them; a bare SELECT stands under the name of its file. */
export const tableFlows = ({ files }: Report): { tables: Set<string>; flows: Set<string> } => {
  const [tables, flows] = [new Set<string>(), new Set<string>()]
  for (const { file, statements } of files)
    for (const { sources, targets } of statements) {
      const ends = targets.length > 0 ? targets : sources.length > 0 ? [file] : []
      for (const name of [...sources, ...ends]) tables.add(name)
      for (const source of sources) for (const end of ends) if (source !== end) flows.add(JSON.stringify([source, end]))
    }
  return { tables, flows }
}
