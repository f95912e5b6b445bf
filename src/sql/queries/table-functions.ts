import { readExpression } from '../expressions/expression.ts'
import { structFields } from '../expressions/structs.ts'
import { foldIdentifierCase, type Name, readName, readNameList } from '../relations/names.ts'
import { findCommonTable, type ParserContext, type QueryContext } from '../relations/parser-context.ts'
import {
  addFlow,
  type Column,
  DerivedRelation,
  type Flow,
  NO_SOURCES,
  type Relation,
  type Transformation,
  Virtual,
} from '../relations/relation.ts'
import type { Scope } from '../relations/scope.ts'
import { type Source, Stored } from '../relations/tables.ts'
import { NOT_AN_ALIAS } from '../text/keywords.ts'
import type { TableFactor } from './factors.ts'
import { readForeignQuery } from './foreign.ts'

type Finish = (
  r: ParserContext,
  from: number,
  end: number,
  scope: Scope,
  around: QueryContext,
  relation: Relation,
  name?: readonly string[],
  element?: TableFactor,
) => number

/** The columns of table functions that queries use without a qualifier. */
const FUNCTION_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  FLATTEN: ['SEQ', 'KEY', 'PATH', 'INDEX', 'VALUE', 'THIS'],
  SPLIT_TO_TABLE: ['SEQ', 'INDEX', 'VALUE'],
  STRTOK_SPLIT_TO_TABLE: ['SEQ', 'INDEX', 'VALUE'],
  OPENJSON: ['key', 'value', 'type'],
  STRING_SPLIT: ['value', 'ordinal'],
  JSON_EACH: ['key', 'value', 'type', 'atom', 'fullkey', 'path'],
  JSON_TREE: ['key', 'value', 'type', 'atom', 'fullkey', 'path'],
  JSONB_EACH: ['key', 'value'],
  JSON_EACH_TEXT: ['key', 'value'],
  JSONB_EACH_TEXT: ['key', 'value'],
  EXPLODE: ['col', 'key', 'value'],
  POSEXPLODE: ['pos', 'col'],
}

/** Functions that turn a list into rows and whose alias names the element. */
const ELEMENTS = new Set([
  'UNNEST',
  'EXPLODE',
  'EXPLODE_OUTER',
  'GENERATE_SERIES',
  'JSON_ARRAY_ELEMENTS',
  'JSONB_ARRAY_ELEMENTS',
  'REGEXP_SPLIT_TO_TABLE',
  'STRING_TO_TABLE',
  'JSON_ARRAY_ELEMENTS_TEXT',
  'JSONB_ARRAY_ELEMENTS_TEXT',
  'RANGE',
  'GENERATE_SUBSCRIPTS',
])

/** ClickHouse: functions that read a table of another server. */
const REMOTE = new Set(['REMOTE', 'REMOTESECURE', 'CLUSTER', 'CLUSTERALLREPLICAS'])

/** remote('host', db.t), cluster('name', 'db', 't'). */
const remoteName = (r: ParserContext, open: number, close: number): string[] => {
  const { tokens } = r
  const [, second, third] = tokens.split(open + 1, close)
  if (!second) return []
  const text = ([from, end]: [number, number]): string[] =>
    tokens.kind(from) === 'string' ? tokens.text(from).split('.') : readName(r, from, end).parts
  const name = text(second)
  return name.length === 1 && third ? [...name, ...text(third)] : name
}

