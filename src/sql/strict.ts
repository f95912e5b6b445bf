import { fold, readName } from './relations/names.ts'
import type { Reading } from './relations/reading.ts'
import { type Dialect, findDialect } from './text/dialects.ts'
import { lex } from './text/lexer.ts'
import type { Token, Tokens } from './text/tokens.ts'

/**
 * One query, read for a security check. `analyse` guesses where it is not sure, because half an answer is better than none there. This reader
 * rejects what it is not sure of: every table and every function that the source would see is in its answer, or the text is rejected.
 * It keeps no comments and no text that it did not read, so the source gets exactly what was checked.
 */
export interface StrictQuery {
  readonly tables: readonly TableUse[]
  readonly calls: readonly Call[]
  /** The text from its tokens alone, with each table under the name that `named` gives it. */
  write(named: (table: TableUse) => string): string
}

/** A table as it is named in the text, and the tokens of its name. */
export interface TableUse {
  readonly parts: readonly string[]
  readonly at: number
  readonly next: number
}

export interface Call {
  /** As written, lower case unless quoted; with its schema where it has one. */
  readonly parts: readonly string[]
  readonly quoted: boolean
  /** A function that gives rows, in FROM. */
  readonly table: boolean
}

export type Strict = StrictQuery | { readonly problem: string }

const LONGEST = 100_000

export const readStrictly = (text: string, dialectName: string, what: 'select' | 'condition'): Strict => {
  const dialect = findDialect(dialectName)
  if (!dialect) return { problem: `cannot be checked: ${dialectName} is not a known dialect.` }
  if (text.length > LONGEST) return { problem: `must be at most ${LONGEST.toLocaleString('en')} characters.` }
  const lexed = lex(text, dialect)
  if (lexed.loose.length > 0) return { problem: 'has a bracket, a string, a name or a comment that is not closed.' }
  try {
    return new StrictReader(text, lexed.tokens, dialect, what).read()
  } catch (error) {
    if (error instanceof Rejected) return { problem: error.message }
    throw error
  }
}

class Rejected extends Error {}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Statements other than a query. They can only begin where a statement begins: elsewhere these are names or functions. */
const STATEMENTS =
  words(`INSERT UPDATE DELETE MERGE REPLACE UPSERT TRUNCATE DROP ALTER CREATE GRANT REVOKE COPY CALL EXEC EXECUTE LOCK ATTACH DETACH VACUUM PRAGMA
  INSTALL LOAD HANDLER SHOW DESCRIBE DESC SUMMARIZE EXPLAIN PIVOT UNPIVOT SET USE IMPORT EXPORT DECLARE BEGIN COMMIT ROLLBACK DO ANALYZE`)

/** Words of the language that may stand before a bracket and are no function. Only without quotes, and not behind a dot. */
const SYNTAX =
  words(`SELECT FROM WHERE AND OR NOT XOR IN EXISTS ANY ALL SOME ON USING AS OVER VALUES CASE WHEN THEN ELSE BY HAVING UNION EXCEPT INTERSECT MINUS
  LIMIT OFFSET JOIN LATERAL BETWEEN LIKE ILIKE RLIKE REGEXP GLOB IS DISTINCT FILTER GROUP MATERIALIZED RECURSIVE SETS CUBE ROLLUP PARTITION
  ORDER REPEATABLE INTERVAL ESCAPE DIV MOD QUALIFY PREWHERE FETCH FIRST NEXT TOP WINDOW KEEP EXCLUDE RENAME ONLY ROWS RANGE GROUPS UNNEST ROW ARRAY
  STRUCT TABLESAMPLE SIMILAR ISNULL NOTNULL END SYMMETRIC ASYMMETRIC`)

/** In these a FROM divides the arguments of a function: `extract(year from x)`. */
const FROM_CALLS = words('EXTRACT TRIM LTRIM RTRIM BTRIM SUBSTRING SUBSTR OVERLAY POSITION DATE_PART')
const QUERY_STARTS = words('SELECT WITH VALUES FROM')
const SET_OPERATIONS = words('UNION EXCEPT INTERSECT MINUS')
const SORTED = words('GROUP ORDER SORT CLUSTER DISTRIBUTE PARTITION')
const NOT_AN_ALIAS =
  words(`ON USING NATURAL LEFT RIGHT FULL INNER OUTER CROSS SEMI ANTI ASOF JOIN LATERAL TABLESAMPLE SAMPLE FINAL ARRAY PASTE
  POSITIONAL ANY ALL GLOBAL STRAIGHT_JOIN PIVOT UNPIVOT AT BEFORE USE FORCE IGNORE`)
