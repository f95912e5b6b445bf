import { getTextCredential, type SqlSource } from '../shared/connector.ts'
import { openClickhouseProgram } from './clickhouse-program.ts'

/** Runs queries on ClickHouse. */
export const clickhouseSqlSource: SqlSource = {
  dialect: 'clickhouse',
  open: async (source, signal) => {
    const program = openClickhouseProgram(source, getTextCredential(source, 'database'))
    await program.connect(signal)
    return {
      query: async (sql, limits) => {
        if (!READ_STATEMENT.test(sql)) throw new Error('Only queries are allowed: select, with, show, describe or explain.')
        return program.query(sql, limits)
      },
      [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
    }
  },
}

// The server itself rejects writes, but a statement could still kill other queries. Leading comments are accepted if all versions agree on where they end.
const READ_STATEMENT = /^(?:[\s(]|--[^\n]*\n|\/\*(?:(?!\*\/|\/\*)[\s\S])*\*\/)*(?:select|with|show|describe|desc|explain|exists)\b/i
