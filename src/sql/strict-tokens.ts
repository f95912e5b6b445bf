import type { Dialect } from './text/dialects.ts'
import type { Token, Tokens } from './text/tokens.ts'

/** The query is rejected. The message completes a sentence that starts with the field name. */
export class SqlRejectedError extends Error {}

export interface Brackets {
  /** The index of the open bracket around each token, or -1. */
  readonly around: readonly number[]
  /** The closing bracket of each open one. `<` and `>` are never brackets here. */
  readonly closes: ReadonlyMap<number, number>
}

/** Letters, digits, `_` and `$`: a server may treat any other character as a quote or whitespace. */
const NAME = /^[\p{L}\p{N}_$#]+$/u

/** Dialects in which a backslash in a string never escapes its quote, unless the string begins with E. */
const PLAIN_BACKSLASH = new Set(['postgres', 'duckdb', 'sqlite', 'trino'])
const ESCAPE_STRINGS = new Set(['postgres', 'duckdb'])
const QUOTES: Readonly<Record<string, string>> = { sqlite: '"`[', clickhouse: '"`', mysql: '`', bigquery: '`', databricks: '`' }

/** Rejects tokens that a server may split differently from our lexer, and matches the brackets of the others. */
export const checkTokens = (text: string, tokens: Tokens, end: number, dialect: Dialect, what: 'select' | 'condition'): Brackets => {
  const around: number[] = []
  const closes = new Map<number, number>()
  const open: number[] = []
  if (text.includes('\0')) throw new SqlRejectedError('must not contain NUL characters.')
  let at = 0
  for (let i = 0; i < end; i++) {
    const token = tokens.at(i)
    const between = text.slice(at, token.start).trim()
    if (between !== '' && what === 'condition') throw new SqlRejectedError('must not contain comments.')
    if (between !== '' && !/^(?:--|\/\*|#|\/\/)/.test(between)) throw new SqlRejectedError('must not contain templates.')
    if (token.kind === 'param') throw new SqlRejectedError('must not contain parameters.')
    if (token.op === ';') throw new SqlRejectedError('must be a single statement without semicolons.')
    if (token.op === '|>') throw new SqlRejectedError('must not use the pipe syntax.')
    if (token.op === '\\') throw new SqlRejectedError('must not contain a backslash outside of strings.')
    if (token.kind === 'string') checkString(text, token, dialect, i > 0 && token.start === at && tokens.kind(i - 1) !== 'op')
    if (token.kind === 'quoted') checkQuoted(text, token, dialect)
    if (token.kind === 'word') checkWord(token)
    at = token.end
    if (token.op === ')' || token.op === ']' || token.op === '}') closes.set(open.pop() ?? -1, i)
    around[i] = open.at(-1) ?? -1
    if (token.op === '(' || token.op === '[' || token.op === '{') open.push(i)
  }
  if (open.length > 0 || closes.has(-1)) throw new SqlRejectedError('contains a bracket that is not closed.')
  const rest = text.slice(at).replace(/;/g, '').trim()
  if (rest !== '' && what === 'condition') throw new SqlRejectedError('must not contain comments.')
  return { around, closes }
}

const checkString = (text: string, { start, end }: Token, { name }: Dialect, touches: boolean): void => {
  const raw = text.slice(start, end)
  if (raw.startsWith('$')) {
    // The server reads `a$$` as a name.
    if (name !== 'postgres' || touches) throw new SqlRejectedError('must not contain dollar-quoted strings here.')
    return
  }
  if (!/\\['"]/.test(raw)) return
  const escapes = /^e['"]/i.test(raw)
  if (!PLAIN_BACKSLASH.has(name) || (escapes && !ESCAPE_STRINGS.has(name)))
    throw new SqlRejectedError('must not contain a backslash before a quote in a string. Double the quote instead.')
}

const checkQuoted = (text: string, { start, end }: Token, { name }: Dialect): void => {
  const raw = text.slice(start, end)
  if (raw.startsWith('{') || raw.startsWith('$')) throw new SqlRejectedError('must not contain templates.')
  const unicode = /^u&"/i.test(raw)
  if (unicode && name !== 'postgres') throw new SqlRejectedError('must not contain names written as U&"…".')
  if (!unicode && raw.includes('\\')) throw new SqlRejectedError('must not contain a backslash in a quoted name.')
  if (!unicode && !(QUOTES[name] ?? '"').includes(raw[0]!))
    throw new SqlRejectedError(`must not quote names with ${raw[0]} in this dialect.`)
}

/** A server may read `1from t` as a number and a keyword, and `ſelect` as a name; our lexer would not. */
const checkWord = ({ text }: Token): void => {
  if (/^[\d.]/.test(text)) throw new SqlRejectedError(`must have a space between a number and a word: ${text}.`)
  if (!NAME.test(text)) throw new SqlRejectedError(`must not use ${text} as a name without quotes.`)
  const plain = /^[\x00-\x7f]*$/
  if (!plain.test(text) && (plain.test(text.toUpperCase()) || plain.test(text.toLowerCase())))
    throw new SqlRejectedError(`must not use ${text} as a name without quotes.`)
}
