import type { Cell } from '../../sources/connectors/shared/connector.ts'
import type { DialectSql } from '../../sources/connectors/shared/dialect-sql.ts'

/** Builds the SQL of metrics and interprets its results. Monitors of one table are combined into one statement, so it is scanned once. Pure. */
export interface MetricRequest {
  readonly id: string
  readonly metric_type: string
  /** Name of the column in the source. */
  readonly column?: string
  readonly timestamp_column?: string
  readonly where?: string
  /** Whether the column holds numbers. */
  readonly numeric?: boolean
  /** Of `partition_gaps`. */
  readonly days?: number
  /** Of `accepted_values`. */
  readonly values?: readonly string[]
  /** Of `pattern`. */
  readonly pattern?: string
  /** Of `range`. */
  readonly min_value?: number
  readonly max_value?: number
  /** Of `duplicates`: names in the source. */
  readonly key_columns?: readonly string[]
  /** Of `referential`: the table and the column in the source. */
  readonly reference?: { readonly path: readonly string[]; readonly column: string }
  /** Of `row_count_change`: the row count at the last run, null at the first. */
  readonly previous_rows?: number | null
  /** Distinct values of a large table are estimated if the source supports it, because an exact count is too expensive. */
  readonly large?: boolean
}

export type MetricOutcome = { readonly value: number; readonly row_count?: number } | { readonly error: string }

export interface CombinedStatement {
  readonly sql: string
  /** Extracts the result of each monitor from the single row. */
  read(row: readonly Cell[]): Map<string, MetricOutcome>
}

export const buildCombinedStatement = (
  dialectSql: DialectSql,
  path: readonly string[],
  requests: readonly MetricRequest[],
): CombinedStatement => {
  const expressions: string[] = []
  const addExpression = (expression: string): number => {
    const at = expressions.indexOf(expression)
    return at >= 0 ? at : expressions.push(expression) - 1
  }
  // A condition shared by all monitors becomes the WHERE clause, so that the source can use an index or skip partitions.
  const [shared, ...others] = new Set(requests.map(({ where }) => where))
  const common = others.length === 0 ? shared : undefined
  const readers = requests.map(
    (each) =>
      [each.id, createResultReader(dialectSql, common === undefined ? each : { ...each, where: undefined }, addExpression)] as const,
  )
  const where = common === undefined ? '' : ` where (${common})`
  return {
    sql: `select ${expressions.map((each, i) => `${each} as m${i}`).join(', ')} from ${dialectSql.table(path)}${where}`,
    read: (row) => new Map(readers.map(([id, read]) => [id, tryRead(() => read(row))])),
  }
}

type ResultReader = (row: readonly Cell[]) => MetricOutcome

