/** How dialects differ in the SQL that Tablinum generates, as data. A new dialect is a new entry here. Pure. */
export interface DialectDifference {
  readonly quote?: '"' | '`'
  /** How a quote inside a name is escaped. */
  readonly escape?: 'doubled' | 'backslash'
  /** How many parts a name has in a query, counted from the end. */
  readonly parts: 1 | 2 | 3
  /** Samples pages without reading the others. */
  readonly sampled?: (percent: string, by: 'system' | 'bernoulli') => string
  readonly hoursSince: (moment: string) => string
  readonly dayOf?: (moment: string) => string
  readonly text?: string
  readonly double?: string
  readonly number?: (expression: string) => string
  readonly moment?: (text: string) => string
  readonly approxDistinct?: (expression: string) => string
  /** For texts with a quote or a backslash; by default only quotes are doubled. */
  readonly textLiteral?: (text: string) => string
  readonly textPrefix?: string
  readonly matches?: (text: string, pattern: string) => string
  readonly limit?: (rows: number, ordered: boolean) => string
  readonly momentToText?: (moment: string) => string
  readonly substring?: string
  readonly round?: (number: string) => string
  /** Aggregates of integers are integers, and overflow: they are converted first. */
  readonly convertsFirst?: boolean
  /** Types without a minimum and maximum that have one elsewhere. */
  readonly incomparable?: RegExp
}

export const doubleQuotes = (text: string): string => `'${text.replaceAll("'", "''")}'`
/** Where a backslash starts an escape. Quotes are doubled, not escaped, so that they end nothing where that is turned off. */
const doubleBoth = (text: string): string => doubleQuotes(text.replaceAll('\\', '\\\\'))
const toHex = (text: string): string => Buffer.from(text).toString('hex')

const postgres: DialectDifference = {
  parts: 2,
  sampled: (percent, by) => `tablesample ${by} (${percent}) repeatable (1)`, // repeatable: the same sample every time
  hoursSince: (moment) => `extract(epoch from (now() - (${moment})::timestamptz)) / 3600.0`,
  text: 'text',
  double: 'double precision',
  textLiteral: (text) => (text.includes('\\') ? `E${doubleBoth(text)}` : doubleQuotes(text)),
  matches: (text, pattern) => `${text} ~ ${pattern}`,
}

