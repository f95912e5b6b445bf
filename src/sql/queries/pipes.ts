import { readFilter } from '../expressions/expression.ts'
import { readItem } from '../expressions/items.ts'
import { foldIdentifierCase, readNameList } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import { type Column, DerivedRelation, findUnexpandedStars, type Relation, type UnexpandedStar } from '../relations/relation.ts'
import { Scope } from '../relations/scope.ts'
import { readFrom } from './from.ts'
import { readPivots } from './pivot.ts'
import { readQuery } from './query.ts'
import { findStar, readStar } from './stars.ts'

/** The state of a pipe: the current rows and the names they are visible under. */
interface PipeState {
  readonly relation: Relation
  readonly scope: Scope
}

/** `FROM t |> WHERE … |> SELECT …`: each operator applies to the rows of the previous one. */
export const readPipes = (
  r: ParserContext,
  first: number,
  end: number,
  relation: Relation,
  scope: Scope,
  around: QueryContext,
): Relation => {
  const { tokens } = r
  let stream: PipeState = { relation, scope }
  for (let at = first; at < end; ) {
    const next = tokens.find(at + 1, end, (i) => tokens.op(i) === '|>')
    const stop = next < 0 ? end : next
    stream = readOperator(r, at + 1, stop, stream, around)
    at = stop
  }
  return stream.relation
}

const over = (relation: Relation, parent: Scope | undefined, alias: string | null = null): PipeState => {
  const scope = new Scope(parent)
  scope.add(relation, alias)
  return { relation, scope }
}

const readOperator = (r: ParserContext, at: number, end: number, stream: PipeState, around: QueryContext): PipeState => {
  const { tokens, dialect, found } = r
  const { relation, scope } = stream
  const parent = scope.parent
  switch (tokens.word(at)) {
    case 'WHERE':
    case 'LIMIT':
    case 'ORDER':
      readFilter(r, tokens.word(at + 1) === 'BY' ? at + 2 : at + 1, end, scope, around)
      return stream
    case 'SELECT':
      return over(readItems(r, tokens.word(at + 1) === 'DISTINCT' ? at + 2 : at + 1, end, scope, around), parent)
    case 'EXTEND':
    case 'WINDOW':
    case 'SET': {
      const added = readItems(r, at + 1, end, scope, around, tokens.word(at) === 'SET')
      const names = new Set(added.columns().map((column) => column.name?.toLowerCase()))
      const kept = relation.columns().filter((column) => !names.has(column.name?.toLowerCase()))
      const next = new DerivedRelation([...kept, ...added.columns()], relation.opens)
      const wider = over(next, parent)
      wider.scope.members.push(...scope.members.filter((member) => member.names.length > 0).map((member) => ({ ...member, silent: true })))
      return wider
    }
    case 'DROP': {
      const gone = new Set(readNameList(r, at + 1, end).map((name) => name.toLowerCase()))
      const opens = relation.opens.map((open) => ({ relation: open.relation, except: new Set([...(open.except ?? []), ...gone]) }))
      return over(
        new DerivedRelation(
          relation.columns().filter((column) => !gone.has(column.name?.toLowerCase() ?? '')),
          opens,
        ),
        parent,
      )
    }
    case 'RENAME': {
      const names = new Map<string, string>()
      for (const [a, b] of tokens.split(at + 1, end)) names.set(tokens.text(a).toLowerCase(), foldIdentifierCase(dialect, tokens.at(b - 1)))
      const renamed = relation.columns().map((column) => ({ ...column, name: names.get(column.name?.toLowerCase() ?? '') ?? column.name }))
      return over(new DerivedRelation(renamed, relation.opens), parent)
    }
    case 'AS':
      return over(relation, parent, foldIdentifierCase(dialect, tokens.at(at + 1)))
    case 'AGGREGATE': {
      const group = tokens.find(at + 1, end, (i) => tokens.word(i) === 'GROUP')
      const keys =
        group < 0 ? new DerivedRelation([]) : readItems(r, tokens.word(group + 2) === 'BY' ? group + 3 : group + 2, end, scope, around)
      for (const column of keys.columns()) found.filter(column.flow, column)
      const aggregates = group === at + 1 ? new DerivedRelation([]) : readItems(r, at + 1, group < 0 ? end : group, scope, around)
      return over(new DerivedRelation([...keys.columns(), ...aggregates.columns()]), parent)
    }
    case 'UNION':
    case 'INTERSECT':
    case 'EXCEPT':
      return readSetPipe(r, at, end, stream, around)
    case 'PIVOT':
    case 'UNPIVOT': {
      const pivoted = readPivots(r, at, end, { relation, alias: null, name: [] }, around)
      return over(pivoted.relation, parent, pivoted.alias)
    }
    default:
      return readJoinPipe(r, at, end, stream, around)
  }
}

/** A select list over known rows. */
export const readItems = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext, assigns = false): Relation => {
  const { tokens } = r
  const columns: Column[] = []
  const opens: UnexpandedStar[] = []
  for (const [a, b] of tokens.split(from, end)) {
    const star = findStar(r, a, b)
    if (star) {
      const written = readStar(r, a, b, star, scope, around)
      columns.push(...written.columns)
      opens.push(...written.opens)
    } else if (assigns && tokens.op(a + 1) === '=')
      columns.push({ ...readItem(r, a + 2, b, scope, around, 'never'), name: foldIdentifierCase(r.dialect, tokens.at(a)) })
    else {
      const item = readItem(r, a, b, scope, around, 'after')
      if (item.name !== null) scope.aliases.set(item.name.toLowerCase(), item.flow)
      columns.push(item)
    }
  }
  return new DerivedRelation(columns, opens)
}

/** |> UNION ALL (query), (query). */
const readSetPipe = (r: ParserContext, at: number, end: number, { relation, scope }: PipeState, around: QueryContext): PipeState => {
  const { tokens, found } = r
  const columns = relation.columns().map((column) => ({ ...column, flow: new Map(column.flow) }))
  const except = tokens.word(at) === 'EXCEPT'
  for (const [a, b] of tokens.split(at + 1, end)) {
    const open = tokens.find(a, b, (i) => tokens.op(i) === '(')
    if (open < 0) continue
    const other = readQuery(r, open + 1, tokens.close(open, b), around)
    other.columns().forEach((column, i) => {
      if (except) found.filter(column.flow, column)
      else for (const [source, travel] of column.flow) columns[i]?.flow.set(source, travel)
    })
  }
  return over(new DerivedRelation(columns, relation.opens), scope.parent)
}

/** |> LEFT JOIN t ON …: read as if the rows so far were the first table of a FROM. */
const readJoinPipe = (r: ParserContext, at: number, end: number, { relation, scope }: PipeState, around: QueryContext): PipeState => {
  const join = r.tokens.findWord(at, end, 'JOIN')
  if (join < 0) return { relation, scope }
  const before = scope.members.length
  readFrom(r, join + 1, end, scope, around)
  for (const [a, b] of scope.conditions.splice(0)) readFilter(r, a, b, scope, around)
  const added = scope.members.slice(before).map((member) => member.relation)
  return {
    relation: new DerivedRelation(
      [...relation.columns(), ...added.flatMap((one) => one.columns())],
      [...relation.opens, ...added.flatMap(findUnexpandedStars)],
    ),
    scope,
  }
}
