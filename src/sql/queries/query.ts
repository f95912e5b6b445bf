import { readExpression, readFilter } from '../expressions/expression.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import {
  addFlow,
  type Column,
  DerivedRelation,
  findUnexpandedStars,
  type Relation,
  type Transformation,
  type UnexpandedStar,
} from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'
import type { Source } from '../relations/tables.ts'
import { readTable } from './factors.ts'
import { readPivotQuery } from './pivot.ts'
import { readSelect } from './select.ts'
import { readWith } from './with.ts'

interface SetBranch {
  readonly from: number
  readonly end: number
  /** The operator before it; empty for the first. */
  readonly operator: string
  readonly byName: boolean
}

/** Whether a query starts here: SELECT, WITH, VALUES, TABLE t, FROM t, or one of them in parentheses. */
export const isQuery = (r: ParserContext, from: number, end: number): boolean => {
  const { tokens } = r
  if (from >= end) return false
  if (tokens.op(from) === '(') return tokens.opensQuery(from)
  switch (tokens.word(from)) {
    case 'SELECT':
    case 'SEL':
      return true
    case 'WITH':
      return (
        tokens.isName(from + 1) || tokens.op(from + 1) === '(' || tokens.kind(from + 1) === 'string' || tokens.kind(from + 1) === 'number'
      )
    case 'VALUES':
      return tokens.op(from + 1) === '(' || tokens.word(from + 1) === 'ROW' || tokens.kind(from + 1) !== 'op'
    case 'PIVOT':
    case 'UNPIVOT':
      return r.dialect.name === 'duckdb' && tokens.isName(from + 1)
    case 'FROM':
    case 'TABLE':
      return tokens.isName(from + 1) || tokens.op(from + 1) === '(' || (tokens.word(from) === 'FROM' && tokens.kind(from + 1) === 'string')
    default:
      return false
  }
}

export const readQuery = (r: ParserContext, from: number, end: number, around: QueryContext): Relation => {
  const { tokens } = r
  while (end > from && tokens.op(end - 1) === ';') end--
  while (tokens.op(from) === '(' && tokens.close(from, end) === end - 1 && tokens.at(from).match === end - 1) {
    from++
    end--
  }
  if (tokens.word(from) === 'WITH') {
    const { inner, next } = readWith(r, from, end, around)
    return next > from ? r.budget.deeper(() => readQuery(r, next, end, inner)) : new DerivedRelation([])
  }
  const branches = splitBranches(r, from, end)
  if (branches.length > 1) return readBranches(r, branches, around)
  if (tokens.op(from) === '(' && tokens.opensQuery(from)) return readWrapped(r, from, end, around)
  if (around.body) around = { commons: around.commons, parent: around.parent }
  if (tokens.word(from) === 'VALUES') return readValues(r, from + 1, end, around)
  if (tokens.word(from) === 'PIVOT' || tokens.word(from) === 'UNPIVOT') return readPivotQuery(r, from, end, around)
  if (tokens.word(from) === 'TABLE') return readTableQuery(r, from + 1, end, around)
  return readSelect(r, from, end, around)
}

/** `(select …) order by x limit 3`. */
const readWrapped = (r: ParserContext, from: number, end: number, around: QueryContext): Relation => {
  const close = r.tokens.close(from, end)
  const relation = r.budget.deeper(() => readQuery(r, from + 1, close, around))
  readOrder(r, close + 1, end, relation, around)
  return relation
}

const readOrder = (r: ParserContext, from: number, end: number, relation: Relation, around: QueryContext): void => {
  if (from >= end || r.tokens.word(from) !== 'ORDER') return
  const scope = new Scope(around.parent)
  scope.add(relation, null)
  const stop = r.tokens.find(from, end, (i) => /^(?:FOR|WITH|LIMIT|OFFSET|FETCH|SETTINGS|FORMAT)$/.test(r.tokens.word(i)))
  readFilter(r, from + 2, stop < 0 ? end : stop, scope, around)
}

const SET_OPERATORS = new Set(['UNION', 'INTERSECT', 'EXCEPT', 'MINUS'])
const SET_MODIFIERS = new Set(['ALL', 'DISTINCT', 'BY', 'NAME', 'CORRESPONDING', 'STRICT', 'OUTER', 'LEFT', 'FULL', 'INNER', 'MATCHING'])

const splitBranches = (r: ParserContext, from: number, end: number): SetBranch[] => {
  const { tokens } = r
  const branches: SetBranch[] = []
  let start = from
  let operator = ''
  let byName = false
  let steps = 0
  for (let i = from; i < end; i = tokens.next(i)) {
    steps++
    const word = tokens.word(i)
    if (word === '' || !SET_OPERATORS.has(word) || i === from || tokens.op(i - 1) === '|>' || tokens.op(i - 1) === '.') continue
    let next = i + 1
    let named = false
    while (
      SET_MODIFIERS.has(tokens.word(next)) ||
      (tokens.word(next) === 'ON' && tokens.op(next + 1) === '(') ||
      (named && tokens.op(next) === '(' && !tokens.opensQuery(next))
    ) {
      named ||= tokens.word(next) === 'NAME' || tokens.word(next) === 'CORRESPONDING'
      next = tokens.op(next) === '(' ? tokens.next(next) : next + 1
    }
    if (!isQuery(r, next, end)) continue
    let stop = i
    while (/^(?:INNER|LEFT|FULL|OUTER)$/.test(tokens.word(stop - 1)) && stop > start) stop--
    branches.push({ from: start, end: stop, operator, byName })
    operator = tokens.word(i)
    byName = named
    start = next
    i = next - 1
    if (tokens.op(next) === '(') i = tokens.close(next, end)
  }
  r.budget.spend(steps)
  branches.push({ from: start, end, operator, byName })
  return branches
}

