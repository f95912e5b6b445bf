import type { Source } from '../shared/connector.ts'
import { MysqlConnection } from './mysql-connection.ts'

const LOCK_SECONDS = 10

/** Read-only, with timeouts, and with fixed SQL mode and time zone. No default database: names are always qualified. */
export const openReadOnly = (source: Source, signal: AbortSignal, statementMs: number): Promise<MysqlConnection> =>
  MysqlConnection.open(source, signal, {
    settings: ({ maria }) => [
      "set session sql_mode = ''",
      "set session time_zone = '+00:00'",
      maria ? `set session max_statement_time = ${statementMs / 1000}` : `set session max_execution_time = ${statementMs}`,
      `set session lock_wait_timeout = ${LOCK_SECONDS}`,
      `set session net_write_timeout = ${statementMs / 1000}`,
      'set session transaction read only',
      'start transaction read only',
    ],
  })
