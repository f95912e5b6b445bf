import type { SqlConnection } from './connector.ts'
import type { ProgramConnection } from './program-connection.ts'
import { assertSingleQuery } from './statement.ts'

/**
 * Connects a program for queries on a source without read-only sessions: the type of each statement is checked here, everything else depends on the
 * privileges of the account. `options` are those of every statement.
 */
export const openCheckedQueries = async (
  program: ProgramConnection,
  dialect: string,
  signal: AbortSignal,
  options?: unknown,
): Promise<SqlConnection> => {
  await program.connect(signal)
  return {
    query: async (sql, limits) => {
      assertSingleQuery(sql, dialect)
      return program.query(sql, limits, options)
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  }
}
