import { readExpression, readFilter } from '../expressions/expression.ts'
import { foldIdentifierCase, readName, readNameList, readTableName } from '../relations/names.ts'
import { findCommonTable, type ParserContext, type QueryContext } from '../relations/parser-context.ts'
import {
  type Column,
  Element,
  type Flow,
  joinRelations,
  NO_SOURCES,
  type Relation,
  renameColumns,
  type StarColumns,
  Unknown,
  Virtual,
} from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'
import { Stored } from '../relations/tables.ts'
import { readNested } from '../statements/returning.ts'
import { JOIN_WORDS, NOT_AN_ALIAS, TABLE_HINTS } from '../text/keywords.ts'
import { readFrom } from './from.ts'
import { readMatchRecognize } from './patterns.ts'
import { readPivots } from './pivot.ts'
import { readQuery } from './query.ts'
import { readTableFunction } from './table-functions.ts'
import { skipTableOptions } from './table-options.ts'

export interface Alias {
  readonly name: string | null
  readonly columns: string[] | undefined
  readonly next: number
}

/** One entry of a FROM clause with its alias and options. Returns the position of the next token. */
export const readTable = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext, lateral = false): number => {
  const { tokens } = r
  let i = from
  let sees = lateral
  while (/^(?:LATERAL|ONLY|OUTER)$/.test(tokens.word(i)) && (tokens.op(i + 1) === '(' || tokens.isName(i + 1)) && !isAliased(r, i + 1)) {
    sees ||= tokens.word(i) === 'LATERAL'
    i++
  }
  if (i >= end) return end
  if (tokens.op(i) === '(') return readGroup(r, i, end, scope, around, sees)
  const kind = tokens.kind(i)
  if (kind === 'string' || kind === 'param' || kind === 'number') return readOutside(r, i, end, scope, around)
  if (kind === 'op') return i + 1
  const word = tokens.word(i)
  if (word === 'VALUES' && (tokens.op(i + 1) === '(' || tokens.kind(i + 1) === 'number' || tokens.word(i + 1) === 'BETWEEN'))
    return readValuesTable(r, i, end, scope, around)
  if (word === 'ROWS' && tokens.word(i + 1) === 'FROM' && tokens.op(i + 2) === '(') return readGroup(r, i + 2, end, scope, around, true)
  if (word === 'STREAM' && r.dialect.name === 'databricks' && tokens.isName(i + 1) && !NOT_AN_ALIAS.has(tokens.word(i + 1)))
    return readTable(r, i + 1, end, scope, around)
  if (word === 'UNPIVOT' && tokens.isName(i + 1)) return readUnpivotedObject(r, i + 1, end, scope, around)
  if (/^(?:FINAL|NEW|OLD)$/.test(word) && tokens.word(i + 1) === 'TABLE' && tokens.op(i + 2) === '(') {
    // DB2: the rows a statement writes.
    readNested(r, i + 3, tokens.close(i + 2, end), around.commons)
    return addFactor(r, tokens.next(i + 2), end, scope, around, new Virtual(NO_SOURCES))
  }
  const name = readTableName(r, i, end)
  if (!name) {
    r.found.miss(`${tokens.text(i)}(…)`, 'dynamic', tokens.at(i))
    return addFactor(r, tokens.next(i + 1), end, scope, around, new Virtual(NO_SOURCES))
  }
  const { parts, next } = name
  const call = tokens.op(next) === '(' && next < end && !(r.dialect.name === 'tsql' && TABLE_HINTS.has(tokens.word(next + 1)))
  if (call) return readTableFunction(r, i, name, end, scope, around, addFactor)
  return readNamed(r, i, parts, next, end, scope, around)
}

const isAliased = (r: ParserContext, i: number): boolean => NOT_AN_ALIAS.has(r.tokens.word(i)) && r.tokens.word(i) !== 'LATERAL'

const readNamed = (
  r: ParserContext,
  at: number,
  parts: readonly string[],
  next: number,
  end: number,
  scope: Scope,
  around: QueryContext,
): number => {
  const { tokens, tables, found, dialect } = r
  if (parts.length === 1) {
    const common = findCommonTable(around.commons, parts[0]!)
    if (common) return addFactor(r, next, end, scope, around, common, parts)
  }
  const span = tokens.span(at, next - 1)
  if (parts.length > 1 && dialect.tablePaths && findOuter(scope, parts[0]!)) {
    // FROM t, t.items: the elements of a column.
    const { flow, fields } = scope.resolve(parts, 'never')
    return addFactor(r, next, end, scope, around, new Virtual(flow), parts.slice(-1), { flow, span, fields: fields?.() })
  }
  if (parts.length === 0) return next
  // A wildcard at the end of a BigQuery name is part of the name.
  const wildcard = tokens.op(next) === '*' && dialect.dashedNames && tokens.at(next).start === tokens.at(next - 1).end
  const table = tables.get(wildcard ? [...parts.slice(0, -1), `${parts.at(-1)}*`] : parts)
  found.read(table, span)
  return addFactor(r, wildcard ? next + 1 : next, end, scope, around, new Stored(table), table.name)
}

