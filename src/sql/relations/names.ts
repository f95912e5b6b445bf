import type { Dialect } from '../text/dialects.ts'
import type { Token } from '../text/tokens.ts'
import type { ParserContext } from './parser-context.ts'

export interface Name {
  readonly parts: string[]
  readonly next: number
}

/** An unquoted name, folded as the dialect does. */
export const foldIdentifierCase = (dialect: Dialect, token: Token): string => {
  if (token.kind !== 'word' || dialect.fold === 'keep') return token.text
  return dialect.fold === 'upper' ? token.word : token.text.toLowerCase()
}

/** `a`, `a.b.c`, `a..c`: the name at `i` and where it ends. Without a name there are no parts. */
export const readName = (r: ParserContext, i: number, end: number): Name => {
  const { tokens, dialect } = r
  const parts: string[] = []
  let at = i
  while (at < end && tokens.isName(at)) {
    const token = tokens.at(at)
    if (dialect.dashedNames && token.kind === 'quoted' && token.text.includes('.')) parts.push(...token.text.split('.'))
    else parts.push(foldIdentifierCase(dialect, token))
    const dot = tokens.op(at + 1)
    if ((dot !== '.' && dot !== '..') || at + 2 >= end || !tokens.isName(at + 2)) return { parts, next: at + 1 }
    if (dot === '..') parts.push('')
    at += 2
  }
  return { parts, next: at }
}

/** A table's name: also `IDENTIFIER('a.b')`, BigQuery's dashes, a part that is a number, a remote `t@link`. Undefined when it is known only at run time. */
export const readTableName = (r: ParserContext, i: number, end: number): Name | undefined => {
  const { tokens } = r
  if (tokens.word(i) === 'IDENTIFIER' && tokens.op(i + 1) === '(') {
    const text = tokens.at(i + 2)
    const next = tokens.next(i + 1)
    if (text.kind !== 'string' || next !== i + 4) return undefined
    const parts = text.text.replaceAll('"', '').split('.')
    // IDENTIFIER('schema').t
    const rest = tokens.op(next) === '.' && tokens.isName(next + 1) && next + 1 < end ? readName(r, next + 1, end) : undefined
    return rest ? { parts: [...parts, ...rest.parts], next: rest.next } : { parts, next }
  }
  let { parts, next } = readName(r, i, end)
  if (r.dialect.dashedNames) while (isDash(r, next, end)) ({ parts, next } = joinDash(r, parts, next, end))
  while (tokens.op(next) === '.' && tokens.kind(next + 1) === 'number' && next + 1 < end) {
    parts.push(tokens.text(next + 1))
    next += 2
  }
  if (tokens.op(next) === '@' && tokens.isName(next + 1) && next + 1 < end) next = readName(r, next + 1, end).next
  return { parts, next }
}

/** `my-project`: a dash without whitespace around it. */
const isDash = (r: ParserContext, i: number, end: number): boolean =>
  r.tokens.op(i) === '-' &&
  i + 1 < end &&
  r.tokens.at(i - 1).end === r.tokens.at(i).start &&
  r.tokens.at(i).end === r.tokens.at(i + 1).start &&
  (r.tokens.isName(i + 1) || r.tokens.kind(i + 1) === 'number')

const joinDash = (r: ParserContext, parts: string[], i: number, end: number): Name => {
  const before = parts.slice(0, -1)
  if (r.tokens.kind(i + 1) === 'number') {
    // `project-12.data.t`: the lexer has read `12.` as a number.
    const digits = r.tokens.text(i + 1).replace(/\.$/, '')
    const rest =
      r.tokens.op(i + 2) === '.' ? readName(r, i + 3, end) : r.tokens.text(i + 1).endsWith('.') ? readName(r, i + 2, end) : undefined
    return { parts: [...before, `${parts.at(-1)}-${digits}`, ...(rest?.parts ?? [])], next: rest?.next ?? i + 2 }
  }
  const rest = readName(r, i + 1, end)
  return { parts: [...before, `${parts.at(-1)}-${rest.parts[0]}`, ...rest.parts.slice(1)], next: rest.next }
}

/** The names of a list such as `(a, b.c, "d" int not null)`: the first of each entry, its last part. */
export const readNameList = (r: ParserContext, from: number, end: number): string[] => {
  const names: string[] = []
  for (const [start, stop] of r.tokens.split(from, end)) {
    const { parts } = readName(r, start, stop)
    if (parts.length > 0) names.push(parts.at(-1)!)
    else if (r.tokens.kind(start) === 'string') names.push(r.tokens.text(start))
  }
  return names
}