const createResultReader = (
  dialectSql: DialectSql,
  request: MetricRequest,
  addExpression: (expression: string) => number,
): ResultReader => {
  const { metric_type, column, timestamp_column, where, large, previous_rows } = request
  const when = (expression: string) => (where === undefined ? expression : `case when (${where}) then ${expression} end`)
  // Added only if needed: the newest row may be found by an index, but a count reads all rows.
  const countRows = () => addExpression(where === undefined ? 'count(*)' : `count(${when('1')})`)
  const name = column === undefined ? '' : dialectSql.quote(column)
  const different = () => (large ? dialectSql.approxDistinct(when(name)) : `count(distinct ${when(name)})`)
  const one = (what: string, expression: string): ResultReader => {
    const at = addExpression(expression)
    return (row) => ({ value: toNumber(row[at], what) })
  }
  switch (metric_type) {
    case 'row_count': {
      const rows = countRows()
      return (row) => ({ value: toCount(row[rows]) })
    }
    case 'row_count_change': {
      const rows = countRows()
      return (row) => {
        const row_count = toCount(row[rows])
        return { value: computeChange(previous_rows ?? row_count, row_count), row_count }
      }
    }
    case 'accepted_values':
    case 'pattern':
    case 'range': {
      const failing = addExpression(`count(${when(`case when ${buildFailingCondition(dialectSql, request)} then 1 end`)})`)
      return (row) => ({ value: toCount(row[failing]) })
    }
    case 'null_percentage': {
      const [rows, set] = [countRows(), addExpression(`count(${when(name)})`)]
      return (row) => {
        const [total, filled] = [toCount(row[rows]), toCount(row[set])]
        return { value: total === 0 ? 0 : (100 * (total - filled)) / total, row_count: total } // an empty table has no nulls
      }
    }
    case 'unique_percentage': {
      const [set, distinct] = [addExpression(`count(${when(name)})`), addExpression(different())]
      return (row) => {
        const [filled, values] = [toCount(row[set]), toCount(row[distinct])]
        return { value: filled === 0 ? 100 : Math.min(100, (100 * values) / filled), row_count: filled } // no values, no duplicates
      }
    }
    case 'cardinality': {
      const values = addExpression(different())
      return (row) => ({ value: toCount(row[values]) })
    }
    case 'min':
    case 'max':
      return one(`The ${metric_type === 'min' ? 'minimum' : 'maximum'}`, dialectSql.aggregate(metric_type, when(name)))
    case 'mean':
      return one('The mean', dialectSql.aggregate('avg', when(name)))
    case 'freshness': {
      const age = addExpression(dialectSql.hoursSince(`max(${when(dialectSql.quote(timestamp_column ?? ''))})`))
      return (row) => ({ value: toAge(toNumber(row[age], 'The time of the newest row')) })
    }
    case 'partition_freshness': {
      const day = dialectSql.dayOf(dialectSql.quote(timestamp_column ?? ''))
      const age = addExpression(dialectSql.hoursSince(`max(${when(day)})`))
      // A partition is complete at the end of its day.
      return (row) => ({ value: Math.max(0, toAge(toNumber(row[age], 'The date of the newest partition')) - DAY_HOURS) })
    }
    case 'partition_gaps': {
      const { days = DEFAULT_PARTITION_DAYS } = request
      const day = dialectSql.dayOf(dialectSql.quote(timestamp_column ?? ''))
      const hours = dialectSql.hoursSince(day)
      const isPast = `${hours} >= ${DAY_HOURS} and ${hours} < ${(days + 1) * DAY_HOURS}`
      const oldest = addExpression(dialectSql.hoursSince(`min(${when(day)})`))
      const present = addExpression(`count(distinct ${when(`case when ${isPast} then ${day} end`)})`)
      return (row) => {
        const expected = Math.min(days, Math.floor(toNumber(row[oldest], 'The date of the oldest partition') / DAY_HOURS))
        return { value: Math.max(0, expected - toCount(row[present])) }
      }
    }
    case 'partition_row_count': {
      const hours = dialectSql.hoursSince(dialectSql.dayOf(dialectSql.quote(timestamp_column ?? '')))
      // Yesterday's, the last one that is complete: its day began between one and two days ago.
      const rows = addExpression(`count(${when(`case when ${hours} >= ${DAY_HOURS} and ${hours} < ${2 * DAY_HOURS} then 1 end`)})`)
      return (row) => ({ value: toCount(row[rows]) })
    }
    default:
      throw new Error(`${metric_type} cannot be combined into one statement`)
  }
}

const DAY_HOURS = 24
const DEFAULT_PARTITION_DAYS = 30

/** Percent of the previous number of rows. From none, any number is a doubling: 100. */
const computeChange = (before: number, now: number): number => (before === 0 ? (now === 0 ? 0 : 100) : (100 * (now - before)) / before)

/** Whether the value of a row breaks the rule. A missing value breaks none. */
const buildFailingCondition = (
  dialectSql: DialectSql,
  { metric_type, column = '', numeric, values = [], pattern = '', min_value, max_value }: MetricRequest,
): string => {
  const name = dialectSql.quote(column)
  const [text, number] = [dialectSql.castToText(name), dialectSql.castToNumber(name)]
  if (metric_type === 'accepted_values') {
    const list = numeric ? values.map(Number) : values.map(dialectSql.textLiteral)
    return `${name} is not null and ${numeric ? number : text} not in (${list.join(', ')})` // in ClickHouse, null is not in any list
  }
  if (metric_type === 'range')
    return [
      ...(min_value === undefined ? [] : [`${number} < ${min_value}`]),
      ...(max_value === undefined ? [] : [`${number} > ${max_value}`]),
    ].join(' or ')
  if (!dialectSql.matches) throw new Error('This source has no regular expressions.')
  return `not (${dialectSql.matches(text, dialectSql.textLiteral(pattern))})`
}

/** Metrics with a statement of their own: they group or join the table, so they cannot share a scan with others. */
export const SEPARATE_METRICS: readonly string[] = ['duplicates', 'referential']

