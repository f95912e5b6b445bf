import { expect, test } from 'vitest'
import { analyse, findDialect } from './index.ts'
import { mutations } from './testing/mutate.ts'
import { lex } from './text/lexer.ts'

const STATEMENTS = 10_000
/** Maximum steps per character. A million broken statements needed less than three. */
const STEPS_PER_CHARACTER = 6

/** Whitespace, comments, semicolons and client commands need no result. */
const isFilled = (sql: string, dialect: string): boolean =>
  lex(sql, findDialect(dialect)!, 0, sql.length, { script: true }).tokens.list.some(({ op }) => op !== ';')

test(`${STATEMENTS} broken statements: always returns a result within the step limit`, () => {
  const next = mutations(20_240_131)
  const failures: string[] = []
  for (let n = 0; n < STATEMENTS; n++) {
    const { sql, dialect } = next()
    const { incomplete, steps, statements, problems, parsable } = analyse(sql, {
      dialect,
      columnsOf: ([name]) => (name?.length === 1 ? ['a', 'b', 'id'] : undefined),
    })
    if (incomplete !== null) failures.push(`${incomplete} [${dialect}] ${sql}`)
    if (steps > 200 + STEPS_PER_CHARACTER * sql.length) failures.push(`${steps} steps [${dialect}] ${sql}`)
    if (statements.length === 0 && problems.length === 0 && !parsable && isFilled(sql, dialect))
      failures.push(`no word on it [${dialect}] ${sql}`)
    for (const { columns, sources, targets, start, end } of statements) {
      if (start > end || end > sql.length) failures.push(`a statement outside the text [${dialect}] ${sql}`)
      for (const span of [...columns, ...sources, ...targets])
        if (span.start < 0 || span.start > span.end || span.end > sql.length) failures.push(`a span outside the text [${dialect}] ${sql}`)
    }
  }
  expect(failures.slice(0, 10)).toEqual([])
})
