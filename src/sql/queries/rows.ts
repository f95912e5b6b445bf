import { readExpression } from '../expressions/expression.ts'
import { structFields } from '../expressions/structs.ts'
import { readName } from '../relations/names.ts'
import type { ParserContext, QueryContext } from '../relations/parser-context.ts'
import { addFlow, expandStar, type Flow, NO_SOURCES, type StarColumns, type Transformation, Unknown } from '../relations/relation.ts'
import type { Member, Scope } from '../relations/scope.ts'
import type { Source } from '../relations/tables.ts'
import { readQuery } from './query.ts'

/** Functions that return one of their input rows. */
const CHOICES = new Set(['IF', 'IIF', 'COALESCE', 'IFNULL', 'NVL'])
const PICKS = new Set(['ARRAY_AGG', 'ANY_VALUE', 'MAX_BY', 'MIN_BY', 'ARG_MAX', 'ARG_MIN', 'FIRST_VALUE', 'LAST_VALUE', 'ARBITRARY'])

/** The table a qualifier refers to, in this scope or an outer one. */
export const findMember = (scope: Scope, qualifier: readonly string[]): Member | undefined => {
  for (let at: Scope | undefined = scope; at; at = at.parent) {
    const member = at.member(qualifier) ?? at.member(qualifier, true) ?? at.member(qualifier.slice(-1))
    if (member) return member
  }
  return undefined
}

/** The columns of `(…).*`: those of the rows it may refer to, when all are known; else an unexpanded star. */
export const readRowStar = (r: ParserContext, from: number, end: number, scope: Scope, around: QueryContext): StarColumns => {
  const row = findRow(r, from, end, scope, around)
  if (row) return row
  const { flow } = readExpression(r, from, end, scope, around)
  return { columns: [], opens: [{ relation: new Unknown(flow, '(…)', r.tokens.span(from, end - 1)) }] }
}

/** `column.*`: the fields of a struct, which are known for a struct literal. */
export const readStructStar = (
  r: ParserContext,
  parts: readonly string[],
  span: { start: number; end: number },
  scope: Scope,
): StarColumns => {
  const label = parts.join('.')
  const { flow, fields, reason } = scope.resolve(parts, 'never')
  const columns = fields?.()
  if (columns) return { columns, opens: [] }
  const isStruct = r.dialect.dotFields && flow.size > 0 && reason === undefined
  if (!isStruct) r.found.miss(`${label}.*`, 'unknown_qualifier', span)
  return { columns: [], opens: [{ relation: new Unknown(isStruct ? flow : NO_SOURCES, isStruct ? label : '', span) }] }
}

const MAX_CALL_DEPTH = 20 // nested calls; deeper ones are treated as unknown

const findRow = (r: ParserContext, start: number, stop: number, scope: Scope, around: QueryContext, depth = 0): StarColumns | undefined => {
  const { tokens } = r
  let [from, end] = [start, stop]
  while (tokens.op(from) === '(' && tokens.next(from) === end && !tokens.opensQuery(from)) [from, end] = [from + 1, end - 1]
  if (from >= end || depth > MAX_CALL_DEPTH) return undefined
  if (tokens.opensQuery(from) && tokens.next(from) === end)
    return expandStar(
      r.budget.deeper(() => readQuery(r, from + 1, end - 1, { commons: around.commons, parent: scope })),
      true,
    )
  if (tokens.op(end - 1) === ']' && tokens.at(end - 1).match > from)
    return findRow(r, from, tokens.at(end - 1).match, scope, around, depth + 1)
  const fields = structFields(r, from, end, scope, around)?.()
  if (fields) return { columns: fields, opens: [] }
  if (!tokens.isName(from)) return undefined
  const { parts, next } = readName(r, from, end)
  if (next === end) return findRowByName(r, parts, scope)
  if (tokens.op(next) !== '(' || tokens.next(next) !== end || parts.length > 1) return undefined
  return findRowOfCall(r, parts[0]!.toUpperCase(), next, end - 1, scope, around, depth + 1)
}

const findRowByName = (r: ParserContext, parts: readonly string[], scope: Scope): StarColumns | undefined => {
  const member = parts.length === 1 || !r.dialect.dotFields ? findMember(scope, parts) : scope.member(parts)
  if (member && !scope.resolve(parts, 'never').fields) return expandStar(member.relation, true)
  const columns = scope.resolve(parts, 'never').fields?.()
  return columns && { columns, opens: [] }
}

const findRowOfCall = (
  r: ParserContext,
  call: string,
  open: number,
  close: number,
  scope: Scope,
  around: QueryContext,
  depth: number,
): StarColumns | undefined => {
  const { tokens } = r
  const args = tokens.split(open + 1, close)
  if (PICKS.has(call) && args.length > 0) {
    const [from, stop] = args[0]!
    const end = tokens.find(from, stop, (i) => /^(?:ORDER|LIMIT|IGNORE|RESPECT|HAVING)$/.test(tokens.word(i)))
    return mergeRows(r, [findRow(r, from, end < 0 ? stop : end, scope, around, depth)], NO_SOURCES, 'aggregation')
  }
  if (!CHOICES.has(call)) return undefined
  const chosen = call === 'IF' || call === 'IIF'
  const rows = args.slice(chosen ? 1 : 0).map(([a, b]) => findRow(r, a, b, scope, around, depth))
  if (rows.includes(undefined)) return undefined
  const condition = chosen && args[0] ? readExpression(r, args[0][0], args[0][1], scope, around).flow : NO_SOURCES
  return mergeRows(r, rows, condition, 'expression')
}

/** Merges rows with the same columns; each column keeps its name in the first. */
const mergeRows = (
  r: ParserContext,
  rows: readonly (StarColumns | undefined)[],
  condition: Flow,
  travel: Transformation,
): StarColumns | undefined => {
  const [first] = rows
  if (!first?.columns.length) return undefined
  for (const row of rows) if (!row || row.opens.length > 0 || row.columns.length !== first.columns.length) return undefined
  const columns = first.columns.map((column, n) => {
    const flow = new Map<Source, Transformation>()
    addFlow(flow, condition, 'expression')
    for (const row of rows) addFlow(flow, row!.columns[n]!.flow, travel)
    r.budget.carry(flow.size)
    return { name: column.name, flow, start: column.start, end: column.end }
  })
  return { columns, opens: [] }
}
