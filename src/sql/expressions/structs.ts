import { foldIdentifierCase } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import { addFlow, type Column, type StructFields, type Transformation } from '../relations/relation.ts'
import type { Scope } from '../relations/scope.ts'
import type { Source } from '../relations/tables.ts'
import { readItem } from './items.ts'

interface Literal {
  /** The field names of the type, if there is one. */
  readonly names: readonly string[] | undefined
  /** The range of values of each struct. */
  readonly rows: readonly (readonly [number, number])[]
  readonly travel: Transformation
}

/** The fields of `STRUCT(…)` or of a list of structs, if the expression is nothing else. Read lazily. */
export const structFields = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext): StructFields | undefined => {
  const literal = r.dialect.dotFields ? findLiteral(r, from, end) : undefined
  if (!literal) return undefined
  let fields: readonly Column[] | undefined
  return () => {
    fields ??= readFields(r, literal, scope, around)
    return fields
  }
}

const findLiteral = (r: ParserContext, from: number, end: number): Literal | undefined => {
  const { tokens } = r
  const open = tokens.word(from) === '' ? from : from + 1
  switch (tokens.word(from)) {
    case 'STRUCT': {
      const values = tokens.op(open) === '<' ? tokens.next(open) : open
      if (tokens.op(values) !== '(' || tokens.next(values) !== end) return undefined
      return { names: typedNames(r, open), rows: [[values + 1, end - 1]], travel: 'identity' }
    }
    case 'ARRAY': {
      const list = tokens.op(open) === '<' ? tokens.next(open) : open
      return tokens.op(list) === '['
        ? readList(r, list, end, tokens.word(open + 1) === 'STRUCT' ? typedNames(r, open + 2) : undefined)
        : undefined
    }
    case 'ARRAY_AGG': {
      if (tokens.op(open) !== '(' || tokens.next(open) !== end) return undefined
      const first = tokens.word(open + 1) === 'DISTINCT' ? open + 2 : open + 1
      const stop = tokens.find(first, end - 1, (i) => /^(?:ORDER|LIMIT|IGNORE|RESPECT|HAVING)$/.test(tokens.word(i)))
      const one = tokens.word(first) === 'STRUCT' ? findLiteral(r, first, stop < 0 ? end - 1 : stop) : undefined
      return one && { ...one, travel: 'aggregation' }
    }
    default:
      return tokens.op(from) === '[' ? readList(r, from, end, undefined) : undefined
  }
}

/** `[STRUCT(…), STRUCT(…)]`; after a type, rows in parentheses. */
const readList = (r: ParserContext, open: number, end: number, names: readonly string[] | undefined): Literal | undefined => {
  const { tokens } = r
  if (tokens.next(open) !== end || open + 1 >= end - 1) return undefined
  const rows: (readonly [number, number])[] = []
  let own = names
  for (const [from, stop] of tokens.split(open + 1, end - 1)) {
    const tuple = names && tokens.op(from) === '(' && tokens.next(from) === stop
    const one = tokens.word(from) === 'STRUCT' ? findLiteral(r, from, stop) : undefined
    if (!tuple && !one) return undefined
    own ??= one?.names
    rows.push(tuple ? [from + 1, stop - 1] : one!.rows[0]!)
  }
  return { names: own, rows, travel: 'identity' }
}

/** `<a INT64, b STRING>`. */
const typedNames = (r: ParserContext, open: number): string[] | undefined => {
  const { tokens } = r
  if (tokens.op(open) !== '<' || tokens.at(open).match <= open) return undefined
  return tokens.split(open + 1, tokens.at(open).match).map(([from]) => foldIdentifierCase(r.dialect, tokens.at(from)))
}

/** The names are those of the first struct; the values of all structs flow into the field at the same position. */
const readFields = (r: ParserContext, { names, rows, travel }: Literal, scope: Scope, around: QueryContext): readonly Column[] => {
  const columns: {
    name: string | null
    flow: Map<Source, Transformation>
    start: number
    end: number
    fields: StructFields | undefined
  }[] = []
  for (const [from, end] of rows)
    r.tokens.split(from, end).forEach(([a, b], n) => {
      const { name, flow, start, end: stop, fields } = readItem(r, a, b, scope, around, 'never')
      columns[n] ??= { name: names?.[n] ?? name, flow: new Map(), start, end: stop, fields: rows.length === 1 ? fields : undefined }
      r.budget.carry(flow.size)
      addFlow(columns[n].flow, flow, travel)
    })
  return columns
}
