/** What is said in a session: after `query`, the server sends a request per line, and the connector answers with these messages. */

/** Dialects of SQL that Tablinum writes and reads. */
export const SQL_DIALECTS = [
  ...['postgres', 'redshift', 'mysql', 'clickhouse', 'trino', 'snowflake', 'bigquery', 'databricks', 'duckdb', 'sqlite'],
  'tsql',
] as const
export type SqlDialect = (typeof SQL_DIALECTS)[number]

/** A line on standard input: a statement to run, or the one to stop. The end of the input ends the session. */
export type SessionRequest = { readonly statement: Statement } | { readonly cancel: number }

export interface Statement {
  readonly id: number
  /** One query. */
  readonly sql: string
  /** The connector stops it after this time. */
  readonly timeout_ms: number
  /** Further rows are not sent. */
  readonly max_rows?: number
  /** About as many characters of values are sent at most, and long texts are cut. Without it they are whole: definitions of views are longer. */
  readonly max_characters?: number
  /** Only between a connector and code that knows it. */
  readonly options?: unknown
}

/** The connection is open. */
export interface ReadyMessage {
  readonly type: 'ready'
}

/** Comes first, also if there are no rows. */
export interface ColumnsMessage {
  readonly type: 'columns'
  readonly id: number
  readonly columns: readonly QueryColumn[]
}

export interface QueryColumn {
  readonly name: string
  readonly type: string
}

/** Some of the rows, values in the order of the columns. */
export interface RowsMessage {
  readonly type: 'rows'
  readonly id: number
  readonly rows: readonly (readonly Cell[])[]
}

/** Numbers that do not fit a double exactly, dates and all other types are text. */
export type Cell = string | number | boolean | null

/** The statement is over. */
export interface EndMessage {
  readonly type: 'end'
  readonly id: number
  /** There were more rows. */
  readonly truncated?: boolean
}

/** The statement failed, and the next one can be sent. */
export interface FailedMessage {
  readonly type: 'failed'
  readonly id: number
  readonly message: string
  readonly about?: FailureCause
  /** The code of the error in the source. */
  readonly code?: string
}

/**
 * `query`: names, syntax or rights, found before a row was read; `connection`: the source could not be reached; `timeout`: it took too long.
 * Other messages can contain values of cells, so that only the code is shown.
 */
export const FAILURE_CAUSES = ['query', 'connection', 'timeout', 'data'] as const
export type FailureCause = (typeof FAILURE_CAUSES)[number]

export type SessionMessage = ReadyMessage | ColumnsMessage | RowsMessage | EndMessage | FailedMessage
