import { type Analysis, analyse } from '../sql/index.ts'

/** Reading a text with what the catalog knows of its tables. Pure, and made to run in a thread as well. */

/** Kept with every derived edge. It grows when the engine understands more, so that old edges can be told from new ones. */
export const ENGINE_VERSION = '1'

export interface Question {
  readonly sql: string
  readonly dialect: string
  readonly database: string | null
  readonly schema: string | null
  readonly milliseconds?: number
}

/** The columns of tables, in order, by `nameKey`. */
export type Known = ReadonlyMap<string, readonly string[]>

export interface Reading {
  readonly analysis: Analysis
  /** Every table whose columns the engine asked for. */
  readonly asked: readonly (readonly string[])[]
}

export const nameKey = (name: readonly string[]): string => name.join('\0')

// An answer names every pair twice with all that is known of its columns: this is some 20 MB of it.
const MOST_PAIRS = 10_000
const MOST_TABLES = 5_000

export const readNow = ({ sql, dialect, database, schema, milliseconds }: Question, known: Known): Reading => {
  const asked = new Map<string, readonly string[]>()
  const analysis = analyse(sql, {
    dialect,
    defaults: { database, schema },
    columnsOf: (name) => {
      if (asked.size < MOST_TABLES) asked.set(nameKey(name), name)
      return known.get(nameKey(name))
    },
    milliseconds,
  })
  return { analysis: shortened(analysis), asked: [...asked.values()] }
}

/** More than anybody can look at: the beginning, and that it is no more than that. */
const shortened = (analysis: Analysis): Analysis => {
  let [pairs, tables] = [MOST_PAIRS, MOST_TABLES]
  const total = analysis.statements.reduce((sum, { columns }) => sum + columns.length, 0)
  const named = analysis.statements.reduce((sum, { sources, targets }) => sum + sources.length + targets.length, 0)
  if (total <= pairs && named <= tables) return analysis
  const statements = analysis.statements.map((statement) => {
    const columns = statement.columns.slice(0, pairs)
    const targets = statement.targets.slice(0, tables)
    const sources = statement.sources.slice(0, tables - targets.length)
    pairs -= columns.length
    tables -= targets.length + sources.length
    return { ...statement, columns, sources, targets }
  })
  return {
    ...analysis,
    statements,
    sources: analysis.sources.slice(0, MOST_TABLES),
    targets: analysis.targets.slice(0, MOST_TABLES),
    incomplete: analysis.incomplete ?? 'size',
  }
}
