import type { DialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import type { SourceColumn } from './source-table.ts'

/** SQL that reads values of a source table (previews, profiles, scans for personal data) in each dialect. Pure. */

const MAX_VALUE_LENGTH = 200
const BINS = 10
export const TOP_VALUES = 10

/** A value for display: numbers, timestamps and booleans unchanged, everything else as text of limited length. */
export const displaySql = (dialectSql: DialectSql, name: string, native_type: string | null, longest = MAX_VALUE_LENGTH): string => {
  const column = dialectSql.quote(name)
  const plain = dialectSql.isNumericType(native_type) || dialectSql.isTemporalType(native_type) || dialectSql.isBooleanType(native_type)
  return plain ? column : textSql(dialectSql, { name, native_type }, longest)
}

const textSql = (
  dialectSql: DialectSql,
  { name, native_type }: Pick<SourceColumn, 'name' | 'native_type'>,
  longest = MAX_VALUE_LENGTH,
): string => {
  const column = dialectSql.quote(name)
  const text = dialectSql.isTemporalType(native_type) ? dialectSql.momentToText(column) : dialectSql.castToText(column)
  return dialectSql.firstCharacters(text, longest)
}

/** Values to check for personal data. */
export const sampleValuesSql = (dialectSql: DialectSql, columns: readonly SourceColumn[], from: string, rows: number): string =>
  `select ${columns.map((column) => textSql(dialectSql, column)).join(', ')} from ${from} s ${dialectSql.limit(rows)}`

/** One row: the number of rows, and for each column the number of values, distinct values, minimum, maximum and mean. */
export const summarySql = (dialectSql: DialectSql, columns: readonly ProfiledColumn[], from: string, approximate: boolean): string =>
  `select ${['count(*)', ...columns.flatMap((column) => columnSummarySql(dialectSql, column, approximate))].join(',\n  ')}\nfrom ${from} s`

export interface ProfiledColumn extends SourceColumn {
  /** Why no value of the column may be stored. */
  readonly withheld: 'pii' | 'suspected' | null
}
export const SUMMARY_WIDTH = 5

/** The summary of a column. */
export interface ColumnSummary extends ProfiledColumn {
  /** Number of rows with a value. */
  readonly set: number
  readonly distinct: number | null
  readonly min: string | null
  readonly max: string | null
  readonly mean: number | null
}

const columnSummarySql = (dialectSql: DialectSql, profiled: ProfiledColumn, approximate: boolean): string[] => {
  const { name, native_type, withheld } = profiled
  const column = dialectSql.quote(name)
  const set = `count(${column})`
  if (!dialectSql.isComparable(native_type)) return [set, 'null', 'null', 'null', 'null']
  const distinct = approximate ? dialectSql.approxDistinct(column) : `count(distinct ${column})`
  const numeric = dialectSql.isNumericType(native_type)
  if (withheld || dialectSql.isBooleanType(native_type)) return [set, distinct, 'null', 'null', 'null']
  if (numeric) return [set, distinct, `min(${column})`, `max(${column})`, `avg(${dialectSql.castToNumber(column)})`]
  if (dialectSql.isTemporalType(native_type))
    return [set, distinct, dialectSql.momentToText(`min(${column})`), dialectSql.momentToText(`max(${column})`), 'null']
  // As text: some sortable types have no minimum and maximum (uuid, inet).
  return [set, distinct, `min(${textSql(dialectSql, profiled)})`, `max(${textSql(dialectSql, profiled)})`, 'null']
}

export interface BoundedColumn extends SourceColumn {
  /** The lower bound of each bin except the first, as a literal of the dialect. */
  readonly bounds: readonly string[]
}

/** One row: for each column the number of values, and the number below each bound. One scan serves all columns and bins. */
export const histogramSql = (dialectSql: DialectSql, columns: readonly BoundedColumn[], from: string): string =>
  `select ${columns
    .flatMap(({ name, native_type, bounds }) => {
      const column = dialectSql.quote(name)
      // Some servers do not compare a decimal with a double.
      const value = dialectSql.isNumericType(native_type) ? dialectSql.castToNumber(column) : column
      return [`count(${column})`, ...bounds.map((bound) => `sum(case when ${value} < ${bound} then 1 else 0 end)`)]
    })
    .join(',\n  ')}\nfrom ${from} s`

/** Rows of: index of the column, value, count. */
export const topSql = (dialectSql: DialectSql, columns: readonly SourceColumn[], from: string): string =>
  columns
    .map((column, i) => {
      const value = textSql(dialectSql, column)
      return `select * from (select ${i} as c, ${value} as v, count(*) as n from ${from} s where ${dialectSql.quote(column.name)} is not null
        group by ${value} order by count(*) desc, ${value} ${dialectSql.limit(TOP_VALUES, true)}) t${i}`
    })
    .join('\nunion all\n')

/** Bins of equal width between two numbers; undefined if the range is too small. */
export const numberBounds = (min: number, max: number): number[] | undefined => {
  const width = (max - min) / BINS
  if (!(width > 0) || !Number.isFinite(width)) return undefined
  const bounds = Array.from({ length: BINS - 1 }, (_, i) => Number((min + (i + 1) * width).toPrecision(12)))
  return bounds.every((bound, i) => bound > (bounds[i - 1] ?? min) && bound < max) ? bounds : undefined
}

/** The same between two timestamps as written by sources: `2026-01-02 03:04:05+00`. In whole seconds, for dates in whole days. */
export const timestampBounds = (min: string, max: string): string[] | undefined => {
  const [from, to] = [min, max].map(parseTimestampText)
  if (from === undefined || to === undefined) return undefined
  const days = isDate(min) && isDate(max)
  const bounds = numberBounds(from, to)?.map((ms) => formatTimestampText(ms, days))
  return bounds && new Set([...bounds, formatTimestampText(from, days)]).size === BINS ? bounds : undefined
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

const parseTimestampText = (text: string): number | undefined => {
  const [, date, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?/.exec(text) ?? []
  const ms = date ? Date.parse(`${date}T${time}Z`) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

const formatTimestampText = (ms: number, days: boolean): string =>
  new Date(ms)
    .toISOString()
    .slice(0, days ? 10 : 19)
    .replace('T', ' ')
