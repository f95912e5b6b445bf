import { readName } from '../relations/names.ts'
import type { ParserContext } from '../relations/parser-context.ts'
import { skipType } from '../relations/types.ts'
import { TABLE_HINTS, UNITS } from '../text/keywords.ts'

const PERIODS = new Set(['SYSTEM_TIME', 'SYSTEM_VERSION', 'VERSION', 'TIMESTAMP', 'BUSINESS_TIME', 'APPLICATION_TIME', 'PORTION'])

/** Skips what may surround a table alias and does not affect lineage: hints, samples, time travel, partitions. */
export const skipTableOptions = (r: ParserContext, from: number, end: number): number => {
  let i = from
  for (;;) {
    const next = skipOne(r, i, end)
    if (next <= i || i >= end) return Math.min(i, end)
    i = next
  }
}

const skipOne = (r: ParserContext, i: number, end: number): number => {
  const { tokens } = r
  const word = tokens.word(i)
  const next = tokens.word(i + 1)
  const group = tokens.op(i + 1) === '('
  switch (word) {
    case '':
      if (tokens.op(i) === '*' && tokens.kind(i + 1) !== 'op') return i + 1
      if (tokens.op(i) === '[' || (tokens.op(i) === '@' && r.dialect.name !== 'tsql')) return tokens.next(i)
      return tokens.op(i) === '(' && TABLE_HINTS.has(next) && r.dialect.name === 'tsql' ? tokens.next(i) : i
    case 'FINAL':
      return i + 1
    case 'ONLY':
      return i + 1
    case 'WITH':
      return group ? tokens.next(i + 1) : i
    case 'AT':
    case 'BEFORE':
    case 'CHANGES':
    case 'END':
    case 'PARTITION':
    case 'PARTITIONS':
    case 'SUBPARTITION':
    case 'TABLET':
      return group ? tokens.next(i + 1) : i
    case 'FOR':
      return PERIODS.has(next) ? skipPeriod(r, i + 2, end) : i
    case 'VERSION':
    case 'TIMESTAMP':
      return next === 'AS' && tokens.word(i + 2) === 'OF' ? skipValue(r, i + 3, end) : i
    case 'AS':
      return next === 'OF' && !group
        ? skipValue(r, /^(?:TIMESTAMP|SCN)$/.test(tokens.word(i + 2)) && tokens.kind(i + 3) !== 'string' ? i + 3 : i + 2, end)
        : i
    case 'VERSIONS':
      return next === 'BETWEEN' ? skipPeriod(r, i + 1, end) : i
    case 'TABLESAMPLE':
    case 'SAMPLE':
      return skipSample(r, i + 1, end)
    case 'USE':
    case 'FORCE':
    case 'IGNORE': {
      if (next !== 'INDEX' && next !== 'KEY') return i
      const open = tokens.find(i + 2, end, (at) => tokens.op(at) === '(')
      return open < 0 ? i + 2 : tokens.next(open)
    }
    case 'INDEXED':
      return next === 'BY' ? i + 3 : i
    case 'NOT':
      return next === 'INDEXED' ? i + 2 : i
    case 'NOLOCK':
      return r.dialect.name === 'tsql' && tokens.word(i + 1) !== 'ON' && tokens.op(i + 1) !== '.' ? i : i
    default:
      return i
  }
}

/** AS OF x, BETWEEN x AND y, FROM x TO y, CONTAINED IN (…), ALL. */
const skipPeriod = (r: ParserContext, from: number, end: number): number => {
  const { tokens } = r
  let i = from
  while (i < end && /^(?:AS|OF|ALL|BETWEEN|FROM|TO|AND|CONTAINED|IN|TIMESTAMP|SCN)$/.test(tokens.word(i))) {
    const word = tokens.word(i)
    if (word === 'AS' && tokens.word(i + 1) !== 'OF') break
    if (word === 'TIMESTAMP' && tokens.kind(i + 1) === 'string') break
    i++
    if (/^(?:OF|BETWEEN|FROM|TO|AND|IN)$/.test(word) && !/^(?:TIMESTAMP|SCN)$/.test(tokens.word(i))) i = skipValue(r, i, end)
    else if (/^(?:OF|BETWEEN|AND)$/.test(word) && tokens.kind(i + 1) === 'string') i = skipValue(r, i, end)
  }
  return i
}

/** One value with the arithmetic and casts after it. */
const skipValue = (r: ParserContext, from: number, end: number): number => {
  const { tokens } = r
  let i = skipOperand(r, from, end)
  while (i < end) {
    const op = tokens.op(i)
    if (op === '+' || op === '-' || op === '*') i = skipOperand(r, i + 1, end)
    else if (op === '::') i = skipType(r, i + 1, end)
    else if (tokens.word(i) === 'AT' && tokens.word(i + 1) === 'TIME') i = skipOperand(r, i + 3, end)
    else break
  }
  return i
}

const skipOperand = (r: ParserContext, from: number, end: number): number => {
  const { tokens } = r
  let i = from
  if (tokens.op(i) === '-') i++
  if (tokens.word(i) === 'INTERVAL') {
    i = tokens.next(i + 1)
    while (UNITS.has(tokens.word(i)) || tokens.word(i) === 'TO') i++
    return i
  }
  if (!tokens.isName(i)) return Math.min(end, tokens.next(i))
  if (tokens.kind(i + 1) === 'string') return i + 2
  i = readName(r, i, end).next
  return tokens.op(i) === '(' ? tokens.next(i) : i
}

/** TABLESAMPLE BERNOULLI (5 PERCENT) REPEATABLE (3), SAMPLE 0.1 OFFSET 0.5, TABLESAMPLE 10 PERCENT. */
const skipSample = (r: ParserContext, from: number, end: number): number => {
  const { tokens } = r
  let i = from
  while (tokens.isName(i) && (tokens.op(i + 1) === '(' || /^(?:BERNOULLI|SYSTEM|ROW|BLOCK|RESERVOIR)$/.test(tokens.word(i))) && i < end) i++
  if (tokens.op(i) === '(') i = tokens.next(i)
  else if (tokens.kind(i) === 'number' || tokens.kind(i) === 'param') {
    i++
    if (tokens.op(i) === '/' && tokens.kind(i + 1) === 'number') i += 2
    if (tokens.op(i) === '%' || /^(?:PERCENT|ROWS)$/.test(tokens.word(i))) i++
    if (tokens.word(i) === 'OFFSET') i = tokens.next(i + 1)
    if (tokens.op(i) === '/' && tokens.kind(i + 1) === 'number') i += 2
    if (tokens.op(i) === '(') i = tokens.next(i)
  }
  if (/^(?:REPEATABLE|SEED)$/.test(tokens.word(i)) && tokens.op(i + 1) === '(') i = tokens.next(i + 1)
  return i
}