export const DIALECT_DIFFERENCES: Readonly<Record<string, DialectDifference>> = {
  postgres,
  redshift: {
    ...postgres,
    sampled: undefined,
    hoursSince: (moment) => `datediff(second, (${moment})::timestamp, getdate()) / 3600.0`,
    text: 'varchar',
    textLiteral: doubleBoth,
    approxDistinct: (expression) => `approximate count(distinct ${expression})`,
  },
  mysql: {
    quote: '`',
    parts: 2,
    hoursSince: (moment) => `timestampdiff(second, ${moment}, utc_timestamp()) / 3600.0`,
    text: 'char',
    double: 'decimal(65, 10)',
    textLiteral: doubleBoth,
    matches: (text, pattern) => `${text} regexp ${pattern}`,
  },
  sqlite: {
    parts: 1,
    // A timestamp is text or a Unix time in seconds; larger numbers are milli-, micro- or nanoseconds.
    dayOf: (moment) => `date(${moment})`, // a cast to a date would be the year
    hoursSince: (moment) =>
      `(case when typeof(${moment}) in ('integer', 'real') then (unixepoch() - ${moment} / (case when abs(${moment}) < 1e11 then 1.0 when abs(${moment}) < 1e14 then 1e3 when abs(${moment}) < 1e17 then 1e6 else 1e9 end)) / 3600.0 else (julianday('now') - julianday(${moment})) * 24 end)`,
    text: 'text',
    double: 'real',
  },
  duckdb: {
    parts: 2,
    sampled: (percent, by) => `tablesample ${by} (${percent}%) repeatable (1)`,
    hoursSince: (moment) => `date_diff('second', (${moment})::timestamp, (now() at time zone 'UTC')::timestamp) / 3600.0`,
    text: 'varchar',
    matches: (text, pattern) => `regexp_matches(${text}, ${pattern})`,
    approxDistinct: (expression) => `approx_count_distinct(${expression})`,
  },
  clickhouse: {
    quote: '`',
    escape: 'backslash',
    parts: 2,
    dayOf: (moment) => `toDate(${moment})`, // a cast to a date fails for null
    hoursSince: (moment) => `dateDiff('second', toDateTime(${moment}), now()) / 3600.0`,
    text: 'Nullable(String)',
    textLiteral: doubleBoth,
    matches: (text, pattern) => `match(${text}, ${pattern})`,
    number: (expression) => `toFloat64OrNull(toString(${expression}))`,
    approxDistinct: (expression) => `uniq(${expression})`,
  },
  snowflake: {
    parts: 3,
    sampled: (percent, by) => `tablesample ${by} (${percent})`,
    hoursSince: (moment) => `timestampdiff(second, ${moment}, current_timestamp()) / 3600.0`,
    text: 'varchar',
    textLiteral: doubleBoth,
    matches: (text, pattern) => `regexp_instr(${text}, ${pattern}) > 0`, // regexp_like would have to match the whole text
    double: 'double',
    approxDistinct: (expression) => `approx_count_distinct(${expression})`,
  },
  bigquery: {
    quote: '`',
    escape: 'backslash',
    parts: 3,
    sampled: (percent) => `tablesample system (${percent} percent)`,
    hoursSince: (moment) => `timestamp_diff(current_timestamp(), timestamp(${moment}), second) / 3600.0`,
    text: 'string',
    textLiteral: (text) => `safe_convert_bytes_to_string(from_hex('${toHex(text)}'))`,
    matches: (text, pattern) => `regexp_contains(${text}, ${pattern})`,
    number: (expression) => `safe_cast(${expression} as float64)`,
    approxDistinct: (expression) => `approx_count_distinct(${expression})`,
  },
  databricks: {
    quote: '`',
    parts: 3,
    hoursSince: (moment) => `(unix_timestamp(current_timestamp()) - unix_timestamp(${moment})) / 3600.0`,
    text: 'string',
    textLiteral: (text) => `cast(unhex('${toHex(text)}') as string)`,
    matches: (text, pattern) => `${text} rlike ${pattern}`,
    double: 'double',
    approxDistinct: (expression) => `approx_count_distinct(${expression})`,
  },
  trino: {
    parts: 3,
    sampled: (percent, by) => `tablesample ${by} (${percent})`,
    hoursSince: (moment) => `(to_unixtime(current_timestamp) - to_unixtime(cast(${moment} as timestamp with time zone))) / 3600.0`,
    text: 'varchar',
    double: 'double',
    matches: (text, pattern) => `regexp_like(${text}, ${pattern})`,
    moment: (text) => `${text.length > 10 ? 'timestamp' : 'date'} '${text}'`,
    approxDistinct: (expression) => `approx_distinct(${expression})`,
  },
  tsql: {
    parts: 3,
    sampled: (percent) => `tablesample system (${percent} percent) repeatable (1)`,
    // Style 1 converts a time with an offset to UTC; other types have none.
    hoursSince: (moment) => `datediff_big(second, convert(datetime2, ${moment}, 1), sysutcdatetime()) / 3600.0`,
    text: 'nvarchar(max)',
    momentToText: (moment) => `convert(nvarchar(40), ${moment}, 121)`,
    double: 'float',
    moment: (text) => `convert(datetime2, '${text}', 121)`,
    limit: (rows, ordered) => `${ordered ? '' : 'order by (select null) '}offset 0 rows fetch next ${rows} rows only`,
    substring: 'substring',
    round: (number) => `round(${number}, 0)`,
    convertsFirst: true,
    textPrefix: 'N', // otherwise characters outside of the code page of the database are lost
    incomparable: /^(text|ntext|hierarchyid|sql_variant|rowversion)\b/,
  },
}
