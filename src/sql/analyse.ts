import { hash } from 'node:crypto'
import { problemAt, type SqlProblem, unclosedProblem, unknownStatement } from './problems.ts'
import { Budget, BudgetExceeded, type IncompleteReason } from './relations/budget.ts'
import { Findings } from './relations/findings.ts'
import type { ParserContext } from './relations/parser-context.ts'
import { type ColumnsOf, type Defaults, Tables } from './relations/tables.ts'
import { report, type Statement, type TableReference, totals } from './report.ts'
import { splitScript } from './statements/script.ts'
import { readStatement, type StatementKind } from './statements/statement.ts'
import { type Dialect, findDialect } from './text/dialects.ts'
import { lex } from './text/lexer.ts'
import type { Tokens } from './text/tokens.ts'

export interface Options {
  /** A name from `dialectNames`; an unknown one is parsed as ansi. */
  readonly dialect: string
  /** Completes table names without a schema or database. */
  readonly defaults?: Defaults | undefined
  /** The columns of a table, in order, or undefined when they are unknown. Called once per table. */
  readonly columnsOf?: ColumnsOf | undefined
  readonly milliseconds?: number | undefined
  readonly characters?: number | undefined
  /** Receives errors of the engine itself. Without it they become process warnings. */
  readonly onDefect?: ((defect: Defect) => void) | undefined
}

/** An internal error of the engine, on a text that it should have parsed or rejected. */
export interface Defect {
  readonly error: unknown
  /** Identifies the text without revealing it: the beginning of its SHA-256. */
  readonly text_hash: string
  readonly dialect: string
}

/** Includes the stack but not the SQL, which may contain personal data. */
const emitDefectWarning = ({ error, text_hash, dialect }: Defect): void => {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.emitWarning(`Internal error of the SQL engine on the ${dialect} text with hash ${text_hash}.`, {
    type: 'SqlEngineDefect',
    code: 'SQL_ENGINE_DEFECT',
    detail,
  })
}

export interface Analysis {
  readonly dialect: string
  readonly statements: readonly Statement[]
  /** For the whole script: tables it reads but does not write, and tables that remain after it. */
  readonly sources: readonly TableReference[]
  readonly targets: readonly TableReference[]
  /** What could not be parsed, in text order. */
  readonly problems: readonly SqlProblem[]
  /** At least one statement was parsed, or the text consists only of routines without one. */
  readonly parsable: boolean
  /** Why the result is incomplete; null when it is complete. */
  readonly incomplete: IncompleteReason | null
  /** The amount of work, in machine-independent steps. */
  readonly steps: number
}