const findOuter = (scope: Scope, name: string): boolean => {
  for (let at: Scope | undefined = scope; at; at = at.parent) if (at.member([name])) return true
  return false
}

/** Rows made of values: where they come from, and what is known about them. */
export interface TableFactor {
  readonly flow: Flow
  readonly span: { readonly start: number; readonly end: number }
  /** `unnest(a, b)`: the sources of each list. */
  readonly lists?: readonly Flow[] | undefined
  /** The fields of the element, when it is a struct literal. */
  readonly fields?: readonly Column[] | undefined
  /** For a function that may return any columns: the name of its star. */
  readonly label?: string | undefined
}

/** Reads alias, options and pivots after a table and adds it to the scope. */
const addFactor = (
  r: ParserContext,
  from: number,
  end: number,
  scope: Scope,
  around: QueryContext,
  relation: Relation,
  name: readonly string[] = [],
  element?: TableFactor,
): number => {
  const { tokens } = r
  let i = skipTableOptions(r, from, end)
  let alias = readAlias(r, i, end)
  i = skipTableOptions(r, alias.next, end)
  if (alias.name === null && !alias.columns && i > alias.next) {
    alias = readAlias(r, i, end)
    i = skipTableOptions(r, alias.next, end)
  }
  let result = relation
  if (element) {
    // `unnest(list) AS x`: x is the element and also the row that contains it.
    const names = alias.columns ?? (alias.name === null ? name.slice(-1) : [alias.name])
    // `unnest(a, b) AS x (c, d)`: one name for each list, plus an optional one for the position. Otherwise a list is a map, which has two.
    const positions = tokens.word(from - 1) === 'ORDINALITY' ? 1 : 0
    const lists = element.lists ?? []
    const each = names.length === lists.length + positions ? lists : []
    const own = names.map((one, n) => ({ name: one, flow: each[n] ?? element.flow, ...element.span }))
    result = new Element(element.flow, [...relation.columns(), ...(element.fields ?? []), ...own], (qualified) =>
      alias.columns ? undefined : toElementStar(r, element, names[0] ?? '', qualified),
    )
  } else result = renameColumns(relation, alias.columns)
  if (tokens.word(i) === 'AT' && tokens.isName(i + 1) && element) {
    // Redshift: FROM t.list AS element AT position.
    result = new Virtual(element.flow, [
      ...result.columns(),
      { name: foldIdentifierCase(r.dialect, tokens.at(i + 1)), flow: element.flow, ...element.span },
    ])
    i += 2
  }
  if (tokens.word(i) === 'MATCH_RECOGNIZE' && tokens.op(i + 1) === '(') {
    result = readMatchRecognize(r, i + 1, result, alias.name ?? name.at(-1) ?? '', scope, around)
    alias = readAlias(r, tokens.next(i + 1), end)
    i = alias.next
  }
  const pivoted = readPivots(r, i, end, { relation: result, alias: alias.name, name }, around)
  scope.add(pivoted.relation, pivoted.alias, pivoted.name)
  return pivoted.next
}

/** The columns a star returns for an element: the fields of a struct, or unknown ones. Undefined when it is the element itself. */
const toElementStar = (
  r: ParserContext,
  { fields, label, flow, span }: TableFactor,
  name: string,
  qualified: boolean,
): StarColumns | undefined => {
  if (fields) return { columns: fields, opens: [] }
  const hidden = label ?? (qualified && r.dialect.structElements ? name : undefined)
  return hidden === undefined ? undefined : { columns: [], opens: [{ relation: new Unknown(flow, hidden, span) }] }
}

/** `[AS] name [(columns)]`. */
export const readAlias = (r: ParserContext, from: number, end: number): Alias => {
  const { tokens, dialect } = r
  const as = tokens.word(from) === 'AS'
  const i = as ? from + 1 : from
  const none = { name: null, columns: undefined, next: from }
  if (i >= end) return none
  if (as && tokens.op(i) === '(') return { name: null, columns: readNameList(r, i + 1, tokens.close(i, end)), next: tokens.next(i) }
  const token = tokens.at(i)
  const string = token.kind === 'string' && (as || dialect.stringAliases) && from > 0
  if (!tokens.isName(i) && !string) return none
  if (!as && token.kind === 'word') {
    if (NOT_AN_ALIAS.has(token.word) || (JOIN_WORDS.has(token.word) && tokens.word(i + 1) === 'JOIN')) return none
    // The next statement of a script without semicolons.
    if (dialect.looseStatements && /^(?:CREATE|DROP|ALTER|TRUNCATE|DECLARE|EXEC|EXECUTE|PRINT|IF|WHILE|RETURN|GO|OUTPUT)$/.test(token.word))
      return none
  }
  let next = i + 1
  let columns: string[] | undefined
  if (tokens.op(next) === '(' && next < end && !(dialect.name === 'tsql' && TABLE_HINTS.has(tokens.word(next + 1)))) {
    columns = readNameList(r, next + 1, tokens.close(next, end))
    next = tokens.next(next)
  }
  return { name: foldIdentifierCase(dialect, token), columns, next }
}

