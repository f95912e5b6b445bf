import { invalid } from '../../../platform/core/errors.ts'
import { DIALECT_DIFFERENCES, type DialectDifference, doubleQuotes } from './dialect-differences.ts'

/** The parts of SQL that differ between dialects. Pure. */
export interface DialectSql {
  readonly dialect: string
  quote(name: string): string
  /** A table by the parts of its name in the source (`splitItemKey`), limited to those a query there accepts. */
  table(path: readonly string[]): string
  /** Appended to a query to limit its rows; `ordered`: after its ORDER BY. */
  limit(rows: number, ordered?: boolean): string
  /** A `from` clause that returns about this many rows, at most twice as many, and whether they are random or the first ones. Never scans a large table completely. */
  sample(path: readonly string[], request: SampleRequest): { readonly from: string; readonly random: boolean }
  /** Hours from a date or timestamp until now, with decimals. */
  hoursSince(moment: string): string
  /** The date of a date, timestamp, or text that begins with one. */
  dayOf(moment: string): string
  castToText(expression: string): string
  /** A date or timestamp as text that begins with year, month and day. */
  momentToText(moment: string): string
  /** The first characters of a text. */
  firstCharacters(text: string, count: number): string
  /** A number without its fraction. */
  round(number: string): string
  /** The minimum, maximum, sum or mean of numbers, as a double. */
  aggregate(name: 'min' | 'max' | 'sum' | 'avg', expression: string): string
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
    limit = (rows) => `limit ${rows}`,
    substring = 'substr',
    round = (number) => `round(${number})`,
    convertsFirst = false,
    incomparable,
    dayOf = (moment: string) => `cast(${moment} as date)`,
    textLiteral = doubleQuotes,
    textPrefix = '',
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
  const castToText = (expression: string) => `cast(${expression} as ${text})`
  const castToNumber = number ?? ((expression: string) => `cast(${expression} as ${double})`)
  return {
    dialect,
    quote,
    table,
    limit: (rows, ordered = false) => limit(Math.floor(rows), ordered),
    sample: (path, { rows, of, kind }) => {
      if (!sampled || !of || of <= rows || /view|foreign|external/i.test(kind ?? ''))
        return { from: `(select * from ${table(path)} ${limit(Math.floor(rows), false)})`, random: false }
      // Pages are returned in order: a limit close to the requested number would always cut off the end of the table.
      const part = sampled(toPercent(rows, of), of < MAX_BERNOULLI_ROWS ? 'bernoulli' : 'system')
      return { from: `(select * from ${table(path)} ${part} ${limit(Math.floor(2 * rows), false)})`, random: true }
    },
    hoursSince,
    dayOf,
    castToText,
    momentToText: difference.momentToText ?? castToText,
    firstCharacters: (text, count) => `${substring}(${text}, 1, ${count})`,
    round,
    castToNumber,
    aggregate: (name, expression) => (convertsFirst ? `${name}(${castToNumber(expression)})` : castToNumber(`${name}(${expression})`)),
    timestampLiteral: moment,
    textLiteral: (text) => {
      if (text.includes('\0')) throw invalid({ value: ['A text must not contain NUL characters.'] })
      return `${textPrefix}${/['\\\p{Cc}]/u.test(text) ? textLiteral(text) : `'${text}'`}`
    },
    matches,
    approxDistinct: approxDistinct ?? ((expression) => `count(distinct ${expression})`),
    approximates: approxDistinct !== undefined,
    isNumericType: (type) => NUMERIC.test(getBaseType(type)) && !/\[\]/.test(type ?? ''),
    isTemporalType: (type) => TEMPORAL.test(getBaseType(type)) && !/\[\]/.test(type ?? ''),
    isBooleanType: (type) => BOOLEAN.test(getBaseType(type)) && !/\[\]/.test(type ?? ''),
    isComparable: (type) => !INCOMPARABLE.test(getBaseType(type)) && !incomparable?.test(getBaseType(type)) && !/\[\]/.test(type ?? ''),
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
