import type { Words } from '../integrations/connectors/words.ts'
import type { PlacedColumn } from './place.ts'

/** SQL of profiles in each dialect. Pure. */

const LONGEST_VALUE = 200
const BINS = 10
export const TOP = 10

/** A value for display: numbers, timestamps and booleans unchanged, everything else as text of limited length. */
export const shownOf = (words: Words, name: string, native_type: string | null, longest = LONGEST_VALUE): string => {
  const column = words.quote(name)
  const plain = words.isNumericType(native_type) || words.isTemporalType(native_type) || words.isBooleanType(native_type)
  return plain ? column : textOf(words, name, longest)
}

const textOf = (words: Words, name: string, longest = LONGEST_VALUE): string =>
  `substr(${words.castToText(words.quote(name))}, 1, ${longest})`

/** Values to check for personal data. */
export const valuesSql = (words: Words, columns: readonly PlacedColumn[], from: string, rows: number): string =>
  `select ${columns.map(({ name }) => textOf(words, name)).join(', ')} from ${from} s ${words.limit(rows)}`

/** One row: the number of rows, and for each column the number of values, distinct values, minimum, maximum and mean. */
export const summarySql = (words: Words, columns: readonly SummedColumn[], from: string, approximate: boolean): string =>
  `select ${['count(*)', ...columns.flatMap((column) => summaryOf(words, column, approximate))].join(',\n  ')}\nfrom ${from} s`

export interface SummedColumn extends PlacedColumn {
  /** Why no value of the column may be stored. */
  readonly withheld: 'pii' | 'suspected' | null
}
export const SUMMARY_WIDTH = 5

/** The summary of a column. */
export interface Summed extends SummedColumn {
  /** Number of rows with a value. */
  readonly set: number
  readonly distinct: number | null
  readonly min: string | null
  readonly max: string | null
  readonly mean: number | null
}

const summaryOf = (words: Words, { name, native_type, withheld }: SummedColumn, approximate: boolean): string[] => {
  const column = words.quote(name)
  const set = `count(${column})`
  if (!words.isComparable(native_type)) return [set, 'null', 'null', 'null', 'null']
  const distinct = approximate ? words.approxDistinct(column) : `count(distinct ${column})`
  const numeric = words.isNumericType(native_type)
  if (withheld || words.isBooleanType(native_type)) return [set, distinct, 'null', 'null', 'null']
  if (numeric) return [set, distinct, `min(${column})`, `max(${column})`, `avg(${words.castToNumber(column)})`]
  if (words.isTemporalType(native_type))
    return [set, distinct, words.castToText(`min(${column})`), words.castToText(`max(${column})`), 'null']
  // As text: some sortable types have no minimum and maximum (uuid, inet).
  return [set, distinct, `min(${textOf(words, name)})`, `max(${textOf(words, name)})`, 'null']
}

export interface Bounded extends PlacedColumn {
  /** The lower bound of each bin except the first, as a literal of the dialect. */
  readonly bounds: readonly string[]
}

/** One row: for each column the number of values, and the number below each bound. One scan serves all columns and bins. */
export const histogramSql = (words: Words, columns: readonly Bounded[], from: string): string =>
  `select ${columns
    .flatMap(({ name, native_type, bounds }) => {
      const column = words.quote(name)
      // Some servers do not compare a decimal with a double.
      const value = words.isNumericType(native_type) ? words.castToNumber(column) : column
      return [`count(${column})`, ...bounds.map((bound) => `sum(case when ${value} < ${bound} then 1 else 0 end)`)]
    })
    .join(',\n  ')}\nfrom ${from} s`

/** Rows of: index of the column, value, count. */
export const topSql = (words: Words, columns: readonly PlacedColumn[], from: string): string =>
  columns
    .map(({ name }, i) => {
      const value = textOf(words, name)
      return `select * from (select ${i} as c, ${value} as v, count(*) as n from ${from} s where ${words.quote(name)} is not null
        group by ${value} order by count(*) desc, ${value} ${words.limit(TOP)}) t${i}`
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
export const momentBounds = (min: string, max: string): string[] | undefined => {
  const [from, to] = [min, max].map(readMoment)
  if (from === undefined || to === undefined) return undefined
  const days = isDate(min) && isDate(max)
  const bounds = numberBounds(from, to)?.map((ms) => momentText(ms, days))
  return bounds && new Set([...bounds, momentText(from, days)]).size === BINS ? bounds : undefined
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text)

const readMoment = (text: string): number | undefined => {
  const [, date, time = '00:00:00'] = /^(\d{4}-\d\d-\d\d)(?:[ T](\d\d:\d\d:\d\d))?/.exec(text) ?? []
  const ms = date ? Date.parse(`${date}T${time}Z`) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

const momentText = (ms: number, days: boolean): string =>
  new Date(ms)
    .toISOString()
    .slice(0, days ? 10 : 19)
    .replace('T', ' ')
