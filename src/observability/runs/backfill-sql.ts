import type { Cell } from '../../sources/connectors/shared/connector.ts'
import type { DialectSql } from '../../sources/connectors/shared/dialect-sql.ts'
import type { MetricRequest } from './metric-sql.ts'

/** Builds the SQL of a backfill: what a monitor would have measured earlier, from existing rows and their timestamps. Pure. */
const DISTINCT_METRICS: readonly string[] = ['unique_percentage', 'cardinality']
export const BACKFILL_METRICS: readonly string[] = ['row_count', 'freshness', 'null_percentage', 'min', 'max', 'mean', ...DISTINCT_METRICS]

/** Why a backfill is impossible; undefined if it is possible. */
export const findBackfillObstacle = (dialectSql: DialectSql, { metric_type, large }: MetricRequest): string | undefined => {
  if (metric_type === 'custom_sql')
    return 'Custom SQL cannot be backfilled because it is not known which rows the query would have read earlier. Push earlier values to train the monitor immediately.'
  if (metric_type !== 'pushed' && !BACKFILL_METRICS.includes(metric_type))
    return 'Earlier values of this metric cannot be computed from the rows that exist now.'
  if (!BACKFILL_METRICS.includes(metric_type)) return 'The values of this monitor are pushed. Push earlier values to train it immediately.'
  // Estimates of periods cannot be added up, and an exact history followed by estimated values would show a jump.
  if (large && dialectSql.approximates && DISTINCT_METRICS.includes(metric_type))
    return 'Distinct values of a table this large are estimated, and an estimate cannot be backfilled.'
  return undefined
}

export interface BackfillPoint {
  readonly at: Date
  readonly value: number
  readonly row_count?: number
}

export interface RunTimes {
  /** Hours between runs. */
  readonly frequency: number
  /** Time of the last scheduled run, and how long ago it was. */
  readonly last_run: Date
  readonly hours_ago: number
}

type ResultRows = readonly (readonly Cell[])[]

const MAX_PERIODS = 1000
const ALWAYS_PERIOD = MAX_PERIODS + 1
const HOUR_MS = 3_600_000

/**
 * Aggregates the rows of each period between two runs in one scan. Period 0 ends with the last run, period 1 one run earlier; older rows go
 * into the oldest period, and rows newer than the last run are left out. Rows without a timestamp, or with one in the future, count as if
 * they had always existed, because a run counts them too. Distinct values need a second scan: each counts in the period it first appeared.
 */
