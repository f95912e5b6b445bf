import { readName } from '../relations/names.ts'
import { findCommonTable } from '../relations/parser-context.ts'
import { LITERALS, PREFIXES } from '../text/keywords.ts'
import { enterCall, isDatePart } from './calls.ts'
import { bindLambda, bindPythonLambda } from './lambdas.ts'
import type { Walk } from './walk.ts'

/** Where an operand is expected: a column, a function, a value, or a keyword that precedes one. */
export const readOperand = (walk: Walk, word: string): void => {
  const { tokens } = walk.r
  const at = walk.i
  const after = tokens.at(at + 1)
  if (word !== '' && after.op !== '.' && after.op !== '..' && readWord(walk, word)) return
  if (walk.r.dialect.lambdas && bindLambda(walk)) return
  const { parts, next } = readName(walk.r, at, walk.end)
  if (tokens.op(next) === '(' && next < walk.end) {
    if (enterCall(walk, parts, next)) return
    // Not a call: Oracle's outer join operator `b.y(+)`, Teradata's `column (format '9')`.
    walk.column(parts, at, next)
    if (tokens.word(next + 1) === 'NAMED' && walk.item && walk.frames.length === 0) walk.takeAlias(next + 2, next)
    walk.i = tokens.next(next)
    return
  }
  if (tokens.op(next) === '.' && tokens.op(next + 1) === '*') {
    walk.row(parts)
    walk.i = next + 2
    return
  }
  walk.column(parts, at, next)
  walk.i = next
}

/** Words that are not columns. Returns whether it was one of them. */
const readWord = (walk: Walk, word: string): boolean => {
  const { tokens } = walk.r
  const after = tokens.at(walk.i + 1)
  // DATE '2024-01-31', _utf8'x', KEY 'k'
  if (after.kind === 'string' && !PREFIXES.has(word) && word !== 'INTERVAL' && !isAliased(walk, word)) return walk.value(2)
  if (after.op === '=>' || after.op === ':=') return walk.skip(2)
  // {key: value}
  if (after.op === ':' && walk.top && tokens.op(walk.top.close) === '}') return walk.skip(2)
  if (!KNOWN.has(word)) return isDatePart(walk, walk.i, word) ? readDatePart(walk, after.op) : false
  if (LITERALS.has(word) && after.op !== '(') return walk.value(1)
  const special = SPECIAL.get(word)
  if (special) return special(walk, after.word, after.op)
  if (word === 'AS' && walk.item && walk.frames.length === 0) {
    walk.takeAlias(walk.i + 1, walk.i)
    return true
  }
  if (isDatePart(walk, walk.i, word)) return readDatePart(walk, after.op)
  if (!PREFIXES.has(word)) return false
  // A keyword with arguments may be a function: `values(x)`, `set(x)`.
  return after.op === '(' && CALLABLE.has(word) ? false : walk.skip(1)
}

/** `month`, or `week(monday)`. */
const readDatePart = (walk: Walk, op: string): boolean => walk.value(op === '(' ? walk.r.tokens.next(walk.i + 1) - walk.i : 1)

const TYPED_LITERALS = new Set(['DATE', 'TIME', 'TIMESTAMP', 'DATETIME', 'TIMESTAMPTZ', 'JSON', 'UUID', 'NUMERIC', 'DECIMAL'])

/** `SELECT a 'b'`: where a string may be an alias, only a type can precede a string value. */
const isAliased = (walk: Walk, word: string): boolean =>
  walk.r.dialect.stringAliases &&
  walk.item &&
  walk.frames.length === 0 &&
  walk.i + 2 === walk.end &&
  !TYPED_LITERALS.has(word) &&
  !word.startsWith('_')

const CALLABLE = new Set(['VALUES', 'UNIQUE', 'SET', 'LIMIT', 'BINARY'])

type Special = (walk: Walk, next: string, op: string) => boolean

const isNumber = (walk: Walk): boolean => walk.r.tokens.kind(walk.i + 1) === 'number'

/** `ARRAY<INT64>[1]`, `STRUCT<a INT64>(1)`, `ARRAY[1]`, `MAP {'a': 1}`. */
const typed: Special = (walk, _next, op) => {
  if (op === '[' || op === '{') return walk.skip(1)
  if (op !== '<') return false
  const next = walk.r.tokens.next(walk.i + 1)
  return next > walk.i + 2 ? walk.skip(next - walk.i) : false
}

