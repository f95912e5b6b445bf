import type { Cell } from '../integrations/connectors/connector.ts'
import type { Words } from '../integrations/connectors/words.ts'
import type { Asked } from './metrics.ts'

/** What a monitor would have measured in the past, from the rows that are there now and when they were written. Pure. */
export const HISTORY_METRICS: readonly string[] = ['row_count', 'freshness', 'null_percentage', 'min', 'max', 'mean']

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

const MOST_PERIODS = 1000
const HOUR_MS = 3_600_000

/**
 * One scan: the rows of each period between two runs. Period 0 ends with the last run, 1 a run earlier; what is older than the last of them
 * is put into that one, and what is newer than the last run is left out.
 */
export const historyStatement = (
  words: Words,
  asked: Asked & { readonly path: readonly string[] },
  timestamp: string,
  { frequency, last_run, hours_ago }: Clock,
) => {
  const column = asked.column === undefined ? '1' : words.quote(asked.column)
  const moment = words.quote(timestamp)
  const hours = words.hoursSince(moment)
  const periods = `round((${hours} - ${hours_ago.toFixed(6)}) / ${frequency} - 0.5)`
  const numbers = ['min', 'max', 'mean'].includes(asked.metric_type)
  const number = (expression: string) => (numbers ? words.castToNumber(expression) : '0')
  const selected = [
    `case when ${periods} > ${MOST_PERIODS} then ${MOST_PERIODS} else ${periods} end as period`,
    'count(*) as n',
    `count(${column}) as filled`,
    `${number(`sum(${column})`)} as total`,
    `${number(`min(${column})`)} as least`,
    `${number(`max(${column})`)} as most`,
    `min(${hours}) as age`,
  ]
  const where = [`${moment} is not null`, `${hours} >= ${hours_ago.toFixed(6)}`, ...(asked.where === undefined ? [] : [`(${asked.where})`])]
  return {
    sql: `select ${selected.join(', ')} from ${words.table(asked.path)} where ${where.join(' and ')} group by 1 order by 1 desc`,
    max_rows: MOST_PERIODS + 2,
    read: (rows: readonly (readonly Cell[])[]): Point[] =>
      pointsOf(asked.metric_type, rows.map(readPeriod), { frequency, last_run, hours_ago }),
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

const readPeriod = (row: readonly Cell[]): Period => {
  const [period, n, filled, total, least, most, age] = row.map((cell) => (cell === null ? Number.NaN : Number(cell)))
  return { period: Math.max(0, Math.round(period!)), n: n!, filled: filled!, total: total!, least: least!, most: most!, age: age! }
}

/** Period by period, from the oldest: what was there by then. */
const pointsOf = (metric_type: string, found: readonly Period[], { frequency, last_run, hours_ago }: Clock): Point[] => {
  const byPeriod = new Map(found.map((each) => [each.period, each]))
  const oldest = Math.max(-1, ...byPeriod.keys())
  const sum = { n: 0, filled: 0, total: 0, least: Number.POSITIVE_INFINITY, most: Number.NEGATIVE_INFINITY, age: Number.POSITIVE_INFINITY }
  const points: Point[] = []
  for (let period = oldest; period >= 0; period -= 1) {
    const each = byPeriod.get(period)
    if (each) {
      sum.n += each.n
      sum.filled += each.filled
      sum.total += Number.isNaN(each.total) ? 0 : each.total
      sum.least = Number.isNaN(each.least) ? sum.least : Math.min(sum.least, each.least)
      sum.most = Number.isNaN(each.most) ? sum.most : Math.max(sum.most, each.most)
      sum.age = Math.min(sum.age, each.age)
    }
    const value = metricIn(metric_type, sum, hours_ago + period * frequency)
    const at = new Date(last_run.getTime() - period * frequency * HOUR_MS)
    // The first is the sum of all that came before: no period like the others.
    if (period < oldest && Number.isFinite(value))
      points.push({ at, value, ...(metric_type === 'null_percentage' ? { row_count: sum.n } : {}) })
  }
  return points
}

const metricIn = (metric_type: string, { n, filled, total, least, most, age }: Omit<Period, 'period'>, hours: number): number => {
  switch (metric_type) {
    case 'row_count':
      return n
    case 'null_percentage':
      return n === 0 ? 0 : (100 * (n - filled)) / n
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