/** A parenthesis in FROM: a query, a join, or a statement whose rows are read. */
const readGroup = (r: ParserContext, open: number, end: number, scope: Scope, around: QueryContext, lateral: boolean): number => {
  const { tokens, budget } = r
  let inner = open
  while (!tokens.opensQuery(inner) && tokens.op(inner + 1) === '(' && tokens.close(inner + 1, end) === tokens.close(inner, end) - 1) inner++
  const close = tokens.close(inner, end)
  const next = tokens.close(open, end) + 1
  const word = tokens.word(inner + 1)
  if (tokens.opensQuery(inner)) {
    const parent = lateral ? scope : scope.parent
    const relation = budget.deeper(() => readQuery(r, inner + 1, close, { commons: around.commons, parent }))
    return addFactor(r, next, end, scope, around, relation)
  }
  if (/^(?:INSERT|UPDATE|DELETE|MERGE|EXPLAIN|IMPORT)$/.test(word) && tokens.kind(inner + 2) === 'word') {
    if (word === 'EXPLAIN') {
      const query = tokens.findWord(inner + 1, close, 'SELECT')
      if (query > 0) budget.deeper(() => readQuery(r, query, close, around))
    } else if (word !== 'IMPORT') readNested(r, inner + 1, close, around.commons)
    return addFactor(r, next, end, scope, around, new Virtual(NO_SOURCES))
  }
  const alias = readAlias(r, next, end)
  if (alias.name === null) {
    const first = scope.members.length
    budget.deeper(() => readFrom(r, inner + 1, close, scope, around))
    // (t) PIVOT (…)
    const only = scope.members.length === first + 1 && /^(?:UN)?PIVOT$/.test(tokens.word(next)) ? scope.members.pop() : undefined
    return only ? addFactor(r, next, end, scope, around, only.relation, only.names) : skipTableOptions(r, next, end)
  }
  const side = new Scope(scope.parent)
  budget.deeper(() => readFrom(r, inner + 1, close, side, around))
  for (const [a, b] of side.conditions) readFilter(r, a, b, side, around)
  const single = side.members.length === 1 ? side.members[0]!.relation : undefined
  return addFactor(r, next, end, scope, around, single ?? joinRelations(side.members.map((member) => member.relation)))
}

/** A file, a stage, a parameter: rows from outside the catalog. */
const readOutside = (r: ParserContext, i: number, end: number, scope: Scope, around: QueryContext): number => {
  const { tokens, tables, found, dialect } = r
  const token = tokens.at(i)
  if (token.kind === 'string' && dialect.name === 'sqlite' && !tokens.op(i + 1).startsWith('->')) {
    const table = tables.get([token.text])
    found.read(table, token)
    return addFactor(r, i + 1, end, scope, around, new Stored(table), table.name)
  }
  let next = i + 1
  // @stage/folder/file.csv (file_format => …)
  while (
    next < end &&
    (tokens.op(next) === '/' || tokens.op(next) === '.' || tokens.op(next) === '-' || tokens.at(next).start === tokens.at(next - 1).end) &&
    tokens.op(next) !== '(' &&
    tokens.op(next) !== ',' &&
    tokens.op(next) !== ')' &&
    token.kind === 'param'
  )
    next++
  if (tokens.op(next) === '(' && token.kind === 'param') next = tokens.next(next)
  // An operator behind a string: SQLite reads '{…}' -> 3 as rows.
  while (next < end && tokens.kind(next) === 'op' && token.kind === 'string' && /^->/.test(tokens.op(next))) next += 2
  return addFactor(r, next, end, scope, around, new Virtual(NO_SOURCES))
}

const readValuesTable = (r: ParserContext, at: number, end: number, scope: Scope, around: QueryContext): number => {
  const { tokens } = r
  let i = at + 1
  if (tokens.word(i) === 'BETWEEN') {
    // Exasol: FROM VALUES BETWEEN 1 AND 9 is a list of numbers.
    const and = tokens.findWord(i, end, 'AND')
    const stop =
      and < 0 ? end : tokens.find(and + 1, end, (k) => tokens.op(k) === ',' || /^(?:WITH|AS|WHERE|JOIN|ORDER)$/.test(tokens.word(k)))
    return addFactor(r, tokens.word(stop) === 'WITH' ? stop + 3 : stop < 0 ? end : stop, end, scope, around, new Virtual(NO_SOURCES))
  }
  while (i < end && (tokens.op(i) === '(' || tokens.kind(i) === 'number' || tokens.kind(i) === 'string')) {
    i = tokens.next(i)
    if (tokens.op(i) !== ',') break
    i++
  }
  const relation = readQuery(r, at, i, { commons: around.commons, parent: scope })
  return addFactor(r, i, end, scope, around, relation)
}

/** Redshift: UNPIVOT object AS value AT key. */
const readUnpivotedObject = (r: ParserContext, at: number, end: number, scope: Scope, around: QueryContext): number => {
  const { next } = readName(r, at, end)
  const { flow } = readExpression(r, at, next, scope, around)
  return addFactor(r, next, end, scope, around, new Virtual(flow), [], { flow, span: r.tokens.at(at) })
}
