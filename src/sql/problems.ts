import { STATEMENT_WORDS } from './statements/statement.ts'
import type { UnclosedToken } from './text/lexer.ts'

/** Something that could not be parsed, with its position. Lines and columns count from one. */
export interface SqlProblem {
  readonly line: number
  readonly column: number
  readonly offset: number
  readonly message: string
  readonly hint: string | null
}

export const problemAt = (sql: string, offset: number, message: string, hint: string | null = null): SqlProblem => {
  const before = sql.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  let line = 1
  for (let i = before.indexOf('\n'); i >= 0; i = before.indexOf('\n', i + 1)) line++
  return { line, column: offset - lineStart + 1, offset, message, hint }
}

export const unclosedProblem = (sql: string, { what, at }: UnclosedToken): SqlProblem => {
  const char = sql[at] ?? ''
  if (what !== 'bracket') return problemAt(sql, at, `This ${what} is not closed.`, 'Everything after it was parsed as part of it.')
  return ')]}'.includes(char)
    ? problemAt(sql, at, `This \`${char}\` has no matching opening bracket.`)
    : problemAt(sql, at, `This \`${char}\` is not closed.`, 'Everything up to the end was parsed as if it were inside the brackets.')
}

/** The text starts like no statement of any dialect. */
export const unknownStatement = (sql: string, offset: number, text: string): SqlProblem => {
  const near = findNearestKeyword(text.toUpperCase())
  return problemAt(
    sql,
    offset,
    `No SQL statement begins with \`${text.slice(0, 40)}\`.`,
    near ? `Did you mean ${near}?` : 'A statement starts with a keyword such as SELECT, INSERT, CREATE or MERGE.',
  )
}

const findNearestKeyword = (word: string): string | undefined => {
  let best: string | undefined
  let least = word.length > 4 ? 3 : 2
  for (const candidate of STATEMENT_WORDS) {
    const distance = Math.abs(candidate.length - word.length) < least ? editDistance(word, candidate) : least
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

/** Edit distance: letters to insert, delete, replace or swap. */
const editDistance = (a: string, b: string): number => {
  let previous: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? previous[j - 2]! + 1 : Number.POSITIVE_INFINITY
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1), swapped)
    }
    previous = row
    row = next
  }
  return row[b.length]!
}