/** Set operations: columns are matched by position or by name. The second operand of EXCEPT only filters. */
const readBranches = (r: ParserContext, branches: readonly SetBranch[], around: QueryContext): Relation => {
  const last = branches.at(-1)!
  const order = findOrderBy(r, last)
  const union = new Union()
  let subtracted = false
  const inner: QueryContext = { commons: around.commons, parent: around.parent }
  for (const branch of branches) {
    const relation = r.budget.deeper(() => readQuery(r, branch.from, branch === last ? order : branch.end, inner))
    const taken = branch.operator === 'EXCEPT' || branch.operator === 'MINUS'
    // INTERSECT has higher precedence: what intersects a subtracted set is subtracted too.
    subtracted = taken || (subtracted && branch.operator === 'INTERSECT')
    if (subtracted) for (const column of relation.columns()) r.found.filter(column.flow, column)
    else union.add(relation, branch.byName)
    const self = around.body
    if (self && !self.seed && branch.operator === '') self.seed = self.start(relation)
  }
  const result = union.relation()
  readOrder(r, order, last.end, result, around)
  return result
}

/** An ORDER BY at the end applies to the whole set operation. */
const findOrderBy = (r: ParserContext, last: SetBranch): number => {
  const { tokens } = r
  const at = tokens.find(last.from, last.end, (i) => tokens.word(i) === 'ORDER' && tokens.word(i + 1) === 'BY')
  return at < 0 ? last.end : at
}

class Union {
  private readonly columns: { name: string | null; flow: Map<Source, Transformation>; start: number; end: number; branches: Column[] }[] =
    []
  private readonly opens: UnexpandedStar[] = []
  private empty = true

  add(relation: Relation, byName: boolean): void {
    const columns = relation.columns()
    const loose = this.opens.length > 0 || relation.opens.length > 0
    if (this.empty) for (const column of columns) this.append(column)
    else if (byName || loose) this.addByName(columns, byName)
    else
      columns.forEach((column, i) => {
        const into = this.columns[i]
        if (into) mergeColumns(into, column)
      })
    // An unexpanded star may contain any of the columns known by name.
    if (!this.empty)
      for (const open of relation.opens)
        for (const column of this.columns) {
          const hit =
            column.name === null || open.except?.has(column.name.toLowerCase()) || columns.some((one) => one.name === column.name)
              ? undefined
              : open.relation.find(column.name)
          if (hit) mergeColumns(column, { name: column.name, flow: hit.flow, start: column.start, end: column.end })
        }
    this.opens.push(...relation.opens)
    this.empty = false
  }

  relation(): Relation {
    return new DerivedRelation(this.columns, this.opens)
  }

  private addByName(columns: readonly Column[], append: boolean): void {
    for (const column of columns) {
      const into = this.columns.find((one) => one.name !== null && one.name.toLowerCase() === column.name?.toLowerCase())
      if (into) mergeColumns(into, column)
      else if (append || this.opens.length === 0) this.append(column)
    }
  }

  private append(column: Column): void {
    this.columns.push({
      name: column.name,
      flow: new Map(column.flow),
      start: column.start,
      end: column.end,
      branches: [...(column.branches ?? [column])],
    })
  }
}

const mergeColumns = (into: { flow: Map<Source, Transformation>; branches: Column[] }, column: Column): void => {
  addFlow(into.flow, column.flow, 'identity')
  for (const branch of column.branches ?? [column]) into.branches.push(branch)
}

const readValues = (r: ParserContext, from: number, end: number, around: QueryContext): Relation => {
  const { tokens, dialect } = r
  const columns: { name: string | null; flow: Map<Source, Transformation>; start: number; end: number }[] = []
  const scope = new Scope(around.parent)
  for (let i = from; i < end; i = tokens.next(i)) {
    if (tokens.op(i) !== '(') continue
    tokens.split(i + 1, tokens.close(i, end)).forEach(([a, b], n) => {
      columns[n] ??= { name: dialect.valueNames?.(n) ?? null, flow: new Map(), ...tokens.span(a, b - 1) }
      // Most rows consist of literals, and there may be thousands.
      if (b - a > 1 || tokens.isName(a)) addFlow(columns[n].flow, readExpression(r, a, b, scope, around).flow, 'identity')
    })
  }
  return new DerivedRelation(columns)
}

const readTableQuery = (r: ParserContext, from: number, end: number, around: QueryContext): Relation => {
  const scope = new Scope(around.parent)
  readTable(r, from, end, scope, around)
  const relation = scope.members[0]?.relation
  return relation ? new DerivedRelation(relation.columns(), findUnexpandedStars(relation)) : new DerivedRelation([])
}
