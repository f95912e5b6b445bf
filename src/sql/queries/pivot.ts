import { readExpression } from '../expressions/expression.ts'
import { readItem } from '../expressions/items.ts'
import { readName, readNameList } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import {
  addFlow,
  type Column,
  DerivedRelation,
  type Flow,
  findUnexpandedStars,
  type Relation,
  renameColumns,
  type Transformation,
  Virtual,
} from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'
import type { Source } from '../relations/tables.ts'
import { readAlias, readTable } from './factors.ts'
import { readQuery } from './query.ts'
import { skipTableOptions } from './table-options.ts'

interface NamedRelation {
  readonly relation: Relation
  readonly alias: string | null
  readonly name: readonly string[]
}

/** The PIVOTs and UNPIVOTs after a table, in order. */
export const readPivots = (
  r: ParserContext,
  from: number,
  end: number,
  table: NamedRelation,
  around: QueryContext,
): NamedRelation & { next: number } => {
  const { tokens } = r
  let now: NamedRelation = table
  let i = from
  while (/^(?:UN)?PIVOT$/.test(tokens.word(i)) && i < end) {
    const unpivot = tokens.word(i) === 'UNPIVOT'
    let open = i + 1
    if (/^(?:INCLUDE|EXCLUDE|XML)$/.test(tokens.word(open))) open += tokens.word(open) === 'XML' ? 1 : 2
    if (tokens.op(open) !== '(') break
    const close = tokens.close(open, end)
    const scope = new Scope(undefined)
    scope.add(now.relation, now.alias, now.name)
    const relation = unpivot ? readUnpivot(r, open, close, now.relation, scope) : readPivot(r, open, close, now.relation, scope, around)
    const alias = readAlias(r, skipTableOptions(r, close + 1, end), end)
    now = { relation: renameColumns(relation, alias.columns), alias: alias.name ?? now.alias, name: now.name }
    i = skipTableOptions(r, alias.next, end)
  }
  return { ...now, next: i }
}

/** (agg(x) AS a, … FOR c IN (1 AS one, 2 AS two)): the remaining columns group the rows, the values become columns. */
const readPivot = (r: ParserContext, open: number, close: number, source: Relation, scope: Scope, around: QueryContext): Relation => {
  const { tokens } = r
  const spread = tokens.findWord(open + 1, close, 'FOR')
  const flow = new Map<Source, Transformation>()
  const labels: (string | null)[] = []
  for (const [from, end] of tokens.split(open + 1, spread < 0 ? close : spread)) {
    const item = readItem(r, from, end, scope, around, 'never')
    addFlow(flow, item.flow, 'aggregation')
    labels.push(item.explicit ? item.name : null)
  }
  const used = new Set(flow.keys())
  const values: string[] = []
  let open_ended = false
  for (let i = spread; i > 0 && i < close; ) {
    const at = tokens.findWord(i, close, 'IN')
    const key = readExpression(r, i + 1, at < 0 ? close : at, scope, around).flow
    r.found.filter(key, tokens.at(i))
    for (const one of key.keys()) used.add(one)
    if (at < 0) break
    if (tokens.op(at + 1) !== '(') open_ended = true
    else if (tokens.opensQuery(at + 1)) {
      readQuery(r, at + 2, tokens.close(at + 1, close), around)
      open_ended = true
    } else
      for (const [from, end] of tokens.split(at + 2, tokens.close(at + 1, close))) {
        if (tokens.word(from) === 'ANY') open_ended = true
        else values.push(valueName(r, from, end))
      }
    i = tokens.next(at + 1)
    while (tokens.word(i) === 'FOR' && i < close - 1 && tokens.kind(i + 1) === 'op') i++
    if (i <= at) break
  }
  const span = tokens.span(open, Math.min(close, tokens.length - 1))
  const kept = source.columns().filter((column) => ![...column.flow.keys()].some((one) => used.has(one)))
  const valueColumns = values.flatMap((value) => labels.map((label): Column => ({ name: joinLabel(r, value, label), flow, ...span })))
  return open_ended
    ? new OpenPivot(flow, [...kept, ...valueColumns], source)
    : new DerivedRelation([...kept, ...valueColumns], findUnexpandedStars(source))
}

/** The values are known only at run time: a name that matches no other column is one of them. */
class OpenPivot extends Virtual {
  private readonly source: Relation

  constructor(flow: Flow, list: readonly Column[], source: Relation) {
    super(flow, list)
    this.source = source
  }

  override find(name: string): ReturnType<Virtual['find']> {
    const hit = super.find(name)
    return hit?.sure || this.source.vague ? (hit?.sure ? hit : (this.source.find(name) ?? hit)) : hit
  }
}

const valueName = (r: ParserContext, from: number, end: number): string => {
  const { tokens } = r
  const as = tokens.findWord(from, end, 'AS')
  if (as > 0) return tokens.text(as + 1)
  if (end - from === 2 && tokens.isName(end - 1)) return tokens.text(end - 1)
  return tokens.op(from) === '(' ? tokens.text(from + 1) : tokens.text(from)
}

const joinLabel = (r: ParserContext, value: string, label: string | null): string => {
  if (label === null) return value
  return r.dialect.name === 'bigquery' ? `${label}_${value}` : `${value}_${label}`
}

