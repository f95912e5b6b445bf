import { readExpression } from '../expressions/expression.ts'
import { readNameList } from '../relations/names.ts'
import type { CommonTables, ParserContext, QueryContext, RecursiveTable } from '../relations/parser-context.ts'
import {
  addFlow,
  type Column,
  type ColumnMatch,
  combineTransformations,
  DerivedRelation,
  type Flow,
  NO_SOURCES,
  type Relation,
  renameColumns,
  type Transformation,
  type UnexpandedStar,
} from '../relations/relation.ts'
import type { Scope } from '../relations/scope.ts'
import { type Source, Table } from '../relations/tables.ts'
import { readNested } from '../statements/returning.ts'
import { readQuery } from './query.ts'

/** The CTEs of a WITH, each read once, in order, whether used or not. `next` is where the statement continues. */
export const readWith = (r: ParserContext, at: number, end: number, around: QueryContext): { inner: QueryContext; next: number } => {
  const { tokens } = r
  let i = at + 1
  const recursive = tokens.word(i) === 'RECURSIVE' && tokens.word(i + 1) !== 'AS'
  if (recursive) i++
  const commons: CommonTables = { tables: new Map(), scalars: new Map(), outer: around.commons }
  const inner: QueryContext = { commons, parent: around.parent }
  const rest: QueryContext = { ...inner, body: around.body }
  while (i < end) {
    const before = i
    const { open, names, next } = findBody(r, i, end)
    if (open > 0) {
      const key = tokens.text(i).toLowerCase()
      const body = { from: open + 1, end: tokens.close(open, end) }
      commons.tables.set(
        key,
        readCommon(r, key, names, body, inner, recursive ? 'declared' : r.dialect.silentRecursion && isUnion(r, body.from, body.end)),
      )
      i = skipSearch(r, tokens.next(open), end)
    } else i = readScalar(r, i, end, inner, next)
    if (i <= before) i = before + 1
    if (tokens.op(i) !== ',') break
    i++
  }
  return { inner: rest, next: Math.min(i, end) }
}

/** `name [(columns)] [USING KEY (…)] AS [NOT] [MATERIALIZED] (`, or Spark's `name (query)`. */
const findBody = (r: ParserContext, i: number, end: number): { open: number; names?: string[]; next: number } => {
  const { tokens } = r
  const none = { open: -1, next: i }
  if (!tokens.isName(i) && tokens.kind(i) !== 'string') return none
  let at = i + 1
  let names: string[] | undefined
  if (tokens.op(at) === '(') {
    if (tokens.opensQuery(at)) return { open: at, next: at }
    names = readNameList(r, at + 1, tokens.close(at, end))
    at = tokens.next(at)
  }
  if (tokens.word(at) === 'USING' && tokens.word(at + 1) === 'KEY') at = tokens.next(at + 2)
  if (tokens.word(at) !== 'AS') return none
  at++
  while (/^(?:NOT|MATERIALIZED)$/.test(tokens.word(at))) at++
  return tokens.op(at) === '(' ? { open: at, ...(names ? { names } : {}), next: at } : none
}

const readCommon = (
  r: ParserContext,
  key: string,
  names: string[] | undefined,
  body: { from: number; end: number },
  inner: QueryContext,
  recursive: boolean | 'declared',
): Relation => {
  const { tokens, budget } = r
  if (/^(?:INSERT|UPDATE|DELETE|MERGE)$/.test(tokens.word(body.from))) {
    return renameColumns(readNested(r, body.from, body.end, inner.commons), names)
  }
  if (!recursive)
    return renameColumns(
      budget.deeper(() => readQuery(r, body.from, body.end, { commons: inner.commons })),
      names,
    )
  return readRecursive(r, key, names, body, inner, recursive === 'declared')
}

/** A query that may read its own result under `key`. When it is `declared` (RECURSIVE), its name never refers to a stored table. */
export const readRecursive = (
  r: ParserContext,
  key: string,
  names: string[] | undefined,
  body: { from: number; end: number },
  inner: QueryContext,
  declared: boolean,
): Relation => {
  const loop = new RecursionLoop(names)
  const self: RecursiveTable = { key, seed: undefined, start: (first) => loop.start(first), early: declared ? loop.early : undefined }
  const commons: CommonTables = { tables: new Map(), scalars: inner.commons.scalars, outer: inner.commons, self }
  const result = r.budget.deeper(() => readQuery(r, body.from, body.end, { commons, body: self }))
  const closed = loop.close(renameColumns(result, names))
  loop.release(r, closed)
  return closed
}

const isUnion = (r: ParserContext, from: number, end: number): boolean => r.tokens.findWord(from, end, 'UNION') > 0

const indexOfName = (columns: readonly Column[], name: string): number =>
  columns.findIndex((column) => column.name?.toLowerCase() === name.toLowerCase())

/** A recursive CTE that is read before its first branch: each column that is used becomes a placeholder. */
class EarlyRelation implements Relation {
  readonly opens: readonly UnexpandedStar[] = [{ relation: this }]
  readonly vague = true
  readonly virtual = false
  private readonly names: readonly string[]
  private readonly found = new Map<string, Flow>()
  private readonly here = new Table(['recursion'], 'recursion', undefined)