/** A function in FROM: its rows come from its arguments. Some functions only name a table. */
export const readTableFunction = (
  r: ParserContext,
  at: number,
  name: Name,
  end: number,
  scope: Scope,
  around: QueryContext,
  finish: Finish,
): number => {
  const { tokens, tables, found } = r
  const open = name.next
  const close = tokens.close(open, end)
  const call = name.parts.at(-1)!.toUpperCase()
  const span = tokens.span(at, close)
  const inner = readName(r, open + 1, close)
  const table = (parts: readonly string[], start: number, stop: number): number => {
    const common = parts.length === 1 ? findCommonTable(around.commons, parts[0]!) : undefined
    if (common) return finish(r, close + 1, end, scope, around, common, parts)
    const stored = tables.get(parts)
    found.read(stored, tokens.span(start, stop))
    return finish(r, close + 1, end, scope, around, new Stored(stored), stored.name)
  }
  if (call === 'SEMANTIC_VIEW' && inner.parts.length > 0) return table(inner.parts, open + 1, inner.next - 1)
  if (
    (call === 'TABLE' || call === 'STREAM' || call === 'LIVE') &&
    inner.parts.length > 0 &&
    inner.next === close &&
    !scope.member(inner.parts.slice(0, 1))
  )
    return table(inner.parts, open + 1, inner.next - 1)
  if (call === 'TABLE' && tokens.kind(open + 1) === 'string' && close === open + 2)
    return table(tokens.text(open + 1).split('.'), open + 1, open + 1)
  if (REMOTE.has(call)) {
    const remote = remoteName(r, open, close)
    if (remote.length > 0) return table(remote, open, close)
  }
  const foreign = readForeignQuery(r, call, open, close)
  if (foreign) {
    const { columns, label } = foreign
    if (columns) return finish(r, close + 1, end, scope, around, new DerivedRelation(columns), name.parts.slice(-1))
    return finish(r, close + 1, end, scope, around, new Virtual(NO_SOURCES), name.parts.slice(-1), { flow: NO_SOURCES, span, label })
  }
  const before = new Set(found.unresolved.keys())
  const lists = call === 'UNNEST' ? readLists(r, open, close, scope, around) : undefined
  const flow = lists ? merged(lists) : readExpression(r, at, Math.min(close + 1, end), scope, around).flow
  // Options have names too: read_csv('x', header = true).
  for (const [key, { reason }] of found.unresolved) if (reason === 'unknown_column' && !before.has(key)) found.unresolved.delete(key)
  let i = close + 1
  let columns = getFunctionColumns(r, open, close, flow, call === 'TABLE' ? tokens.word(open + 1) : call)
  if (tokens.word(i) === 'WITH' && tokens.word(i + 1) === 'ORDINALITY') i += 2
  if (tokens.word(i) === 'WITH' && tokens.op(i + 1) === '(') {
    // OPENJSON(x) WITH (a int '$.a', b int '$.b')
    columns = readNameList(r, i + 2, tokens.close(i + 1, end)).map((one) => ({ name: one, flow, ...span }))
    i = tokens.next(i + 1)
  }
  const fields = r.dialect.structElements && call === 'UNNEST' ? elementFields(r, open + 1, close, scope, around) : undefined
  const element = ELEMENTS.has(call) || columns.length === 0 ? { flow, span, lists, fields, label: getStarLabel(call) } : undefined
  i = finish(r, i, end, scope, around, new Virtual(flow, columns), name.parts.slice(-1), element)
  return readOffset(r, i, end, scope)
}

/** An unknown function may return any columns. */
const getStarLabel = (call: string): string | undefined => (ELEMENTS.has(call) ? undefined : `${call}(…)`)

/** UNNEST(list): the fields of its elements, when they are struct literals. */
const elementFields = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext): readonly Column[] | undefined => {
  const { parts, next } = readName(r, from, end)
  const fields = next === end && parts.length > 0 ? scope.resolve(parts, 'never').fields : structFields(r, from, end, scope, around)
  return fields?.()
}

/** UNNEST(a, b): the sources of each list. Undefined for a single list. */
const readLists = (r: ParserContext, open: number, close: number, scope: Scope, around: QueryContext): Flow[] | undefined => {
  const lists = r.tokens.split(open + 1, close)
  if (lists.length < 2) return undefined
  return lists.map(([from, end]) => merged([readExpression(r, from, end, scope, around).flow]))
}

const merged = (flows: readonly Flow[]): Flow => {
  const all = new Map<Source, Transformation>()
  for (const flow of flows) addFlow(all, flow, 'expression')
  return all
}

/** JSON_TABLE(x, '$' COLUMNS (a int PATH '$.a', …)); else the columns the function is known to return. */
const getFunctionColumns = (r: ParserContext, open: number, close: number, flow: Flow, call: string): Column[] => {
  const { tokens } = r
  const at = tokens.findWord(open + 1, close, 'COLUMNS')
  const { start, end } = tokens.at(open)
  const columns: Column[] = []
  const add = (from: number, stop: number): void => {
    for (const [a, b] of tokens.split(from, stop)) {
      const nested = tokens.word(a) === 'NESTED' ? tokens.findWord(a, b, 'COLUMNS') : -1
      if (nested > 0 && tokens.op(nested + 1) === '(') r.budget.deeper(() => add(nested + 2, tokens.close(nested + 1, b)))
      else if (tokens.isName(a)) columns.push({ name: foldIdentifierCase(r.dialect, tokens.at(a)), flow, start, end })
    }
  }
  if (at > 0) add(tokens.op(at + 1) === '(' ? at + 2 : at + 1, tokens.op(at + 1) === '(' ? tokens.close(at + 1, close) : close)
  else for (const name of FUNCTION_COLUMNS[call] ?? []) columns.push({ name, flow, start, end })
  return columns
}

/** BigQuery: UNNEST(list) AS x WITH OFFSET AS n. */
const readOffset = (r: ParserContext, from: number, end: number, scope: Scope): number => {
  const { tokens } = r
  if (tokens.word(from) !== 'WITH' || tokens.word(from + 1) !== 'OFFSET') return from
  let i = from + 2
  if (tokens.word(i) === 'AS') i++
  const named = tokens.isName(i) && i < end && !NOT_AN_ALIAS.has(tokens.word(i))
  const name = named ? foldIdentifierCase(r.dialect, tokens.at(i)) : 'offset'
  const { start, end: stop } = tokens.at(i)
  scope.add(new Virtual(NO_SOURCES, [{ name, flow: NO_SOURCES, start, end: stop }]), name)
  return named ? i + 1 : i
}
