import { type Call, StrictReader, type TableUse } from './strict-reader.ts'
import { Rejected } from './strict-tokens.ts'
import { findDialect } from './text/dialects.ts'
import { lex } from './text/lexer.ts'
import type { Tokens } from './text/tokens.ts'

export type { TableUse } from './strict-reader.ts'

/**
 * One query, read for a security check. `analyse` guesses where it is not sure, because half an answer is better than none there. This reader
 * rejects what it is not sure of: every table and every function that the source would see is in its answer, or the text is rejected.
 * It keeps no comments and no text that it did not read, so the source gets exactly what was checked.
 */
export interface StrictQuery {
  readonly tables: readonly TableUse[]
  readonly calls: readonly Call[]
  /** The text from its tokens alone, with each table under the name that `named` gives it. */
  write(named: (table: TableUse) => string): string
}

export type Strict = StrictQuery | { readonly problem: string }

const LONGEST = 100_000

export const readStrictly = (text: string, dialectName: string, what: 'select' | 'condition'): Strict => {
  const dialect = findDialect(dialectName)
  if (!dialect) return { problem: `cannot be checked: ${dialectName} is not a known dialect.` }
  if (text.length > LONGEST) return { problem: `must be at most ${LONGEST.toLocaleString('en')} characters.` }
  const lexed = lex(text, dialect)
  if (lexed.loose.length > 0) return { problem: 'has a bracket, a string, a name or a comment that is not closed.' }
  try {
    const reader = new StrictReader(text, lexed.tokens, dialect, what)
    const { tables, calls } = reader.read()
    return { tables, calls, write: (named) => rewrite(text, lexed.tokens, reader.end, tables, named) }
  } catch (error) {
    if (error instanceof Rejected) return { problem: error.message }
    throw error
  }
}

/** The text from its tokens alone, with other names for its tables. */
const rewrite = (text: string, tokens: Tokens, end: number, tables: readonly TableUse[], named: (table: TableUse) => string): string => {
  const byStart = new Map(tables.map((table) => [table.at, table]))
  let written = ''
  let at = tokens.at(0).start
  for (let i = 0; i < end; ) {
    const token = tokens.at(i)
    if (token.start > at) written += ' '
    const table = byStart.get(i)
    const last = tokens.at(table ? table.next - 1 : i)
    written += table ? named(table) : text.slice(token.start, token.end)
    at = last.end
    i = table ? table.next : i + 1
  }
  return written
}
