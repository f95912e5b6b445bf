import { foldIdentifierCase, readName } from './relations/names.ts'
import type { ParserContext } from './relations/parser-context.ts'
import { CLAUSES, FROM_CALLS, NOT_AN_ALIAS, QUERY_STARTS, SET_OPERATIONS, SORTED, STATEMENTS, SYNTAX } from './strict-keywords.ts'
import { type Brackets, checkTokens, SqlRejectedError } from './strict-tokens.ts'
import type { Dialect } from './text/dialects.ts'
import type { Token, Tokens } from './text/tokens.ts'

/** A table as named in the text, with the tokens of its name. */
export interface TableUse {
  readonly parts: readonly string[]
  readonly at: number
  readonly next: number
  /** It stands where a table can have an alias, and has none. */
  readonly unnamed: boolean
}

export interface FunctionCall {
  /** As written, in lower case unless quoted; with its schema if it has one. */
  readonly parts: readonly string[]
  readonly quoted: boolean
  /** A function in FROM that returns rows. */
  readonly table: boolean
}

interface CommonTableRange {
  readonly name: string
  /** The token range in which the name refers to this CTE. */
  readonly from: number
  readonly end: number
  /** Where its query ends. */
  readonly close: number
}

/** Finds the tables and calls of one query by the positions where SQL allows them. */
export class StrictReader {
  readonly #tokens: Tokens
  readonly #dialect: Dialect
  readonly #what: 'select' | 'condition'
  /** How many tokens belong to the query. */
  readonly end: number
  readonly #brackets: Brackets
  readonly #tables = new Map<number, TableUse>()
  readonly #tableCalls = new Set<number>()
  /** Names before a bracket that are not calls: a CTE or an alias with its columns. */
  readonly #columnLists = new Set<number>()
  readonly #commons: CommonTableRange[] = []

  constructor(text: string, tokens: Tokens, dialect: Dialect, what: 'select' | 'condition') {
    this.#tokens = tokens
    this.#dialect = dialect
    this.#what = what
    let end = tokens.length
    while (end > 0 && (tokens.kind(end - 1) === 'end' || (what === 'select' && tokens.op(end - 1) === ';'))) end--
    this.end = end
    if (end === 0) throw new SqlRejectedError('must not be empty.')
    this.#brackets = checkTokens(text, tokens, end, dialect, what)
  }

  /** Returns every table and every call of the query. */
  read(): { tables: TableUse[]; calls: FunctionCall[] } {
    this.#readStart()
    for (let i = 0; i < this.end; i++) if (this.#tokens.word(i) === 'WITH') this.#readWith(i)
    for (let i = 0; i < this.end; i++) this.#readPlace(i)
    const tables = [...this.#tables.values()].sort((a, b) => a.at - b.at)
    return { tables, calls: this.#calls() }
  }

  #readStart(): void {
    const tokens = this.#tokens
    let first = 0
    while (tokens.op(first) === '(') first++
    const word = tokens.word(first)
    if (this.#what === 'select' && word !== 'SELECT' && word !== 'WITH') throw new SqlRejectedError('must be a single SELECT.')
    if (this.#what === 'condition') {
      if (tokens.word(0) === 'WHERE') throw new SqlRejectedError('must be only the condition, without WHERE.')
      if (/^(?:SELECT|WITH|VALUES|TABLE|FROM)$/.test(tokens.word(0))) throw new SqlRejectedError('must be a condition, not a statement.')
    }
  }

  /** The closing bracket of the one at `open`. */
  #close(open: number): number {
    return this.#brackets.closes.get(open) ?? this.end
  }

  #next(i: number): number {
    const close = this.#brackets.closes.get(i)
    return close === undefined ? i + 1 : close + 1
  }

  /** The end of the brackets around a token. */
  #levelEnd(i: number): number {
    const around = this.#brackets.around[i]!
    return around < 0 ? this.end : this.#close(around)
  }

