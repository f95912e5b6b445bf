import type { Cell } from '../integrations/connectors/connector.ts'
import type { Words } from '../integrations/connectors/words.ts'
import type { Asked } from './metrics.ts'

/** What a monitor would have measured in the past, from the rows that are there now and when they were written. Pure. */
const DIFFERENT: readonly string[] = ['unique_percentage', 'cardinality']
export const HISTORY_METRICS: readonly string[] = ['row_count', 'freshness', 'null_percentage', 'min', 'max', 'mean', ...DIFFERENT]

/** Why nobody can say what it would have measured; undefined where the rows tell it. */
export const noPastOf = (words: Words, { metric_type, large }: Asked): string | undefined => {
  if (metric_type === 'custom_sql')
    return 'The past of a query of one’s own is not known: only the query could say which rows it would have read then. Push its values to let it learn at once.'
  if (!HISTORY_METRICS.includes(metric_type)) return 'Its values are pushed: their past can be, too.'
  // Estimates of parts cannot be added up, and an exact past before an estimated present would be a jump.
  if (large && words.approximates && DIFFERENT.includes(metric_type))
    return 'Of so many rows different values are estimated, and only for all of them at once.'
  return undefined
}

export interface Point {
  readonly at: Date
  readonly value: number
  readonly row_count?: number
}

export interface Clock {
  /** Hours from one run to the next. */
  readonly frequency: number
  /** The run that should have been last, and how long ago that was. */
  readonly last_run: Date
  readonly hours_ago: number
}

type Table = readonly (readonly Cell[])[]

const MOST_PERIODS = 1000
const ALWAYS = MOST_PERIODS + 1
const HOUR_MS = 3_600_000

/**
 * The rows of each period between two runs, in one scan. Period 0 ends with the last run, 1 a run earlier; what is older than the last of
 * them is put into that one, and what is newer than the last run is left out. Rows that do not say when they were written, or say a time to
 * come, count as if they had always been there: a run counts them, too. Different values need a second scan: each counts in the period in which it
 * was there first.
 */
export const historyStatements = (
  words: Words,
  asked: Asked & { readonly path: readonly string[] },
  timestamp: string,
  { frequency, last_run, hours_ago }: Clock,
) => {
  const column = asked.column === undefined ? '1' : words.quote(asked.column)
  const moment = words.quote(timestamp)
  const hours = words.hoursSince(moment)
  const periods = `round((${hours} - ${hours_ago.toFixed(6)}) / ${frequency} - 0.5)`
  const period = `case when ${moment} is null or ${hours} < 0 then ${ALWAYS} when ${periods} > ${MOST_PERIODS} then ${MOST_PERIODS} else ${periods} end`
  const numbers = ['min', 'max', 'mean'].includes(asked.metric_type)
  const number = (expression: string) => (numbers ? words.castToNumber(expression) : '0')
  const conditions = [
    `(${moment} is null or ${hours} < 0 or ${hours} >= ${hours_ago.toFixed(6)})`,
    ...(asked.where === undefined ? [] : [`(${asked.where})`]),
  ]
  // Names that no column has: some sources would take ours for it.
  const rows = `select ${period} as h0, ${column} as h1, ${hours} as h2 from ${words.table(asked.path)} where ${conditions.join(' and ')}`
  const sums = ['count(*)', 'count(h1)', number('sum(h1)'), number('min(h1)'), number('max(h1)'), 'min(h2)']
  const firsts = `select max(h0) as h3 from (${rows}) r where h1 is not null group by h1`
  return {
    statements: [
      `select h0, ${sums.map((each, i) => `${each} as h${i + 3}`).join(', ')} from (${rows}) r group by h0 order by h0 desc`,
      ...(DIFFERENT.includes(asked.metric_type) ? [`select h3, count(*) as h4 from (${firsts}) f group by h3`] : []),
    ],
    max_rows: MOST_PERIODS + 2,
    read: ([rows = [], firsts = []]: readonly Table[]): Point[] =>
      pointsOf(asked.metric_type, rows.map(readPeriod), new Map(firsts.map(([period, n]) => [periodIn(period), Number(n)])), {
        frequency,
        last_run,
        hours_ago,
      }),
  }
}

interface Period {
  readonly period: number
  readonly n: number
  readonly filled: number
  readonly total: number
  readonly least: number
  readonly most: number
  readonly age: number
}

const periodIn = (cell: Cell | undefined): number => Math.max(0, Math.round(Number(cell)))

const readPeriod = (row: readonly Cell[]): Period => {
  const [, n, filled, total, least, most, age] = row.map((cell) => (cell === null ? Number.NaN : Number(cell)))
  return { period: periodIn(row[0]), n: n!, filled: filled!, total: total!, least: least!, most: most!, age: age! }
}

/** What was there by the end of a period. */
type Sum = Omit<Period, 'period'> & {
  /** Different values. */
  readonly values: number
}

/** Period by period, from the oldest; `fresh` are the values that were not there before. */
const pointsOf = (
  metric_type: string,
  found: readonly Period[],
  fresh: ReadonlyMap<number, number>,
  { frequency, last_run, hours_ago }: Clock,
): Point[] => {
  const byPeriod = new Map(found.map((each) => [each.period, each]))
  const rows = found.reduce((sum, { n }) => sum + n, 0)
  if (metric_type !== 'freshness' && 2 * (byPeriod.get(ALWAYS)?.n ?? 0) > rows) return [] // of most rows nobody knows when they came
  const oldest = Math.max(-1, ...[...byPeriod.keys(), ...fresh.keys()].filter((period) => period !== ALWAYS))
  const [least, most, age] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const sum = { n: 0, filled: 0, total: 0, least, most, age, values: 0 }
  const add = (period: number): void => {
    sum.values += fresh.get(period) ?? 0
    const each = byPeriod.get(period)
    if (!each) return
    sum.n += each.n
    sum.filled += each.filled
    sum.total += Number.isNaN(each.total) ? 0 : each.total
    sum.least = Number.isNaN(each.least) ? sum.least : Math.min(sum.least, each.least)
    sum.most = Number.isNaN(each.most) ? sum.most : Math.max(sum.most, each.most)
    sum.age = Number.isNaN(each.age) ? sum.age : Math.min(sum.age, each.age)
  }
  add(ALWAYS)
  const points: Point[] = []
  for (let period = oldest; period >= 0; period -= 1) {
    add(period)
    const value = metricIn(metric_type, sum, hours_ago + period * frequency)
    const at = new Date(last_run.getTime() - period * frequency * HOUR_MS)
    // The first is the sum of all that came before: no period like the others.
    if (period < oldest && Number.isFinite(value)) points.push({ at, value, ...rowsBehind(metric_type, sum) })
  }
  return points
}

const metricIn = (metric_type: string, { n, filled, total, least, most, age, values }: Sum, hours: number): number => {
  switch (metric_type) {
    case 'row_count':
      return n
    case 'null_percentage':
      return n === 0 ? 0 : (100 * (n - filled)) / n
    case 'unique_percentage':
      return filled === 0 ? 100 : Math.min(100, (100 * values) / filled)
    case 'cardinality':
      return values
    case 'min':
      return least
    case 'max':
      return most
    case 'mean':
      return filled === 0 ? Number.NaN : total / filled
    default:
      return Math.max(0, age - hours) // freshness: how old the newest row was by then
  }
}

/** As a run would have said it. */
const rowsBehind = (metric_type: string, { n, filled }: Sum): { row_count?: number } =>
  metric_type === 'null_percentage' ? { row_count: n } : metric_type === 'unique_percentage' ? { row_count: filled } : {}
