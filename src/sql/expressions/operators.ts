import { readName } from '../relations/names.ts'
import { skipType } from '../relations/types.ts'
import { INFIXES, POSTFIXES, UNITS } from '../text/keywords.ts'
import type { Tokens } from '../text/tokens.ts'
import { callFrame } from './calls.ts'
import { readSubquery } from './subqueries.ts'
import type { Walk } from './walk.ts'
import { readOver } from './windows.ts'

/** Operators and brackets. */
export const readOperator = (walk: Walk, op: string): void => {
  const { tokens } = walk.r
  switch (op) {
    case '(':
      if (tokens.opensQuery(walk.i)) {
        readSubquery(walk, walk.i)
        return
      }
      if (walk.operand && walk.r.dialect.name === 'teradata') {
        // 'x' (CASESPECIFIC), date (FORMAT 'YYYY'), sum(a) (NAMED b)
        if (tokens.word(walk.i + 1) === 'NAMED' && walk.item && walk.frames.length === 0) walk.takeAlias(walk.i + 2, walk.i)
        walk.value(tokens.next(walk.i) - walk.i)
        return
      }
      walk.push(callFrame(walk.top, tokens.close(walk.i, walk.end)))
      break
    case '[':
    case '{':
      if (op === '{' && walk.r.dialect.name === 'clickhouse' && tokens.isName(walk.i + 1)) {
        // {name:Type} is a parameter.
        walk.value(tokens.next(walk.i) - walk.i)
        return
      }
      if (walk.i > walk.from) walk.plain = false
      walk.push(callFrame(walk.top, tokens.close(walk.i, walk.end)))
      if (walk.r.dialect.name === 'duckdb') bindComprehension(walk)
      break
    case ')':
    case ']':
    case '}':
      while (walk.top && walk.top.close <= walk.i) walk.frames.pop()
      walk.operand = true
      break
    case '::':
      walk.cast = true
      walk.operand = true
      // Vertica's ::! returns null when the cast fails.
      walk.i = skipType(walk.r, tokens.op(walk.i + 1) === '!' ? walk.i + 2 : walk.i + 1, walk.end)
      return
    case ':':
      readColon(walk)
      return
    case '.':
      // A field of the previous operand: `(f(x)).field`.
      walk.plain = false
      if (tokens.isName(walk.i + 1) && walk.operand) {
        walk.i++
        walk.field = walk.i
      }
      break
    case ',':
      walk.operand = false
      if (walk.top?.typed) walk.i = walk.top.close - 1
      break
    case '*':
      // Multiplication after an operand, else every column.
      walk.operand = !walk.operand
      walk.plain = false
      break
    case '!':
      // DuckDB's factorial operator follows its operand.
      walk.operand = walk.operand && tokens.kind(walk.i + 1) !== 'op'
      walk.plain = false
      break
    default:
      walk.operand = false
      walk.plain = false
  }
  walk.i++
}

/** DuckDB: `[f(x) for x in list]`. */
const bindComprehension = (walk: Walk): void => {
  const { tokens } = walk.r
  const at = tokens.findWord(walk.i + 1, tokens.close(walk.i, walk.end), 'FOR')
  if (at > 0 && tokens.isName(at + 1)) walk.bind(tokens.text(at + 1))
}

/** `document:path.to[0].field`; else `{key: value}` or the bounds of a slice. */
const readColon = (walk: Walk): void => {
  const { tokens, dialect } = walk.r
  const path = dialect.colonPaths && walk.operand && (tokens.isName(walk.i + 1) || tokens.op(walk.i + 1) === '[')
  if (!path) {
    walk.skip(1)
    return
  }
  let at = walk.i + 1
  for (;;) {
    if (tokens.isName(at)) at++
    if (tokens.op(at) === '[') at = tokens.next(at)
    else if ((tokens.op(at) === '.' || tokens.op(at) === ':') && tokens.isName(at + 1)) at++
    else break
  }
  walk.value(Math.min(at, walk.end) - walk.i)
}

/** A word after an operand: a keyword operator, or the alias. */
export const readAfterOperand = (walk: Walk, word: string): void => {
  if (walk.interval && readUnit(walk, word)) return
  if (word === 'AS') {
    readAs(walk)
    return
  }
  const last = walk.i === walk.end - 1 && walk.item && walk.frames.length === 0
  if (last && !POSTFIXES.has(word) && !INFIXES.has(word)) {
    walk.takeAlias(walk.i, walk.i)
    return
  }
  walk.plain = false
  if (readPhrase(walk, word)) return
  walk.operand = POSTFIXES.has(word)
  walk.i++
}

/** INTERVAL '1' DAY, INTERVAL '1-2' YEAR TO MONTH, INTERVAL '3' SECOND(2). */
const readUnit = (walk: Walk, word: string): boolean => {
  const { tokens } = walk.r
  walk.interval = false
  if (!UNITS.has(word)) return false
  walk.i += tokens.word(walk.i + 1) === 'TO' && UNITS.has(tokens.word(walk.i + 2)) ? 3 : 1
  if (tokens.op(walk.i) === '(') walk.i = tokens.next(walk.i)
  return true
}