export const buildBackfillStatements = (
  dialectSql: DialectSql,
  request: MetricRequest & { readonly path: readonly string[] },
  timestamp: string,
  { frequency, last_run, hours_ago }: RunTimes,
) => {
  const column = request.column === undefined ? '1' : dialectSql.quote(request.column)
  const moment = dialectSql.quote(timestamp)
  const hours = dialectSql.hoursSince(moment)
  const periods = dialectSql.round(`(${hours} - ${hours_ago.toFixed(6)}) / ${frequency} - 0.5`)
  const period = `case when ${moment} is null or ${hours} < 0 then ${ALWAYS_PERIOD} when ${periods} > ${MAX_PERIODS} then ${MAX_PERIODS} else ${periods} end`
  const numbers = ['min', 'max', 'mean'].includes(request.metric_type)
  const number = (name: 'sum' | 'min' | 'max') => (numbers ? dialectSql.aggregate(name, 'h1') : '0')
  const conditions = [
    `(${moment} is null or ${hours} < 0 or ${hours} >= ${hours_ago.toFixed(6)})`,
    ...(request.where === undefined ? [] : [`(${request.where})`]),
  ]
  // Aliases that no column is likely to have: some sources would resolve them to a column.
  const rows = `select ${period} as h0, ${column} as h1, ${hours} as h2 from ${dialectSql.table(request.path)} where ${conditions.join(' and ')}`
  const sums = ['count(*)', 'count(h1)', number('sum'), number('min'), number('max'), 'min(h2)']
  const firsts = `select max(h0) as h3 from (${rows}) r where h1 is not null group by h1`
  return {
    statements: [
      `select h0, ${sums.map((each, i) => `${each} as h${i + 3}`).join(', ')} from (${rows}) r group by h0 order by h0 desc`,
      ...(DISTINCT_METRICS.includes(request.metric_type) ? [`select h3, count(*) as h4 from (${firsts}) f group by h3`] : []),
    ],
    max_rows: MAX_PERIODS + 2,
    read: ([rows = [], firsts = []]: readonly ResultRows[]): BackfillPoint[] =>
      computePoints(request.metric_type, rows.map(parsePeriod), new Map(firsts.map(([period, n]) => [toPeriod(period), Number(n)])), {
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
  readonly min: number
  readonly max: number
  readonly age: number
}

const toPeriod = (cell: Cell | undefined): number => Math.max(0, Math.round(Number(cell)))

const parsePeriod = (row: readonly Cell[]): Period => {
  const [, n, filled, total, min, max, age] = row.map((cell) => (cell === null ? Number.NaN : Number(cell)))
  return { period: toPeriod(row[0]), n: n!, filled: filled!, total: total!, min: min!, max: max!, age: age! }
}

/** Totals at the end of a period. */
type PeriodTotals = Omit<Period, 'period'> & {
  /** Distinct values. */
  readonly values: number
}

/** Adds up the periods from the oldest; `fresh` is the number of values that first appeared in a period. */
const computePoints = (
  metric_type: string,
  found: readonly Period[],
  fresh: ReadonlyMap<number, number>,
  { frequency, last_run, hours_ago }: RunTimes,
): BackfillPoint[] => {
  const byPeriod = new Map(found.map((each) => [each.period, each]))
  const rows = found.reduce((sum, { n }) => sum + n, 0)
  if (metric_type !== 'freshness' && 2 * (byPeriod.get(ALWAYS_PERIOD)?.n ?? 0) > rows) return [] // most rows have no usable timestamp
  const oldest = Math.max(-1, ...[...byPeriod.keys(), ...fresh.keys()].filter((period) => period !== ALWAYS_PERIOD))
  const [min, max, age] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const sum = { n: 0, filled: 0, total: 0, min, max, age, values: 0 }
  const add = (period: number): void => {
    sum.values += fresh.get(period) ?? 0
    const each = byPeriod.get(period)
    if (!each) return
    sum.n += each.n
    sum.filled += each.filled
    sum.total += Number.isNaN(each.total) ? 0 : each.total
    sum.min = Number.isNaN(each.min) ? sum.min : Math.min(sum.min, each.min)
    sum.max = Number.isNaN(each.max) ? sum.max : Math.max(sum.max, each.max)
    sum.age = Number.isNaN(each.age) ? sum.age : Math.min(sum.age, each.age)
  }
  add(ALWAYS_PERIOD)
  const points: BackfillPoint[] = []
  for (let period = oldest; period >= 0; period -= 1) {
    add(period)
    const value = computeMetric(metric_type, sum, hours_ago + period * frequency)
    const at = new Date(last_run.getTime() - period * frequency * HOUR_MS)
    // The oldest period also contains everything before it, so it is not a point.
    if (period < oldest && Number.isFinite(value)) points.push({ at, value, ...toRowCount(metric_type, sum) })
  }
  return points
}

const computeMetric = (metric_type: string, { n, filled, total, min, max, age, values }: PeriodTotals, hours: number): number => {
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
      return min
    case 'max':
      return max
    case 'mean':
      return filled === 0 ? Number.NaN : total / filled
    default:
      return Math.max(0, age - hours) // freshness: age of the newest row at that time
  }
}

/** The same row count a run would report. */
const toRowCount = (metric_type: string, { n, filled }: PeriodTotals): { row_count?: number } =>
  metric_type === 'null_percentage' ? { row_count: n } : metric_type === 'unique_percentage' ? { row_count: filled } : {}
