import { invalid } from '../../../platform/core/errors.ts'

/** Dialect differences of the SQL that Tablinum generates, as data. A new dialect is a new entry here. Pure. */
export interface DialectSql {
  readonly dialect: string
  quote(name: string): string
  /** A table by the parts of its name in the source (`partsOf(key)`), limited to those a query there accepts. */
  table(path: readonly string[]): string
  /** Appended to a query to limit its rows. */
  limit(rows: number): string
  /** A `from` clause that returns about this many rows, at most twice as many, and whether they are random or the first ones. Never scans a large table completely. */
  sample(path: readonly string[], request: SampleRequest): { readonly from: string; readonly random: boolean }
  /** Hours from a date or timestamp until now, with decimals. */
  hoursSince(moment: string): string
  /** The date of a date, timestamp, or text that begins with one. */
  dayOf(moment: string): string
  castToText(expression: string): string
  /** As a double: values that are not numbers cause an error, or become null where the dialect allows it. */
  castToNumber(expression: string): string
  /** A timestamp literal (`2026-01-02 03:04:05` or `2026-01-02`) to compare with columns of such a type. */
  timestampLiteral(text: string): string
  /** A text as a literal. */
  textLiteral(text: string): string
  /** Whether a text contains a match of a regular expression, both as SQL; undefined if the dialect has no regular expressions. */
  readonly matches: ((text: string, pattern: string) => string) | undefined
  /** Number of distinct values, approximate where the dialect supports it. Not for types without equality: see `isComparable`. */
  approxDistinct(expression: string): string
  /** Whether that number is an estimate. */
  readonly approximates: boolean
  isNumericType(native_type: string | null): boolean
  isTemporalType(native_type: string | null): boolean
  isBooleanType(native_type: string | null): boolean
  /** Can be grouped and sorted, and has a minimum and maximum. */
  isComparable(native_type: string | null): boolean
}

export interface SampleRequest {
  readonly rows: number
  /** Estimated number of rows in the source. */
  readonly of?: number | null
  /** Its `native_type`: views cannot be sampled by page. */
  readonly kind?: string | null
}

interface DialectDifference {
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
  readonly matches?: (text: string, pattern: string) => string
}

const doubleQuotes = (text: string): string => `'${text.replaceAll("'", "''")}'`
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

const DIALECT_DIFFERENCES: Readonly<Record<string, DialectDifference>> = {
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
}

const NUMERIC =
  /^(u?(tiny|small|medium|big|huge)?int(eger)?|u?int(2|4|8|16|32|64|128|256)|u?hugeint|(small|big)?serial[248]?|byteint|float(4|8|32|64)?|real|double( precision)?|numeric|number|(big)?decimal(32|64|128|256)?|dec|fixed|bignumeric|byte|short|long|oid)\b/
const TEMPORAL = /^(date|datetime|smalldatetime|timestamp|timestamptz|date32|datetime64|year)/
const BOOLEAN = /^(bool|boolean)\b/
const INCOMPARABLE =
  /^(json|jsonb|xml|point|line|lseg|box|path|polygon|circle|geometry|geography|super|hllsketch|variant|object|array|map|struct|row|tuple|nested|bytea|blob|.*blob|binary|varbinary|bytes|bit|varbyte|tsvector|tsquery|hstore|aggregatefunction|list|union|image)\b/

/** `Nullable(Int32)`, `LowCardinality(String)`: the inner type counts. `int unsigned`, `numeric(10,2)` start with their type. */
const getBaseType = (native_type: string | null): string =>
  (native_type ?? '')
    .trim()
    .toLowerCase()
    .replace(/^(?:(?:nullable|lowcardinality)\()+/, '')

const createDialectSql = (dialect: string, difference: DialectDifference): DialectSql => {
  const { quote: mark = '"', escape: escaped = 'doubled', parts, sampled, hoursSince, text = 'varchar', double = 'double' } = difference
  const {
    approxDistinct,
    number,
    matches,
    dayOf = (moment: string) => `cast(${moment} as date)`,
    textLiteral = doubleQuotes,
    moment = (text) => `'${text}'`,
  } = difference
  const quote = (name: string) => {
    // No server accepts such a name, and it must not end up in a statement.
    if (name.includes('\0')) throw invalid({ name: ['A name must not contain NUL characters.'] })
    const inside =
      escaped === 'doubled'
        ? name.replaceAll(mark, mark + mark)
        : name.replace(/[\\`]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\r', '\\r')
    return `${mark}${inside}${mark}`
  }
  const table = (path: readonly string[]) => path.slice(-parts).map(quote).join('.')
  return {
    dialect,
    quote,
    table,
    limit: (rows) => `limit ${Math.floor(rows)}`,
    sample: (path, { rows, of, kind }) => {
      if (!sampled || !of || of <= rows || /view|foreign|external/i.test(kind ?? ''))
        return { from: `(select * from ${table(path)} limit ${Math.floor(rows)})`, random: false }
      // Pages are returned in order: a limit close to the requested number would always cut off the end of the table.
      const part = sampled(toPercent(rows, of), of < MAX_BERNOULLI_ROWS ? 'bernoulli' : 'system')
      return { from: `(select * from ${table(path)} ${part} limit ${Math.floor(2 * rows)})`, random: true }
    },
    hoursSince,
    dayOf,
    castToText: (expression) => `cast(${expression} as ${text})`,
    castToNumber: number ?? ((expression) => `cast(${expression} as ${double})`),
    timestampLiteral: moment,
    textLiteral: (text) => {
      if (text.includes('\0')) throw invalid({ value: ['A text must not contain NUL characters.'] })
      return /['\\\p{Cc}]/u.test(text) ? textLiteral(text) : `'${text}'`
    },
    matches,
    approxDistinct: approxDistinct ?? ((expression) => `count(distinct ${expression})`),
    approximates: approxDistinct !== undefined,
    isNumericType: (type) => NUMERIC.test(getBaseType(type)) && !/\[\]/.test(type ?? ''),
    isTemporalType: (type) => TEMPORAL.test(getBaseType(type)) && !/\[\]/.test(type ?? ''),
    isBooleanType: (type) => BOOLEAN.test(getBaseType(type)) && !/\[\]/.test(type ?? ''),
    isComparable: (type) => !INCOMPARABLE.test(getBaseType(type)) && !/\[\]/.test(type ?? ''),
  }
}

const toPercent = (rows: number, of: number): string => Math.min(100, Math.max(0.0001, (100 * rows) / of)).toFixed(4)

/** With so few rows, sampling whole pages is too coarse: rows are sampled individually, and scanning all of them is cheap. */
const MAX_BERNOULLI_ROWS = 100_000

const DIALECTS = new Map(
  Object.entries(DIALECT_DIFFERENCES).map(([dialect, difference]) => [dialect, createDialectSql(dialect, difference)]),
)

export const getDialectSql = (dialect: string): DialectSql => {
  const dialectSql = DIALECTS.get(dialect)
  if (!dialectSql) throw new Error(`Unknown SQL dialect: ${dialect}.`)
  return dialectSql
}
