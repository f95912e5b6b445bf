import { StatementError } from '../../../../connector/src/session.ts'
import type { Source, SqlConnection } from '../shared/connector.ts'
import { ProgramConnection } from '../shared/program-connection.ts'
import { assertSingleQuery } from '../shared/statement.ts'
import type { SourceProgram } from './program-connector.ts'
import { redactTexts } from './redact.ts'

/** Opens a connector of an operator for queries. What it says about a failed statement may contain cells, unless it says what it is about. */
export const openProgramQueries = async (
  { program, settings, secrets }: SourceProgram,
  { allow, dialect }: Source,
  signal: AbortSignal,
): Promise<SqlConnection> => {
  const connection = new ProgramConnection({
    name: 'The connector',
    program,
    settings,
    allowedHosts: allow ?? [],
    clean: (message) => redactTexts(message, secrets),
  })
  await connection.connect(signal)
  return {
    query: async (sql, limits) => {
      assertSingleQuery(sql, dialect!)
      return connection.query(sql, limits).catch((error) => {
        if (!(error instanceof StatementError) || error.about !== undefined) throw error
        throw new StatementError({ message: error.message, about: 'data', ...(error.code === undefined ? {} : { code: error.code }) })
      })
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  }
}
