import { type Analysis, analyse } from '../../sql/index.ts'

/** Parses SQL with the columns the catalog knows. Pure, so that it can also run in a worker thread. */

/** Stored with every derived edge. Increase it when the engine improves, so that old edges can be distinguished from new ones. */
export const ENGINE_VERSION = '1'

export interface ParseRequest {
  readonly sql: string
  readonly dialect: string
  readonly database: string | null
  readonly schema: string | null
  readonly milliseconds?: number
}

/** The columns of tables, in order, by `toNameKey`. */
export type ColumnsByTable = ReadonlyMap<string, readonly string[]>

export interface ParseResult {
  readonly analysis: Analysis
  /** Every table whose columns the engine requested. */
  readonly requestedTables: readonly (readonly string[])[]
}

export const toNameKey = (name: readonly string[]): string => name.join('\0')

// A response lists every pair twice with all column details: about 20 MB at this limit.
const MAX_PAIRS = 10_000
const MAX_TABLES = 5_000

export const parseSync = ({ sql, dialect, database, schema, milliseconds }: ParseRequest, knownColumns: ColumnsByTable): ParseResult => {
  const requested = new Map<string, readonly string[]>()
  const analysis = analyse(sql, {
    dialect,
    defaults: { database, schema },
    columnsOf: (name) => {
      if (requested.size < MAX_TABLES) requested.set(toNameKey(name), name)
      return knownColumns.get(toNameKey(name))
    },
    milliseconds,
  })
  return { analysis: limitResult(analysis), requestedTables: [...requested.values()] }
}

/** Cuts a result that is too large to return and marks it as incomplete. */
const limitResult = (analysis: Analysis): Analysis => {
  let [pairs, tables] = [MAX_PAIRS, MAX_TABLES]
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
    sources: analysis.sources.slice(0, MAX_TABLES),
    targets: analysis.targets.slice(0, MAX_TABLES),
    incomplete: analysis.incomplete ?? 'size',
  }
}
