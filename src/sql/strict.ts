import { type FunctionCall, StrictReader, type TableUse } from './strict-reader.ts'
import { SqlRejectedError } from './strict-tokens.ts'
import { findDialect } from './text/dialects.ts'
import { lex } from './text/lexer.ts'
import type { Tokens } from './text/tokens.ts'

export type { TableUse } from './strict-reader.ts'

/**
 * One query, parsed for a security check. `analyse` guesses where it is unsure, because a partial result is useful there. This parser rejects
 * what it is unsure of: either its result contains every table and function the source would see, or the text is rejected. Comments and text
 * that was not parsed are dropped, so the source receives exactly what was checked.
 */
export interface StrictQuery {
  readonly tables: readonly TableUse[]
  readonly calls: readonly FunctionCall[]
  /** The query rebuilt from its tokens, with the table names returned by `named`. */
  write(named: (table: TableUse) => string): string
}

export type Strict = StrictQuery | { readonly problem: string }

const MAX_LENGTH = 100_000

export const readStrictly = (text: string, dialectName: string, what: 'select' | 'condition'): Strict => {
  const dialect = findDialect(dialectName)
  if (!dialect) return { problem: `cannot be checked: the dialect ${dialectName} is unknown.` }
  if (text.length > MAX_LENGTH) return { problem: `must be at most ${MAX_LENGTH.toLocaleString('en')} characters.` }
  const lexed = lex(text, dialect)
  if (lexed.loose.length > 0) return { problem: 'contains a bracket, string, quoted name or comment that is not closed.' }
  try {
    const reader = new StrictReader(text, lexed.tokens, dialect, what)
    const { tables, calls } = reader.read()
    return { tables, calls, write: (named) => rewrite(text, lexed.tokens, reader.end, tables, named) }
  } catch (error) {
    if (error instanceof SqlRejectedError) return { problem: error.message }
    throw error
  }
}

/** Rebuilds the query from its tokens, with other table names. */
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