/** The alias of an item; inside brackets a type or a field name, which both end at the next comma. */
const readAs = (walk: Walk): void => {
  const { tokens } = walk.r
  if (walk.item && walk.frames.length === 0) {
    walk.takeAlias(walk.i + 1, walk.i)
    return
  }
  walk.plain = false
  const { limit, scope } = walk
  if (walk.r.dialect.lateralAliases && (walk.top?.call === '' || walk.r.dialect.name === 'clickhouse')) {
    // `(a + 1 AS x) * 2`: x is visible to later items.
    const name = tokens.text(walk.i + 1).toLowerCase()
    if (!scope.aliases.has(name)) scope.aliases.set(name, new Map(walk.flow))
  }
  let at = skipType(walk.r, walk.i + 1, limit)
  while (at < limit && tokens.op(at) !== ',') at = tokens.next(at)
  walk.i = Math.min(at, limit)
}

/** IS JSON OBJECT WITH UNIQUE KEYS. */
const skipJsonTest = (tokens: Tokens, from: number): number => {
  let at = from
  if (/^(?:OBJECT|ARRAY|SCALAR|VALUE)$/.test(tokens.word(at))) at++
  if (!/^WITH(?:OUT)?$/.test(tokens.word(at)) || tokens.word(at + 1) !== 'UNIQUE') return at
  return tokens.word(at + 2) === 'KEYS' ? at + 3 : at + 2
}

/** Words that may follow IS. */
const TESTS = new Set(
  'NULL TRUE FALSE UNKNOWN DOCUMENT NORMALIZED NFC NFD NFKC NFKD OF EMPTY A DANGLING INFINITE NAN PRESENT VALID INVALID'.split(' '),
)
const MATCH_MODES = new Set(['BOOLEAN', 'NATURAL'])

/** Operators of several words, which would otherwise leave a word that looks like a column. Returns whether it was one. */
const readPhrase = (walk: Walk, word: string): boolean => {
  const { tokens, r } = { tokens: walk.r.tokens, r: walk.r }
  const next = tokens.word(walk.i + 1)
  switch (word) {
    case 'OVER':
      readOver(walk)
      return true
    case 'AT':
      return next === 'LOCAL' ? walk.value(2) : walk.skip(next === 'TIME' ? 3 : 1)
    case 'COLLATE':
      return walk.value(readName(r, walk.i + 1, walk.end).next - walk.i)
    case 'IS': {
      const at = next === 'NOT' ? walk.i + 2 : walk.i + 1
      if (tokens.word(at) === 'DISTINCT') return walk.skip(at - walk.i)
      if (tokens.word(at) === 'JSON') return walk.value(skipJsonTest(tokens, at + 1) - walk.i)
      // SQLite allows IS between any two operands.
      return TESTS.has(tokens.word(at)) ? walk.value(at + 1 - walk.i) : walk.skip(at - walk.i)
    }
    case 'SIMILAR':
      return walk.skip(2)
    case 'NOT':
      return next === 'SIMILAR' ? walk.skip(3) : false
    case 'FORMAT':
      return next === 'JSON' ? walk.value(tokens.word(walk.i + 2) === 'ENCODING' ? 4 : 2) : false
    case 'ROW': {
      // Hive: TRANSFORM (…) ROW FORMAT … USING 'script'
      const using = next === 'FORMAT' ? tokens.findWord(walk.i, walk.limit, 'USING') : -1
      return using > 0 ? walk.value(using - walk.i) : false
    }
    case 'RETURNING':
      return walk.value(skipType(r, walk.i + 1, walk.end) - walk.i)
    case 'COLUMNS':
      // JSON_TABLE (… COLUMNS (…)), XMLTABLE (… COLUMNS …): definitions
      if (tokens.op(walk.i + 1) === '(') return walk.value(tokens.next(walk.i + 1) - walk.i)
      return walk.top?.call === 'XMLTABLE' ? walk.value(walk.limit - walk.i) : false
    case 'USING':
      // CONVERT(x USING utf8), f(x USING PARAMETERS k = 'v')
      return next === 'PARAMETERS' || /^(?:CONVERT|TRANSLATE)$/.test(walk.top?.call ?? '') ? walk.value(walk.limit - walk.i) : false
    case 'OPERATOR':
      return tokens.op(walk.i + 1) === '(' ? walk.skip(tokens.next(walk.i + 1) - walk.i) : false
    case 'IN':
      // MATCH (a) AGAINST ('x' IN BOOLEAN MODE)
      return MATCH_MODES.has(next) && walk.top ? walk.value(walk.limit - walk.i) : false
    case 'ON':
      // JSON and LISTAGG: NULL ON EMPTY, ERROR ON ERROR, ON OVERFLOW TRUNCATE
      return next === '' ? walk.skip(1) : walk.value(2)
    case 'HAVING':
      // ANY_VALUE(a HAVING MAX b)
      return walk.skip(next === 'MIN' || next === 'MAX' ? 2 : 1)
    case 'EXCLUDE':
      // The end of a window's frame: EXCLUDE TIES, EXCLUDE NO OTHERS, EXCLUDE CURRENT ROW
      return walk.value(next === 'NO' || next === 'CURRENT' ? 3 : 2)
    case 'NULL':
    case 'ERROR':
      return next === 'ON' ? walk.value(1) : false
    case 'WITH':
    case 'WITHOUT':
      return walk.value(2)
    case 'FIRST':
    case 'LAST':
      return tokens.word(walk.i - 1) === 'NULLS' ? walk.value(1) : walk.skip(1)
    default:
      // 3 DAYS
      return UNITS.has(word) && (tokens.kind(walk.i - 1) === 'number' || r.dialect.name === 'db2') ? walk.value(1) : false
  }
}