  constructor(names: readonly string[] | undefined) {
    this.names = names ?? []
  }

  columns(): readonly Column[] {
    return this.names.map((name) => ({ name, flow: this.find(name).flow, start: 0, end: 0 }))
  }

  find(name: string): ColumnMatch {
    const flow = this.found.get(name.toLowerCase()) ?? new Map([[{ table: this.here, column: name }, 'identity' as const]])
    this.found.set(name.toLowerCase(), flow)
    return { flow, sure: false }
  }

  *placeholders(): Iterable<Source> {
    for (const flow of this.found.values()) yield* flow.keys()
  }
}

/**
 * A CTE that reads itself. While its body is read, each of its own columns is a placeholder; afterwards every placeholder is
 * replaced by the sources of that column. One pass is enough, even if columns change positions.
 */
class RecursionLoop {
  /** Its rows before any branch is read. */
  readonly early: EarlyRelation
  private readonly placeholders = new Map<Source, number>()
  private readonly names: string[] | undefined

  constructor(names: string[] | undefined) {
    this.names = names
    this.early = new EarlyRelation(names)
  }

  start(first: Relation): Relation {
    const here = new Table(['recursion'], 'recursion', undefined)
    const columns = renameColumns(first, this.names)
      .columns()
      .map((column, i): Column => {
        const mark: Source = { table: here, column: String(i) }
        this.placeholders.set(mark, i)
        return { ...column, flow: new Map([[mark, 'identity' as const]]) }
      })
    return new DerivedRelation(columns, first.opens)
  }

  close(result: Relation): Relation {
    const columns = result.columns()
    for (const mark of this.early.placeholders()) this.placeholders.set(mark, indexOfName(columns, mark.column))
    if (this.placeholders.size === 0) return result
    const flows = columns.map((_, i) => this.follow(columns, i))
    return new DerivedRelation(
      columns.map((column, i) => ({ name: column.name, flow: flows[i]!, start: column.start, end: column.end })),
      result.opens.filter(({ relation }) => relation !== this.early),
    )
  }

  /** Replaces placeholders in conditions too. */
  release(r: ParserContext, closed: Relation): void {
    const { filters } = r.found
    for (const [source, span] of filters) {
      const mark = this.placeholders.get(source)
      if (mark === undefined) continue
      filters.delete(source)
      r.found.filter(closed.columns()[mark]?.flow ?? NO_SOURCES, span)
    }
  }

  private follow(columns: readonly Column[], start: number): Flow {
    const flow = new Map<Source, Transformation>()
    const seen = new Map<number, Transformation>([[start, 'identity']])
    const queue: [number, Transformation][] = [[start, 'identity']]
    for (let next = queue.pop(); next; next = queue.pop()) {
      const [at, travel] = next
      for (const [source, step] of columns[at]?.flow ?? NO_SOURCES) {
        const mark = this.placeholders.get(source)
        if (mark === undefined) addFlow(flow, new Map([[source, step]]), travel)
        else {
          const there = combineTransformations(travel, step)
          const before = seen.get(mark)
          if (before !== undefined && combineTransformations(before, there) === before) continue
          seen.set(mark, there)
          queue.push([mark, there])
        }
      }
    }
    return flow
  }
}

/** SEARCH DEPTH FIRST BY … SET …, CYCLE … SET … USING …. */
const skipSearch = (r: ParserContext, i: number, end: number): number => {
  const { tokens } = r
  let at = i
  if (!/^(?:SEARCH|CYCLE)$/.test(tokens.word(at))) return at
  while (
    at < end &&
    !/^(?:SELECT|INSERT|UPDATE|DELETE|MERGE)$/.test(tokens.word(at)) &&
    !(tokens.op(at) === ',' && tokens.word(at + 2) === 'AS')
  )
    at = tokens.next(at)
  return at
}

/** ClickHouse: `WITH expression AS name`. A subquery is read immediately; any other expression where its name is used, because it may refer to columns. */
const readScalar = (r: ParserContext, from: number, end: number, inner: QueryContext, start: number): number => {
  const { tokens } = r
  const as = tokens.find(start, end, (i) => tokens.word(i) === 'AS' || tokens.word(i) === 'SELECT')
  if (as < 0 || tokens.word(as) !== 'AS' || !tokens.isName(as + 1)) return from
  const name = tokens.text(as + 1).toLowerCase()
  const query = tokens.op(from) === '(' && tokens.opensQuery(from)
  const relation = query ? r.budget.deeper(() => readQuery(r, from + 1, tokens.close(from, as), { commons: inner.commons })) : undefined
  let busy = false
  inner.commons.scalars.set(name, (scope: Scope) => {
    if (relation) return relation.columns()[0]?.flow ?? NO_SOURCES
    if (busy) return NO_SOURCES
    busy = true
    try {
      return readExpression(r, from, as, scope, inner).flow
    } finally {
      busy = false
    }
  })
  return as + 2
}
