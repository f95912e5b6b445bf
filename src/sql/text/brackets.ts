import type { Token } from './tokens.ts'

const PARTNER: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{', '>': '<' }
/** Types whose arguments are in angle brackets and may contain commas. */
const GENERIC = new Set(['ARRAY', 'STRUCT', 'MAP', 'ROW', 'MULTISET', 'UNIONTYPE', 'RANGE'])
/** What may follow a parenthesised query inside a larger one: `((select …) union (select …))`. */
const AFTER_QUERY = new Set([
  'UNION',
  'INTERSECT',
  'EXCEPT',
  'MINUS',
  'ORDER',
  'LIMIT',
  'OFFSET',
  'FETCH',
  'FOR',
  'WITH',
  'SETTINGS',
  'FORMAT',
])

/** Words a query may follow; after any other word a parenthesis opens the arguments of a function. */
const BEFORE_QUERY = new Set([
  'FROM',
  'JOIN',
  'IN',
  'ANY',
  'ALL',
  'SOME',
  'EXISTS',
  'AS',
  'UNION',
  'EXCEPT',
  'INTERSECT',
  'MINUS',
  'DISTINCT',
  'BY',
  'USING',
  'APPLY',
])

/** Matches all brackets once, so that readers skip a group at no cost. Returns the unmatched brackets. */
export const matchBrackets = (tokens: Token[]): Token[] => {
  const open: number[] = []
  const alone: Token[] = []
  const leave = (token: Token, end: number): void => {
    // `array < 3` was a comparison.
    token.match = token.op === '<' ? -1 : end
    if (token.op !== '<') alone.push(token)
  }
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!
    switch (token.op) {
      case '(':
      case '[':
      case '{':
        token.match = tokens.length
        open.push(i)
        break
      case '<':
        if (GENERIC.has(tokens[i - 1]?.word ?? '')) {
          token.match = tokens.length
          open.push(i)
        }
        break
      case '>':
        // A comparison, unless a type is open.
        if (tokens[open.at(-1) ?? -1]?.op === '<') {
          tokens[open.at(-1)!]!.match = i
          token.match = open.pop()!
        }
        break
      case ')':
      case ']':
      case '}': {
        let start = open.pop()
        // A closing bracket of another type closes what was left open inside it.
        while (start !== undefined && tokens[start]!.op !== PARTNER[token.op] && !(token.op === ')' && isHalfOpen(tokens, start))) {
          leave(tokens[start]!, i - 1)
          start = open.pop()
        }
        if (start === undefined) alone.push(token)
        else {
          tokens[start]!.match = i
          token.match = start
        }
      }
    }
  }
  for (const start of open) leave(tokens[start]!, tokens.length)
  markQueries(tokens)
  return alone
}

/** Doris: `VALUES [(from), (to))`, a half-open range. */
const isHalfOpen = (tokens: Token[], open: number): boolean =>
  tokens[open]!.op === '[' && tokens[open - 1]?.word === 'VALUES' && tokens[open + 1]?.op === '('

/** From the inside out, so that ten thousand parentheses around one query cost ten thousand steps. */
const markQueries = (tokens: Token[]): void => {
  for (let i = tokens.length - 2; i >= 0; i--) {
    const token = tokens[i]!
    if (token.op === '(') token.query = startsQuery(tokens, i)
  }
}

const startsQuery = (tokens: Token[], open: number): boolean => {
  const first = tokens[open + 1]!
  if (first.op === '(') {
    if (!first.query) return false
    const close = tokens[open]!.match
    const after = tokens[first.match + 1]
    return first.match + 1 >= close || (after !== undefined && (AFTER_QUERY.has(after.word) || after.op === '|>'))
  }
  const second = tokens[open + 2]
  const named = second !== undefined && (second.kind === 'word' || second.kind === 'quoted')
  switch (first.word) {
    case 'SELECT':
    case 'SEL':
      return second !== undefined && second.op !== ',' && second.op !== '.' && second.op !== ')' && second.op !== '='
    case 'VALUES':
      return second !== undefined && (second.op === '(' || second.kind === 'number' || second.kind === 'string' || second.word === 'ROW')
    case 'WITH':
      return named
    case 'PIVOT':
    case 'UNPIVOT':
      return named && tokens.length > open + 4
    case 'TABLE':
      return named && isOnlyContent(tokens, open)
    case 'FROM':
      return (named || second?.op === '(' || second?.kind === 'string') && !tokens[open - 1]?.word.endsWith('TRIM')
    default:
      return false
  }
}

/** `(TABLE a.b)` is a query; in `f(TABLE a.b, 3)` the table is an argument. */
const isOnlyContent = (tokens: Token[], open: number): boolean => {
  let last = open + 2
  while (tokens[last + 1]?.op === '.') last += 2
  const after = tokens[last + 1]
  return after === undefined || (after.op === ')' ? !isCall(tokens[open - 1]) : AFTER_QUERY.has(after.word))
}

const isCall = (before: Token | undefined): boolean => before?.kind === 'word' && !BEFORE_QUERY.has(before.word)
