import { MysqlConnection, type MysqlSettings } from './mysql-connection.ts'

const LOCK_SECONDS = 10

/** One read-only transaction, with timeouts, and with fixed SQL mode and time zone. No default database: names are always qualified. */
export const openReadOnly = (settings: MysqlSettings, statementMs: number): Promise<MysqlConnection> =>
  MysqlConnection.open(settings, {
    setUp: ({ maria }) => [
      "set session sql_mode = ''",
      "set session time_zone = '+00:00'",
      maria ? `set session max_statement_time = ${statementMs / 1000}` : `set session max_execution_time = ${statementMs}`,
      `set session lock_wait_timeout = ${LOCK_SECONDS}`,
      `set session net_write_timeout = ${statementMs / 1000}`,
      'set session transaction read only',
      'start transaction read only',
    ],
  })