/** Letters, digits, `_` and `$`: a server may take any other sign for a quote or a blank. */
const NAME = /^[\p{L}\p{N}_$#]+$/u

/** Dialects in which a backslash in a string never escapes its quote, unless the string begins with E. */
const PLAIN_BACKSLASH = new Set(['postgres', 'duckdb', 'sqlite', 'trino'])
const ESCAPE_STRINGS = new Set(['postgres', 'duckdb'])
const QUOTES: Readonly<Record<string, string>> = { sqlite: '"`[', clickhouse: '"`', mysql: '`', bigquery: '`', databricks: '`' }

interface Common {
  readonly name: string
  /** Tokens from which, and up to which, the name is this common table. */
  readonly from: number
  readonly end: number
  /** Where its query ends. */
  readonly close: number
}

class StrictReader {
  readonly #text: string
  readonly #tokens: Tokens
  readonly #dialect: Dialect
  readonly #what: 'select' | 'condition'
  readonly #end: number
  /** The index of the open bracket around each token, or -1. */
  readonly #around: number[] = []
  readonly #closes = new Map<number, number>()
  readonly #tables = new Map<number, TableUse>()
  readonly #tableCalls = new Set<number>()
  /** Names in front of a bracket that are no call: a common table or an alias with its columns. */
  readonly #columnLists = new Set<number>()
  readonly #commons: Common[] = []

  constructor(text: string, tokens: Tokens, dialect: Dialect, what: 'select' | 'condition') {
    this.#text = text
    this.#tokens = tokens
    this.#dialect = dialect
    this.#what = what
    let end = tokens.length
    while (end > 0 && (tokens.kind(end - 1) === 'end' || (what === 'select' && tokens.op(end - 1) === ';'))) end--
    this.#end = end
  }

  read(): StrictQuery {
    if (this.#end === 0) throw new Rejected('must not be empty.')
    this.#readTokens()
    this.#readStart()
    for (let i = 0; i < this.#end; i++) if (this.#tokens.word(i) === 'WITH') this.#readWith(i)
    for (let i = 0; i < this.#end; i++) this.#readPlace(i)
    const tables = [...this.#tables.values()].sort((a, b) => a.at - b.at)
    return { tables, calls: this.#calls(), write: (named) => this.#write(tables, named) }
  }

  /** Tokens that a server may cut otherwise than we do. */
  #readTokens(): void {
    const open: number[] = []
    const text = this.#text
    if (text.includes('\0')) throw new Rejected('must not have NUL characters.')
    let at = 0
    for (let i = 0; i < this.#end; i++) {
      const token = this.#tokens.at(i)
      const between = text.slice(at, token.start).trim()
      if (between !== '' && this.#what === 'condition') throw new Rejected('must not have comments.')
      if (between !== '' && !/^(?:--|\/\*|#|\/\/)/.test(between)) throw new Rejected('must not have templates.')
      if (token.kind === 'param') throw new Rejected('must not have parameters.')
      if (token.op === ';') throw new Rejected('must be one statement, without semicolons.')
      if (token.op === '|>') throw new Rejected('must not use the pipe syntax.')
      if (token.op === '\\') throw new Rejected('must not have a backslash outside of strings.')
      if (token.kind === 'string') this.#readString(token, i > 0 && token.start === at && this.#tokens.kind(i - 1) !== 'op')
      if (token.kind === 'quoted') this.#readQuoted(token)
      if (token.kind === 'word') readWord(token)
      at = token.end
      if (token.op === ')' || token.op === ']' || token.op === '}') this.#closes.set(open.pop() ?? -1, i)
      this.#around[i] = open.at(-1) ?? -1
      if (token.op === '(' || token.op === '[' || token.op === '{') open.push(i)
    }
    if (open.length > 0 || this.#closes.has(-1)) throw new Rejected('has a bracket that is not closed.')
    const rest = text.slice(at).replace(/;/g, '').trim()
    if (rest !== '' && this.#what === 'condition') throw new Rejected('must not have comments.')
  }

  #readString({ start, end }: Token, touches: boolean): void {
    const raw = this.#text.slice(start, end)
    const { name } = this.#dialect
    if (raw.startsWith('$')) {
      // `a$$` is a name to the server.
      if (name !== 'postgres' || touches) throw new Rejected('must not have strings in dollar signs here.')
      return
    }
    if (!/\\['"]/.test(raw)) return
    const escapes = /^e['"]/i.test(raw)
    if (!PLAIN_BACKSLASH.has(name) || (escapes && !ESCAPE_STRINGS.has(name)))
      throw new Rejected('must not have a backslash before a quote in a string; double the quote instead.')
  }

  #readQuoted({ start, end }: Token): void {
    const raw = this.#text.slice(start, end)
    if (raw.startsWith('{') || raw.startsWith('$')) throw new Rejected('must not have templates.')
    const unicode = /^u&"/i.test(raw)
    if (unicode && this.#dialect.name !== 'postgres') throw new Rejected('must not have names written as U&"…".')
    if (!unicode && raw.includes('\\')) throw new Rejected('must not have a backslash in a quoted name.')
    if (!unicode && !(QUOTES[this.#dialect.name] ?? '"').includes(raw[0]!))
      throw new Rejected(`must not quote names with ${raw[0]} in this dialect.`)
  }

  #readStart(): void {
    const tokens = this.#tokens
    let first = 0
    while (tokens.op(first) === '(') first++
    const word = tokens.word(first)
    if (this.#what === 'select' && word !== 'SELECT' && word !== 'WITH') throw new Rejected('must be one SELECT.')
    if (this.#what === 'condition') {
      if (tokens.word(0) === 'WHERE') throw new Rejected('must be the condition alone, without WHERE.')
      if (/^(?:SELECT|WITH|VALUES|TABLE|FROM)$/.test(tokens.word(0))) throw new Rejected('must be a condition, not a statement.')
    }
  }

  /** The closing bracket of the one at `open`. Brackets are matched here once more: `<` and `>` are never brackets to this reader. */
  #close(open: number): number {
    return this.#closes.get(open) ?? this.#end
  }

  #next(i: number): number {
    const close = this.#closes.get(i)
    return close === undefined ? i + 1 : close + 1
  }

  /** The end of the brackets that a token stands in. */
  #levelEnd(i: number): number {
    const around = this.#around[i]!
    return around < 0 ? this.#end : this.#close(around)
  }

  /** The common tables of a WITH: `name [(columns)] AS [NOT] [MATERIALIZED] (query), …`. */
  #readWith(at: number): void {
    const tokens = this.#tokens
    const end = this.#levelEnd(at)
    const recursive = tokens.word(at + 1) === 'RECURSIVE'
    let i = recursive ? at + 2 : at + 1
    while (i < end && tokens.isName(i)) {
      const name = i
      let next = i + 1
      const listed = tokens.op(next) === '('
      if (listed) next = this.#next(next)
      if (tokens.word(next) !== 'AS') return
      next++
      while (/^(?:NOT|MATERIALIZED)$/.test(tokens.word(next))) next++
      if (tokens.op(next) !== '(') return
      if (listed) this.#columnLists.add(name)
      const close = this.#close(next)
      // Compared letter by letter: to some servers "Orders" and orders are two names.
      this.#commons.push({ name: fold(this.#dialect, tokens.at(name)), from: recursive ? next : close, end, close })
      i = close + 1
      if (tokens.op(i) !== ',') return
      i++
    }
  }

  #readPlace(i: number): void {
    const tokens = this.#tokens
    const word = tokens.word(i)
    const before = tokens.at(i - 1)
    const begins = i === 0 || before.op === '(' || SET_OPERATIONS.has(before.word) || this.#commons.some(({ close }) => close === i - 1)
    if (begins && STATEMENTS.has(word) && !this.#isOperand(i)) throw new Rejected(`must only read: ${word} is not allowed.`)
    if (before.op === '.') return
    if (word === 'INTO') throw new Rejected('must only read: INTO is not allowed.')
    if (word === 'UESCAPE') throw new Rejected('must not use UESCAPE.')
    if (word === 'FOR' && /^(?:UPDATE|SHARE|NO|KEY)$/.test(tokens.word(i + 1))) throw new Rejected('must only read: it must not lock rows.')
    if (word === 'LOCK' && tokens.word(i + 1) === 'IN') throw new Rejected('must only read: it must not lock rows.')
    if (word === 'TABLE' && !this.#callsInside(i)) throw new Rejected('must not use TABLE; write (select * from …) instead.')
    if (word === 'FROM' && !this.#dividesArguments(i)) this.#readFrom(i)
    if ((word === 'JOIN' && before.word !== 'ARRAY') || word === 'STRAIGHT_JOIN') this.#readFactor(i + 1)
    if (word === 'APPLY' && /^(?:CROSS|OUTER)$/.test(before.word)) this.#readFactor(i + 1)
    if (this.#dialect.name === 'clickhouse') this.#readClickhouse(i, word)
  }

  /** ClickHouse reads a table that stands alone after IN, with or without brackets, and takes settings inside of a query. */
  #readClickhouse(i: number, word: string): void {
    const tokens = this.#tokens
    if (word === 'SETTINGS') throw new Rejected('must not change SETTINGS.')
    if (word !== 'IN') return
    const bare = (at: number, end: number): void => {
      if (!tokens.isName(at)) return
      const { next } = readName({ tokens, dialect: this.#dialect } as Reading, at, end)
      if (next >= end || !tokens.op(next)) this.#readFactor(at)
    }
    if (tokens.op(i + 1) !== '(') {
      bare(i + 1, i + 2)
      return
    }
    const close = this.#close(i + 1)
    for (let at = i + 2; at < close; at++) {
      let end = at
      while (end < close && tokens.op(end) !== ',') end = this.#next(end)
      if (!QUERY_STARTS.has(tokens.word(at))) bare(at, Math.min(end, close))
      at = end
    }
  }

  /** `table(flatten(…))`: the rows of a function, not the name of a table. */
  #callsInside(i: number): boolean {
    const tokens = this.#tokens
    if (tokens.op(i + 1) !== '(' || !tokens.isName(i + 2)) return false
    return tokens.op(readName({ tokens, dialect: this.#dialect } as Reading, i + 2, this.#end).next) === '('
  }

  /** `replace(…)`, `(set)`, `(lock, 1)`: a function or a name. */
  #isOperand(i: number): boolean {
    const { op, kind } = this.#tokens.at(i + 1)
    return (kind === 'op' && op !== '*') || i + 1 >= this.#end
  }

  /** `extract(year from x)`, `a is distinct from b`: no list of tables follows. */
  #dividesArguments(i: number): boolean {
    const tokens = this.#tokens
    if (tokens.word(i - 1) === 'DISTINCT' && /^(?:IS|NOT)$/.test(tokens.word(i - 2))) return true
    const open = this.#around[i]!
    return open > 0 && FROM_CALLS.has(tokens.word(open - 1)) && !QUERY_STARTS.has(tokens.word(open + 1))
  }

  /** The tables of a FROM: the first one, and those behind the commas of the same level. Those behind a JOIN are met on their own. */
  #readFrom(at: number): void {
    this.#readFactor(at + 1)
    this.#readCommas(at + 1, this.#levelEnd(at))
  }

  #readCommas(from: number, end: number): void {
    for (let i = from; i < end && !this.#endsTables(i); i = this.#next(i)) if (this.#tokens.op(i) === ',') this.#readFactor(i + 1)
  }

  /**
   * Whether commas from here on divide something else than tables. Most words of the language are also good as an alias somewhere
   * (`from t limit, secrets`), so each has to be followed by what only the clause can have.
   */
  #endsTables(i: number): boolean {
    const tokens = this.#tokens
    const word = tokens.word(i)
    const next = tokens.at(i + 1)
    if (SORTED.has(word)) return next.word === 'BY'
    if (word === 'LIMIT') return next.kind === 'number'
    if (word === 'WINDOW') return tokens.isName(i + 1) && tokens.word(i + 2) === 'AS' && tokens.op(i + 3) === '('
    if (SET_OPERATIONS.has(word)) {
      const at = /^(?:ALL|DISTINCT)$/.test(next.word) ? i + 2 : i + 1
      return (
        QUERY_STARTS.has(tokens.word(at)) || (tokens.op(at) === '(' && (QUERY_STARTS.has(tokens.word(at + 1)) || tokens.op(at + 1) === '('))
      )
    }
    return word === 'SELECT' && this.#dialect.name === 'duckdb'
  }

  #readFactor(from: number): void {
    const tokens = this.#tokens
    let i = from
    while (/^(?:LATERAL|ONLY)$/.test(tokens.word(i)) && (tokens.isName(i + 1) || tokens.op(i + 1) === '(')) i++
    if (tokens.word(i) === 'ROWS' && tokens.word(i + 1) === 'FROM') return
    if (tokens.op(i) === '(') {
      const close = this.#close(i)
      // A query inside is met on its own; a join in brackets has its tables here.
      if (!QUERY_STARTS.has(tokens.word(i + 1))) {
        this.#readFactor(i + 1)
        this.#readCommas(i + 1, close)
      }
      this.#readAlias(close + 1)
      return
    }
    if (!tokens.isName(i)) throw new Rejected('must name the tables it reads: something else stands after FROM or JOIN.')
    const { parts, next } = readName({ tokens, dialect: this.#dialect } as Reading, i, this.#end)
    if (tokens.op(next) === '(') {
      if (tokens.word(i) !== 'VALUES') this.#tableCalls.add(next - 1)
      this.#readAlias(this.#next(next))
      return
    }
    if (/^[.@*-]/.test(tokens.op(next)) || tokens.kind(next) === 'number')
      throw new Rejected(`must name its tables in full: quote the name that begins with ${parts.join('.')}.`)
    const common = parts.length === 1 && this.#commons.some(({ name, from, end }) => name === parts[0] && i > from && i < end)
    if (!common) this.#tables.set(i, { parts, at: i, next })
    this.#readAlias(next)
  }

  /** `[AS] name (columns)` behind a table: the name is no function. */
  #readAlias(from: number): void {
    const tokens = this.#tokens
    let i = from
    if (tokens.word(i) === 'WITH' && tokens.word(i + 1) === 'ORDINALITY') i += 2
    if (tokens.word(i) === 'AS') i++
    if (!tokens.isName(i) || tokens.op(i + 1) !== '(') return
    const word = tokens.word(i)
    if (NOT_AN_ALIAS.has(word) || SYNTAX.has(word)) return
    this.#columnLists.add(i)
  }

  #calls(): Call[] {
    const tokens = this.#tokens
    const calls: Call[] = []
    for (let i = 0; i < this.#end; i++) {
      if (!tokens.isName(i) || tokens.op(i + 1) !== '(' || this.#columnLists.has(i)) continue
      const { op, word: previous } = tokens.at(i - 1)
      const word = tokens.word(i)
      // Behind AS or :: there is a type or an alias.
      if (previous === 'AS' || op === '::') continue
      if (op !== '.' && SYNTAX.has(word)) continue
      if (previous === 'TABLESAMPLE' && /^(?:SYSTEM|BERNOULLI|RESERVOIR)$/.test(word)) continue
      const parts = [nameOf(tokens.at(i))]
      let at = i - 1
      for (; tokens.op(at) === '.'; at -= 2) parts.unshift(tokens.isName(at - 1) ? nameOf(tokens.at(at - 1)) : '…')
      calls.push({ parts, quoted: tokens.kind(i) === 'quoted', table: this.#tableCalls.has(i) })
    }
    return calls
  }

  #write(tables: readonly TableUse[], named: (table: TableUse) => string): string {
    const tokens = this.#tokens
    const byStart = new Map(tables.map((table) => [table.at, table]))
    let written = ''
    let at = tokens.at(0).start
    for (let i = 0; i < this.#end; ) {
      const token = tokens.at(i)
      if (token.start > at) written += ' '
      const table = byStart.get(i)
      const last = tokens.at(table ? table.next - 1 : i)
      written += table ? named(table) : this.#text.slice(token.start, token.end)
      at = last.end
      i = table ? table.next : i + 1
    }
    return written
  }
}

/** Quoted names keep their letters: `"COUNT"` is not `count` to every server. */
const nameOf = ({ kind, text }: Token): string => (kind === 'quoted' ? text : text.toLowerCase())

/** A server may see `1from t` as a number and a keyword, and `ſelect` as a name: we would not. */
const readWord = ({ text }: Token): void => {
  if (/^[\d.]/.test(text)) throw new Rejected(`must have a blank between a number and a word: ${text}.`)
  if (!NAME.test(text)) throw new Rejected(`must not use ${text} as a name without quotes.`)
  const plain = /^[\x00-\x7f]*$/
  if (!plain.test(text) && (plain.test(text.toUpperCase()) || plain.test(text.toLowerCase())))
    throw new Rejected(`must not use ${text} as a name without quotes.`)
}
