import type { Cell } from '../integrations/connectors/connector.ts'
import type { Words } from '../integrations/connectors/words.ts'

/** Builds the SQL of metrics and interprets its results. Monitors of one table are combined into one statement, so it is scanned once. Pure. */
export interface Asked {
  readonly id: string
  readonly metric_type: string
  /** Name of the column in the source. */
  readonly column?: string
  readonly timestamp_column?: string
  readonly where?: string
  /** Distinct values of a large table are estimated if the source supports it, because an exact count is too expensive. */
  readonly large?: boolean
}

export type Outcome = { readonly value: number; readonly row_count?: number } | { readonly error: string }

export interface Statement {
  readonly sql: string
  /** Extracts the result of each monitor from the single row. */
  read(row: readonly Cell[]): Map<string, Outcome>
}

export const foldStatement = (words: Words, path: readonly string[], asked: readonly Asked[]): Statement => {
  const expressions: string[] = []
  const place = (expression: string): number => {
    const at = expressions.indexOf(expression)
    return at >= 0 ? at : expressions.push(expression) - 1
  }
  // A condition shared by all monitors becomes the WHERE clause, so that the source can use an index or skip partitions.
  const [shared, ...others] = new Set(asked.map(({ where }) => where))
  const common = others.length === 0 ? shared : undefined
  const readers = asked.map(
    (each) => [each.id, readerOf(words, common === undefined ? each : { ...each, where: undefined }, place)] as const,
  )
  const where = common === undefined ? '' : ` where (${common})`
  return {
    sql: `select ${expressions.map((each, i) => `${each} as m${i}`).join(', ')} from ${words.table(path)}${where}`,
    read: (row) => new Map(readers.map(([id, read]) => [id, attempt(() => read(row))])),
  }
}

type Reader = (row: readonly Cell[]) => Outcome

const readerOf = (
  words: Words,
  { metric_type, column, timestamp_column, where, large }: Asked,
  place: (expression: string) => number,
): Reader => {
  const when = (expression: string) => (where === undefined ? expression : `case when (${where}) then ${expression} end`)
  // Added only if needed: the newest row may be found by an index, but a count reads all rows.
  const countRows = () => place(where === undefined ? 'count(*)' : `count(${when('1')})`)
  const name = column === undefined ? '' : words.quote(column)
  const different = () => (large ? words.approxDistinct(when(name)) : `count(distinct ${when(name)})`)
  const one = (what: string, expression: string): Reader => {
    const at = place(expression)
    return (row) => ({ value: numberIn(row[at], what) })
  }
  switch (metric_type) {
    case 'row_count': {
      const rows = countRows()
      return (row) => ({ value: countIn(row[rows]) })
    }
    case 'null_percentage': {
      const [rows, set] = [countRows(), place(`count(${when(name)})`)]
      return (row) => {
        const [total, filled] = [countIn(row[rows]), countIn(row[set])]
        return { value: total === 0 ? 0 : (100 * (total - filled)) / total, row_count: total } // an empty table has no nulls
      }
    }
    case 'unique_percentage': {
      const [set, distinct] = [place(`count(${when(name)})`), place(different())]
      return (row) => {
        const [filled, values] = [countIn(row[set]), countIn(row[distinct])]
        return { value: filled === 0 ? 100 : Math.min(100, (100 * values) / filled), row_count: filled } // no values, no duplicates
      }
    }
    case 'cardinality': {
      const values = place(different())
      return (row) => ({ value: countIn(row[values]) })
    }
    case 'min':
    case 'max':
      return one(`The ${metric_type === 'min' ? 'minimum' : 'maximum'}`, words.castToNumber(`${metric_type}(${when(name)})`))
    case 'mean':
      return one('The mean', words.castToNumber(`avg(${when(name)})`))
    case 'freshness': {
      const age = place(words.hoursSince(`max(${when(words.quote(timestamp_column ?? ''))})`))
      return (row) => ({ value: ageIn(numberIn(row[age], 'The time of the newest row')) })
    }
    default:
      throw new Error(`${metric_type} cannot be combined into one statement`)
  }
}

const CLOCKS_DIFFER_HOURS = 5 / 60

/** A row dated in the future would hide that no new rows arrive, so it is an error. */
const ageIn = (hours: number): number => {
  if (hours < -CLOCKS_DIFFER_HOURS)
    throw new Error(
      `The newest row is dated ${(-hours).toLocaleString('en', { maximumFractionDigits: 1 })} hours in the future. Check the time zone and unit of the timestamp column, or exclude such rows with a condition.`,
    )
  return Math.max(0, hours)
}

const attempt = (read: () => Outcome): Outcome => {
  try {
    return read()
  } catch (error) {
    return { error: (error as Error).message }
  }
}

/** Numbers too large for a double arrive as text and are rounded. Messages never contain values: more people can read them than the table. */
const numberIn = (cell: Cell | undefined, what: string): number => {
  if (cell === null || cell === undefined) throw new Error(`${what} could not be computed because no row has a value.`)
  const value = typeof cell === 'string' && cell.trim() !== '' ? Number(cell) : cell
  if (typeof value !== 'number' || Number.isNaN(value)) throw new Error(`${what} is not a number.`)
  if (!Number.isFinite(value)) throw new Error(`${what} is infinite.`)
  return value
}

/** For an empty table some sources return NULL instead of 0. */
const countIn = (cell: Cell | undefined): number => (cell === null ? 0 : numberIn(cell, 'The count'))

/** A custom query must return one row with one number. */
export const readCustom = (rows: readonly (readonly Cell[])[], truncated: boolean): Outcome =>
  attempt(() => {
    if (rows.length === 0) throw new Error('The query returned no rows. It must return one row with one number.')
    if (rows.length > 1 || truncated) throw new Error('The query returned more than one row. It must return one row with one number.')
    const [row] = rows
    if (row!.length !== 1) throw new Error(`The query returned ${row!.length} columns. It must return one row with one number.`)
    if (row![0] === null) throw new Error('The query returned NULL. It must return a number.')
    return { value: numberIn(row![0], 'The result of the query') }
  })
