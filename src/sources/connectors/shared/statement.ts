import { findDialect } from '../../../sql/index.ts'
import { lex } from '../../../sql/text/lexer.ts'
import type { QueryRow } from './items.ts'

/** What the text of a statement reveals. Pure. */

const READ_KEYWORDS = new Set(['SELECT', 'WITH', 'VALUES'])
const WRITE_KEYWORDS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** For sources without read-only sessions: accepts one query or the plan of one. The functions it calls are limited by the role's privileges. */
export const assertSingleQuery = (sql: string, dialect: string): void => {
  const { tokens, loose } = lex(sql, findDialect(dialect)!)
  if (loose.length > 0) throw new Error(`Unterminated ${loose[0]!.what}.`)
  const all = tokens.list.filter(({ kind }) => kind !== 'end')
  while (all.at(-1)?.op === ';') all.pop()
  if (all.length === 0) throw new Error('The statement is empty.')
  if (all.some(({ op }) => op === ';')) throw new Error('Only a single statement is allowed.')
  const query = all.slice(countExplainTokens(all))
  if (!READ_KEYWORDS.has(query.find(({ op }) => op !== '(')?.word ?? '')) throw new Error('Only queries are allowed.')
  // A common table expression can precede a statement that writes.
  if (query[0]!.word === 'WITH')
    for (let i = 0; i < all.length; i = tokens.next(i)) if (WRITE_KEYWORDS.has(tokens.word(i))) throw new Error('Only queries are allowed.')
}

/** Number of tokens that request a plan: `explain using json`, `explain (type io, format json)`. Variants that run the query are not accepted. */
const countExplainTokens = (all: readonly { readonly word: string; readonly op: string }[]): number => {
  if (all[0]!.word !== 'EXPLAIN') return 0
  if (all[1]?.word === 'USING') return 3
  const close = all[1]?.op === '(' ? all.findIndex(({ op }) => op === ')') : 0
  return close + 1
}

/** Trims trailing semicolons and whitespace. A loop, because a regular expression would backtrack over every blank of a long text. */
export const trimStatementEnd = (sql: string): string => {
  let end = sql.length
  while (end > 0 && /[;\s]/.test(sql[end - 1]!)) end -= 1
  return sql.slice(0, end)
}

const MAX_QUERY_LENGTH = 50_000

/** Replaces literal values, which people who see the query history must not see. */
export const redactLiterals = (sql: string, dialect: string): string => {
  const text = sql.slice(0, MAX_QUERY_LENGTH)
  const { tokens } = lex(text, findDialect(dialect)!)
  let clean = ''
  let at = 0
  for (const { kind, start, end } of tokens.list) {
    if (kind === 'end') break
    // Between tokens there are blanks and comments, which can contain anything.
    clean += start > at ? (/\n/.test(text.slice(at, start)) ? '\n' : ' ') : ''
    clean += kind === 'string' || kind === 'number' ? '?' : text.slice(start, end)
    at = end
  }
  return clean.replace(/\?(\s*,\s*\?)+/g, '?').trim()
}

const MAX_HISTORY_QUERIES = 500
/** How far back the query history of warehouses is read: one week. */
export const HISTORY_HOURS = 7 * 24
const HISTORY_STATEMENT = /^[\s(]*(select|with|insert|update|delete|merge|create\s+(or\s+replace\s+)?table)\b/i

/** The most frequent queries. Queries that differ only in literal values are counted as one. */
export const mostFrequentQueries = async (
  executed: Iterable<QueryRow> | AsyncIterable<QueryRow>,
  dialect: string,
  hours?: number,
): Promise<QueryRow[]> => {
  const found = new Map<string, { calls: number; users: Set<string> }>()
  for await (const { text, calls, users } of executed) {
    if (!HISTORY_STATEMENT.test(text)) continue
    const clean = redactLiterals(text, dialect)
    const entry = found.get(clean) ?? { calls: 0, users: new Set<string>() }
    entry.calls += calls
    for (const user of users) entry.users.add(user)
    found.set(clean, entry)
  }
  return [...found]
    .map(([text, { calls, users }]) => ({ text, calls, users: [...users], hours }))
    .sort((a, b) => b.calls - a.calls || (a.text < b.text ? -1 : 1))
    .slice(0, MAX_HISTORY_QUERIES)
}
