import { readName } from '../relations/names.ts'
import { skipType } from '../relations/types.ts'
import { AGGREGATES, DATE_CALLS, isWeekday, NORMAL_FORMS, SHORT_UNIT_CALLS, SHORT_UNITS, UNITS } from '../text/keywords.ts'
import { readSubquery } from './subqueries.ts'
import type { Walk } from './walk.ts'

/** An open bracket inside an expression. */
export interface Frame {
  readonly close: number
  /** The function these are the arguments of, in upper case; empty for plain brackets. */
  readonly call: string
  readonly aggregate: boolean
  /** After the first comma only a type follows: `CONVERT(x, CHAR(3))`. */
  readonly typed: boolean
  /** The parameters of the lambdas inside. */
  bound?: Set<string>
}

export const callFrame = (outer: Frame | undefined, close: number, call = '', typed = false): Frame => ({
  close,
  call,
  aggregate: outer?.aggregate === true || AGGREGATES.has(call),
  typed,
})

const XML_METHODS = new Set(['VALUE', 'QUERY', 'EXIST', 'NODES', 'MODIFY'])
const SEQUENCES = new Set(['NEXTVAL', 'CURRVAL', 'LASTVAL', 'SETVAL'])
const CONVERSIONS = new Set(['CONVERT', 'TRY_CONVERT'])
const TERADATA_FORMATS =
  /^(?:TITLE|FORMAT|NAMED|CASESPECIFIC|UPPERCASE|INTEGER|DATE|DECIMAL|CHAR|VARCHAR|FLOAT|BIGINT|SMALLINT|BYTEINT|TIMESTAMP)$/

/** Opens the arguments of the function whose parenthesis is at `open`. Returns false when the name is a column. */
export const enterCall = (walk: Walk, parts: readonly string[], open: number): boolean => {
  const { tokens, dialect } = walk.r
  const call = parts.at(-1)!.toUpperCase()
  const close = tokens.close(open, walk.end)
  if (tokens.op(open + 1) === '+' && close === open + 2) return false
  if (dialect.name === 'teradata' && parts.length <= 2 && TERADATA_FORMATS.test(tokens.word(open + 1))) return false
  walk.plain = false
  if (tokens.opensQuery(open)) {
    walk.push(callFrame(walk.top, close, call))
    readSubquery(walk, open)
    walk.frames.pop()
  } else if (dialect.name === 'tsql' && parts.length > 1 && XML_METHODS.has(call)) {
    // document.value('…'): a method of a column. Its arguments are strings.
    walk.column(parts.slice(0, -1), walk.i, open)
    walk.i = close + 1
  } else if (CONVERSIONS.has(call)) {
    // tsql and Redshift put the type first, other dialects last.
    const typeFirst = dialect.name === 'tsql' || dialect.name === 'redshift'
    walk.push(callFrame(walk.top, close, call, !typeFirst))
    walk.i = typeFirst ? skipType(walk.r, open + 1, close) : open + 1
  } else {
    walk.push(callFrame(walk.top, close, call))
    walk.i = open + 1
    if (call.startsWith('DICTGET')) readDictionary(walk, close)
    else if (
      (call === 'XMLELEMENT' && tokens.op(open + 2) === ',' && tokens.kind(open + 1) === 'quoted') ||
      (SEQUENCES.has(call) && tokens.isName(open + 1))
    )
      walk.value(readName(walk.r, open + 1, close).next - walk.i)
    else if (call === 'EXTRACT' || call === 'DATE_PART') {
      const from = tokens.word(open + 2) === 'FROM' ? open + 2 : open + 3
      if (tokens.word(from) === 'FROM') walk.i = from + 1
    }
  }
  return true
}

/** ClickHouse: the first argument names a dictionary, which is read like a table. */
const readDictionary = (walk: Walk, close: number): void => {
  const { tokens, tables, found } = walk.r
  const token = tokens.at(walk.i)
  const name = token.kind === 'string' ? { parts: token.text.split('.'), next: walk.i + 1 } : readName(walk.r, walk.i, close)
  if (name.parts.length === 0 || name.parts[0] === '') return
  found.read(tables.get(name.parts), tokens.span(walk.i, name.next - 1))
  walk.operand = true
  walk.i = name.next
}

/** `month` in `DATEADD(month, 1, x)`: a date part that is an argument by itself. */
export const isDatePart = (walk: Walk, i: number, word: string): boolean => {
  const call = walk.top?.call
  if (!call) return false
  const { tokens } = walk.r
  const before = tokens.op(i - 1)
  const after = tokens.op(i + 1)
  if (before !== '(' && before !== ',') return false
  if (after === '(') return DATE_CALLS.has(call) && word === 'WEEK' && isWeekday(tokens.word(i + 2))
  if (after !== ',' && after !== ')') return false
  if (UNITS.has(word)) return DATE_CALLS.has(call)
  if (NORMAL_FORMS.has(word)) return call.startsWith('NORMALIZE')
  return before === '(' && SHORT_UNITS.has(word) && SHORT_UNIT_CALLS.has(call)
}