  /** Where the names of a WITH go out of scope. In ClickHouse a setting decides whether that is before the first UNION. */
  #withEnd(at: number): number {
    const end = this.#levelEnd(at)
    if (this.#dialect.name !== 'clickhouse') return end
    let i = at + 1
    while (i < end && !SET_OPERATIONS.has(this.#tokens.word(i))) i = this.#next(i)
    return Math.min(i, end)
  }

  /** The CTEs of a WITH: `name [(columns)] AS [NOT] [MATERIALIZED] (query), …`. */
  #readWith(at: number): void {
    const tokens = this.#tokens
    const end = this.#withEnd(at)
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
      // Case-sensitive: on some servers "Orders" and orders are different names.
      this.#commons.push({ name: foldIdentifierCase(this.#dialect, tokens.at(name)), from: recursive ? next : close, end, close })
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
    if (begins && STATEMENTS.has(word) && !this.#isOperand(i)) throw new SqlRejectedError(`must only read: ${word} is not allowed.`)
    if (before.op === '.') return
    if (word === 'INTO') throw new SqlRejectedError('must only read: INTO is not allowed.')
    if (word === 'UESCAPE') throw new SqlRejectedError('must not use UESCAPE.')
    if (word === 'FOR' && /^(?:UPDATE|SHARE|NO|KEY)$/.test(tokens.word(i + 1)))
      throw new SqlRejectedError('must only read: it must not lock rows.')
    if (word === 'LOCK' && tokens.word(i + 1) === 'IN') throw new SqlRejectedError('must only read: it must not lock rows.')
    if (word === 'TABLE' && !this.#callsInside(i)) throw new SqlRejectedError('must not use TABLE. Write (select * from …) instead.')
    if (word === 'FROM' && !this.#dividesArguments(i)) this.#readFrom(i)
    if (word === 'WITH' && this.#followsSetOperation(i))
      throw new SqlRejectedError('must put a WITH after UNION, EXCEPT or INTERSECT in brackets.')
    if ((word === 'JOIN' && !this.#joinsArray(i)) || word === 'STRAIGHT_JOIN') this.#readFactor(i + 1)
    if (word === 'APPLY' && /^(?:CROSS|OUTER)$/.test(before.word)) this.#readFactor(i + 1)
    if (word === 'IN' && this.#dialect.name === 'sqlite') this.#readNameAlone(i + 1, i + 2)
    if (this.#dialect.name === 'clickhouse') this.#readClickhouse(i, word)
  }

  #followsSetOperation(i: number): boolean {
    const at = /^(?:ALL|DISTINCT)$/.test(this.#tokens.word(i - 1)) ? i - 2 : i - 1
    return SET_OPERATIONS.has(this.#tokens.word(at))
  }

  /** `ARRAY JOIN` of ClickHouse is followed by a column. Elsewhere, and after AS, `array` is an alias and a table follows. */
  #joinsArray(i: number): boolean {
    const tokens = this.#tokens
    return this.#dialect.name === 'clickhouse' && tokens.word(i - 1) === 'ARRAY' && tokens.word(i - 2) !== 'AS'
  }

  #readClickhouse(i: number, word: string): void {
    const tokens = this.#tokens
    if (word === 'SETTINGS') throw new SqlRejectedError('must not change SETTINGS.')
    if (word === 'APPLY') throw new SqlRejectedError('must not use APPLY.') // it calls a function without brackets
    if (word !== 'IN') return
    if (tokens.op(i + 1) === '(') this.#readNamesAlone(i + 1)
    else this.#readNameAlone(i + 1, i + 2)
  }

  /** SQLite and ClickHouse read a name alone after IN as a table. */
  #readNameAlone(at: number, end: number): void {
    const tokens = this.#tokens
    if (!tokens.isName(at)) return
    const { next } = readName({ tokens, dialect: this.#dialect } as ParserContext, at, end)
    if (next >= end || !tokens.op(next)) this.#readFactor(at, false)
  }

  /** ClickHouse also inside any number of brackets. */
  #readNamesAlone(open: number): void {
    const tokens = this.#tokens
    const close = this.#close(open)
    for (let at = open + 1; at < close; at++) {
      let end = at
      while (end < close && tokens.op(end) !== ',') end = this.#next(end)
      if (tokens.op(at) === '(') this.#readNamesAlone(at)
      else if (!QUERY_STARTS.has(tokens.word(at))) this.#readNameAlone(at, Math.min(end, close))
      at = end
    }
  }

  /** `table(flatten(…))`: the rows of a function, not a table name. */
  #callsInside(i: number): boolean {
    const tokens = this.#tokens
    if (tokens.op(i + 1) !== '(' || !tokens.isName(i + 2)) return false
    return tokens.op(readName({ tokens, dialect: this.#dialect } as ParserContext, i + 2, this.end).next) === '('
  }

  /** `replace(…)`, `(set)`, `(lock, 1)`: a function or a name. */
  #isOperand(i: number): boolean {
    const { op, kind } = this.#tokens.at(i + 1)
    return (kind === 'op' && op !== '*') || i + 1 >= this.end
  }

  /** `extract(year from x)`, `a is distinct from b`: not followed by tables. */
  #dividesArguments(i: number): boolean {
    const tokens = this.#tokens
    if (tokens.word(i - 1) === 'DISTINCT' && tokens.word(tokens.word(i - 2) === 'NOT' ? i - 3 : i - 2) === 'IS') return true
    const open = this.#brackets.around[i]!
    return open > 0 && FROM_CALLS.has(tokens.word(open - 1)) && !QUERY_STARTS.has(tokens.word(open + 1))
  }

  /** The tables of a FROM: the first one and those after commas on the same level. Tables after a JOIN are found separately. */
  #readFrom(at: number): void {
    this.#readFactor(at + 1)
    this.#readCommas(at + 1, this.#levelEnd(at))
  }

  #readCommas(from: number, end: number): void {
    for (let i = from; i < end && !this.#endsTables(i); i = this.#next(i)) if (this.#tokens.op(i) === ',') this.#readFactor(i + 1)
  }

  /**
   * Whether commas from here on separate something other than tables. Some server accepts almost any keyword as an alias
   * (`from t limit, secrets`), so each must be followed by something only the clause can have.
   */
  #endsTables(i: number): boolean {
    const tokens = this.#tokens
    const word = tokens.word(i)
    const next = tokens.at(i + 1)
    if (SORTED.has(word)) return next.word === 'BY'
    if (word === 'LIMIT') return next.kind === 'number'
    if (word === 'WINDOW') return tokens.isName(i + 1) && tokens.word(i + 2) === 'AS' && tokens.op(i + 3) === '('
    if (SET_OPERATIONS.has(word)) {
      let at = /^(?:ALL|DISTINCT)$/.test(next.word) ? i + 2 : i + 1
      while (tokens.op(at) === '(') at++
      return /^(?:SELECT|WITH|FROM)$/.test(tokens.word(at)) || (tokens.word(at) === 'VALUES' && tokens.op(at + 1) === '(')
    }
    return word === 'SELECT' && this.#dialect.name === 'duckdb'
  }

  #readFactor(from: number, inFrom = true): void {
    const tokens = this.#tokens
    let i = from
    while (/^(?:LATERAL|ONLY)$/.test(tokens.word(i)) && (tokens.isName(i + 1) || tokens.op(i + 1) === '(')) i++
    if (tokens.word(i) === 'ROWS' && tokens.word(i + 1) === 'FROM') return
    if (tokens.op(i) === '(') {
      const close = this.#close(i)
      // A subquery is found separately; the tables of a join in brackets are read here.
      if (!QUERY_STARTS.has(tokens.word(i + 1))) {
        this.#readFactor(i + 1)
        this.#readCommas(i + 1, close)
      }
      this.#readAlias(close + 1)
      return
    }
    if (!tokens.isName(i)) throw new SqlRejectedError('must have a table name after each FROM and JOIN.')
    const { parts, next } = readName({ tokens, dialect: this.#dialect } as ParserContext, i, this.end)
    if (tokens.op(next) === '(') {
      if (tokens.word(i) !== 'VALUES') this.#tableCalls.add(next - 1)
      this.#readAlias(this.#next(next))
      return
    }
    if (/^[.@*-]/.test(tokens.op(next)) || tokens.kind(next) === 'number')
      throw new SqlRejectedError(`contains an incomplete table name. Quote the name that starts with ${parts.join('.')}.`)
    const common = parts.length === 1 && this.#commons.some(({ name, from, end }) => name === parts[0] && i > from && i < end)
    if (!common) this.#tables.set(i, { parts, at: i, next, unnamed: inFrom && !this.#hasAlias(next) })
    this.#readAlias(next)
  }

  /** A guess, because servers differ in which keywords they accept as an alias: what depends on it must only be less useful if it is wrong. */
  #hasAlias(i: number): boolean {
    const word = this.#tokens.word(i)
    if (word === 'AS') return true
    return i < this.end && this.#tokens.isName(i) && !NOT_AN_ALIAS.has(word) && !SYNTAX.has(word) && !CLAUSES.has(word)
  }

  /** `[AS] name (columns)` after a table: the name is not a function. */
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

  #calls(): FunctionCall[] {
    const tokens = this.#tokens
    const calls: FunctionCall[] = []
    for (let i = 0; i < this.end; i++) {
      if (!tokens.isName(i) || tokens.op(i + 1) !== '(' || this.#columnLists.has(i)) continue
      const { op, word: previous } = tokens.at(i - 1)
      const word = tokens.word(i)
      // After AS or :: there is a type or an alias.
      if (previous === 'AS' || op === '::') continue
      if (op !== '.' && SYNTAX.has(word)) continue
      if (previous === 'TABLESAMPLE' && /^(?:SYSTEM|BERNOULLI|RESERVOIR)$/.test(word)) continue
      const parts = [toName(tokens.at(i))]
      let at = i - 1
      for (; tokens.op(at) === '.'; at -= 2) parts.unshift(tokens.isName(at - 1) ? toName(tokens.at(at - 1)) : '…')
      calls.push({ parts, quoted: tokens.kind(i) === 'quoted', table: this.#tableCalls.has(i) })
    }
    return calls
  }
}

/** Quoted names keep their case: `"COUNT"` is not `count` on every server. */
const toName = ({ kind, text }: Token): string => (kind === 'quoted' ? text : text.toLowerCase())