/** A text without its escapes but of the same length: `''` and `\'` become a quote and a space. */
const unescaped = (body: string, quote: string, backslash: boolean): string => {
  const doubled = quote === '' ? body : body.replaceAll(quote + quote, `${quote} `)
  return backslash ? doubled.replace(/\\([\s\S])/g, (_, char: string) => (/['"`\\]/.test(char) ? ` ${char}` : '  ')) : doubled
}

const DEFAULT_MILLISECONDS = 2_000
const DEFAULT_CHARACTERS = 4_000_000

/** Parses SQL and returns where its data comes from and goes to. Never throws; an incomplete result is marked as such. */
export const analyse = (sql: string, options: Options): Analysis => {
  const dialect = findDialect(options.dialect) ?? findDialect('ansi')!
  const limit = options.characters ?? DEFAULT_CHARACTERS
  const session = new AnalysisRun(sql.length > limit ? sql.slice(0, limit) : sql, dialect, options)
  if (sql.length > limit) session.incomplete = 'size'
  session.read(0, session.sql.length)
  return session.analysis()
}

/** One analysis: the statements of a text, one after the other, with the tables they share. */
class AnalysisRun {
  readonly sql: string
  incomplete: IncompleteReason | null = null
  private readonly dialect: Dialect
  private readonly tables: Tables
  private readonly budget: Budget
  private readonly onDefect: (defect: Defect) => void
  private readonly statements: Statement[] = []
  private readonly problems: SqlProblem[] = []
  /** The text has more than whitespace, comments and semicolons. */
  private filled = false
  private routines = false

  constructor(sql: string, dialect: Dialect, options: Options) {
    this.sql = sql
    this.dialect = dialect
    this.tables = new Tables(dialect, options.defaults, options.columnsOf)
    this.budget = new Budget(options.milliseconds ?? DEFAULT_MILLISECONDS)
    this.onDefect = options.onDefect ?? emitDefectWarning
  }

  read(from: number, to: number, text = this.sql): void {
    try {
      const { tokens, loose } = lex(text, this.dialect, from, to, { script: from === 0 })
      this.budget.spend(tokens.length)
      this.filled ||= tokens.list.some(({ op }) => op !== ';')
      for (const one of loose.slice(0, 20)) this.problems.push(unclosedProblem(this.sql, one))
      const script = splitScript(tokens, this.dialect, text)
      this.routines ||= script.routines
      for (const range of script.statements) if (!this.readOne(tokens, range.from, range.end)) return
      for (const body of script.bodies) this.readBody(tokens, body, text)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Returns whether any budget is left for the next one. */
  private readOne(tokens: Tokens, from: number, end: number): boolean {
    const found = new Findings(this.budget)
    const reading: ParserContext = { tokens, dialect: this.dialect, tables: this.tables, budget: this.budget, found }
    let kind: StatementKind | undefined = 'other'
    let shortfall: IncompleteReason | null = null
    try {
      kind = readStatement(reading, from, end)
    } catch (error) {
      shortfall = this.fail(error)
    }
    const first = tokens.at(from)
    if (kind === undefined) this.problems.push(unknownStatement(this.sql, first.start, first.text || first.op))
    for (const { at, message, hint } of found.faults)
      this.problems.push(problemAt(this.sql, tokens.kind(at) === 'end' ? this.sql.length : tokens.at(at).start, message, hint))
    const understood = kind !== undefined && (found.faults.length === 0 || found.sources.size + found.targets.size > 0)
    if (understood) this.statements.push(report(found, kind!, tokens.span(from, end - 1), shortfall))
    this.recordCreatedTables(found, kind)
    return shortfall !== 'time'
  }

  /** Later statements may read the tables a script creates. */
  private recordCreatedTables(found: Findings, kind: StatementKind | undefined): void {
    for (const table of found.dropped) this.tables.forget(table)
    const [table] = found.targets.keys()
    const createsTable = kind === 'create_table' || kind === 'create_view' || found.into !== undefined
    const outputs = found.outputs
    if (createsTable && table && found.targets.size === 1 && outputs?.length && outputs.every((name) => name !== null))
      this.tables.learn(table, outputs as string[])
  }

  /** SQL inside a string. Escapes are replaced by text of the same length, so that positions stay valid in the whole text. */
  private readBody(tokens: Tokens, at: number, text: string): void {
    const { start, end } = tokens.at(at)
    const raw = text.slice(start, end)
    const dollar = /^\$\w*\$/.exec(raw)?.[0].length
    const quotes = /'''|"""/.exec(raw)?.index === raw.search(/['"]/) ? 3 : 1
    const open = dollar ?? raw.search(/['"]/) + quotes
    const inner = { from: start + open, to: Math.max(start + open, end - (dollar ?? quotes)) }
    const body = text.slice(inner.from, inner.to)
    const plain = dollar === undefined ? unescaped(body, quotes === 1 ? raw[open - 1]! : '', this.dialect.backslash) : body
    this.read(inner.from, inner.to, plain === body ? text : text.slice(0, inner.from) + plain + text.slice(inner.to))
  }

  private fail(error: unknown): IncompleteReason {
    // The engine limits its own depth, but the stack may overflow before that limit.
    const shortfall = error instanceof BudgetExceeded ? error.reason : error instanceof RangeError ? 'depth' : 'internal'
    if (shortfall === 'internal') this.onDefect({ error, text_hash: hash('sha256', this.sql).slice(0, 16), dialect: this.dialect.name })
    this.incomplete ??= shortfall
    return shortfall
  }

  analysis(): Analysis {
    const statements = this.statements.sort((a, b) => a.start - b.start)
    const silent = statements.length === 0 && this.problems.length === 0 && this.incomplete === null
    if (silent && this.filled && !this.routines) this.problems.push(problemAt(this.sql, 0, 'No SQL statement found.'))
    return {
      dialect: this.dialect.name,
      statements,
      ...totals(statements),
      problems: this.problems.sort((a, b) => a.offset - b.offset),
      parsable: statements.length > 0 || (silent && this.routines),
      incomplete: this.incomplete,
      steps: this.budget.steps,
    }
  }
}
