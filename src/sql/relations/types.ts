import { readName } from './names.ts'
import type { ParserContext } from './parser-context.ts'

const TAILS = new Set(['VARYING', 'PRECISION', 'UNSIGNED', 'SIGNED', 'LARGE'])

/** Skips a type: `numeric(10, 2)`, `array<struct<a int, b string>>[]`, `timestamp(3) with time zone`, `character varying(9)`. */
export const skipType = (r: ParserContext, i: number, end: number): number => {
  const { tokens } = r
  if (!tokens.isName(i)) return i
  let { next } = readName(r, i, end)
  next = skipArguments(r, next, end)
  for (;;) {
    const word = tokens.word(next)
    if (next >= end) return end
    if (tokens.op(next) === '[') next = tokens.next(next)
    else if (TAILS.has(word)) next = skipArguments(r, next + 1, end)
    else if ((word === 'WITH' || word === 'WITHOUT') && (tokens.word(next + 1) === 'TIME' || tokens.word(next + 1) === 'LOCAL'))
      next += tokens.word(next + 1) === 'LOCAL' ? 4 : 3
    else if (word === 'CHARACTER' && tokens.word(next + 1) === 'SET') next += 3
    else if (word === 'OBJECT' && tokens.word(next - 1) === 'LARGE') next = skipArguments(r, next + 1, end)
    else return next
  }
}

const skipArguments = (r: ParserContext, i: number, end: number): number => {
  const { tokens } = r
  if (i >= end) return end
  if (tokens.op(i) === '(') return Math.min(end, tokens.next(i))
  return tokens.op(i) === '<' && tokens.at(i).match > i ? Math.min(end, tokens.next(i)) : i
}