const sequence: Special = (walk, next) => {
  const { tokens } = walk.r
  return next === 'VALUE' && tokens.word(walk.i + 2) === 'FOR' ? walk.value(readName(walk.r, walk.i + 3, walk.end).next - walk.i) : false
}

const frameUnit: Special = (walk, next) => (/^(?:BETWEEN|UNBOUNDED|CURRENT|INTERVAL)$/.test(next) || isNumber(walk) ? walk.skip(1) : false)

const sortBy: Special = (walk, next) => (next === 'BY' ? walk.skip(2) : false)

const zoned: Special = (walk, next) => (next === 'WITH' || next === 'WITHOUT' ? walk.skip(4) : false)

const trimmed: Special = (walk, next, op) => {
  const { kind } = walk.r.tokens.at(walk.i + 1)
  return kind === 'string' || (op !== ',' && op !== ')' && next !== '' && walk.top?.call.endsWith('TRIM') === true) ? walk.skip(1) : false
}

const oracleOnly: Special = (walk) => (walk.r.dialect.name === 'oracle' ? walk.value(1) : false)

/** `f(TABLE a.b)` passes a whole table to a function. */
const tableArgument: Special = (walk) => {
  const { tokens, tables, found } = walk.r
  const wrapped = tokens.op(walk.i + 1) === '(' && tokens.isName(walk.i + 2)
  if (!walk.top || !(tokens.isName(walk.i + 1) || wrapped)) return false
  const { parts, next } = readName(walk.r, wrapped ? walk.i + 2 : walk.i + 1, walk.end)
  if (wrapped && tokens.op(next) !== ')') return false
  const common = parts.length === 1 && findCommonTable(walk.around.commons, parts[0]!)
  if (!common) found.read(tables.get(parts), tokens.span(walk.i + 1, next - 1))
  return walk.value((wrapped ? next + 1 : next) - walk.i)
}

/** Words whose meaning depends on what follows. Otherwise they are ordinary names. */
const SPECIAL: ReadonlyMap<string, Special> = new Map<string, Special>(
  Object.entries({
    INTERVAL: (walk, next, op) => {
      if (op === ',' || op === ')' || walk.i + 1 >= walk.end || next === 'FROM') return false
      walk.interval = true
      return walk.skip(1)
    },
    TIMESTAMP: zoned,
    TIME: zoned,
    ARRAY: typed,
    STRUCT: typed,
    MAP: typed,
    NEXT: sequence,
    PREVIOUS: sequence,
    UNBOUNDED: (walk, next) => (next === 'PRECEDING' || next === 'FOLLOWING' ? walk.value(2) : false),
    CURRENT: (walk, next) => (next === 'OF' ? walk.value(3) : /^(?:ROW|DATE|TIMESTAMP|TIME)$/.test(next) ? walk.value(2) : false),
    ROWS: frameUnit,
    RANGE: frameUnit,
    GROUPS: frameUnit,
    DENSE_RANK: (walk, next) => (next === 'FIRST' || next === 'LAST' ? walk.value(2) : false),
    GROUPING: (walk, next) => (next === 'SETS' ? walk.skip(2) : false),
    BOTH: trimmed,
    LEADING: trimmed,
    TRAILING: trimmed,
    NULLS: (walk, next) => (next === 'FIRST' || next === 'LAST' ? walk.value(2) : false),
    APPROXIMATE: (walk, next) => (next === '' ? false : walk.skip(1)),
    NAME: (walk, next) => (next !== '' && walk.top?.call.startsWith('XML') ? walk.value(2) : false),
    DISTRIBUTE: sortBy,
    SORT: sortBy,
    CLUSTER: sortBy,
    NOCYCLE: (walk) => (walk.r.tokens.word(walk.i - 1) === 'BY' ? walk.skip(1) : false),
    TABLE: tableArgument,
    // ML.PREDICT(MODEL d.m, …)
    MODEL: (walk, _next, op) => {
      if (!walk.top) return false
      if (op === '=') return walk.skip(2)
      return walk.r.tokens.isName(walk.i + 1) ? walk.value(readName(walk.r, walk.i + 1, walk.end).next - walk.i) : false
    },
    LAMBDA: bindPythonLambda,
    LEVEL: oracleOnly,
    ROWNUM: oracleOnly,
  }),
)

/** Every word that may be something other than a name: one lookup excludes most words. */
const KNOWN: ReadonlySet<string> = new Set([...LITERALS, ...PREFIXES, ...SPECIAL.keys(), 'AS'])
