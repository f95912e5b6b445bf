import type { ParserContext } from '../relations/parser-context.ts'

export interface Clause {
  /** The keyword that opens it. */
  readonly word: string
  readonly at: number
  /** The first token after the keyword, or after its BY or WITH. */
  readonly from: number
  end: number
}

const BY = new Set(['GROUP', 'ORDER', 'CLUSTER', 'DISTRIBUTE', 'SORT', 'CONNECT'])
const STRONG = new Set(['WHERE', 'PREWHERE', 'HAVING'])
const FOR_WORDS = new Set(['UPDATE', 'SHARE', 'XML', 'JSON', 'BROWSE', 'FETCH', 'READ', 'NO', 'KEY'])
const WITH_WORDS = new Set(['NO', 'CHECK', 'READ', 'UR', 'RR', 'CS', 'RS', 'DATA', 'CASCADED', 'LOCAL'])
/** Words that open a clause only where nothing else is possible: they can also be column names and aliases. */
const WEAK = new Set([
  'LIMIT',
  'OFFSET',
  'FETCH',
  'QUALIFY',
  'WINDOW',
  'SETTINGS',
  'FORMAT',
  'OPTION',
  'RETURNING',
  'EMIT',
  'LOCK',
  'TIMESERIES',
  'INTERPOLATE',
  'EXCLUDE',
  'SAMPLE',
  'MODEL',
  'SEGMENTED',
  'UNSEGMENTED',
  'MATCH',
])

/** Every word that can open a clause: a quick check that excludes 95 % of words. */
const OPENING = new Set(['SELECT', 'SEL', 'PERFORM', 'FROM', 'START', 'INTO', 'BULK', 'FOR', 'WITH', ...STRONG, ...BY, ...WEAK])

/** The clauses of one SELECT, in text order. One pass over its top level. */
export const splitClauses = (r: ParserContext, from: number, end: number): Clause[] => {
  const { tokens, budget } = r
  const clauses: Clause[] = []
  let fromAt = -1
  let selectAt = -1
  let into = false
  let steps = 0
  for (let i = from; i < end; i = tokens.next(i)) {
    steps++
    const { word, op } = tokens.at(i)
    if (word === '') {
      if (op === '|>') {
        clauses.push({ word: '|>', at: i, from: i + 1, end })
        break
      }
      continue
    }
    if (!OPENING.has(word)) continue
    if (tokens.op(i - 1) === '.' || (tokens.op(i - 1) === ':' && r.dialect.colonPaths) || (tokens.op(i + 1) === '.' && word !== 'FROM'))
      continue
    let open = -1
    if (word === 'PERFORM') {
      // plpgsql: works like SELECT.
      if (i === from) clauses.push({ word: 'SELECT', at: i, from: i + 1, end })
    } else if (word === 'SELECT' || word === 'SEL') {
      if (selectAt < 0 && (i === from || fromAt >= 0)) open = selectAt = i
    } else if (word === 'FROM') {
      if (fromAt < 0 && !(tokens.word(i - 1) === 'DISTINCT' && /^(?:IS|NOT)$/.test(tokens.word(i - 2)))) {
        while (clauses.length > 0 && WEAK.has(clauses.at(-1)!.word)) clauses.pop()
        open = fromAt = i
      }
    } else if (STRONG.has(word)) open = i
    else if (BY.has(word)) {
      if (tokens.word(i + 1) === 'BY') open = i + 1
      else if (word === 'ORDER' && tokens.word(i + 1) === 'SIBLINGS') open = i + 2
    } else if (word === 'START') open = tokens.word(i + 1) === 'WITH' && i > from ? i + 1 : -1
    else if (word === 'INTO') {
      if (!into && i > from && endsOperand(r, i - 1) && tokens.kind(i + 1) !== 'op') open = i
      into ||= open >= 0
    } else if (word === 'BULK') open = tokens.word(i + 1) === 'COLLECT' ? i + 1 : -1
    else if (word === 'FOR') open = FOR_WORDS.has(tokens.word(i + 1)) && i > from ? i : -1
    else if (word === 'WITH') open = WITH_WORDS.has(tokens.word(i + 1)) && i > from ? i : -1
    else if (WEAK.has(word) && opensWeak(r, i, from, end, fromAt >= 0)) open = i
    if (open >= 0) clauses.push({ word, at: i, from: open + 1, end })
  }
  budget.spend(steps)
  for (let c = 0; c + 1 < clauses.length; c++) clauses[c]!.end = clauses[c + 1]!.at
  return clauses
}

const endsOperand = (r: ParserContext, i: number): boolean => {
  const { kind, op } = r.tokens.at(i)
  return kind !== 'op' || op === ')' || op === ']' || op === '*' || op === ','
}

const opensWeak = (r: ParserContext, i: number, from: number, end: number, fromSeen: boolean): boolean => {
  const { tokens } = r
  const word = tokens.word(i)
  if (i <= from + 1 || i + 1 >= end || !endsOperand(r, i - 1) || tokens.word(i - 1) === 'AS') return false
  const next = tokens.at(i + 1)
  if (next.kind === 'op' && next.op !== '(' && next.op !== '-' && next.op !== '@' && next.op !== '{') return false
  switch (word) {
    case 'WINDOW':
      return tokens.word(i + 2) === 'AS'
    case 'OFFSET':
      return tokens.word(i - 1) !== 'WITH' && next.word !== 'AS'
    case 'EXCLUDE':
      return r.dialect.name === 'redshift' && !fromSeen && tokens.op(i - 1) !== '*'
    case 'FETCH':
      return /^(?:FIRST|NEXT|PRIOR|LAST|ABSOLUTE|RELATIVE)$/.test(next.word)
    case 'FORMAT':
    case 'SETTINGS':
      return fromSeen && next.op !== '(' && r.dialect.name === 'clickhouse'
    case 'SEGMENTED':
    case 'UNSEGMENTED':
    case 'MATCH':
      return r.dialect.name === 'vertica' && (word !== 'MATCH' || next.op === '(')
    case 'OPTION':
      return next.op === '('
    case 'LOCK':
      return next.word === 'IN'
    case 'SAMPLE':
    case 'MODEL':
    case 'TIMESERIES':
    case 'INTERPOLATE':
    case 'EMIT':
      return fromSeen && (word !== 'SAMPLE' || r.dialect.name === 'teradata') && (word !== 'MODEL' || r.dialect.name === 'oracle')
    default:
      return fromSeen || tokens.word(i - 1) !== 'SELECT'
  }
}