/** (v FOR n IN (a, b)): columns become rows, their names one column and their values another. */
const readUnpivot = (r: ParserContext, open: number, close: number, source: Relation, scope: Scope): Relation => {
  const { tokens, dialect } = r
  const spread = tokens.findWord(open + 1, close, 'FOR')
  if (spread < 0) return source
  const wrapped = tokens.op(open + 1) === '('
  const values = readNameList(r, wrapped ? open + 2 : open + 1, wrapped ? tokens.close(open + 1, spread) : spread)
  const label = readName(r, spread + 1, close).parts.at(-1)
  const list = tokens.findWord(spread, close, 'IN') + 1
  const flows = values.map(() => new Map<Source, Transformation>())
  const names = new Map<Source, Transformation>()
  const gone = new Set<string>()
  if (tokens.op(list) === '(')
    for (const [from, end] of tokens.split(list + 1, tokens.close(list, close))) {
      const group = tokens.op(from) === '(' ? readNameList(r, from + 1, tokens.close(from, end)) : readName(r, from, end).parts.slice(-1)
      group.forEach((column, n) => {
        gone.add(column.toLowerCase())
        const { flow } = scope.resolve([column], 'never')
        addFlow(flows[group.length === values.length ? n : 0] ?? names, flow, 'identity')
        addFlow(names, flow, 'expression')
      })
    }
  const span = tokens.span(open, Math.min(close, tokens.length - 1))
  const valueColumns = values.map((name, n): Column => ({ name, flow: flows[n]!, ...span }))
  const named: Column[] = label === undefined ? [] : [{ name: label, flow: names, ...span }]
  const kept = source.columns().filter((column) => !gone.has(column.name?.toLowerCase() ?? ''))
  const opens = findUnexpandedStars(source).map((one) => ({ relation: one.relation, except: new Set([...(one.except ?? []), ...gone]) }))
  return new DerivedRelation([...kept, ...(dialect.name === 'bigquery' ? [...valueColumns, ...named] : [...named, ...valueColumns])], opens)
}

/** INTO NAME n VALUE v, behind UNPIVOT t ON a, b. */
const unpivoted = (r: ParserContext, into: number, end: number, columns: readonly string[], source: Relation, scope: Scope): Relation => {
  const { tokens } = r
  const value = tokens.findWord(into, end, 'VALUE')
  const gone = new Set(columns.map((column) => column.toLowerCase()))
  const [names, values] = [new Map<Source, Transformation>(), new Map<Source, Transformation>()]
  for (const column of columns) {
    const { flow } = scope.resolve([column], 'never')
    addFlow(names, flow, 'expression')
    addFlow(values, flow, 'identity')
  }
  const span = tokens.span(into, end - 1)
  const label = tokens.word(into + 1) === 'NAME' ? readName(r, into + 2, end).parts.at(-1) : undefined
  const valueNames = value < 0 ? [] : readNameList(r, value + 1, end)
  const opens = findUnexpandedStars(source).map((one) => ({ relation: one.relation, except: new Set([...(one.except ?? []), ...gone]) }))
  return new DerivedRelation(
    [
      ...source.columns().filter((column) => !gone.has(column.name?.toLowerCase() ?? '')),
      { name: label ?? 'name', flow: names, ...span },
      ...valueNames.map((name): Column => ({ name, flow: values, ...span })),
    ],
    opens,
  )
}

/** DuckDB: PIVOT t ON k USING sum(v) GROUP BY id; UNPIVOT t ON a, b INTO NAME n VALUE v. */
export const readPivotQuery = (r: ParserContext, from: number, end: number, around: QueryContext): Relation => {
  const { tokens } = r
  const scope = new Scope(around.parent)
  const indexOfWord = (word: string): number => tokens.find(from + 1, end, (i) => tokens.word(i) === word)
  const on = indexOfWord('ON')
  const using = indexOfWord('USING')
  const group = indexOfWord('GROUP')
  const into = indexOfWord('INTO')
  const stops = [on, using, group, into, end].filter((at) => at > 0)
  const until = (at: number): number => Math.min(...stops.filter((stop) => stop > at))
  readTable(r, from + 1, until(from), scope, around)
  const source = scope.members[0]?.relation ?? new DerivedRelation([])
  if (tokens.word(from) === 'UNPIVOT' && into > 0 && on > 0) {
    const columns = readNameList(r, on + 1, until(on))
    // ON COLUMNS(…) and ON * do not name columns and are read below.
    if (columns.length > 0 && !tokens.split(on + 1, until(on)).some(([a]) => tokens.op(a) === '*' || tokens.op(a + 1) === '('))
      return unpivoted(r, into, until(into), columns, source, scope)
  }
  const flow = new Map<Source, Transformation>()
  const key = on > 0 ? readExpression(r, on + 1, until(on), scope, around).flow : flow
  if (using > 0) addFlow(flow, readExpression(r, using + 1, until(using), scope, around).flow, 'aggregation')
  if (into > 0) addFlow(flow, key, 'identity')
  else r.found.filter(key, tokens.at(on))
  const kept = group > 0 ? tokens.split(group + 2, until(group)).map(([a, b]) => readItem(r, a, b, scope, around, 'never')) : []
  return new OpenPivot(flow, kept, source)
}