/** A statement that returns one number. Aliases that no column is likely to have: some sources would resolve them to a column. */
export const buildSeparateStatement = (
  dialectSql: DialectSql,
  path: readonly string[],
  { metric_type, column = '', where, key_columns = [], reference }: MetricRequest,
): string => {
  const table = dialectSql.table(path)
  const condition = (names: readonly string[]) =>
    [...names.map((name) => `${name} is not null`), ...(where === undefined ? [] : [`(${where})`])].join(' and ')
  if (metric_type === 'duplicates') {
    const keys = key_columns.map(dialectSql.quote)
    // As in a unique index, rows without a complete key are not duplicates.
    return `select sum(h0) as m0 from (select count(*) as h0 from ${table} where ${condition(keys)} group by ${keys.join(', ')} having count(*) > 1) d`
  }
  const [name, other] = [dialectSql.quote(column), dialectSql.quote(reference!.column)]
  // `h2 = 1` instead of `h2 is null`: ClickHouse fills columns without a match with zero.
  return `select sum(case when d.h2 = 1 then 0 else 1 end) as m0 from (select ${name} as h0 from ${table} where ${condition([name])}) r
    left join (select distinct ${other} as h1, 1 as h2 from ${dialectSql.table(reference!.path)}) d on d.h1 = r.h0`
}

/**
 * A statement that returns rows which the metric counts: the given expressions, or for `duplicates` and `referential` the values that are shared or
 * missing, and how many rows have them.
 */
export const buildFailingRowsStatement = (
  dialectSql: DialectSql,
  path: readonly string[],
  request: MetricRequest,
  { items, rows }: { readonly items: readonly string[]; readonly rows: number },
): string => {
  const { metric_type, column = '', where, key_columns = [], reference } = request
  const table = dialectSql.table(path)
  const and = (conditions: readonly string[]) => [...conditions, ...(where === undefined ? [] : [`(${where})`])].join(' and ')
  const list = items.length === 0 ? '1' : items.join(', ')
  if (!SEPARATE_METRICS.includes(metric_type))
    return `select ${list} from ${table} where ${and([`(${buildFailingCondition(dialectSql, request)})`])} ${dialectSql.limit(rows)}`
  const keys = (metric_type === 'duplicates' ? key_columns : [column]).map(dialectSql.quote)
  const present = and(keys.map((key) => `${key} is not null`))
  if (metric_type === 'duplicates')
    return `select count(*) as m0, ${list} from ${table} where ${present} group by ${keys.join(', ')} having count(*) > 1 ${dialectSql.limit(rows)}`
  const other = dialectSql.quote(reference!.column)
  return `select count(*) as m0, max(${items[0] === undefined ? '1' : 'r.h3'}) from (select ${keys[0]} as h0, ${items[0] ?? '1'} as h3 from ${table} where ${present}) r
    left join (select distinct ${other} as h1, 1 as h2 from ${dialectSql.table(reference!.path)}) d on d.h1 = r.h0
    where case when d.h2 = 1 then 0 else 1 end = 1 group by r.h0 ${dialectSql.limit(rows)}`
}

export const parseSeparateResult = (rows: readonly (readonly Cell[])[]): MetricOutcome =>
  tryRead(() => ({ value: toCount(rows[0]?.[0] ?? null) }))

const MAX_CLOCK_SKEW_HOURS = 5 / 60

/** A row dated in the future would hide that no new rows arrive, so it is an error. */
const toAge = (hours: number): number => {
  if (hours < -MAX_CLOCK_SKEW_HOURS)
    throw new Error(
      `The newest row is dated ${(-hours).toLocaleString('en', { maximumFractionDigits: 1 })} hours in the future. Check the time zone and unit of the timestamp column, or exclude such rows with a condition.`,
    )
  return Math.max(0, hours)
}

const tryRead = (read: () => MetricOutcome): MetricOutcome => {
  try {
    return read()
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Numbers too large for a double arrive as text and are rounded. Messages never contain values: more people can read them than the table. */
const toNumber = (cell: Cell | undefined, what: string): number => {
  if (cell === null || cell === undefined) throw new Error(`${what} could not be computed because no row has a value.`)
  const value = typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : cell
  if (typeof value !== 'number' || Number.isNaN(value)) throw new Error(`${what} is not a number.`)
  if (!Number.isFinite(value)) throw new Error(`${what} is infinite.`)
  return value
}

/** For an empty table some sources return NULL instead of 0. */
const toCount = (cell: Cell | undefined): number => (cell === null ? 0 : toNumber(cell, 'The count'))

/** A custom query must return one row with one number. */
export const parseCustomResult = (rows: readonly (readonly Cell[])[], truncated: boolean): MetricOutcome =>
  tryRead(() => {
    if (rows.length === 0) throw new Error('The query returned no rows. It must return one row with one number.')
    if (rows.length > 1 || truncated) throw new Error('The query returned more than one row. It must return one row with one number.')
    const [row] = rows
    if (row!.length !== 1) throw new Error(`The query returned ${row!.length} columns. It must return one row with one number.`)
    if (row![0] === null) throw new Error('The query returned NULL. It must return a number.')
    return { value: toNumber(row![0], 'The result of the query') }
  })
