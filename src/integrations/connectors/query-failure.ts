/**
 * Why a query failed, without what stands in any cell. Sources repeat values in their messages (`invalid input syntax for type integer: "…"`),
 * and such a message goes to monitors, jobs and logs, which more people read than the table. So only messages that speak of the text of the
 * query itself are told; of all others the code and a sentence of ours. Pure.
 */
export const queryFailure = (dialect: string, error: unknown): Error => {
  const { message } = error as Error
  const read = READERS[dialect]?.(flat(error)) ?? {}
  if (OURS.test(message) || read.safe) return error as Error
  const means = read.code === undefined ? undefined : MEANINGS[read.code]
  const code = read.code === undefined ? '' : ` (${read.code})`
  return new Error(`The source could not run the query${code}.${means ? ` ${means}` : ''}`, { cause: error })
}

interface Failure {
  readonly message: string
  readonly code?: string
  readonly position?: string
  readonly severity?: string
  readonly errno?: number
  readonly errorName?: string
}

const firstOf = (pattern: RegExp, text: string | undefined): string | undefined => pattern.exec(text ?? '')?.[1]

/** Drivers wrap what the source said once or twice. */
const flat = (error: unknown): Failure => {
  const all: Failure[] = []
  for (let at = error; typeof at === 'object' && at !== null && all.length < 5; at = (at as { cause?: unknown }).cause)
    all.push(at as Failure)
  const first = <K extends keyof Failure>(name: K): Failure[K] | undefined => all.find((each) => each[name] !== undefined)?.[name]
  return {
    message: (error as Error).message,
    code: first('code') ?? firstOf(/\bCode: (\d+)/, all.at(-1)?.message),
    position: first('position'),
    severity: first('severity'),
    errno: first('errno'),
    errorName: first('errorName'),
  }
}

/** What our own code and the network say. */
const OURS =
  /^(?:It took too long|It was stopped|It is closed|It has ended|It must be one|Only a query|Only queries|There is no statement|There was more than|The source hung up|Nobody answers|The file is no longer|The query needed more memory|[A-Z]\w+ (?:ended in the middle|cannot be started|has ended)|(?:connect|read|write|getaddrinfo) [A-Z_]+\b|socket hang up$|Client network socket)/

interface Read {
  readonly code?: string
  /** It speaks of the query alone. */
  readonly safe?: boolean
}

const MEANINGS: Readonly<Record<string, string>> = {
  '22P02': 'A value could not be read as the type it was converted to.',
  '22003': 'A number is out of the range of its type.',
  '22012': 'It divides by zero.',
  '22007': 'A value could not be read as a date or time.',
  '42501': 'The role that Tablinum connects as may not read one of its tables.',
  '53100': 'Its disk is full.',
  '53200': 'It is out of memory.',
  '53400': 'It needs more temporary files than it may have.',
  '25006': 'It would write.',
  '55P03': 'Something it reads is locked.',
}

/** Errors of MySQL about names and syntax. */
const MYSQL = new Set([
  1044, 1045, 1049, 1052, 1054, 1055, 1060, 1064, 1066, 1109, 1111, 1115, 1140, 1142, 1143, 1146, 1248, 1305, 1582, 1584,
])
const CLICKHOUSE = new Set([
  '42',
  '43',
  '46',
  '47',
  '60',
  '62',
  '81',
  '158',
  '159',
  '160',
  '164',
  '194',
  '215',
  '241',
  '307',
  '396',
  '497',
  '516',
])
const TRINO = new Set(
  'SYNTAX_ERROR COLUMN_NOT_FOUND TABLE_NOT_FOUND SCHEMA_NOT_FOUND CATALOG_NOT_FOUND FUNCTION_NOT_FOUND TYPE_MISMATCH AMBIGUOUS_NAME EXPRESSION_NOT_AGGREGATE MISSING_TABLE PERMISSION_DENIED'.split(
    ' ',
  ),
)

const byServer = ({ code, position, severity }: Failure): Read => {
  if (severity === undefined) return { safe: true } // not the server's word
  // What has a place in the text of the query was said when it was read, before any row was.
  return { code, safe: position !== undefined && code?.startsWith('42') === true }
}

const READERS: Readonly<Record<string, (error: Failure) => Read>> = {
  postgres: byServer,
  redshift: byServer,
  mysql: ({ errno }) => ({ code: errno === undefined ? undefined : `error ${errno}`, safe: MYSQL.has(errno ?? 0) }),
  clickhouse: ({ code }) => ({ code: code === undefined ? undefined : `code ${code}`, safe: CLICKHOUSE.has(code ?? '') }),
  trino: ({ errorName }) => ({ code: errorName, safe: TRINO.has(errorName ?? '') }),
  snowflake: ({ message }) => ({
    code: firstOf(/^(\d{6})\b/, message),
    safe: /^(?:\d{6} \(\w+\): )?SQL (?:compilation|access control) error/.test(message),
  }),
  bigquery: ({ message }) => ({
    safe: /^(?:Unrecognized name|Not found|Syntax error|Function not found|No matching signature|Access Denied|Query exceeded|Column name|Table name|Name \S+ not found|SELECT list|The user does not|Only a query)/.test(
      message,
    ),
  }),
  databricks: ({ message }) => ({
    code: firstOf(/\[([A-Z_]+)/, message),
    safe: /^\W*(?:Error running query: )?\[(?:UNRESOLVED_COLUMN|TABLE_OR_VIEW_NOT_FOUND|PARSE_SYNTAX_ERROR|UNRESOLVED_ROUTINE|MISSING_AGGREGATION|INSUFFICIENT_PERMISSIONS|SCHEMA_NOT_FOUND|AMBIGUOUS_REFERENCE)/.test(
      message,
    ),
  }),
  duckdb: ({ message }) => ({
    code: firstOf(/^([A-Z][A-Za-z ]{2,30}) Error: /, message),
    safe: /^(?:Parser|Binder|Catalog|Permission|Out of Memory|IO) Error: /.test(message),
  }),
  sqlite: ({ message }) => ({
    safe: /^(?:no such (?:column|table|function)|near "|ambiguous column|not authorized|incomplete input|unrecognized token|misuse of|wrong number of arguments|integer overflow|attempt to write|database is locked)/.test(
      message,
    ),
  }),
}
