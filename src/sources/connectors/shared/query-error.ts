import { StatementError } from '../../../../connector/src/session.ts'

/**
 * Why a query failed, without cell values. Sources repeat values in their messages (`invalid input syntax for type integer: "…"`), and those
 * messages appear in monitors, jobs and logs, which more people can read than the table. So only messages about the text of the query itself are
 * passed on; for all others, the error code and our own explanation. Pure.
 */
export const toQueryError = (dialect: string, error: unknown): Error => {
  const { message } = error as Error
  // A connector says itself what its message is about.
  const about = error instanceof StatementError ? error.about : undefined
  if (about !== undefined && about !== 'data') return error as Error
  const flat = flattenError(error)
  const read = about === 'data' ? { code: flat.code } : (ERROR_READERS[dialect]?.(flat) ?? {})
  if (OWN_MESSAGES.test(message) || read.safe) return error as Error
  const explanation = read.code === undefined ? undefined : SQLSTATE_EXPLANATIONS[read.code]
  const code = read.code === undefined ? '' : ` (${read.code})`
  return new Error(`The source could not run the query${code}.${explanation ? ` ${explanation}` : ''}`, { cause: error })
}

interface DriverError {
  readonly message: string
  readonly code?: string
  readonly position?: string
  readonly severity?: string
}

const matchFirst = (pattern: RegExp, text: string | undefined): string | undefined => pattern.exec(text ?? '')?.[1]

/** Drivers wrap the error of the source once or twice. */
const flattenError = (error: unknown): DriverError => {
  const all: DriverError[] = []
  for (let at = error; typeof at === 'object' && at !== null && all.length < 5; at = (at as { cause?: unknown }).cause)
    all.push(at as DriverError)
  const first = <K extends keyof DriverError>(name: K): DriverError[K] | undefined => all.find((each) => each[name] !== undefined)?.[name]
  return {
    message: (error as Error).message,
    code: first('code'),
    position: first('position'),
    severity: first('severity'),
  }
}

/** Messages of our own code and of the network. */
const OWN_MESSAGES =
  /^(?:The operation (?:timed out|was cancelled)|The connection is closed|Only a single statement|Only queries are|The statement is empty|More rows than|The result is larger than|The source closed the connection|Connection to \S+ timed out|The connector (?:used more than|stopped unexpectedly)|(?:[A-Z]\w+|The driver of [\w ]+|The \w+ SDK) (?:stopped unexpectedly|could not be started|has stopped)|(?:connect|read|write|getaddrinfo) [A-Z_]+\b|socket hang up$|Client network socket)/

interface ErrorInfo {
  readonly code?: string
  /** The message is only about the text of the query. */
  readonly safe?: boolean
}

const SQLSTATE_EXPLANATIONS: Readonly<Record<string, string>> = {
  '22P02': 'A value could not be converted to the requested type.',
  '22003': 'A number is out of the range of its type.',
  '22012': 'Division by zero.',
  '2201B': 'The regular expression is not valid.',
  '22007': 'A value could not be converted to a date or time.',
  '42501': 'The role Tablinum connects with is not allowed to read one of the tables.',
  '53100': 'The disk of the source is full.',
  '53200': 'The source is out of memory.',
  '53400': 'The query exceeds the limit for temporary files.',
  '25006': 'The query would write data.',
  '55P03': 'The query is blocked by a lock.',
}

const readPostgresError = ({ code, position, severity }: DriverError): ErrorInfo => {
  if (severity === undefined) return { safe: true } // not an error of the server
  // Errors with a position occurred while parsing the query, before any row was read.
  return { code, safe: position !== undefined && code?.startsWith('42') === true }
}

const ERROR_READERS: Readonly<Record<string, (error: DriverError) => ErrorInfo>> = {
  postgres: readPostgresError,
  redshift: readPostgresError,
  snowflake: ({ message }) => ({
    code: matchFirst(/^(\d{6})\b/, message),
    safe: /^(?:\d{6} \(\w+\): )?SQL (?:compilation|access control) error/.test(message),
  }),
  bigquery: ({ message }) => ({
    safe: /^(?:Unrecognized name|Not found|Syntax error|Function not found|No matching signature|Access Denied|Query exceeded|Column name|Table name|Name \S+ not found|SELECT list|The user does not|Only queries are)/.test(
      message,
    ),
  }),
  databricks: ({ message }) => ({
    code: matchFirst(/\[([A-Z_]+)/, message),
    safe: /^\W*(?:Error running query: )?\[(?:UNRESOLVED_COLUMN|TABLE_OR_VIEW_NOT_FOUND|PARSE_SYNTAX_ERROR|UNRESOLVED_ROUTINE|MISSING_AGGREGATION|INSUFFICIENT_PERMISSIONS|SCHEMA_NOT_FOUND|AMBIGUOUS_REFERENCE)/.test(
      message,
    ),
  }),
  tsql: ({ message }) => ({
    safe: /^(?:Invalid (?:column|object) name|Incorrect syntax|Ambiguous column name|The (?:SELECT|EXECUTE) permission was denied|Cannot open database|Login failed|Operand (?:data type|type clash)|The (?:text|ntext|image) data type)/.test(
      message,
    ),
  }),
  duckdb: ({ message }) => ({
    code: matchFirst(/^([A-Z][A-Za-z ]{2,30}) Error: /, message),
    safe: /^(?:Parser|Binder|Catalog|Permission|Out of Memory|IO) Error: /.test(message),
  }),
  sqlite: ({ message }) => ({
    safe: /^(?:no such (?:column|table|function)|near "|ambiguous column|not authorized|incomplete input|unrecognized token|misuse of|wrong number of arguments|integer overflow|attempt to write|database is locked)/.test(
      message,
    ),
  }),
}
