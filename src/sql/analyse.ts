import { hash } from 'node:crypto'
import { looseProblem, type Problem, problemAt, unknownStatement } from './problems.ts'
import { Budget, type Shortfall, Spent } from './relations/budget.ts'
import { Found } from './relations/found.ts'
import type { Reading } from './relations/reading.ts'
import { type ColumnsOf, type Defaults, Tables } from './relations/tables.ts'
import { report, type Statement, type TableReference, totals } from './report.ts'
import { splitScript } from './statements/script.ts'
import { readStatement, type StatementKind } from './statements/statement.ts'
import { type Dialect, findDialect } from './text/dialects.ts'
import { lex } from './text/lexer.ts'
import type { Tokens } from './text/tokens.ts'

export interface Options {
  /** A name from `dialectNames`; one that is not known is read as ansi. */
  readonly dialect: string
  /** What completes a table's name that lacks its schema or database. */
  readonly defaults?: Defaults | undefined
  /** The columns of a table, in order, or undefined when they are not known. Called once per table. */
  readonly columnsOf?: ColumnsOf | undefined
  readonly milliseconds?: number | undefined
  readonly characters?: number | undefined
  /** Receives errors of the engine itself. Without it they are warnings of the process. */
  readonly onDefect?: ((defect: Defect) => void) | undefined
}

/** The engine failed on a text that it should have read or rejected. */
export interface Defect {
  readonly error: unknown
  /** Tells texts apart without showing them: the beginning of the SHA-256 of the whole text. */
  readonly text_hash: string
  readonly dialect: string
}

/** With the stack and without the text, which may hold personal data. */
const warnOf = ({ error, text_hash, dialect }: Defect): void => {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.emitWarning(`The SQL engine failed on the ${dialect} text ${text_hash}.`, {
    type: 'SqlEngineDefect',
    code: 'SQL_ENGINE_DEFECT',
    detail,
  })
}

export interface Analysis {
  readonly dialect: string
  readonly statements: readonly Statement[]
  /** The script as a whole: what it reads and did not write itself, what it leaves behind. */
  readonly sources: readonly TableReference[]
  readonly targets: readonly TableReference[]
  /** What could not be read, in the order of the text. */
  readonly problems: readonly Problem[]
  /** At least one statement was understood, or there are only routines without one. */
  readonly parsable: boolean
  /** Why this is not the whole answer; null when it is. */
  readonly incomplete: Shortfall | null
  /** How much work it was, in steps that do not depend on the machine. */
  readonly steps: number
}

/** A text without its escapes, of the same length: `''` and `\'` become a quote and a blank. */
const unescaped = (body: string, quote: string, backslash: boolean): string => {
  const doubled = quote === '' ? body : body.replaceAll(quote + quote, `${quote} `)
  return backslash ? doubled.replace(/\\([\s\S])/g, (_, char: string) => (/['"`\\]/.test(char) ? ` ${char}` : '  ')) : doubled
}

const MILLISECONDS = 2_000
const CHARACTERS = 4_000_000

/** Reads SQL and says where its data comes from and goes to. Never throws; an answer that is not complete says so. */
export const analyse = (sql: string, options: Options): Analysis => {
  const dialect = findDialect(options.dialect) ?? findDialect('ansi')!
  const limit = options.characters ?? CHARACTERS
  const session = new Session(sql.length > limit ? sql.slice(0, limit) : sql, dialect, options)
  if (sql.length > limit) session.incomplete = 'size'
  session.read(0, session.sql.length)
  return session.analysis()
}

/** One analysis: the statements of a text, one after the other, with the tables they have in common. */
class Session {
  readonly sql: string
  incomplete: Shortfall | null = null
  private readonly dialect: Dialect
  private readonly tables: Tables
  private readonly budget: Budget
  private readonly onDefect: (defect: Defect) => void
  private readonly statements: Statement[] = []
  private readonly problems: Problem[] = []
  /** There is more than blanks, comments and semicolons. */
  private filled = false
  private routines = false

  constructor(sql: string, dialect: Dialect, options: Options) {
    this.sql = sql
    this.dialect = dialect
    this.tables = new Tables(dialect, options.defaults, options.columnsOf)
    this.budget = new Budget(options.milliseconds ?? MILLISECONDS)
    this.onDefect = options.onDefect ?? warnOf
  }

  read(from: number, to: number, text = this.sql): void {
    try {
      const { tokens, loose } = lex(text, this.dialect, from, to, { script: from === 0 })
      this.budget.spend(tokens.length)
      this.filled ||= tokens.list.some(({ op }) => op !== ';')
      for (const one of loose.slice(0, 20)) this.problems.push(looseProblem(this.sql, one))
      const script = splitScript(tokens, this.dialect, text)
      this.routines ||= script.routines
      for (const range of script.statements) if (!this.readOne(tokens, range.from, range.end)) return
      for (const body of script.bodies) this.readBody(tokens, body, text)
    } catch (error) {
      this.fail(error)
    }
  }

  /** Answers whether there is anything left to spend on the next one. */
  private readOne(tokens: Tokens, from: number, end: number): boolean {
    const found = new Found(this.budget)
    const reading: Reading = { tokens, dialect: this.dialect, tables: this.tables, budget: this.budget, found }
    let kind: StatementKind | undefined = 'other'
    let shortfall: Shortfall | null = null
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
    this.remember(found, kind)
    return shortfall !== 'time'
  }

  /** What a script makes, its later statements may read. */
  private remember(found: Found, kind: StatementKind | undefined): void {
    for (const table of found.dropped) this.tables.forget(table)
    const [table] = found.targets.keys()
    const made = kind === 'create_table' || kind === 'create_view' || found.into !== undefined
    const outputs = found.outputs
    if (made && table && found.targets.size === 1 && outputs?.length && outputs.every((name) => name !== null))
      this.tables.learn(table, outputs as string[])
  }

  /** SQL inside a string. What is escaped in it is made plain, so that every position stays what it is in the whole text. */
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

  private fail(error: unknown): Shortfall {
    // The engine's own readers stop at the depth they allow; the stack may be shorter than that.
    const shortfall = error instanceof Spent ? error.shortfall : error instanceof RangeError ? 'depth' : 'internal'
    if (shortfall === 'internal') this.onDefect({ error, text_hash: hash('sha256', this.sql).slice(0, 16), dialect: this.dialect.name })
    this.incomplete ??= shortfall
    return shortfall
  }

  analysis(): Analysis {
    const statements = this.statements.sort((a, b) => a.start - b.start)
    const silent = statements.length === 0 && this.problems.length === 0 && this.incomplete === null
    if (silent && this.filled && !this.routines) this.problems.push(problemAt(this.sql, 0, 'There is no statement here.'))
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
