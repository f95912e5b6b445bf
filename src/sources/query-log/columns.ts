import { ApiError, invalid } from '../../platform/core/errors.ts'

/** Which column of a log has what. Pure. */

export const LOG_FIELDS = ['sql', 'user', 'time', 'duration', 'database', 'schema'] as const
export type LogField = (typeof LOG_FIELDS)[number]
export type ColumnMapping = Partial<Record<LogField, string>>

/** Names in the histories of common systems, the most specific first. */
const KNOWN_NAMES: Readonly<Record<LogField, readonly string[]>> = {
  sql: ['query_text', 'sql_text', 'statement_text', 'querytext', 'querytxt', 'sql', 'query', 'statement', 'text'],
  user: ['user_name', 'username', 'user_email', 'usename', 'executed_by', 'user', 'login', 'email', 'role'],
  time: [
    'start_time',
    'starttime',
    'event_time',
    'query_start_time',
    'query_start',
    'creation_time',
    'executed_at',
    'timestamp',
    'created_at',
    'time',
    'ts',
  ],
  duration: ['total_elapsed_time', 'total_duration_ms', 'duration_ms', 'query_duration_ms', 'elapsed_ms', 'execution_time', 'duration'],
  database: ['database_name', 'dbname', 'current_database', 'database', 'catalog', 'db'],
  schema: ['schema_name', 'current_schema', 'default_schema', 'schema'],
}

/** The columns that were chosen, and for the others those with a known name. */
export const mapColumns = (columns: readonly string[], chosen: ColumnMapping): ColumnMapping => {
  const mapping: ColumnMapping = {}
  for (const field of LOG_FIELDS) {
    const name = chosen[field]
    if (name !== undefined) {
      const found = columns.find((column) => column === name) ?? columns.find((column) => column.toLowerCase() === name.toLowerCase())
      if (found === undefined) throw invalid({ [field]: [`There is no column "${name}", only ${listColumns(columns)}.`] })
      mapping[field] = found
    } else {
      const known = KNOWN_NAMES[field].find((each) => columns.some((column) => column.toLowerCase() === each))
      if (known) mapping[field] = columns.find((column) => column.toLowerCase() === known)!
    }
  }
  return mapping
}

export const requireSqlColumn = (columns: readonly string[], { sql }: ColumnMapping): void => {
  if (sql === undefined)
    throw new ApiError('validation_failed', `No column looks like the SQL of a query. Set "sql" to one of ${listColumns(columns)}.`, {
      sql: ['is required.'],
    })
}

const MAX_LISTED = 50
const listColumns = (columns: readonly string[]): string =>
  columns.length === 0 ? 'no columns' : `${columns.slice(0, MAX_LISTED).join(', ')}${columns.length > MAX_LISTED ? ', …' : ''}`
