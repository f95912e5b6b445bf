import { readFilter } from '../expressions/expression.ts'
import { readItem } from '../expressions/items.ts'
import { readTableName } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import { type Column, DerivedRelation, type Relation, type UnexpandedStar } from '../relations/relation.ts'
import { type AliasUse, Scope } from '../relations/scope.ts'
import { type Clause, splitClauses } from './clauses.ts'
import { readFrom } from './from.ts'
import { readPipes } from './pipes.ts'
import { findStar, readStar } from './stars.ts'

/** Clauses that filter rows, and whether they may refer to aliases of the select list. */
const CONDITIONS: Readonly<Record<string, AliasUse>> = {
  WHERE: 'after',
  PREWHERE: 'after',
  GROUP: 'after',
  HAVING: 'after',
  QUALIFY: 'after',
  CONNECT: 'after',
  START: 'never',
  ORDER: 'first',
  CLUSTER: 'first',
  DISTRIBUTE: 'first',
  SORT: 'first',
  LIMIT: 'after',
  INTERPOLATE: 'first',
  TIMESERIES: 'after',
}

/** One SELECT with the tables it reads from, or a FROM without SELECT. */
export const readSelect = (r: ParserContext, from: number, end: number, around: QueryContext, fromScope?: Scope): Relation => {
  const clauses = splitClauses(r, from, end)
  const scope = new Scope(around.parent)
  if (fromScope) scope.members.push(...fromScope.members)
  scope.scalars = findScalars(around)
  const clause = (word: string): Clause | undefined => clauses.find((one) => one.word === word)

  const tables = clause('FROM')
  if (tables) readFrom(r, tables.from, tables.end, scope, around)
  if (tables && tables.from >= tables.end && !fromScope)
    r.found.fault(tables.at, 'Missing table after FROM.', 'Add a table, a view or a subquery.')
  if (clauses.length === 1 && clauses[0]!.from >= end && !tables)
    r.found.fault(from, 'Missing columns after SELECT.', 'List columns, or use * for all of them.')
  const windows = clause('WINDOW')
  if (windows) readWindows(r, windows, scope)
  const into = clause('INTO')
  if (into && !clause('BULK')) readInto(r, into)

  const select = clause('SELECT') ?? clause('SEL')
  const result = select ? readSelectList(r, select, scope, around) : readStars(r, tables, scope, around)
  for (const [a, b] of scope.conditions) readFilter(r, a, b, scope, around)
  for (const one of clauses) {
    const aliases = CONDITIONS[one.word]
    if (aliases) readFilter(r, one.from, one.end, scope, around, aliases)
  }
  const pipe = clause('|>')
  return pipe ? readPipes(r, pipe.at, end, result, scope, around) : result
}

const findScalars = (around: QueryContext): Scope['scalars'] => {
  for (let at: QueryContext['commons'] | undefined = around.commons; at; at = at.outer) if (at.scalars.size > 0) return at.scalars
  return undefined
}

const readSelectList = (r: ParserContext, select: Clause, scope: Scope, around: QueryContext): Relation => {
  const { tokens, dialect } = r
  const columns: Column[] = []
  const opens: UnexpandedStar[] = []
  let fixed: number | undefined
  const aliases: AliasUse = dialect.lateralAliases ? 'after' : 'never'
  for (const [from, end] of tokens.split(skipModifiers(r, select, scope, around), select.end)) {
    const star = findStar(r, from, end)
    if (star) {
      const written = readStar(r, from, end, star, scope, around)
      if (written.opens.length > 0) fixed ??= columns.length
      for (const column of written.columns) columns.push(column)
      for (const open of written.opens) opens.push(open)
      continue
    }
    const item = readItem(r, from, end, scope, around, aliases)
    if (item.names) {
      for (const name of item.names) columns.push({ ...item, name })
      continue
    }
    if (item.explicit && item.name !== null) {
      const key = item.name.toLowerCase()
      if (!scope.aliases.has(key)) scope.aliases.set(key, item.flow)
    }
    columns.push(item)
  }
  return new DerivedRelation(columns, opens, fixed)
}

/** `FROM t` alone selects all its columns. */
const readStars = (r: ParserContext, tables: Clause | undefined, scope: Scope, around: QueryContext): Relation => {
  if (!tables) return new DerivedRelation([])
  const { columns, opens } = readStar(r, tables.at, tables.at, { qualifier: [], next: tables.at + 1 }, scope, around)
  return new DerivedRelation(columns, opens)
}

const MODIFIERS = new Set([
  'DISTINCT',
  'ALL',
  'DISTINCTROW',
  'STRAIGHT_JOIN',
  'HIGH_PRIORITY',
  'SQL_NO_CACHE',
  'SQL_CACHE',
  'SQL_CALC_FOUND_ROWS',
  'SQL_SMALL_RESULT',
  'SQL_BIG_RESULT',
  'SQL_BUFFER_RESULT',
  'STREAM',
])

/** The words between SELECT and the first item. */
const skipModifiers = (r: ParserContext, select: Clause, scope: Scope, around: QueryContext): number => {
  const { tokens } = r
  let i = select.from
  while (i < select.end) {
    const word = tokens.word(i)
    const next = tokens.at(i + 1)
    if (MODIFIERS.has(word) && next.op !== ',' && next.op !== '.' && i + 1 < select.end && next.word !== 'AS') {
      i++
      if (word === 'DISTINCT' && tokens.word(i) === 'ON' && tokens.op(i + 1) === '(') {
        readFilter(r, i + 2, tokens.close(i + 1, select.end), scope, around, 'after')
        i = tokens.next(i + 1)
      }
    } else if (word === 'TOP' && (next.kind === 'number' || next.kind === 'param' || next.op === '(')) {
      i = tokens.next(i + 1)
      if (tokens.word(i) === 'PERCENT') i++
      if (tokens.word(i) === 'WITH' && tokens.word(i + 1) === 'TIES') i += 2
    } else if (word === 'NORMALIZE' && r.dialect.name === 'teradata') i += next.word === 'ON' ? 5 : 1
    else if (word === 'AS' && (next.word === 'STRUCT' || next.word === 'VALUE')) i += 2
    else break
  }
  return i
}

const readWindows = (r: ParserContext, clause: Clause, scope: Scope): void => {
  const { tokens } = r
  const windows = new Map<string, readonly [number, number]>()
  for (const [from, end] of tokens.split(clause.from, clause.end)) {
    if (!tokens.isName(from) || tokens.word(from + 1) !== 'AS') continue
    const range = tokens.op(from + 2) === '(' ? ([from + 3, tokens.close(from + 2, end)] as const) : ([from + 2, end] as const)
    windows.set(tokens.text(from).toLowerCase(), range)
  }
  scope.windows = windows
}

/** `SELECT … INTO t`: a new table in dialects that support it; elsewhere a variable or a file. */
const readInto = (r: ParserContext, clause: Clause): void => {
  const { tokens, dialect, tables, found } = r
  let i = clause.from
  if (!dialect.selectInto || !tokens.isName(i) || /^(?:OUTFILE|DUMPFILE)$/.test(tokens.word(i))) return
  while (/^(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|TABLE)$/.test(tokens.word(i)) && tokens.isName(i + 1)) i++
  const name = readTableName(r, i, clause.end)
  if (!name?.parts.length || tokens.op(name.next) === ',') return
  const table = tables.get(name.parts)
  found.write(table, tokens.span(i, name.next - 1))
  found.into = table
}
