import type { SqlSource } from '../shared/connector.ts'
import { trimStatementEnd } from '../shared/statement.ts'
import { openMysqlProgram } from './mysql-program.ts'

/** Runs queries on MySQL or MariaDB. */
export const mysqlSqlSource: SqlSource = {
  dialect: 'mysql',
  open: async (source, signal) => {
    const program = openMysqlProgram(source)
    await program.connect(signal)
    return {
      query: async (sql, limits) => program.query(assertReadOnly(sql), limits),
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    }
  },
}

const COMMENT = /\/\*[\s\S]*?(?:\*\/|$)|--(?=\s|$)[^\n]*|#[^\n]*/
const [ESCAPING, LITERAL] = [String.raw`(?:[^'\\]|\\[\s\S])*`, `[^']*`].map(
  (inside) => new RegExp(`'${inside}(?:'|$)|"${inside.replace("'", '"')}(?:"|$)|\`[^\`]*(?:\`|$)|${COMMENT.source}`, 'g'),
)
const READ_STATEMENT = /^[\s(]*(?:select|with|values|table|show|explain|describe|desc)\b/i
const WRITE_CLAUSE = /\binto\s+(?:outfile|dumpfile)\b/i

/**
 * A read-only transaction protects the data. Rejected here is what it does not prevent: statements that end the transaction, and files written
 * by the server. Whether a backslash escapes depends on the SQL mode, so both interpretations must pass.
 */
const assertReadOnly = (sql: string): string => {
  const text = trimStatementEnd(sql)
  for (const quoted of [ESCAPING!, LITERAL!]) {
    let hidden = false
    const bare = text.replace(quoted, (part) => {
      if (/^\/\*M?!/.test(part)) hidden = true
      return part.startsWith('/*') || /^(?:--|#)/.test(part) ? ' ' : "''"
    })
    if (hidden || !READ_STATEMENT.test(bare) || WRITE_CLAUSE.test(bare))
      throw new Error('Only queries are allowed: select, with, show, explain or describe, without files and executable comments.')
  }
  return text
}
